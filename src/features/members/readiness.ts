import type { Member } from "../../domain/course.ts";
import { willEnter } from "../../domain/provisioning.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import type { ProvisioningStore } from "../../storage/provisioning-store.ts";

/** How many people of a course can enter at once, and what is the matter with the others. */
export type Readiness = {
  /** Everybody who will enter: students and instructors who are in the course. */
  expected: number;
  /** They have an API user. */
  ready: number;
  /** An API user will be made by itself. */
  preparing: number;
  /** The classroom said no to them. */
  refused: number;
  /** Why it failed for those who are being prepared, and for those who were refused; null when nothing did. */
  problem: string | null;
  refusal: string | null;
};

export type ReadinessDeps = {
  people: Pick<PersonStore, "withoutApiUser">;
  provisioning: Pick<ProvisioningStore, "findMany">;
};

/** A readiness that nobody has been counted into. */
export function nobodyReady(): Readiness {
  return { expected: 0, ready: 0, preparing: 0, refused: 0, problem: null, refusal: null };
}

/** Counts some members of a course, a few hundred at most, into `to`. */
export async function countReadiness(
  deps: ReadinessDeps,
  courseId: string,
  members: readonly Member[],
  to: Readiness,
): Promise<void> {
  const expected = members.filter(willEnter).map(({ personId }) => personId);
  const missing = await deps.people.withoutApiUser(expected);
  to.expected += expected.length;
  to.ready += expected.length - missing.length;
  if (missing.length === 0) return;
  for (const { refused, problem } of await deps.provisioning.findMany(courseId, missing)) {
    to[refused ? "refused" : "preparing"] += 1;
    to[refused ? "refusal" : "problem"] ??= problem;
  }
}
