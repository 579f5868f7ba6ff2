import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { type Cohort, type CohortKey, deletedSince, knownAlive } from "./rules/cohort.ts";
import type { AccountId } from "../../domain/account.ts";
import { NamedError } from "../../kernel/errors.ts";
import { cutTo } from "../../kernel/text.ts";

export type RefreshCohortDeps = Pick<App, "cohorts" | "clock"> & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readCohort">;
};

export type CohortChange = CohortKey & {
  eventType: string;
  /** When it changed (ms). */
  at: number;
  /** When the webhook came (ms). */
  receivedAt: number;
  /** A classroom user id. */
  updatedBy?: string | null;
};

/** The documented types; others have no effect. */
const readAfter: readonly string[] = ["COHORT_CREATED", "COHORT_UPDATED"];
export function unknownCohortEvent(eventType: string): string {
  return `The eventType "${cutTo(eventType, 100)}" of cohorts is not known; the webhook is kept as it came.`;
}

/** Clocks of several processes differ a little (ms). */
const toleranceMs = 2_000;

/**
 * A created or updated cohort is read, a deleted one is marked and keeps what is known. Webhooks may come late, twice
 * and in any order; no call is made for a cohort read since the webhook came.
 * @returns "unknown-type" for an undocumented eventType, which has no effect.
 * @throws the classroom client's errors; to be retried.
 */
export async function refreshCohort(
  deps: RefreshCohortDeps,
  { environment, programId, cohortId, eventType, at, receivedAt, updatedBy = null }: CohortChange,
): Promise<"noted" | "unknown-type"> {
  const key = { environment, programId, cohortId };
  const change = { by: updatedBy, at };
  if (eventType === "COHORT_DELETED") {
    await deps.cohorts.noteDeleted(key, at);
    await deps.cohorts.noteChange(key, change);
    return "noted";
  }
  if (!readAfter.includes(eventType)) return "unknown-type";
  const known = await deps.cohorts.find(key);
  if (known === null || !isFresh(known, receivedAt)) await readCohort(deps, key, { changedAt: at });
  if ((await deps.cohorts.find(key)) !== null) await deps.cohorts.noteChange(key, change);
  return "noted";
}

/**
 * A cohort that the classroom does not know keeps what is known of it.
 * @param wanted.changedAt When the change that caused the reading took place (ms).
 * @returns null when it is unknown here, too.
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
    // Deleted meanwhile. An unknown cohort gets no record.
    await deps.cohorts.noteGone(key, readAt);
  }
  return deps.cohorts.find(key);
}

/** Known by name only, as lists give it. Without an answer, a webhook or an instructor triggers the next reading. */
export async function readUnread(deps: RefreshCohortDeps, key: CohortKey): Promise<void> {
  const known = await deps.cohorts.find(key);
  if (known === null || known.readAt !== null || deletedSince(known) !== null) return;
  try {
    await readCohort(deps, key, { priority: "instructor" });
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
  }
}

/** Whether a reading that found it began after the webhook came, and so includes its change. */
function isFresh({ readAt, lookedAt, goneAt }: Cohort, receivedAt: number): boolean {
  return goneAt === null && readAt !== null && readAt === lookedAt && readAt > receivedAt + toleranceMs;
}
