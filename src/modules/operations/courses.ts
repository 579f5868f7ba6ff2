import { compareText } from "../../kernel/lists.ts";
import type { App } from "../../app.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { waitKey } from "../../inbox/rules/receipt.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { PageCursor } from "../../storage/records.ts";
import { countWhoCame } from "../alerts/alerts.ts";
import type { ClassroomAlert } from "../alerts/rules/classroom-alert.ts";
import type { AlertWithCursor } from "../alerts/store/classroom-alert-store.ts";
import type { AuditAction } from "../audit/rules/audit.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { courseName } from "../courses/rules/course.ts";
import type { CourseStore } from "../courses/store/course-store.ts";
import { type AnswersApp, resendCourse, resendProgress, syncCourse } from "../grading/send-again.ts";
import { listUnmatched, type MatchingApp } from "../matching/list-unmatched.ts";
import { requestRoster } from "../members/roster-readings.ts";
import { countMembers } from "../members/sections.ts";
import { type IsSpaceOrigin, originElsewhere } from "../spaces/space-rights.ts";
import { cursorOf, cursorText } from "./paging.ts";

type AlertsApp = Pick<App, "alertLists" | "events" | "attendance" | "accounts"> & {
  courses: Pick<CourseStore, "listMany">;
};

type CourseApp = MatchingApp &
  Pick<App, "courses" | "registrations" | "courseLinks" | "sectionLinks" | "members" | "rosterSyncs"> &
  Pick<App, "columns" | "deliveries" | "resends" | "courseAudit" | "consoleLists"> & {
    isSpaceOrigin: IsSpaceOrigin;
  };

export type CourseDetails = Awaited<ReturnType<typeof showCourse>>;

const limits = { launches: 5, receipts: 20, trail: 15 };

/** @throws NamedError "no-such-course" */
export async function showCourse(app: CourseApp, id: string) {
  const [listed] = await app.courses.listMany([id]);
  const registration =
    listed === undefined ? null : await app.registrations.find(listed.course.registrationId);
  if (listed === undefined || registration === null) throw refusal("no-such-course", { status: 404 });
  const { course } = listed;
  const { registrationId, environment, spaceId } = course;
  const courseKey = { registrationId, courseId: id };
  const waited = spaceId === null ? [] : [waitKey({ kind: "space", environment, id: spaceId })];
  const [elsewhere, formerSpaces, using, links, cohorts, { total }, lastLaunches, roster] = await Promise.all(
    [
      originElsewhere(app, course),
      app.courses.formerSpaces(course),
      spaceId === null ? [] : app.courses.findBySpace(environment, spaceId),
      app.courseLinks.listOfCourse(registrationId, id),
      app.sectionLinks.listLinked(registrationId, id),
      countMembers(app, courseKey),
      app.consoleLists.lastLaunches(course, limits.launches),
      app.rosterSyncs.find(registrationId, id),
    ],
  );
  const [columns, scores, resend, unmatched, receipts, trail] = await Promise.all([
    app.columns.listOfCourse(registrationId, id),
    app.deliveries.countOfCourse(courseKey),
    resendProgress(app, course),
    listUnmatched(app, course),
    app.consoleLists.listWaitingFor(waited, limits.receipts),
    app.courseAudit.list({ ...courseKey, personId: null }, null, limits.trail),
  ]);
  return {
    ...listed,
    registration,
    formerSpaces,
    /** A foreign origin that the service named for a Space of the course, otherwise null. */
    elsewhere,
    sharing: using.filter((other) => other.id !== id),
    links,
    cohorts,
    members: total,
    lastLaunches,
    roster,
    columns,
    scores,
    resend,
    unmatched: {
      users: unmatched.users.filter(({ aside }) => !aside).length,
      events: unmatched.events.length,
    },
    /** Webhooks that wait for this course's Space. */
    receipts,
    trail,
  };
}

type CourseChangesApp = AuditApp & AnswersApp & Pick<App, "courses" | "rosterSyncs" | "wake">;

/** What the console can repeat in a course. */
export const repeatableActions = ["roster", "sync", "resend"] as const;
type RepeatableAction = (typeof repeatableActions)[number];

const audited: Readonly<Record<RepeatableAction, AuditAction>> = {
  roster: "roster-asked-for",
  sync: "scores-tried-again",
  resend: "scores-sent-again",
};

/**
 * Reads the roster, retries waiting and refused scores, or sends all scores again. The course's change log has the latter two.
 * @returns false if all scores are already being sent again
 * @throws NamedError "no-such-course"
 */
