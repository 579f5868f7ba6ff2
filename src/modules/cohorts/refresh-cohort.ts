import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { changedWhen, type Cohort, type CohortKey, deletedSince, knownAlive } from "./rules/cohort.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import { NamedError } from "../../kernel/errors.ts";

export type RefreshCohortDeps = Pick<App, "cohorts" | "clock"> & {
  classroomOf: (environment: EnvironmentName) => Pick<ClassroomClient, "readCohort">;
};

/** A change of a cohort as a PROGRAM_AND_COHORT webhook tells it (interface 6.7). */
export type CohortChange = CohortKey & {
  eventType: string;
  /** When it was changed (ms); null when that cannot be read. */
  at: number | null;
  /** When the webhook came (ms). */
  receivedAt: number;
  /** Who changed it, in the classroom's ids; left out or null when not told. */
  updatedBy?: string | null;
};

/** What the document lists; others are kept and have no effect. */
const readAfter: readonly string[] = ["COHORT_CREATED", "COHORT_UPDATED"];
/** Why a webhook with another eventType has no effect, for people. */
export function unknownCohortEvent(eventType: string): string {
  return `The eventType "${eventType.slice(0, 100)}" of cohorts is not known; the webhook is kept as it came.`;
}

/** Clocks of several processes differ a little (ms). */
const skew = 2_000;

/**
 * Takes a change of a cohort over: one that was created or updated is read, a deleted one is marked and keeps all that is
 * known of it. Webhooks may come late, twice and in any order; one that finds the cohort read since it came asks nobody.
 * @returns "unknown-type" for an eventType that the document does not list: nothing was done.
 * @throws the classroom client's errors; to be tried again.
 */
export async function refreshCohort(
  deps: RefreshCohortDeps,
  { environment, programId, cohortId, eventType, at, receivedAt, updatedBy = null }: CohortChange,
): Promise<"noted" | "unknown-type"> {
  const key = { environment, programId, cohortId };
  const changedAt = changedWhen(at, receivedAt);
  const change = { by: updatedBy, at: changedAt };
  if (eventType === "COHORT_DELETED") {
    await deps.cohorts.noteDeleted(key, changedAt);
    await deps.cohorts.noteChange(key, change);
    return "noted";
  }
  if (!readAfter.includes(eventType)) return "unknown-type";
  const known = await deps.cohorts.find(key);
  if (known === null || !isFresh(known, receivedAt)) await readCohort(deps, key, { changedAt });
  if ((await deps.cohorts.find(key)) !== null) await deps.cohorts.noteChange(key, change);
  return "noted";
}

/**
 * Reads a cohort and keeps what the classroom tells; one that it does not know (any more) keeps what is known of it.
 * @param wanted.changedAt When the change took place that is the reason for reading (ms); left out without one.
 * @returns the cohort as it is known now; null when nobody knows it.
 * @throws the classroom client's errors.
 */
export async function readCohort(
  deps: RefreshCohortDeps,
  key: CohortKey,
  wanted: { changedAt?: number; priority?: "background" | "instructor" } = {},
): Promise<Cohort | null> {
  const { environment, programId, cohortId } = key;
  let readAt = deps.clock.now();
  const reply = await deps.classroomOf(environment).readCohort(
    { programId, cohortId },
    {
      priority: wanted.priority ?? "background",
      onPermit: () => {
        readAt = deps.clock.now();
      },
    },
  );
  if (reply !== null) {
    const aliveAt = knownAlive(readAt, wanted.changedAt ?? null);
    await deps.cohorts.noteRead(key, reply, { readAt, aliveAt });
  } else if (wanted.changedAt !== undefined || (await deps.cohorts.find(key)) !== null) {
    // Deleted meanwhile. What somebody only asked for, and nobody knows, is not worth a record.
    await deps.cohorts.noteGone(key, readAt);
  }
  return deps.cohorts.find(key);
}

/**
 * Reads a cohort that is known by its name alone, as lists tell it. Where the classroom does not answer, it stays so: a webhook, or
 * an instructor, has it read again.
 */
export async function readUnread(deps: RefreshCohortDeps, key: CohortKey): Promise<void> {
  const known = await deps.cohorts.find(key);
  if (known === null || known.readAt !== null || deletedSince(known) !== null) return;
  try {
    await readCohort(deps, key, { priority: "instructor" });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
  }
}

/** Whether it was read, and found, since the webhook came: that reading has seen its change. */
function isFresh({ readAt, lookedAt, goneAt }: Cohort, receivedAt: number): boolean {
  return goneAt === null && readAt !== null && readAt === lookedAt && readAt > receivedAt + skew;
}
