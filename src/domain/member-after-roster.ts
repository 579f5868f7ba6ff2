import type { Member } from "./course.ts";
import type { PlatformFamily } from "./registration.ts";

/** What a roster can say about a member, and what it is compared with. */
export type RosterFacts = Pick<Member, "role" | "roleFrom" | "active" | "sectionIds"> & {
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
  family: PlatformFamily;
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
    ...(known.active ? {} : { active: true }),
    ...(sameIds(sectionIds, known.sectionIds) ? {} : { sectionIds }),
    ...(listed.listName === known.listName ? {} : { listName: listed.listName }),
  };
}

/**
 * The role of a member after a roster was read.
 * - A launch since the reading began is newer than the roster: its role stays.
 * - In Moodle a non-editing teacher is an Instructor in launches and a Learner in the roster, so there a roster never
 *   makes a learner of somebody who launched as an instructor; their next launch does, if they are one no more.
 * - Otherwise the roster is the latest word. It never gives rights: those come from each launch alone.
 */
export function roleAfterRoster(
  known: Pick<Member, "role" | "roleFrom" | "lastLaunchAt">,
  listed: Member["role"],
  { family, startedAt }: Circumstances,
): Pick<Member, "role" | "roleFrom"> {
  const { role, roleFrom } = known;
  if (isFresh(known, startedAt) || role === listed) return { role, roleFrom };
  if (family === "moodle" && roleFrom === "launch" && role === "instructor") return { role, roleFrom };
  return { role: listed, roleFrom: "roster" };
}

function isFresh({ lastLaunchAt }: Pick<Member, "lastLaunchAt">, startedAt: number): boolean {
  return lastLaunchAt !== null && lastLaunchAt >= startedAt;
}

function sameIds(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((id, at) => id === others[at]);
}
