import { describeRecord, field, index, type ItemOf } from "./record.ts";
import { once, given } from "./personal-data.ts";
import type { Member } from "./course.ts";
import type { StaffRole } from "./course-rights.ts";
import { hourMs } from "../kernel/clock.ts";

/** A course session: what a person may do on a course's pages, from one launch until it ends. */
export const browserSessionRecord = describeRecord("BrowserSession", {
  fields: {
    secret: field.text,
    registrationId: field.text,
    /** Null when unknown. */
    deploymentId: field.text.orNull,
    courseId: field.text,
    personId: field.text,
    /** Our id of the link that was opened; null when the LMS named none. */
    courseLinkId: field.text.orNull,
    role: field.textOf<Member["role"]>(),
    /** Null for a learner, and for an entry-only session. */
    staffRole: field.textOf<StaffRole>().orNull,
    /** Origin of the LMS page to return to, as the person's browser shows it; null when not sent. */
    framedBy: field.text.orNull,
    locale: field.text.orNull,
    /** When console access ends (ms), if an LMS administrator launched. */
    consoleUntil: field.number.orNull,
    /** "entry": the holder may only enter again; course pages refuse the session. */
    only: field.textOf<"entry">().orNull,
    launchedAt: field.number,
    /** When the latest request came (ms), accurate to about a minute. */
    lastSeenAt: field.number,
    /** When it ends at the latest (ms). */
    endsAt: field.number,
    /** When it was ended early (ms); null if it wasn't. */
    endedAt: field.number.orNull,
    endedBecause: field.textOf<EndReason>().orNull,
    /** What pages should say once about changes, as JSON; see web/page-news. */
    news: field.text.orNull,
    /** A form that was typed but not saved, as JSON; see web/page-news. */
    typed: field.text.orNull,
  },
  indexes: [
    index("registrationId", "courseId", "personId", "endedAt"),
    index("registrationId", "personId"),
    // Lets the store count from the index alone.
    index("registrationId", "endedAt", "lastSeenAt", "endsAt"),
    index("endsAt"),
  ],
  personalData: {
    key: "sessionsOfPages",
    holds:
      "who may use a course's pages: role, link, language, times of launch and latest use, why it ended; a digest of the secret; a message for the next page; unsaved input of settings, grading and planning",
    stored: "a day after its end, 36 hours after the launch at most",
    person: [once],
    given: given(once, "courseId role launchedAt lastSeenAt endedAt endedBecause"),
    purged: { days: 1, field: "endsAt" },
    names: [{ path: "personId", among: "registration" }],
  },
});
export type BrowserSession = ItemOf<typeof browserSessionRecord>;

/** What a launch reports, without name and e-mail. The fields are those of the record. */
export type SessionFacts = {
  registrationId: string;
  deploymentId: string | null;
  courseId: string;
  personId: string;
  courseLinkId: string | null;
  role: Member["role"];
  staffRole: StaffRole | null;
  framedBy: string | null;
  locale: string | null;
  consoleUntil: number | null;
  only: "entry" | null;
};

export type EndReason =
  | "signed-out"
  /** A roster or a later launch says that they are no longer an instructor. */
  | "role-changed"
  /** Roster and launch disagree about an instructor, and the launch is too old to decide; see `memberAfterRoster`. */
  | "launch-again"
  | "left-course"
  | "lms-off"
  | "deployment-refused"
  | "by-administrator"
  | "too-many";

/** Absolute lifetime after the launch (ms). */
export const sessionLifetimeMs = 12 * hourMs;
/** Idle lifetime after the latest request (ms). */
export const sessionIdleMs = 2 * hourMs;
/** `lastSeenAt` is written only when it is this old (ms), so not every page view writes. */
export const seenIntervalMs = 60_000;
/** The most live sessions of one person through one link. Beyond that, the longest idle ones end. */
export const maxSessions = 20;

export function isSessionOver(
  { endsAt, lastSeenAt }: Pick<BrowserSession, "endsAt" | "lastSeenAt">,
  now: number,
) {
  return endsAt <= now || lastSeenAt + sessionIdleMs <= now;
}

/** Why the member's present state ends a session, or null. A session ends if it has more rights than its person has now. */
export function endedByMember(
  session: Pick<BrowserSession, "role" | "staffRole" | "only" | "launchedAt">,
  member: Pick<Member, "role" | "active" | "sessionsFrom"> | null,
): "left-course" | "role-changed" | "launch-again" | null {
  if (member?.active !== true) return "left-course";
  if (session.role !== "instructor") return null;
  // A session stored by an earlier version, which didn't distinguish teachers from other staff.
  if (session.staffRole === null && session.only === null) return "launch-again";
  if (member.role !== "instructor") return "role-changed";
  return session.launchedAt < (member.sessionsFrom ?? 0) ? "launch-again" : null;
}
