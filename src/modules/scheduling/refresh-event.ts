import type { ClassroomClient } from "../../classroom/client.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import { keepEvent, type KeepEventDeps } from "./keep-event.ts";

export type RefreshEventDeps = KeepEventDeps & {
  classroomOf: (environment: EnvironmentName) => Pick<ClassroomClient, "readEvent">;
};

/** A SCHEDULE webhook's change (interface 6.5); each instance of a series has its own. */
export type EventChange = {
  environment: EnvironmentName;
  eventId: string;
  eventType: string;
  /** When it was changed (ms). */
  at: number;
  /**
   * The webhook's `recurringUpdateType`: shows only that the event is of a series, for the other instances have webhooks
   * of their own.
   */
  recurring?: string | null;
  /** A classroom user id; left out or null when unknown. */
  by?: string | null;
};

/**
 * Reads a changed event and keeps it. Order of webhooks does not matter, with one exception: a cancellation holds until a
 * later change.
 * @returns the event; null when neither the classroom nor we know it.
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
  environment: EnvironmentName,
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
