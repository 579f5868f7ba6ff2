import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { PlannedSession } from "./rules/planned-session.ts";

export type SaveFromClassroomDeps = Pick<App, "events" | "clock" | "wake">;

/**
 * Keeps an event as the classroom was told it, so that nobody has to wait for its webhook. Grades may follow from it, so it
 * is called within `whileSessionsChange`.
 * @param toldAt When the call was sent (ms): what was read later wins.
 */
export async function saveFromClassroom(
  deps: SaveFromClassroomDeps,
  plan: PlannedSession,
  eventId: string,
  told: { toldAt: number; cancelled: boolean },
): Promise<void> {
  const { environment, courseId } = plan;
  const { toldAt, cancelled } = told;
  const known = await deps.events.find(environment, eventId);
  // Of one that is cancelled nothing else has changed.
  const { spaceId, title, startsAt, endsAt } = cancelled && known !== null ? known : plan;
  await deps.events.saveNewer({
    environment,
    eventId,
    spaceId,
    title,
    startsAt,
    endsAt,
    cancelled,
    cancelledAt: cancelled ? toldAt : (known?.cancelledAt ?? null),
    courseId,
    readAt: toldAt,
    changedAt: toldAt,
    ...untouched(known),
  });
  // Its webhook may have been read first; where several courses share a Space that does not tell whose it is.
  await deps.events.assignCourse(environment, eventId, courseId);
  deps.wake("upcoming");
}

/** What such a call says nothing about: the next reading tells whether it still holds. */
function untouched(known: ClassroomEvent | null) {
  if (known === null) return { recurring: false, revision: 1, cohortIds: null, sectionIds: [] };
  const { recurring = false, revision = 0, cohortIds = null, sectionIds = [], told } = known;
  return {
    recurring,
    revision: revision + 1,
    cohortIds,
    sectionIds,
    ...(told === undefined ? {} : { told }),
  };
}
