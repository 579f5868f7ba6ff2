import type { App } from "../../app.ts";
import { attendanceColumn } from "../grading/rules/column.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { type KnownSpace, knownSpaces, type UsableSpaceDeps } from "../spaces/usable-space.ts";

export type OfferChoicesDeps = UsableSpaceDeps & Pick<App, "events" | "columns">;

export type OfferedChoices = {
  sessions: ClassroomEvent[];
  spaces: KnownSpace[];
  /** A second attendance column would stay empty. */
  hasAttendanceColumn: boolean;
};

const maxSessions = 100;

export async function offerChoices(
  deps: OfferChoicesDeps,
  course: Course,
  personId: string,
): Promise<OfferedChoices> {
  const events = await deps.events.listOfCourse(course.id, maxSessions);
  const key = { registrationId: course.registrationId, courseId: course.id, key: attendanceColumn };
  return {
    sessions: events.filter((event) => !event.cancelled && event.environment === course.environment),
    spaces: await knownSpaces(deps, course, personId),
    hasAttendanceColumn: (await deps.columns.find(key))?.lineItemUrl != null,
  };
}
