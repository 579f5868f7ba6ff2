import { asKnownStatus } from "../../../domain/attendance.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import type { GradeWorking } from "../../../domain/grade-working.ts";
import { numberText, statusView } from "../../../web/page-text.ts";
import type { Tone } from "../../../web/page-parts.ts";
import type { Translate } from "../../../web/translate.ts";
import { whyText, workingWords } from "../../grading/pages/grading-words.ts";
import { isOfNoPoints, visibleState } from "../../grading/rules/delivery.ts";
import { sessionRow, type SessionWords } from "../../scheduling/pages/sessions-view.ts";
import { type TermSession, termStrip } from "../../scheduling/pages/term-strip.ts";
import { dayText, readerFormat } from "../../../web/course-times.ts";
import type { PageWords } from "../../../web/course-words.ts";
import { maxReasonLength, maxWords, type MyWord, type WordProblem } from "../learner-words.ts";
import { latelyAndBefore, latestSize } from "../rules/attendance-summary.ts";
import type { AttendanceCounts, MySession, NotGraded, LearnerAttendance } from "../show-attendance.ts";

/** "mentor": the LMS says that they are one. */
export type Reader = "self" | "mentor" | "instructor";

type Words = Pick<SessionWords, "t" | "times">;

/** "You attended 7 of 9 sessions" (without "you" for other readers), the percentage, then the other counts. Null if there are no sessions. */
export function sumView(t: Translate, counts: AttendanceCounts, reader: Reader) {
  const count = Object.values(counts).reduce((sum, number) => sum + number, 0);
  if (count === 0) return null;
  const others = [
    { status: "LATE", key: "late", number: counts.LATE },
    { status: "ABSENT", key: "absent", number: counts.ABSENT },
    { status: "EXCUSED", key: "excused", number: counts.EXCUSED },
    { status: "", key: "unknown", number: counts.other },
  ] as const;
  // As in `rateOf`: late counts as attended, excused sessions don't count.
  const attended = counts.PRESENT + counts.LATE;
  const counting = attended + counts.ABSENT;
  return {
    attended,
    counting,
    share: counting === 0 ? 0 : (100 * attended) / counting,
    text:
      counting === 0
        ? null
        : t(reader === "self" ? "mine.sum.attended" : "review.attended", { attended, count: counting }),
    others: others
      .filter(({ number }) => number > 0)
      .map(({ status, key, number }) => {
        const { sign, name } = statusView(t, status);
        return { sign, name, text: t(`mine.sum.${key}`, { count: number }) };
      }),
  };
}

type StripSession = Pick<TermSession, "title" | "startsAt" | "endsAt" | "cancelled" | "opens"> & {
  counts: boolean;
  /** As in `currentAttendanceOf`; null if nothing is recorded. */
  status: string | null;
};

const stripTones = { PRESENT: "good", LATE: "wait", ABSENT: "bad", EXCUSED: "free" } as const;

/** One learner's sessions in a row, with letters, and how the latest ones compare with those before. */
export function learnerStrip(words: PageWords, latestFirst: readonly StripSession[]) {
  const { t } = words;
  const format = readerFormat(t, words.times.zone);
  const dots = latestFirst.map(({ status, ...session }): TermSession => {
    if (status === null) return { ...session, share: null, status: null };
    const known = asKnownStatus(status);
    const sign = known === null ? "?" : t(`grid.cell.letters.${known}`);
    const tone = known === null ? "free" : stripTones[known];
    return { ...session, share: 0, status: statusView(t, status).text, sign, tone };
  });
  const counting = latestFirst.flatMap(({ counts, status }) => (counts && status !== null ? [status] : []));
  const trend = latelyAndBefore(counting);
  return {
    strip: termStrip(words, dots),
    trend:
      trend === null
        ? null
        : t("grid.learner.trend", {
            count: latestSize,
            lately: format.percent(trend.lately),
            before: format.percent(trend.before),
          }),
  };
}

