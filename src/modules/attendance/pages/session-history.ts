import { gapBefore } from "../rules/attendance-gap.ts";
import type { KnownStatus } from "../../../domain/attendance.ts";
import type { LearnerSession } from "../show-learner.ts";
import type { NotCorrected } from "./learner-correction.ts";
import { seenOf, seenText } from "./register-form.ts";
import { type SessionShown, sessionView } from "./session-view.ts";
import { type CurrentAttendanceView, currentAttendanceView } from "./current-attendance-view.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import { type StatusView, statusView } from "../../../web/status-view.ts";
import type { CourseWords } from "../../../web/course-words.ts";

/** Words, and who did what. */
export type HistoryWords = CourseWords & {
  /** Names of instructors who corrected something, by person id. */
  names: ReadonlyMap<string, string>;
  /** Names of those who changed something in the classroom, by their user id there. */
  observers: ReadonlyMap<string, string>;
};

/** One thing that happened to a learner's session. */
type Happening = {
  at: number;
  when: string;
  by: string;
  /** Null for a correction that was taken back. */
  status: StatusView | null;
  notes: string | null;
  reason: string | null;
  /** The classroom told it of the user that they have as a host. */
  asHost: boolean;
  /** That something else was before it, of which no message came; null where none is missing. */
  gap: string | null;
};

/** One session of a learner: how it stands, everything that happened, and the form that corrects it. */
export type SessionHistory = SessionShown & {
  /** Why somebody is listed whom the session does not concern; null for all others. */
  remark: string | null;
  /** The sections in which the learner was then. */
  inSections: string;
  current: CurrentAttendanceView | null;
  /** The newest first. */
  history: Happening[];
  /** The form could not be saved. */
  open: boolean;
  /** What the form said when the page was made, as `seenText`. */
  seen: string;
  status: KnownStatus | "";
  note: string;
  reason: string;
  problem: string | null;
};

/** @param refused What was typed and is not saved, in whichever session. */
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

/** The form of one session: open and as typed when it could not be saved. */
function formView(row: LearnerSession["row"], refused: NotCorrected | null) {
  const stored = seenOf(row);
  const typed = refused?.posted.rows.get(row.personId);
  const { status, note } = typed?.typed ?? stored;
  return {
    open: refused !== null,
    // Whoever saves again after having been told does so knowing what is stored now.
    seen: seenText(typed === undefined || refused?.missed === true ? stored : typed.seen),
    status,
    note,
    reason: refused?.posted.reason ?? "",
    problem: refused?.problem ?? null,
  };
}

/** Everything that was observed and said, the newest first. */
function happenings(words: HistoryWords, { facts }: LearnerSession["row"]): Happening[] {
  const { t, times, names, observers } = words;
  const observed = facts.history.map((seen) => {
    const { at, status, notes, updatedBy } = seen;
    const missed = gapBefore(facts.history, seen);
    return {
      at,
      when: times.text(at),
      by: byInClassroom(words, updatedBy, observers),
      status: statusView(t, status),
      notes,
      reason: null,
      asHost: seen.as === "host",
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
