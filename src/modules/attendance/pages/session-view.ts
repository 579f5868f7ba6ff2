import type { Tone } from "../../../web/page-parts.ts";
import { listedName } from "../../../domain/person.ts";
import type { NamedRow, Register } from "../show-register.ts";
import {
  type PostedRegister,
  type RowProblem,
  type TypedRow,
  isChanged,
  lineText,
  maxNoteLength,
  seenOf,
} from "./register-form.ts";
import type { App } from "../../../app.ts";
import type { CoursePagesDeps } from "../../../web/course-pages.ts";
import type { MarksApp } from "../run-mark.ts";
import {
  type AttendanceObservation,
  type Correction,
  type CurrentAttendance,
  type KnownStatus,
  type SeenPresence,
  asKnownStatus,
  checkInOf,
  knownStatuses,
  minutesOf,
  presenceSeen,
} from "../../../domain/attendance.ts";
import { officeId } from "../../../domain/counting-facts.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";
import { dayText } from "../../../web/course-times.ts";
import type { AttendedDay } from "../rules/attendance-days.ts";
import { maxStays, presenceBar } from "../../presence/pages/presence-view.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { type CourseWords, type PageWords, sectionsText } from "../../../web/course-words.ts";
import { inList, numberText, statusView } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

/** What these pages need; neither the LMS nor the classroom is among it. */
export type AttendancePagesApp = CoursePagesDeps &
  MarksApp &
  Pick<App, "learnerWords" | "presences" | "sections" | "userMatches">;

type Words = Pick<CourseWords, "t" | "times">;

export type SessionView = ReturnType<typeof sessionView>;

export function sessionView(words: PageWords, session: CourseSession) {
  const { t, times, iso, now } = words;
  const { startsAt } = session;
  return {
    eventId: session.eventId,
    title: session.title ?? t("common.untitledSession"),
    when: startsAt === null ? t("review.noDate") : times.text(startsAt),
    at: startsAt === null ? null : iso(startsAt),
    /** Empty if it is for all. */
    sections: sectionsText(words, session.sectionIds),
    state: stateOf(session, now),
    counts: session.counts,
  };
}

function stateOf(
  { startsAt, endsAt, cancelled, deleted }: CourseSession,
  now: number,
): "deleted" | "cancelled" | "coming" | "live" | "over" {
  if (cancelled) return deleted === true ? "deleted" : "cancelled";
  if (startsAt !== null && startsAt > now) return "coming";
  return (endsAt ?? (startsAt ?? 0) + assumedLengthMs) <= now ? "over" : "live";
}

/** @param names Instructors who made corrections, by person id. */
export function currentAttendanceView(
  words: Words,
  names: ReadonlyMap<string, string>,
  current: CurrentAttendance | null,
) {
  if (current === null) return null;
  const { t, times } = words;
  const { correction, conflicting, notes, seen, checkedInAt } = current;
  const status = statusView(t, current.status);
  return {
    ...status,
    /** Made by an instructor here. */
    byHand: correction !== null,
    source:
      correction === null
        ? (evidenceText(words, { seen, checkedInAt }) ?? t("register.byClassroom"))
        : t("register.byInstructor", {
            name: authorOf(t, names, correction),
            when: times.text(correction.at),
          }),
    /** The classroom's note. An instructor's note is in its field. */
    notes: correction === null ? notes : null,
    reason: correction?.reason ?? null,
    /** What the classroom, or a check-in, says against a correction. */
    conflict: conflicting === null ? null : conflictText(words, conflicting, status.text),
    /** The button that makes that count. */
    takes: conflicting?.as === "code" ? ("takeCode" as const) : ("take" as const),
  };
}

/** The name of the person who marked a learner. @param names Instructors, by person id. */
export function authorOf(
  t: Translate,
  names: ReadonlyMap<string, string>,
  { by }: Pick<Correction, "by">,
): string {
  return by === officeId ? t("register.office") : (names.get(by) ?? t("register.someInstructor"));
}

function conflictText({ t, times }: Words, { as, at, status }: AttendanceObservation, correction: string) {
  const when = times.text(at);
  if (as === "code") return t("register.conflictCode", { when, correction });
  return t("register.conflict", { classroom: statusView(t, status).text, when, correction });
}

/** Evidence of a learner's presence, apart from the classroom's report. */
type Evidence = { seen?: SeenPresence | undefined; checkedInAt?: number | undefined };

/**
 * "Checked in by code at 10:03", and how long they were in the Space; null without evidence.
 * @param presence What else is known about their presence.
 */
export function evidenceText(words: Words, { seen, checkedInAt }: Evidence, presence: string | null = null) {
  const stay = stayText(words, seen) ?? presence;
  const texts = [checkInText(words, checkedInAt), stay].filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(" · ");
}

function checkInText({ t, times }: Words, checkedInAt: number | undefined): string | null {
  return checkedInAt === undefined ? null : t("register.byCode", { time: times.clock(checkedInAt) });
}

/** "Time in the classroom: 52 of 56 min (10:02–10:58)" */
function stayText({ t, times }: Words, seen: SeenPresence | undefined): string | null {
  if (seen === undefined) return null;
  const { startsAt, endsAt, ms, hiddenMs = 0, stays } = seen;
  if (stays.length === 0) return t("register.byPresenceNone");
  const minutes = (length: number) => numberText(t, Math.round(length / 60_000));
  const spans = stays.slice(0, maxStays).map(({ from, to }) => `${times.clock(from)}–${times.clock(to)}`);
  const list = inList(t, stays.length > maxStays ? [...spans, "…"] : spans);
  if (minutesOf(seen) === null) return t("register.byPresenceOpen", { times: list });
  const values = { minutes: minutes(ms), of: minutes(endsAt - startsAt), times: list };
  if (hiddenMs < 30_000) return t("register.byPresence", values);
  return t("register.byPresenceHidden", { ...values, hidden: minutes(hiddenMs) });
}