/** A grade in words. Without a grade, `note` says why. */
export type GradeWords =
  | { note: string }
  | {
      note: null;
      /** "87.5" and "of 100 points so far"; or that there is no grade, and "". */
      number: string;
      of: string;
      steps: string[];
      /** Whether the gradebook has it; null if there is nothing to say. */
      delivery: DeliveryWords | null;
    };

/** `problem`: only for instructors. */
type DeliveryWords = {
  state: string;
  /** The state as one word, for a pill. */
  tone: Tone;
  word: string;
  text: string;
  problem: string | null;
};

export function gradeWords(
  words: Words,
  attendance: LearnerAttendance,
  notGraded: NotGraded | null,
  reader: Reader,
): GradeWords {
  const { t } = words;
  const { grade, perSession, delivery, sessions } = attendance;
  if (grade === null) return { note: t(perSession ? "review.perSession" : "review.off") };
  if (notGraded !== null) {
    return { note: t(reader === "self" ? `mine.notGraded.${notGraded}` : `review.notGraded.${notGraded}`) };
  }
  const released = reader === "instructor" ? null : releasedWords(t, attendance);
  if (released !== null) return released;
  return {
    ...numberWords(t, grade),
    steps: grade.working?.counted === 0 ? missingWords(t, grade.working, sessions) : workingWords(t, grade),
    delivery:
      delivery === null || (grade.score === null && !needsSomebody.has(delivery.state))
        ? null
        : deliveryWords(words, delivery, reader, whyText(t, delivery)),
  };
}

function numberWords(t: Translate, { score, maximum }: { score: number | null; maximum: number }) {
  return {
    note: null,
    number: score === null ? t("common.noGrade") : numberText(t, score),
    of: score === null ? "" : t("mine.grade.soFar", { maximum: numberText(t, maximum) }),
  };
}

/** The released grade in words. Only instructors see a grade that waits for release. Null if both are the same. */
function releasedWords(t: Translate, { grade, hold, delivery }: LearnerAttendance): GradeWords | null {
  if (hold === null || grade === null) return null;
  const { score, maximum } = delivery?.desired ??
    delivery?.accepted ?? { score: null, maximum: grade.maximum };
  if (score === grade.score && maximum === grade.maximum) return null;
  return {
    ...numberWords(t, { score, maximum }),
    steps: [
      hold.why === "ended"
        ? t("mine.grade.hold.ended", { day: dayText(t.locale, hold.day) })
        : t("mine.grade.hold.hand"),
    ],
    delivery: null,
  };
}

/** What a missing grade waits for, and what doesn't count for it. */
function missingWords(t: Translate, { minimum }: GradeWorking, sessions: LearnerAttendance["sessions"]) {
  const first = t("mine.grade.first", { count: Math.max(1, minimum) });
  return [first, ...(sessions.length === 0 ? [] : [t("grading.working.nothing")])];
}

/** The only states worth mentioning if there is no grade. */
const needsSomebody: ReadonlySet<string> = new Set(["refused", "held"]);

/** @param why Only for instructors. */
export function deliveryWords(
  { t, times }: Words,
  { state, accepted }: Pick<NonNullable<LearnerAttendance["delivery"]>, "state" | "accepted">,
  reader: Reader,
  why: string | null = null,
): DeliveryWords {
  const toInstructor = reader === "instructor";
  const pill = { state, tone: deliveryTones[state], word: t(`mine.grade.states.${state}`) };
  if (state === "delivered" && isOfNoPoints({ accepted })) {
    const word = t("mine.sessions.leftOut");
    return { state, tone: "wait", word, text: t("review.delivery.noPoints"), problem: null };
  }
  if (state === "delivered" && accepted !== null) {
    const when = times.text(accepted.at);
    return { ...pill, text: t("review.delivery.delivered", { when }), problem: null };
  }
  return {
    ...pill,
    text: t(`review.delivery.${wordOf(state, toInstructor)}`),
    problem: toInstructor ? why : null,
  };
}