export async function repeatAction(
  app: CourseChangesApp,
  courseId: string,
  what: RepeatableAction,
): Promise<boolean> {
  const course = await app.courses.find(courseId);
  if (course === null) throw refusal("no-such-course", { status: 404 });
  if (!(await repeat(app, course, what, app.personId ?? app.who))) return false;
  const on = courseName(course);
  await writeAudit(app, { what: audited[what], registrationId: course.registrationId, on });
  return true;
}

async function repeat(app: CourseChangesApp, course: Course, what: RepeatableAction, actor: string) {
  if (what === "resend") return resendCourse(app, course, actor);
  if (what === "sync") await syncCourse(app, course, actor);
  else await requestRoster(app, course);
  return true;
}

/** Null doesn't filter. */
export type AlertFilter = {
  /** About sessions of courses, or of no course. Only operators see the latter. */
  about: "courses" | "none" | null;
  closed: boolean | null;
};

/** `event`: null if unknown. `courseId`: the session's course. `course` is also null if the course is gone. */
export type ListedAlert = {
  alert: ClassroomAlert;
  event: Pick<ClassroomEvent, "title" | "startsAt"> | null;
  courseId: string | null;
  course: Pick<Course, "id" | "title" | "label" | "contextId"> | null;
  /** People in the course's attendance, if an open alert says that nobody came. Otherwise 0. */
  came: number;
};

/** `next`: where the page ended, if there are older alerts to look at. */
export type AlertsPage = { alerts: readonly ListedAlert[]; next: string | null };

/** How many alerts are read per account for one page, and how many it shows. */
const usualLimits = { maxRead: 200, pageSize: 50 };

type WithCursor = Omit<ListedAlert, "course" | "came"> & { cursor: PageCursor };

/** Alerts of all accounts that match, latest change first. @param from Where the page before ended. Null for the first page. */
export async function listAllAlerts(
  app: AlertsApp,
  filter: AlertFilter,
  from: string | null,
  { maxRead, pageSize } = usualLimits,
): Promise<AlertsPage> {
  const after = cursorOf(from);
  const pages = await Promise.all(
    app.accounts.ids().map((environment) => app.alertLists.listLatest(environment, after, maxRead)),
  );
  const ends = pages.flatMap((page) => (page.length < maxRead ? [] : page.slice(-1)));
  const end = ends.map(({ cursor }) => cursor).toSorted(inOrder)[0] ?? null;
  const known = pages.map((page) =>
    end === null ? page : page.filter(({ cursor }) => inOrder(cursor, end) <= 0),
  );
  const found = (await Promise.all(known.map((page) => withEvents(app, page))))
    .flat()
    .filter((one) => fits(one, filter))
    .toSorted((one, other) => inOrder(one.cursor, other.cursor));
  const some = found.slice(0, pageSize);
  const last = found.length > pageSize ? (some.at(-1)?.cursor ?? null) : end;
  return { alerts: await withCourses(app, some), next: last === null ? null : cursorText(last) };
}

function inOrder(one: PageCursor, other: PageCursor): number {
  return other.at - one.at || compareText(one.id, other.id);
}

function fits({ alert, courseId }: WithCursor, { about, closed }: AlertFilter): boolean {
  if (closed !== null && alert.closed !== closed) return false;
  return about === null || (about === "courses") === (courseId !== null);
}

async function withEvents(app: AlertsApp, page: readonly AlertWithCursor[]): Promise<WithCursor[]> {
  const environment = page[0]?.alert.environment;
  if (environment === undefined) return [];
  const ids = page.flatMap(({ alert }) => (alert.eventId === null ? [] : [alert.eventId]));
  const known = ids.length === 0 ? [] : await app.events.findMany(environment, [...new Set(ids)]);
  const eventOf = new Map(known.map((event) => [event.eventId, event]));
  return page.map(({ alert, cursor }) => {
    const event = alert.eventId === null ? undefined : eventOf.get(alert.eventId);
    return { alert, cursor, event: event ?? null, courseId: event?.courseId ?? null };
  });
}

async function withCourses(app: AlertsApp, some: readonly WithCursor[]): Promise<ListedAlert[]> {
  const ids = some.flatMap(({ courseId }) => (courseId === null ? [] : [courseId]));
  const courses = await app.courses.listMany([...new Set(ids)]);
  const courseOf = new Map(courses.map(({ course }) => [course.id, course]));
  return Promise.all(
    some.map(async ({ cursor: _place, ...one }) => {
      const course = courseOf.get(one.courseId ?? "") ?? null;
      return { ...one, course, came: course === null ? 0 : await countWhoCame(app, course, one.alert) };
    }),
  );
}
