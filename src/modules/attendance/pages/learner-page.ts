import { readerFormat } from "../../../web/course-times.ts";
import { type Tone } from "../../../web/page-parts.ts";
import { type Translate } from "../../../web/translate.ts";
import { scoreTones } from "../../grading/pages/grades-view.ts";
import { workingWords } from "../../grading/pages/grading-words.ts";
import { whyText } from "../../grading/pages/score-words.ts";
import { type ScoreState } from "../../grading/rules/delivery.ts";
import { type GridCell, addToTally, emptyTally, rateOf } from "../rules/attendance-summary.ts";
import { type GridFields, filterFields } from "./grid-page.ts";
import { personName } from "../../../domain/person-name.ts";
import { type GridFilter } from "../grid-learners.ts";
import { namesOfUsers } from "../../members/people.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { type CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { countsText, emptySigns } from "./grid-words.ts";
import { type KnownStatus, checkInOf, presenceSeen } from "../../../domain/attendance.ts";
import { correctAttendance } from "../mark-session.ts";
import { gapBefore } from "../rules/attendance-reading.ts";
import { type LearnerDetail, type LearnerSession, showLearner } from "../show-learner.ts";
import { type CourseWords, courseNameOf, courseWords, sectionsText } from "../../../web/course-words.ts";
import { type StatusView, numberText, statusView } from "../../../web/page-text.ts";
import { type InstructorVisit } from "../../../web/visits.ts";
import { type PostedRegister, maxNoteLength, seenOf, seenText, wantedOf } from "./register-form.ts";
import {
  type AttendancePagesApp,
  type CurrentAttendanceView,
  type SessionShown,
  type StatusChoice,
  currentAttendanceView,
  evidenceText,
  sessionView,
  statusChoices,
} from "./session-view.ts";

type HistoryWords = CourseWords & {
  /** Of instructors who made corrections, by person id. */
  names: ReadonlyMap<string, string>;
  /** Of people who changed something in the classroom, by user id there. */
  observers: ReadonlyMap<string, string>;
};

type Happening = {
  at: number;
  when: string;
  by: string;
  /** Null for a correction that was taken back. */
  status: StatusView | null;
  notes: string | null;
  reason: string | null;
  /** Of the user that they have as a host. */
  asHost: boolean;
  /** A message about the state before is missing. */
  gap: string | null;
};

export type SessionHistory = SessionShown & {
  remark: string | null;
  /** At the time of the session. */
  inSections: string;
  current: CurrentAttendanceView | null;
  /** Newest first. */
  history: Happening[];
  open: boolean;
  seen: string;
  status: KnownStatus | "";
  note: string;
  reason: string;
  problem: string | null;
};

/** @param refused What was typed and is not saved, in any session. */
export function historyView(
  words: HistoryWords,
  { session, row }: LearnerSession,
  now: number,
  refused: NotCorrected | null,
): SessionHistory {
  const { t, names } = words;
  return {
    ...sessionView(words, session, now),
    remark: row.remark === null ? null : t(`register.remarks.${row.remark}`),
    inSections: sectionsText(words, row.sectionIds),
    current: currentAttendanceView(words, names, row.current),
    history: happenings(words, row),
    ...formView(row, refused?.posted.eventId === session.eventId ? refused : null),
  };
}

/** Open, and as typed, when it was not saved. */
function formView(row: LearnerSession["row"], refused: NotCorrected | null) {
  const stored = seenOf(row);
  const typed = refused?.posted.rows.get(row.personId);
  const { status, note } = typed?.typed ?? stored;
  return {
    open: refused !== null,
    // An instructor who saves again after the message knows what is stored now.
    seen: seenText(typed === undefined || refused?.missed === true ? stored : typed.seen),
    status,
    note,
    reason: refused?.posted.reason ?? "",
    problem: refused?.problem ?? null,
  };
}

function happenings(words: HistoryWords, { facts }: LearnerSession["row"]): Happening[] {
  const { t, times, names, observers } = words;
  const observed = facts.history.map((seen) => {
    const { at, status, notes, updatedBy, as } = seen;
    const checkedInAt = as === "code" ? at : undefined;
    const missed = gapBefore(facts.history, seen);
    return {
      at,
      when: times.text(at),
      by: evidenceText(words, { seen: seen.seen, checkedInAt }) ?? byInClassroom(words, updatedBy, observers),
      status: statusView(t, status),
      notes,
      reason: null,
      asHost: as === "host",
      gap: missed === null ? null : t("register.learner.gap", { status: statusView(t, missed.status).text }),
    };
  });
  const said = facts.corrections.map(({ at, by, status, notes, reason }) => ({
    at,
    when: times.text(at),
    by: names.get(by) ?? t("register.someInstructor"),
    status: status === null ? null : statusView(t, status),
    notes,
    reason,
    asHost: false,
    gap: null,
  }));
  return [...observed, ...said].sort((one, other) => other.at - one.at);
}

function byInClassroom(
  { t }: HistoryWords,
  updatedBy: string | null,
  observers: ReadonlyMap<string, string>,
): string {
  if (updatedBy === null) return t("register.byClassroom");
  return t("register.byClassroomUser", { name: observers.get(updatedBy) ?? updatedBy });
}

/** Not saved; keeps what was typed. */
export type NotCorrected = {
  posted: PostedRegister;
  missed: boolean;
  problem: string | null;
};

