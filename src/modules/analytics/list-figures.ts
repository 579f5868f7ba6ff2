import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { personName } from "../../domain/person-name.ts";
import type { Figure } from "../../domain/session-figures.ts";
import { whoAttended, type WhoAttendedDeps } from "../attendance/who-attended.ts";
import { spacesOfCourse, type SpacesOfCourseDeps } from "../recordings/spaces-of-course.ts";
import type { CourseSession } from "../scheduling/rules/course-session.ts";
import { listSessions, type ListSessionsDeps } from "../scheduling/list-sessions.ts";
import { maxPeople, maxSessions } from "./rules/limits.ts";
import type { KeptFigures } from "./rules/records.ts";
import { sessionNear } from "./rules/session-near.ts";

export type ListFiguresDeps = SpacesOfCourseDeps & ListSessionsDeps & Pick<App, "sessionFigures">;

/** What the classroom says of one of its sessions, and the session of the course that it was. */
export type CourseFigures = KeptFigures & { eventId: string | null; title: string | null };

/** Latest first. Only of Spaces in which what happens is the course's alone. */
export async function listFigures(deps: ListFiguresDeps, course: Course): Promise<CourseFigures[]> {
  const spaceIds = await ownSpaces(deps, course);
  const all = await deps.sessionFigures.listOfSpaces(course.environment, spaceIds, maxSessions);
  if (all.length === 0) return [];
  const sessions = await listSessions(deps, course);
  return all.map((kept) => ofCourse(kept, sessions));
}

function ofCourse(kept: KeptFigures, sessions: readonly CourseSession[]): CourseFigures {
  const near = sessionNear(kept, sessions);
  return { ...kept, eventId: near?.eventId ?? null, title: near?.title ?? null };
}

export type FiguresOfPerson = { userId: string; name: string | null; figures: readonly Figure[] };

/** By name, people nobody knows last. @returns null for a session that is not the course's. */
export async function showFigures(
  deps: ListFiguresDeps & WhoAttendedDeps,
  course: Course,
  sessionId: string,
): Promise<{ session: CourseFigures; people: FiguresOfPerson[] } | null> {
  const { environment } = course;
  const kept = await deps.sessionFigures.find({ environment, sessionId });
  if (kept === null || !(await ownSpaces(deps, course)).includes(kept.spaceId)) return null;
  const [known, sessions] = await Promise.all([
    deps.sessionFigures.peopleIn(kept, maxPeople),
    listSessions(deps, course),
  ]);
  const people = await Promise.all(
    known.map(async ({ userId, figures }) => {
      const attendee = await whoAttended(deps, course, environment, userId);
      return { userId, name: attendee === null ? null : personName(attendee.person), figures };
    }),
  );
  people.sort(
    (one, other) =>
      Number(one.name === null) - Number(other.name === null) ||
      (one.name ?? one.userId).localeCompare(other.name ?? other.userId),
  );
  return { session: ofCourse(kept, sessions), people };
}

/** Spaces in which what happens is the course's alone. */
async function ownSpaces(deps: SpacesOfCourseDeps, course: Course): Promise<string[]> {
  const spaces = await spacesOfCourse(deps, course);
  return spaces.filter(({ claim }) => claim === "own").map(({ spaceId }) => spaceId);
}
