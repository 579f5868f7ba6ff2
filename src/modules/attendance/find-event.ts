import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { AccountId } from "../../domain/account.ts";
import { giveToCourse, keepEvent, readEvent, type RefreshEventDeps } from "../scheduling/keep-event.ts";

export type FindEventDeps = RefreshEventDeps & Pick<App, "askedEvents">;

/** Milliseconds until an event without a course is read again: changes come as webhooks. */
const freshMs = 10 * 60_000;

/**
 * From our record when that is settled, else from GET /events/{id}, once for all who need it, and more rarely after
 * each call in vain. An instructor's decision goes before the event's Space.
 * @returns null when the classroom did not know the event when last asked.
 * @throws the classroom client's errors.
 */
export async function findEvent(
  deps: FindEventDeps,
  environment: AccountId,
  eventId: string,
): Promise<ClassroomEvent | null> {
  const known = await deps.events.find(environment, eventId);
  if (known !== null && known.courseId !== null) return known;
  const { askedEvents } = deps;
  const asks =
    (known === null || deps.clock.now() - known.readAt >= freshMs) &&
    (await askedEvents.take(environment, eventId, deps.clock.now()));
  if (!asks) return known === null ? null : giveToCourse(deps, known);
  const { read, readAt } = await readEvent(deps, environment, eventId).catch(async (thrown: unknown) => {
    await askedEvents.giveBack(environment, eventId);
    throw thrown;
  });
  if (read === null) return known;
  const report = { readAt, at: null, eventType: null, by: null, recurring: false };
  const kept = await keepEvent(deps, { environment, eventId }, read, report);
  if (kept !== null && kept.courseId !== null) await askedEvents.forget(environment, eventId);
  return kept;
}
