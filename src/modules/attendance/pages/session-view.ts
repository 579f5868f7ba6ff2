import { listedName } from "../../../domain/person-name.ts";
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
import { type PresenceSpan, spansOf } from "../../presence/pages/presence-view.ts";
import { barKinds, barTones } from "./grid-words.ts";
import { type App } from "../../../app.ts";
import { type CoursePagesDeps } from "../../../web/course-pages.ts";
import { type MarksApp } from "../run-mark.ts";
import {
  type AttendanceFacts,
  type CurrentAttendance,
  type KnownStatus,
  type SeenPresence,
  asKnownStatus,
  checkInOf,
  knownStatuses,
  minutesOf,
  presenceSeen,
} from "../../../domain/attendance.ts";
import { maxStays } from "../../presence/pages/presence-view.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { type CourseWords, sectionsText } from "../../../web/course-words.ts";
import { inList, numberText, type StatusView, statusView } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";

export type SessionShown = {
  eventId: string;
  title: string;
  when: string;
  /** ISO 8601; null without a date. */
  at: string | null;
  /** Empty: for everybody. */
  sections: string;
  state: "deleted" | "cancelled" | "coming" | "live" | "over";
  counts: boolean;
};

export function sessionView(words: CourseWords, session: CourseSession, now: number): SessionShown {
  const { t, times } = words;
  const { startsAt } = session;
  return {
    eventId: session.eventId,
    title: session.title ?? t("common.untitledSession"),
    when: startsAt === null ? t("review.noDate") : times.text(startsAt),
    at: startsAt === null ? null : new Date(startsAt).toISOString(),
    sections: sectionsText(words, session.sectionIds),
    state: stateOf(session, now),
    counts: session.counts,
  };
}

function stateOf(session: CourseSession, now: number): SessionShown["state"] {
  const { startsAt, endsAt, cancelled, deleted } = session;
  if (cancelled) return deleted === true ? "deleted" : "cancelled";
  if (startsAt !== null && startsAt > now) return "coming";
  return (endsAt ?? startsAt ?? 0) <= now ? "over" : "live";
}

export type CurrentAttendanceView = StatusView & {
  source: string;
  /** By an instructor, here. */
  byHand: boolean;
  /** The classroom's; an instructor's are in their field. */
  notes: string | null;
  reason: string | null;
  /** What the classroom, or a check-in, says against a correction. */
  conflict: string | null;
  /** The button that lets it count. */
  takes: "take" | "takeCode";
};

/** @param names Of instructors who made corrections, by person id. */
export function currentAttendanceView(
  { t, times }: Pick<CourseWords, "t" | "times">,
  names: ReadonlyMap<string, string>,
  current: CurrentAttendance | null,
): CurrentAttendanceView | null {
  if (current === null) return null;
  const { correction, conflicting, notes, seen, checkedInAt } = current;
  const status = statusView(t, current.status);
  return {
    ...status,
    byHand: correction !== null,
    source:
      correction === null
        ? (evidenceText({ t, times }, { seen, checkedInAt }) ?? t("register.byClassroom"))
        : t("register.byInstructor", {
            name: names.get(correction.by) ?? t("register.someInstructor"),
            when: times.text(correction.at),
          }),
    notes: correction === null ? notes : null,
    reason: correction?.reason ?? null,
    takes: conflicting?.as === "code" ? "takeCode" : "take",
    conflict:
      conflicting === null
        ? null
        : conflicting.as === "code"
          ? t("register.conflictCode", { when: times.text(conflicting.at), correction: status.text })
          : t("register.conflict", {
              classroom: statusView(t, conflicting.status).text,
              when: times.text(conflicting.at),
              correction: status.text,
            }),
  };
}

/** What was seen of somebody besides what the classroom tells. */
export type Evidence = { seen?: SeenPresence | undefined; checkedInAt?: number | undefined };

/**
 * "Checked in by code at 10:03", and how long they were in the Space; null without evidence.
 * @param presence What is known of that besides.
 */
export function evidenceText(
  words: Pick<CourseWords, "t" | "times">,
  { seen, checkedInAt }: Evidence,
  presence: string | null = null,
): string | null {
  const stay = stayText(words, seen) ?? presence;
  const texts = [checkInText(words, checkedInAt), stay].filter((text) => text !== null);
  return texts.length === 0 ? null : texts.join(" · ");
}

function checkInText(
  { t, times }: Pick<CourseWords, "t" | "times">,
  checkedInAt: number | undefined,
): string | null {
  return checkedInAt === undefined ? null : t("register.byCode", { time: times.clock(checkedInAt) });
}

