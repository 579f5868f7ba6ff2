import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { spacesOfCourse, type SpacesOfCourseDeps } from "../recordings/spaces-of-course.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { listSessions, type ListSessionsDeps } from "../scheduling/list-sessions.ts";
import { saidWithinMs } from "./rules/limits.ts";
import type { KeptFigures } from "./rules/records.ts";
import { sessionNear } from "./rules/session-near.ts";

export type ShowFiguresDeps = SpacesOfCourseDeps & ListSessionsDeps & Pick<App, "sessionFigures">;

/**
 * What the classroom says of a session of the course, latest first: usually one report, more where people came back. Only of Spaces in
 * which what happens is the course's alone. @returns null for a session that is not the course's
 */
export async function showFigures(
  deps: ShowFiguresDeps,
  course: Course,
  eventId: string,
): Promise<{ session: CourseSession; reports: KeptFigures[] } | null> {
  const sessions = await listSessions(deps, course);
  const session = sessions.find((one) => one.eventId === eventId);
  if (session === undefined) return null;
  const { startsAt, endsAt } = session;
  if (startsAt === null) return { session, reports: [] };
  const spaces = await spacesOfCourse(deps, course);
  const own = spaces.filter(({ claim }) => claim === "own").map(({ spaceId }) => spaceId);
  const times = { from: startsAt, to: (endsAt ?? startsAt) + saidWithinMs };
  const reports = await deps.sessionFigures.listOfSpaces(course.environment, own, times);
  return { session, reports: reports.filter((one) => sessionNear(one, sessions) === session) };
}
