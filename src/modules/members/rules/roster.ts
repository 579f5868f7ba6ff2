import type { Member } from "../../../domain/course.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";
import { dayMs, hourMs } from "../../../kernel/clock.ts";

export type RosterSync = {
  id: string;
  registrationId: string;
  courseId: string;
  /** waiting: starts at `dueAt`. failed: see `problem`, and `dueAt` for a retry. */
  state: "idle" | "waiting" | "running" | "done" | "failed";
  dueAt: number | null;
  /** Whether a person waits for it, or the nightly round requested it. */
  urgency: "person" | "round";
  /** Attempts since the last success or request, including the one under way. */
  attempts: number;
  listed: number;
  written: number;
  /** How many people to take over. Null while the list is being read. */
  total: number | null;
  /** When the latest attempt began. Null before the first. */
  startedAt: number | null;
  /** When the latest attempt ended, even if it failed. 0 before the first. */
  finishedAt: number;
  /** When the list was last completely taken over. */
  doneAt: number | null;
  problem: string | null;
  problemCode: string | null;
  /** When the course was last opened (ms, to the nearest half day). */
  activeAt: number;
};

/** From this age (ms) on, an instructor's launch renews a roster. */
const rosterTtlMs = hourMs;
/** The nightly round skips courses that haven't been opened for this long (ms). */
export const activityTtlMs = 30 * dayMs;
/** The nightly round skips rosters younger than this (ms). */
export const roundSkipMs = 12 * hourMs;
/** `activeAt` is updated if it's older than this (ms). */
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
  /** The roster lists them as a learner, perhaps with another role, too. */
  student: boolean;
  active: boolean;
  /** Null if the list has no sections. */
  sectionIds: readonly string[] | null;
  listName: string;
};
type Circumstances = {
  product: Pick<LmsCapabilities, "rosterDemotesInstructors">;
  /** When the reading started (ms). */
  startedAt: number;
};

/** @param listed Null if the complete list doesn't have them: they left the course, and their history stays. */
export function memberAfterRoster(
  known: KnownMember,
  listed: ListedPerson | null,
  circumstances: Circumstances,
): Partial<RosterFacts> {
  // A launch since the reading began is newer. Preview students are never listed.
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
 * Whether a launch as a learner leaves an instructor's membership as it is, because LMSs let teachers see a course as a student does (Moodle's
 * "Switch role to"). The roster read next decides. The session has the launch's rights in any case.
 */
export function previewsAsLearner(known: Pick<Member, "role" | "listed"> | null, launched: Member["role"]) {
  return launched === "learner" && known?.role === "instructor" && known.listed?.role === "instructor";
}

/** If the launch takes precedence over the roster, the roster's "learner" doesn't count. @param role After the reading. */
function studentAfterRoster(known: Pick<KnownMember, "student">, listed: ListedPerson, role: Member["role"]) {
  return role !== listed.role || known.student === listed.student ? {} : { student: listed.student };
}

/**
 * A launch since the reading began is newer. Moodle's roster lists a non-editing teacher as a learner, which makes an instructor a learner
 * only if it called them Instructor before (see `listingAfterRoster`). A roster never gives rights; only launches do.
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

/** A launch counts if it's at most this old (ms) when a reading contradicts it for the first time. */
const unconfirmedMs = 30 * 60_000;
/** The same for a launch after a contradicting roster (ms): then the LMS means both. */
const confirmedMs = 4 * hourMs;

/**
 * Returns how a roster lists a teacher and, if it lists them as a learner, from which launch on their sessions count. That launch is at most
 * half an hour old at the first contradicting reading and four hours at later ones, so no lesson is interrupted twice.
 * @param role The role after the reading.
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
