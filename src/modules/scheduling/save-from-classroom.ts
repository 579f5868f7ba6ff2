import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { PlannedSession } from "./rules/planned-session.ts";

export type SaveFromClassroomDeps = Pick<App, "events" | "clock" | "wake">;

/**
 * As it was sent to the classroom, without waiting for its webhook. Called within `whileSessionsChange`, as grades may
 * change. @param saved.sentAt When the call was sent (ms): later readings win.
 */
export async function saveFromClassroom(
  deps: SaveFromClassroomDeps,
  plan: PlannedSession,
  eventId: string,
  saved: { sentAt: number; cancelled: boolean },
): Promise<void> {
  const { environment, courseId } = plan;
  const { sentAt, cancelled } = saved;
  const known = await deps.events.find(environment, eventId);
  // Of a cancelled event nothing else has changed.
  const { spaceId, title, startsAt, endsAt } = cancelled && known !== null ? known : plan;
  await deps.events.saveNewer({
    environment,
    eventId,
    spaceId,
    title,
    startsAt,
    endsAt,
    cancelled,
    cancelledAt: cancelled ? sentAt : (known?.cancelledAt ?? null),
    courseId,
    readAt: sentAt,
    changedAt: sentAt,
    ...untouched(known),
  });
  // Its webhook may be read already, which in a shared Space does not show the course.
  await deps.events.assignCourse(environment, eventId, courseId);
  deps.wake("upcoming");
}

/** What the call does not contain stays; the next reading corrects it. */
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
