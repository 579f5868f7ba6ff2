import type { KnownStatus } from "../../../domain/attendance.ts";
import { correctAttendance } from "../mark-session.ts";
import { gapBefore } from "../rules/attendance-reading.ts";
import type { LearnerSession } from "../show-learner.ts";
import { type CourseWords, sectionsText } from "../../../web/course-words.ts";
import { type StatusView, statusView } from "../../../web/page-text.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { AttendancePagesApp } from "./attendance-app.ts";
import { maxNoteLength, type PostedRegister, seenOf, seenText, wantedOf } from "./register-form.ts";
import {
  type CurrentAttendanceView,
  currentAttendanceView,
  evidenceText,
  type SessionShown,
  sessionView,
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
