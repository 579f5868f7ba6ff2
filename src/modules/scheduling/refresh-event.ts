import type { ClassroomClient } from "../../classroom/client.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { AccountId } from "../../domain/account.ts";
import { keepEvent, type KeepEventDeps } from "./keep-event.ts";

export type RefreshEventDeps = KeepEventDeps & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readEvent">;
};

/** A SCHEDULE webhook's change (interface 6.5); each instance of a series has its own. */
export type EventChange = {
  environment: AccountId;
  eventId: string;
  eventType: string;
  /** Milliseconds. */
  at: number;
  /** `recurringUpdateType`: only shows that it is one of a series, as the others have webhooks of their own. */
  recurring?: string | null;
  /** A classroom user id. */
  by?: string | null;
};

/**
 * Webhooks may come in any order, with one exception: a cancellation holds until a later change.
 * @returns null when neither the classroom nor we know it.
 * @throws the classroom client's errors.
 */
export async function refreshEvent(
  deps: RefreshEventDeps,
  change: EventChange,
): Promise<ClassroomEvent | null> {
  const { environment, eventId, eventType, at } = change;
  const { read, readAt } = await readEvent(deps, environment, eventId);
  const recurring = (change.recurring ?? null) !== null;
  return keepEvent(deps, change, read, { readAt, at, eventType, by: change.by ?? null, recurring });
}

/** Reads an event in the background. @returns what was read, and when (ms). @throws the classroom client's errors. */
export async function readEvent(
  { classroomOf, clock }: Pick<RefreshEventDeps, "classroomOf" | "clock">,
  environment: AccountId,
  eventId: string,
): Promise<{ read: Awaited<ReturnType<ClassroomClient["readEvent"]>>; readAt: number }> {
  let readAt = clock.now();
  const read = await classroomOf(environment).readEvent(eventId, {
    priority: "background",
    onPermit: () => {
      readAt = clock.now();
    },
  });
  return { read, readAt };
}
