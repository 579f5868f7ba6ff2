import type { App } from "../../app.ts";
import type { ClassroomAlert } from "../alerts/rules/classroom-alert.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { AlertWithCursor } from "../alerts/store/classroom-alert-store.ts";
import type { CourseStore } from "../courses/store/course-store.ts";
import type { PageCursor } from "../../storage/latest-first.ts";
import { countWhoCame } from "../alerts/list-open-alerts.ts";
import { cursorOf, cursorText } from "./page-cursor.ts";

export type ListAllAlertsDeps = Pick<App, "alertLists" | "events" | "attendance" | "accounts"> & {
  courses: Pick<CourseStore, "listMany">;
};

/** Null leaves everything in. */
export type AlertFilter = {
  /** About sessions of courses, or of none; those only operators see. */
  about: "courses" | "none" | null;
  closed: boolean | null;
};

/** `event`: null when unknown. `courseId`: the session's course; `course` is null also when it is gone. */
export type ListedAlert = {
  alert: ClassroomAlert;
  event: Pick<ClassroomEvent, "title" | "startsAt"> | null;
  courseId: string | null;
  course: Pick<Course, "id" | "title" | "label" | "contextId"> | null;
  /** People in the course's attendance where an open alert says that nobody came; else 0. */
  came: number;
};

/** `next`: where the page ended, when older ones have not been looked at. */
export type AlertsPage = { alerts: readonly ListedAlert[]; next: string | null };

/** Looked through for one page, of each environment, and shown. */
const usualLimits = { most: 200, shown: 50 };

type WithCursor = Omit<ListedAlert, "course" | "came"> & { cursor: PageCursor };

/**
 * Alerts of all environments that fit, latest change first.
 * @param from Where the page before ended; null for the first one.
 */
export async function listAllAlerts(
  deps: ListAllAlertsDeps,
  filter: AlertFilter,
  from: string | null,
  { most, shown } = usualLimits,
): Promise<AlertsPage> {
  const after = cursorOf(from);
  const pages = await Promise.all(
    deps.accounts.ids().map((environment) => deps.alertLists.listLatest(environment, after, most)),
  );
  const ends = pages.flatMap((page) => (page.length < most ? [] : page.slice(-1)));
  const end = ends.map(({ cursor }) => cursor).toSorted(inOrder)[0] ?? null;
  const known = pages.map((page) =>
    end === null ? page : page.filter(({ cursor }) => inOrder(cursor, end) <= 0),
  );
  const found = (await Promise.all(known.map((page) => withEvents(deps, page))))
    .flat()
    .filter((one) => fits(one, filter))
    .toSorted((one, other) => inOrder(one.cursor, other.cursor));
  const some = found.slice(0, shown);
  const last = found.length > shown ? (some.at(-1)?.cursor ?? null) : end;
  return { alerts: await withCourses(deps, some), next: last === null ? null : cursorText(last) };
}

function inOrder(one: PageCursor, other: PageCursor): number {
  if (one.at !== other.at) return other.at - one.at;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}

function fits({ alert, courseId }: WithCursor, { about, closed }: AlertFilter): boolean {
  if (closed !== null && alert.closed !== closed) return false;
  return about === null || (about === "courses") === (courseId !== null);
}

async function withEvents(deps: ListAllAlertsDeps, page: readonly AlertWithCursor[]): Promise<WithCursor[]> {
  const environment = page[0]?.alert.environment;
  if (environment === undefined) return [];
  const ids = page.flatMap(({ alert }) => (alert.eventId === null ? [] : [alert.eventId]));
  const known = ids.length === 0 ? [] : await deps.events.findMany(environment, [...new Set(ids)]);
  const eventOf = new Map(known.map((event) => [event.eventId, event]));
  return page.map(({ alert, cursor }) => {
    const event = alert.eventId === null ? undefined : eventOf.get(alert.eventId);
    return { alert, cursor, event: event ?? null, courseId: event?.courseId ?? null };
  });
}

async function withCourses(deps: ListAllAlertsDeps, some: readonly WithCursor[]): Promise<ListedAlert[]> {
  const ids = some.flatMap(({ courseId }) => (courseId === null ? [] : [courseId]));
  const courses = await deps.courses.listMany([...new Set(ids)]);
  const courseOf = new Map(courses.map(({ course }) => [course.id, course]));
  return Promise.all(
    some.map(async ({ cursor: _place, ...one }) => {
      const course = courseOf.get(one.courseId ?? "") ?? null;
      return { ...one, course, came: course === null ? 0 : await countWhoCame(deps, course, one.alert) };
    }),
  );
}
