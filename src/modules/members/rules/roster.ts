import type { Member } from "../../../domain/course.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";
import { dayMs, hourMs } from "../../../kernel/clock.ts";

export type RosterSync = {
  id: string;
  registrationId: string;
  courseId: string;
  /** waiting: starts at `dueAt`; failed: see `problem`, and `dueAt` for a retry. */
  state: "idle" | "waiting" | "running" | "done" | "failed";
  dueAt: number | null;
  /** A person waits for it, or the nightly round. */
  urgency: "person" | "round";
  /** Since the last success or request, the one under way included. */
  attempts: number;
  listed: number;
  written: number;
  /** People to take over; null while the list is being read. */
  total: number | null;
  /** When the latest attempt began; null before the first. */
  startedAt: number | null;
  /** When the latest attempt ended, failed or not; 0 before the first. */
  finishedAt: number;
  /** When the list was last taken over completely. */
  doneAt: number | null;
  problem: string | null;
  problemCode: string | null;
  /** When the course was last opened (ms, to the nearest half day). */
  activeAt: number;
};

/** The age from which an instructor's launch renews a roster (ms). */
const rosterTtlMs = hourMs;
/** Courses not opened for this long (ms) are left out of the nightly round. */
export const activityTtlMs = 30 * dayMs;
/** The nightly round skips rosters younger than this (ms). */
export const roundSkipMs = 12 * hourMs;
/** `activeAt` is updated when older than this (ms). */
export const activityStepMs = 12 * hourMs;

export function rosterIsDue(sync: Pick<RosterSync, "state" | "finishedAt">, now: number): boolean {
  if (sync.state === "waiting" || sync.state === "running") return false;
  return sync.finishedAt <= now - rosterTtlMs;
}

export type RosterFacts = Pick<
  Member,
  "role" | "roleFrom" | "student" | "active" | "sectionIds" | "listed" | "sessionsFrom"
> & { listName: string };
export type KnownMember = RosterFacts & Pick<Member, "testUser" | "lastLaunchAt">;
export type ListedPerson = {
  role: Member["role"];
  /** Listed as a learner, perhaps with another role, too. */
  student: boolean;
  active: boolean;
  /** Null when the list has no sections. */
  sectionIds: readonly string[] | null;
  listName: string;
};
type Circumstances = {
  product: Pick<LmsCapabilities, "rosterDemotesInstructors">;
  /** Start of the reading (ms). */
  startedAt: number;
};

/** @param listed Null when the complete list does not have them: they left the course, and their history is kept. */
export function memberAfterRoster(
  known: KnownMember,
  listed: ListedPerson | null,
  circumstances: Circumstances,
): Partial<RosterFacts> {
  // A launch since the reading began is newer; preview students are never listed.
  if (known.testUser || isFresh(known, circumstances.startedAt)) return {};
  if (listed === null || !listed.active) return known.active ? { active: false } : {};
  const { role, roleFrom } = roleAfterRoster(known, listed.role, circumstances);
  const sectionIds = listed.sectionIds ?? known.sectionIds;
  return {
    ...(role === known.role ? {} : { role, roleFrom }),
    ...studentAfterRoster(known, listed, role),
    ...listingAfterRoster(known, listed.role, { role, startedAt: circumstances.startedAt }),
    ...(known.active ? {} : { active: true }),
    ...(sameIds(sectionIds, known.sectionIds) ? {} : { sectionIds }),
    ...(listed.listName === known.listName ? {} : { listName: listed.listName }),
  };
}

/**
 * Whether a launch as a learner leaves an instructor's membership alone: an LMS shows its teachers a course as a student sees
 * it (Moodle's "Switch role to"). The roster that follows decides; the session has the launch's rights in any case.
 */
export function previewsAsLearner(known: Pick<Member, "role" | "listed"> | null, launched: Member["role"]) {
  return launched === "learner" && known?.role === "instructor" && known.listed?.role === "instructor";
}

/** Where a launch is believed over the roster, the roster's "learner" doesn't count. @param role After the reading. */
function studentAfterRoster(known: Pick<KnownMember, "student">, listed: ListedPerson, role: Member["role"]) {
  return role !== listed.role || known.student === listed.student ? {} : { student: listed.student };
}

/**
 * A launch since the reading began is newer. Moodle's roster calls a non-editing teacher a learner: it makes a learner of an instructor
 * only where it called them Instructor before (see `listingAfterRoster`). A roster never gives rights: only launches do.
 */
export function roleAfterRoster(
  known: Pick<Member, "role" | "roleFrom" | "lastLaunchAt" | "listed">,
  listed: Member["role"],
  { product, startedAt }: Circumstances,
): Pick<Member, "role" | "roleFrom"> {
  const { role, roleFrom } = known;
  if (isFresh(known, startedAt) || role === listed) return { role, roleFrom };
  const changed = known.listed?.role === "instructor";
  if (product.rosterDemotesInstructors && roleFrom === "launch" && role === "instructor" && !changed)
    return { role, roleFrom };
  return { role: listed, roleFrom: "roster" };
}

/** Before a reading that contradicts a launch for the first time, the launch counts this long (ms). */
const unconfirmedMs = 30 * 60_000;
/** The same for a launch after a contradicting roster (ms): then the LMS means both. */
const confirmedMs = 4 * hourMs;

/**
 * How a roster lists a teacher, and from which launch on their sessions count where it lists them as a learner: at most
 * half an hour old at the first contradicting reading, four hours at later ones, so no lesson is interrupted twice.
 * @param role After it.
 */
export function listingAfterRoster(
  known: Pick<KnownMember, "role" | "lastLaunchAt" | "listed" | "sessionsFrom">,
  listedRole: Member["role"],
  { role, startedAt }: { role: Member["role"]; startedAt: number },
): Pick<Partial<RosterFacts>, "listed" | "sessionsFrom"> {
  const before = known.listed ?? null;
  if (before === null && known.role !== "instructor" && listedRole !== "instructor") return {};
  const listed = before?.role === listedRole ? before : { role: listedRole, since: startedAt };
  const news = listed === before ? {} : { listed };
  if (role !== "instructor" || listedRole === "instructor") return news;
  return {
    ...news,
    sessionsFrom: Math.max(believedFrom(known, listed.since, startedAt), known.sessionsFrom ?? 0),
  };
}

function believedFrom(
  { lastLaunchAt }: Pick<KnownMember, "lastLaunchAt">,
  listedSince: number,
  startedAt: number,
): number {
  const confirmed = lastLaunchAt !== null && lastLaunchAt >= listedSince;
  return confirmed ? Math.max(startedAt - confirmedMs, listedSince) : startedAt - unconfirmedMs;
}

function isFresh({ lastLaunchAt }: Pick<Member, "lastLaunchAt">, startedAt: number): boolean {
  return lastLaunchAt !== null && lastLaunchAt >= startedAt;
}

function sameIds(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id, at) => id === others[at]);
}
