import type { Member } from "./course.ts";
import type { StaffRole } from "./staff-rights.ts";

/** What somebody may do at pages of a course, from one launch until it ends. "Session" alone is a held event of a course. */
export type BrowserSession = SessionFacts & {
  /** Names it and proves nothing. */
  id: string;
  /** Digest of the secret that pages carry. */
  secret: string;
  /** Of the launch it comes from (ms). */
  launchedAt: number;
  /** Of the latest request with it (ms), to the minute. */
  lastSeenAt: number;
  /** When it ends whatever happens (ms). */
  endsAt: number;
  /** When it was ended before that (ms); null when it was not. */
  endedAt: number | null;
  endedBecause: EndReason | null;
};

/** What a launch says; no name, no e-mail. */
export type SessionFacts = {
  registrationId: string;
  /** Null where it is not known. */
  deploymentId: string | null;
  courseId: string;
  personId: string;
  /** Our id of the link that was opened; null when the LMS named none. */
  courseLinkId: string | null;
  role: Member["role"];
  /** Which kind of instructor; null for a learner, and where the session is for entering only. */
  staffRole: StaffRole | null;
  /** Origin of the page that the launch said to go back to: the one its reader's browser shows. Null when it said none. */
  framedBy: string | null;
  locale: string | null;
  /** When the way into the console closes that the launch opened to an administrator of the LMS (ms); null for everybody else. */
  consoleUntil: number | null;
  /** "entry": it lets its holder enter again, and no course page takes it. */
  only: "entry" | null;
};

/** Why a session was ended before its time. */
export type EndReason =
  | "signed-out"
  /** The person is no instructor any more, by a roster or by a later launch. */
  | "role-changed"
  /** Roster and launch disagree about an instructor, and the launch is too old to be believed; see `memberAfterRoster`. */
  | "launch-again"
  | "left-course"
  | "lms-off"
  | "deployment-refused"
  | "by-administrator"
  | "too-many";

const hour = 3_600_000;

/** Absolute end after the launch (ms). */
export const sessionLasts = 12 * hour;
/** Idle end after the latest request (ms). */
export const sessionIdles = 2 * hour;
/** A request moves `lastSeenAt` on when it is this old (ms), so that reading pages does not write each time. */
export const seenEvery = 60_000;
/** So many sessions of one person by one link live at once; of more, those idle for longest are ended. */
export const mostSessions = 20;

/** Whether a session's time is over. */
export function isSessionOver(
  { endsAt, lastSeenAt }: Pick<BrowserSession, "endsAt" | "lastSeenAt">,
  now: number,
) {
  return endsAt <= now || lastSeenAt + sessionIdles <= now;
}

/**
 * Why a session ends by what is known of its person in the course now; null when it goes on. It never gets more rights
 * than its launch gave it; when the person has fewer now, it is over, and a new launch says what they may do.
 */
export function endedByMember(
  session: Pick<BrowserSession, "role" | "staffRole" | "only" | "launchedAt">,
  member: Pick<Member, "role" | "active" | "sessionsFrom"> | null,
): "left-course" | "role-changed" | "launch-again" | null {
  if (member?.active !== true) return "left-course";
  if (session.role !== "instructor") return null;
  // A record of an earlier version, which did not tell teachers from others.
  if (session.staffRole === null && session.only === null) return "launch-again";
  if (member.role !== "instructor") return "role-changed";
  return session.launchedAt < (member.sessionsFrom ?? 0) ? "launch-again" : null;
}
