import type { ClassroomClient } from "../../classroom/client.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import { keepEvent, type KeepEventDeps } from "./keep-event.ts";

export type RefreshEventDeps = KeepEventDeps & {
  classroomOf: (environment: EnvironmentName) => Pick<ClassroomClient, "readEvent">;
};

/** A change of a scheduled event as a SCHEDULE webhook tells it (interface 6.5); one comes for each instance of a series. */
export type EventChange = {
  environment: EnvironmentName;
  eventId: string;
  eventType: string;
  /** When it was changed (ms). */
  at: number;
  /**
   * The webhook's `recurringUpdateType`. Whatever it says, the webhook is about this one instance: the other instances of
   * the series have webhooks of their own. So it only tells that the event belongs to a series.
   */
  recurring?: string | null;
  /** Who made it, in the classroom's ids; left out or null when not told. */
  by?: string | null;
};

/**
 * Reads an event that was created, changed, cancelled or deleted, and keeps it as it is now. The webhook says only
 * that something happened, so their order does not matter, with one exception: a cancellation holds until a later change.
 * @returns the event; null when the classroom does not know it and neither do we.
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

/**
 * Reads an event in the background of everything else. @returns what was read, and when it was asked for (ms).
 * @throws the classroom client's errors.
 */
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
