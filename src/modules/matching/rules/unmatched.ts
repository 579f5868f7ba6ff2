import type { AttendanceHistory } from "../../../domain/attendance.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";

/** What nobody matched is kept so long after the classroom last spoke of it (ms): a term, and time to put things right. */
export const unmatchedKeptFor = 180 * 24 * 3_600_000;

/**
 * What the classroom told about a user in an event and could not be anybody's attendance when it came: the user is nobody
 * here, or the event is no course's. Kept also for users whom an instructor matched, so that a match can be undone.
 */
export type UnmatchedAttendance = {
  id: string;
  environment: EnvironmentName;
  eventId: string;
  userId: string;
  /** The course of the event; null while it has none. */
  courseId: string | null;
  /** Everything that was told, the newest first. */
  history: AttendanceHistory;
  /** When something was told last (ms). */
  toldAt: number;
  /** When an instructor put it aside (ms); what is told later brings it back. Null when nobody did. */
  asideAt: number | null;
};

/** An instructor's word that a user of the classroom is a person of an LMS deployment. */
export type UserMatch = {
  id: string;
  registrationId: string;
  deploymentId: string;
  environment: EnvironmentName;
  userId: string;
  personId: string;
  /** The course it was said in, and by whom (person id). */
  courseId: string;
  by: string;
  at: number;
  /** "undone": it does not hold any more, and what came through it is being taken back. */
  state: "holds" | "undone";
  /** When it is to be applied to what was told before (ms); null when that is done. */
  dueAt: number | null;
};

/**
 * An event that is no course's and names a member of this course: one record for each such course. "open": nobody has said
 * yet. "ours": it is a session of this course, whatever Space it is linked to. "not-ours": not shown any more.
 */
export type StrayEvent = {
  id: string;
  registrationId: string;
  courseId: string;
  environment: EnvironmentName;
  eventId: string;
  answer: "open" | "ours" | "not-ours";
  /** Who said it, or took it back (person id), and when (ms); null while nobody did. */
  by: string | null;
  at: number | null;
  /** When the event named somebody of the course last, to the day (ms). */
  notedAt: number;
  /**
   * When it is to be applied to what was told before (ms): that it is "ours", or, with another answer, that it is not any
   * more. Null when that is done.
   */
  dueAt: number | null;
};
