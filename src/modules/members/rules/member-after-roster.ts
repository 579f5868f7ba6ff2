import type { Member } from "../../../domain/course.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";

/** What a roster can say about a member, and what it is compared with. */
export type RosterFacts = Pick<
  Member,
  "role" | "roleFrom" | "active" | "sectionIds" | "listed" | "sessionsFrom"
> & {
  /** What the person is sorted by in lists. */
  listName: string;
};
/** What is known of a member before a roster is taken over. */
export type KnownMember = RosterFacts & Pick<Member, "testUser" | "lastLaunchAt">;
/** A person as the LMS lists them in a course. */
export type ListedPerson = {
  role: Member["role"];
  active: boolean;
  /** Null when the list does not tell sections. */
  sectionIds: readonly string[] | null;
  listName: string;
};
type Circumstances = {
  product: Pick<LmsCapabilities, "rosterDemotesInstructors">;
  /** When the reading of the roster began (ms). */
  startedAt: number;
};

/**
 * What a roster changes about somebody who is a member already; empty when nothing.
 * @param listed Null for somebody the complete list does not have: they are not in the course any more, and their
 * history stays.
 */
export function memberAfterRoster(
  known: KnownMember,
  listed: ListedPerson | null,
  circumstances: Circumstances,
): Partial<RosterFacts> {
  // A launch since the reading began knows better; preview students are in no list.
  if (known.testUser || isFresh(known, circumstances.startedAt)) return {};
  if (listed === null || !listed.active) return known.active ? { active: false } : {};
  const { role, roleFrom } = roleAfterRoster(known, listed.role, circumstances);
  const sectionIds = listed.sectionIds ?? known.sectionIds;
  return {
    ...(role === known.role ? {} : { role, roleFrom }),
    ...standingAfterRoster(known, listed.role, { role, startedAt: circumstances.startedAt }),
    ...(known.active ? {} : { active: true }),
    ...(sameIds(sectionIds, known.sectionIds) ? {} : { sectionIds }),
    ...(listed.listName === known.listName ? {} : { listName: listed.listName }),
  };
}

/**
 * The role of a member after a roster was read.
 * - A launch since the reading began is newer than the roster: its role stays.
 * - Where somebody may be an instructor in launches and a learner in the roster (Moodle's non-editing teacher), a roster makes a
 *   learner of somebody who launched as an instructor only when it called them an Instructor before. Where it never did,
 *   their role stays, and their sessions must be launched again from time to time; see `standingAfterRoster`.
 * - Otherwise the roster is the latest word. It never gives rights: those come from each launch alone.
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

/** A launch that the roster contradicts for the first time is believed this long (ms) before the reading. */
const unconfirmedFor = 30 * 60_000;
/** ... and this long when it came after a roster that contradicted it already: then the LMS knows both, and means both. */
const confirmedFor = 4 * 3_600_000;

/**
 * What is remembered of how a roster lists somebody who teaches, and from which launch on their sessions are believed where
 * it lists them as a learner all the same. Nobody can tell Moodle's non-editing teacher from one who was made a student, but
 * a launch: so theirs must be no older than half an hour at the first reading that disagrees, and than four hours later on. A
 * lesson is never interrupted twice.
 * @param role What they are after the reading.
 */
export function standingAfterRoster(
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
  return confirmed ? Math.max(startedAt - confirmedFor, listedSince) : startedAt - unconfirmedFor;
}

function isFresh({ lastLaunchAt }: Pick<Member, "lastLaunchAt">, startedAt: number): boolean {
  return lastLaunchAt !== null && lastLaunchAt >= startedAt;
}

function sameIds(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id, at) => id === others[at]);
}