/** CSS classes of the marks in the palette and the legend. */
const brushClasses: Readonly<Record<KnownStatus, string>> = {
  PRESENT: "P",
  LATE: "L",
  ABSENT: "A",
  EXCUSED: "E",
};

/** The parts of a bar, from bottom to top. */
export const barKinds = ["PRESENT", "LATE", "EXCUSED", "unknown", "ABSENT", "blank"] as const;

/** Colours for the parts of a bar, and for their names. */
export const barTones: Readonly<Record<(typeof barKinds)[number], Tone>> = {
  PRESENT: "good",
  LATE: "wait",
  EXCUSED: "free",
  unknown: "info",
  ABSENT: "bad",
  blank: "none",
};

export function statusChoices(t: Translate) {
  return knownStatuses.map((value) => ({
    value,
    label: statusView(t, value).text,
    name: brushClasses[value],
  }));
}

export type NotSaved = {
  /** Null shows what is stored. */
  typed: PostedRegister | null;
  problems: ReadonlyMap<string, RowProblem>;
  reasonTooLong: boolean;
  /** Learners whose marks another instructor has changed since. */
  missed: ReadonlySet<string>;
  /** The person whose note is requested; "" for none. */
  asked: string;
};

export const allSaved: NotSaved = {
  typed: null,
  problems: new Map(),
  reasonTooLong: false,
  missed: new Set(),
  asked: "",
};

export function rowsView(words: CourseWords, { rows, names, limits }: Register, notSaved: NotSaved) {
  const { t } = words;
  return rows.map((row) => {
    const seen = presenceSeen(row.facts);
    return {
      personId: row.personId,
      name: listedName(row),
      /** Why a learner is listed although the session isn't theirs. */
      remark: row.remark === null ? null : t(`register.remarks.${row.remark}`),
      /** Labels of the attendance limits that the learner has reached. */
      limits: limits.get(row.personId) ?? [],
      current: currentAttendanceView(words, names, row.current),
      evidence: { seen, checkedInAt: checkInOf(row.facts) },
      word: wordView(t, row),
      /** When they were there, for a session made from an unplanned class; otherwise null. */
      bar: seen === undefined ? null : presenceBar(seen.stays, seen, minutesOf(seen) !== null),
      ...fieldsView(t, row, notSaved),
    };
  });
}

/** A learner's message, with its buttons or its answer. */
function wordView(t: Translate, row: NamedRow) {
  const { word } = row;
  if (word === null) return null;
  const { at, says, reason, answer, eventId, personId } = word;
  const name = listedName(row);
  return {
    text: t(`words.learner.${says}`, { reason }),
    answer: answer === null ? null : t(`words.answers.${answer}`),
    answers: (answer === null ? wordAnswers : []).map((value) => ({
      value: JSON.stringify({ eventId, personId, at, answer: value, was: row.current?.status ?? "" }),
      text: t(`words.decide.${value}`),
      label: t(`words.decideLabel.${value}`, { name }),
    })),
  };
}

const wordAnswers = ["excused", "present", "no"] as const;

/** What was typed, if it couldn't be saved; otherwise what is stored. */
function fieldsView(t: Translate, row: NamedRow, { typed, problems, missed, asked }: NotSaved) {
  const stored = seenOf(row);
  const recorded = row.current?.status ?? "";
  const posted = typed?.rows.get(row.personId);
  const isMissed = missed.has(row.personId);
  const current = posted?.typed ?? stored;
  const { status, note } = current;
  const problem = problems.get(row.personId);
  // An instructor who saves again after this message has seen what is stored now.
  const seen = posted === undefined || isMissed ? stored : posted.seen;
  const isAsked = asked === row.personId;
  return {
    line: lineText(row.personId, seen, recorded),
    /** Whether the note's field is shown. Otherwise the note doesn't change. */
    open: isAsked || problem !== undefined || note !== seen.note,
    asked: isAsked,
    status,
    choice: chosen(current, stored, recorded),
    note,
    unsaved: isChanged(current, stored),
    missed: isMissed,
    problem: problem === undefined ? null : t(`register.problems.${problem}`, { most: maxNoteLength }),
  };
}

/** The typed status, if it couldn't be saved; otherwise the recorded one, "" for none. */
function chosen(typed: TypedRow, stored: TypedRow, recorded: string): KnownStatus | "" {
  const isTyped = isChanged(typed, stored) && typed.status !== "";
  return isTyped ? typed.status : (asKnownStatus(recorded) ?? "");
}

/** In the order of the bar next to them, without zeros. */
export function countsView(t: Translate, { counts }: Pick<Register, "counts">) {
  return ([...barKinds, "conflict"] as const)
    .filter((kind) => counts[kind] > 0)
    .map((kind) => ({
      tone: kind === "conflict" ? null : barTones[kind],
      text: t(`register.counts.${kind}`, { number: numberText(t, counts[kind]) }),
    }));
}

/** "14 Sep 2026 (check-in by code)". */
export function attendedDayText(t: Translate, { date, kind }: AttendedDay): string {
  return t("days.day", { date: dayText(t.locale, date), source: t(`grades.files.source.${kind}`) });
}