/** "Time in the classroom: 52 of 56 min (10:02–10:58)" */
function stayText(
  { t, times }: Pick<CourseWords, "t" | "times">,
  seen: SeenPresence | undefined,
): string | null {
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

/** `name`: class of the style sheet. */
export type StatusChoice = { value: KnownStatus; label: string; name: string };

/** Classes of the style sheet, of the marks that are chosen and explained. */
const brushClasses: Readonly<Record<KnownStatus, string>> = {
  PRESENT: "P",
  LATE: "L",
  ABSENT: "A",
  EXCUSED: "E",
};

export function statusChoices(t: Translate): StatusChoice[] {
  return knownStatuses.map((value) => ({
    value,
    label: statusView(t, value).text,
    name: brushClasses[value],
  }));
}

/** These pages open without an LMS and a classroom. */
export type AttendancePagesApp = CoursePagesDeps &
  MarksApp &
  Pick<App, "presences" | "sections" | "userMatches">;

export type NotSaved = {
  /** Null shows what is stored. */
  typed: PostedRegister | null;
  problems?: ReadonlyMap<string, RowProblem>;
  /** Learners that another instructor changed meanwhile. */
  missed?: ReadonlySet<string>;
  /** Whose note is asked for. */
  asked?: string;
};

export type RegisterRowShown = {
  evidence: Evidence;
  /** Of a session made of a class that nobody planned: when they were there. Null otherwise. */
  spans: PresenceSpan[] | null;
  personId: string;
  name: string;
  sections: string;
  /** Why a learner is listed who is not expected in the session. */
  remark: string | null;
  current: CurrentAttendanceView | null;
  /** As `lineText`. */
  line: string;
  status: KnownStatus | "";
  /** What is chosen: as typed, else what is recorded; "" for nothing known. */
  choice: KnownStatus | "";
  note: string;
  /** The note is shown, with its field: otherwise it stays as it was. */
  open: boolean;
  asked: boolean;
  unsaved: boolean;
  missed: boolean;
  problem: string | null;
};

export function rowsView(
  words: CourseWords,
  { rows, names }: Register,
  notSaved: NotSaved | null,
): RegisterRowShown[] {
  const { t } = words;
  const {
    typed = null,
    problems = new Map<string, RowProblem>(),
    missed = new Set<string>(),
    asked = "",
  } = notSaved ?? {};
  return rows.map((row) => ({
    personId: row.personId,
    name: listedName(row),
    sections: sectionsText(words, row.sectionIds),
    remark: row.remark === null ? null : t(`register.remarks.${row.remark}`),
    current: currentAttendanceView(words, names, row.current),
    ...evidenceView(row.facts),
    ...fieldsView(t, row, { typed, problems, missed, asked }),
  }));
}

function evidenceView(facts: AttendanceFacts): Pick<RegisterRowShown, "evidence" | "spans"> {
  const seen = presenceSeen(facts);
  return {
    evidence: { seen, checkedInAt: checkInOf(facts) },
    spans: seen === undefined ? null : spansOf(seen, seen.startsAt, seen.endsAt),
  };
}

/** As typed when that was not saved. */
function fieldsView(
  t: Translate,
  row: NamedRow,
  { typed, problems, missed, asked }: Required<NotSaved>,
): Omit<RegisterRowShown, "personId" | "name" | "sections" | "remark" | "current" | "evidence" | "spans"> {
  const stored = seenOf(row);
  const recorded = row.current?.status ?? "";
  const posted = typed?.rows.get(row.personId);
  const isMissed = missed.has(row.personId);
  const wanted = posted?.typed ?? stored;
  const { status, note } = wanted;
  const problem = problems.get(row.personId);
  // An instructor who saves again after the message knows what is stored now.
  const seen = posted === undefined || isMissed ? stored : posted.seen;
  const isAsked = asked === row.personId;
  return {
    line: lineText(row.personId, seen, recorded),
    open: isAsked || problem !== undefined || note !== seen.note,
    asked: isAsked,
    status,
    choice: chosen(wanted, stored, recorded),
    note,
    unsaved: isChanged(wanted, stored),
    missed: isMissed,
    problem: problem === undefined ? null : t(`register.problems.${problem}`, { most: maxNoteLength }),
  };
}

/** A typed status that is not saved goes before the recorded one. */
function chosen(typed: TypedRow, stored: TypedRow, recorded: string): KnownStatus | "" {
  const isTyped = isChanged(typed, stored) && typed.status !== "";
  return isTyped ? typed.status : (asKnownStatus(recorded) ?? "");
}

/** In the order of the bar beside, without zeros. */
export function countsView(t: Translate, { counts }: Pick<Register, "counts">) {
  return ([...barKinds, "conflict"] as const).flatMap((kind) =>
    counts[kind] === 0
      ? []
      : [
          {
            kind,
            tone: kind === "conflict" ? null : barTones[kind],
            text: t(`register.counts.${kind}`, { number: numberText(t, counts[kind]) }),
          },
        ],
  );
}
