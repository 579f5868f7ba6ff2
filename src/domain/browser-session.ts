import { describeRecord, index, type ItemOf } from "./record.ts";
import { text, textOf, number } from "./record-fields.ts";
import { once, given } from "./held-record.ts";
import type { Member } from "./course.ts";
import type { StaffRole } from "./staff-rights.ts";

/** What somebody may do at pages of a course, from one launch until it ends. "Session" alone is a held event of a course. */
export const browserSessionRecord = describeRecord("BrowserSession", {
  fields: {
    /** Digest of the secret that pages carry. */
    secret: text,
    registrationId: text,
    /** Null where it is not known. */
    deploymentId: text.orNull,
    courseId: text,
    personId: text,
    /** Our id of the link that was opened; null when the LMS named none. */
    courseLinkId: text.orNull,
    role: textOf<Member["role"]>(),
    /** Which kind of instructor; null for a learner, and where the session is for entering only. */
    staffRole: textOf<StaffRole>().orNull,
    /** Origin of the page that the launch said to go back to: the one its reader's browser shows. Null when it said none. */
    framedBy: text.orNull,
    locale: text.orNull,
    /** When the way into the console closes that the launch opened to an administrator of the LMS (ms); null for everybody else. */
    consoleUntil: number.orNull,
    /** "entry": it lets its holder enter again, and no course page takes it. */
    only: textOf<"entry">().orNull,
    /** Of the launch it comes from (ms). */
    launchedAt: number,
    /** Of the latest request with it (ms), to the minute. */
    lastSeenAt: number,
    /** When it ends whatever happens (ms). */
    endsAt: number,
    /** When it was ended before that (ms); null when it was not. */
    endedAt: number.orNull,
    endedBecause: textOf<EndReason>().orNull,
  },
  indexes: [
    index("registrationId", "courseId", "personId", "endedAt"),
    index("registrationId", "personId"),
    // Counted in the index alone.
    index("registrationId", "endedAt", "lastSeenAt", "endsAt"),
    index("endsAt"),
  ],
  held: {
    key: "sessionsOfPages",
    holds:
      "that somebody may use pages of a course: role, link, language, times of launch and latest use, why it ended; a digest of its secret",
    kept: "one day after it ended by itself, 36 hours after the launch at most",
    person: [once],
    given: given(once, "courseId role launchedAt lastSeenAt endedAt endedBecause"),
    purged: { days: 1, field: "endsAt" },
    names: [{ path: "personId", among: "registration" }],
  },
});
export type BrowserSession = ItemOf<typeof browserSessionRecord>;

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