/** @returns null when it is saved. */
export async function correctAsPosted(
  app: AttendancePagesApp,
  { session, course }: InstructorVisit,
  personId: string,
  posted: PostedRegister,
): Promise<NotCorrected | null> {
  const t = app.translatorOf(session.locale);
  const wanted = wantedOf(posted);
  if (wanted.kind === "refused") {
    const problem = wanted.problems.get(personId) ?? "tooLong";
    return { posted, missed: false, problem: t(`register.problems.${problem}`, { most: maxNoteLength }) };
  }
  const row = wanted.rows.find((one) => one.personId === personId);
  if (row === undefined) return null;
  const { eventId } = posted;
  const { reason } = wanted;
  const mark = await correctAttendance(app, course, session.personId, { ...row, eventId, reason });
  return mark.missed.length > 0 ? { posted, missed: true, problem: null } : null;
}

export function statusOf({ missed }: NotCorrected): number {
  return missed ? 409 : 422;
}

export type LearnerPage = CourseFrame & {
  heading: string;
  personId: string;
  zone: string;
  sections: string;
  remark: string | null;
  /** Null or how the grade came about, and whether it has arrived. */
  grade: {
    text: string;
    /** "The sum: ..."; null without a score. */
    sum: string | null;
    /** The sentences before the sum, or why there is no score. */
    words: string[];
    delivery: { state: ScoreState; tone: Tone; problem: string | null } | null;
  };
  strip: Strip | null;
  fields: GridFields;
  choices: StatusChoice[];
  sessions: (SessionHistory & { presence: string | null })[];
  presenceRule: string | null;
  maxNoteLength: number;
  saved: boolean;
  missed: boolean;
  failed: boolean;
};

const learnerView = defineView<LearnerPage>("course/learner");

/** @throws NamedError "learner-unknown" */
export async function learnerPage(
  app: AttendancePagesApp,
  visit: InstructorVisit,
  { person: personId, filter }: { person: string; filter: GridFilter },
  pressed: { saved: boolean; refused: NotCorrected | null },
): Promise<PageAnswer> {
  const { course } = visit;
  const { refused } = pressed;
  const learner = await showLearner(app, course, personId);
  const words = await courseWords(app, visit);
  const { t } = words;
  const { person, member } = learner;
  const name = personName(person, member?.role ?? "learner");
  const users = learner.sessions.flatMap(({ row }) => row.facts.history.map(({ updatedBy }) => updatedBy));
  const known = { ...words, names: learner.names, observers: await namesOfUsers(app, course, users) };
  const attended = learner.sessions.map((one) => one.session);
  const presence = await presenceWords(app, words, course, attended, [personId]);
  const now = app.clock.now();
  return page(
    learnerView,
    {
      title: t("register.learner.title", { name, course: courseNameOf(t, course) }),
      heading: t("review.heading", { name }),
      personId,
      zone: words.times.place(now),
      sections: sectionsText(words, member?.sectionIds ?? []),
      remark: member?.active === true ? null : t("register.remarks.left"),
      grade: gradeView(t, learner),
      strip: stripView(words, learner.sessions, now),
      fields: filterFields(filter),
      choices: statusChoices(t),
      sessions: learner.sessions.map((one) => ({
        ...historyView(known, one, now, refused),
        presence: evidenceText(
          words,
          { seen: presenceSeen(one.row.facts), checkedInAt: checkInOf(one.row.facts) },
          presence.of(one.session.eventId, personId),
        ),
      })),
      presenceRule: presence.rule,
      maxNoteLength,
      saved: pressed.saved,
      missed: refused?.missed === true,
      failed: refused !== null && refused.problem !== null,
    },
    { status: refused === null ? undefined : statusOf(refused) },
  );
}

function gradeView(
  t: Translate,
  { attendance: { grade, delivery, perSession } }: LearnerDetail,
): LearnerPage["grade"] {
  if (grade === null) {
    return {
      text: t(perSession ? "register.learner.perSession" : "review.off"),
      sum: null,
      words: [],
      delivery: null,
    };
  }
  const { score, maximum } = grade;
  const numbers = { score: numberText(t, score ?? 0), maximum: numberText(t, maximum) };
  const words = workingWords(t, grade);
  return {
    text: score === null ? t("common.noGrade") : t("review.score", numbers),
    sum: score === null ? null : (words.at(-1) ?? null),
    words: score === null ? words : words.slice(0, -1),
    delivery:
      delivery === null
        ? null
        : { state: delivery.state, tone: scoreTones[delivery.state], problem: whyText(t, delivery) },
  };
}

/** The latest ones are shown. */
const maxSessions = 40;

type Strip = {
  /** Earliest first. `name`: class of the style sheet. */
  signs: { name: string; sign: string; text: string }[];
  counts: string;
  rate: string;
};

/** Earliest first, with the share attended of those that count. @param latestFirst As `showLearner` gives them. */
function stripView(words: CourseWords, latestFirst: readonly LearnerSession[], now: number): Strip | null {
  if (latestFirst.length === 0) return null;
  const { t } = words;
  const format = readerFormat(t, words.times.zone);
  const [tally, counting] = [emptyTally(), emptyTally()];
  const signs = latestFirst.map(({ session, row }) => {
    const cell: GridCell =
      row.current === null ? { kind: "blank" } : { kind: "status", status: row.current.status, marks: [] };
    addToTally(tally, cell);
    if (session.counts) addToTally(counting, cell);
    const { title, when } = sessionView(words, session, now);
    const face = row.current === null ? null : statusView(t, row.current.status);
    const says = face?.text ?? t("grid.cell.blank");
    return {
      name: face?.name ?? "blank",
      sign: face?.sign ?? emptySigns.blank,
      text: t("grid.learner.sign", { session: title, when, status: says }),
    };
  });
  const rate = rateOf(counting);
  return {
    signs: signs.slice(0, maxSessions).reverse(),
    counts: countsText({ t, format }, tally),
    rate: rate === null ? t("grid.learner.noRate") : t("common.rateAttended", { rate: format.percent(rate) }),
  };
}