const deliveryTones = {
  delivered: "good",
  waiting: "info",
  refused: "bad",
  held: "free",
  idle: "none",
} as const satisfies Record<string, Tone>;

function wordOf(state: NonNullable<LearnerAttendance["delivery"]>["state"], toInstructor: boolean) {
  if (state === "refused" && !toInstructor) return "refusedToLearner";
  // A delivered score has a time. Without one, it counts as on its way.
  return state === "delivered" ? "waiting" : state;
}

export type MySessionRow = ReturnType<typeof mySessionRow>;

/** `presence`: when they were in the Space. */
export type MySessionRows = {
  t: Translate;
  rows: readonly (MySessionRow & { presence?: string | null; word?: MyWordView })[];
  /** The longest reason that a learner may give. */
  maxReasonLength?: number;
  /** The zone of all times. A script adds the reader's own. */
  zoneName: string;
};

export function mySessionRow(
  words: SessionWords,
  policy: GradePolicy,
  session: MySession,
  part: "live" | "next" | "past",
) {
  const { t } = words;
  const { attended, delivery } = session;
  // Learners don't see where a session came from, nor what planners still have to do.
  const row = sessionRow(words, { ...session, found: false, state: stateForLearners(session.state) });
  const waits = part === "past" && attended === null && row.stateText === null;
  return {
    ...row,
    problem: null,
    status: attended === null ? null : statusView(t, attended.status),
    waits: waits ? t("mine.sessions.notMarked") : null,
    points: pointsOf(t, policy, session),
    corrected: attended?.corrected === true ? t("review.corrected") : null,
    note: attended?.notes == null ? null : t("mine.sessions.note", { note: attended.notes }),
    delivery:
      delivery === null || delivery.state === "idle"
        ? null
        : deliveryWords(words, { ...delivery, state: visibleState(delivery.state) }, "self"),
  };
}

export type MyWordView = ReturnType<typeof myWordView>;

/** What the reader said about a session, the answer to it, and the form to say something. */
export function myWordView(
  { t }: Pick<PageWords, "t">,
  { said, says }: MyWord,
  { eventId }: Pick<MySession, "eventId">,
  { problem, typed }: { problem: string | null; typed: { event: string; reason: string } },
) {
  const isTyped = problem !== null && typed.event === eventId;
  const isAgain = said !== null && said.says === says;
  return {
    said:
      said === null
        ? null
        : {
            text: t(`words.mine.${said.says}`, { reason: said.reason }),
            answer: t(said.answer === null ? "words.waits" : `words.answers.${said.answer}`),
            tone: said.answer === null ? ("none" as const) : wordTones[said.answer],
          },
    form:
      says === null || eventId === null
        ? null
        : {
            eventId,
            says,
            text: t(isAgain ? "words.say.again" : `words.say.${says}`),
            ...(isTyped
              ? { reason: typed.reason, problem }
              : { reason: isAgain ? said.reason : "", problem: null }),
          },
  };
}

const wordTones = { excused: "free", present: "good", no: "bad" } as const;

export function wordProblemText(t: Translate, problem: WordProblem): string {
  return t(`words.problems.${problem}`, { most: maxReasonLength, number: maxWords });
}

/** Hides states that only planners need. */
export function stateForLearners(state: MySession["state"]): MySession["state"] {
  if (state === "cancelled" || state === "to-cancel") return "cancelled";
  return state === "to-change" ? state : "there";
}

function pointsOf(t: Translate, policy: GradePolicy, { attended, counts, delivery }: MySession) {
  const isUnreleased = delivery?.unreleased != null;
  if (policy.kind === "no-grades" || attended === null || !counts || isUnreleased) return null;
  if (attended.points === null) return t("mine.sessions.leftOut");
  const numbers = { points: numberText(t, attended.points), maximum: numberText(t, policy.points) };
  return t("mine.sessions.points", numbers);
}
