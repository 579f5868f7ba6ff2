import type { App } from "../../app.ts";
import type { ClassroomClient, EventReply } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import type { AttendanceObservation } from "../../domain/attendance.ts";
import { type ClassroomEvent, laterChange, type ReportedChange } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import { webhookHandler, type WebhookOf } from "../../inbox/webhook-handlers.ts";
import { type CourseAuditApp, writeCourseAudit } from "../audit/audit.ts";
import { ruleId } from "../audit/rules/course-audit.ts";
import { coupleLost } from "./plan-outcome.ts";
import { courseOfEvent, type EventsApp, linksOfEvent, sectionsOfCourse } from "./session-owners.ts";

/** What storing a classroom event needs. */
type StoreEventApp = EventsApp & CourseAuditApp & Pick<App, "wake">;

export type KeepEventApp = StoreEventApp & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readEvent">;
};

export function scheduleWebhooks(app: KeepEventApp & Pick<App, "receipts" | "seriesChanges">) {
  return webhookHandler("SCHEDULE", {
    asksClassroom: true,
    handle: async ({ receipt, webhook }) => ({ state: await noteSchedule(app, receipt, webhook) }),
  });
}

async function noteSchedule(
  app: KeepEventApp & Pick<App, "receipts" | "seriesChanges">,
  { environment }: Receipt,
  { eventId, eventType, at, recurring, updatedBy: by }: WebhookOf<"SCHEDULE">,
): Promise<"done" | "kept"> {
  const change = { environment, eventId, eventType, at, recurring, by };
  const event = await refreshEvent(app, change);
  // An event in a Space that no course uses isn't ours to process.
  if (event === null || event.courseId === null) return "kept";
  if (recurring !== null) {
    const { courseId, title } = event;
    await app.seriesChanges.note({ courseId, eventType, scope: recurring, title, at, by }, eventId);
  }
  await retryWaitingFor(app, event);
  return "done";
}

/** Makes the webhooks due that waited until the event had a course. Runs each time, because a process may have been killed before this step. */
async function retryWaitingFor(
  { receipts, clock }: Pick<App, "receipts" | "clock">,
  { environment, eventId, spaceId }: ClassroomEvent,
): Promise<void> {
  const now = clock.now();
  await receipts.retryWaiting({ kind: "event", environment, id: eventId }, now);
  if (spaceId !== null) await receipts.retryWaiting({ kind: "space", environment, id: spaceId }, now);
}

/** A SCHEDULE webhook's change (interface 6.5). Each instance of a series gets its own webhook. */
type EventChange = {
  environment: AccountId;
  eventId: string;
  eventType: string;
  at: number;
  /** `recurringUpdateType`: only shows that the event is part of a series. The others have their own webhooks. */
  recurring?: string | null;
  /** A classroom user id. */
  by?: string | null;
};

/**
 * Reads an event again after a webhook. Webhooks may come in any order, with one exception: a cancellation counts until a later change.
 * @returns null if neither the classroom nor this tool knows the event.
 * @throws the classroom client's errors.
 */
export async function refreshEvent(app: KeepEventApp, change: EventChange): Promise<ClassroomEvent | null> {
  const { environment, eventId, eventType, at } = change;
  const { read, readAt } = await readEvent(app, environment, eventId);
  const recurring = (change.recurring ?? null) !== null;
  return keepEvent(app, change, read, { readAt, at, eventType, by: change.by ?? null, recurring });
}

/** Reads an event in the background. @returns what was read, and when (ms). @throws the classroom client's errors. */
export async function readEvent(
  { classroomOf, clock }: Pick<KeepEventApp, "classroomOf" | "clock">,
  environment: AccountId,
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

type EventReport = {
  /** When it was read (ms). The later reading wins. */
  readAt: number;
  /** When the change happened (ms). Null without a webhook. */
  at: number | null;
  /** The change (interface 6.5) and who made it. Null without a webhook. */
  eventType: string | null;
  by: string | null;
  recurring: boolean;
};

/**
 * Stores an event as read, assigns it to its course, and couples it with a plan of unknown outcome. Repeatable. Grades are computed again even
 * if this process ends.
 * @param read Null if the classroom doesn't know it.
 * @returns null if it's unknown here, too.
 */
export async function keepEvent(
  app: StoreEventApp,
  { environment, eventId }: { environment: AccountId; eventId: string },
  read: EventReply | null,
  report: EventReport,
): Promise<ClassroomEvent | null> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await keepOnce(app, { environment, eventId }, read, report);
    if (outcome === "unknown") return null;
    if (outcome === "kept") break;
    if (tries === maxTries) throw new Error("the course of an event keeps changing");
  }
  app.wake("upcoming");
  const stored = await app.events.find(environment, eventId);
  // Its course, or a link to its Space, may have changed since.
  return stored === null || stored.courseId !== null ? stored : giveToCourse(app, stored);
}

const maxTries = 10;

/** @returns "again" if its course has changed since. */
async function keepOnce(
  app: StoreEventApp,
  { environment, eventId }: { environment: AccountId; eventId: string },
  read: EventReply | null,
  report: EventReport,
): Promise<"kept" | "again" | "unknown"> {
  const known = await app.events.find(environment, eventId);
  const facts = read ?? known;
  if (facts === null) return "unknown";
  const { spaceId, title, startsAt, endsAt } = facts;
  const cohortIds = cohortsOf(facts, known);
  const seen = { environment, eventId, spaceId, title, startsAt, endsAt };
  const links = await linksOfEvent(app, { environment, cohortIds });
  const plan =
    (await app.sessionPlans.findByEvent(environment, eventId)) ?? (await coupleLost(app, environment, seen));
  const { courseId, isClaimed } = await courseOfEvent(app, seen, { plan, known, links });
  const sectionIds = sectionsOfCourse(links, courseId);
  const now = { ...seen, ...cancellation(report, read, known), courseId, sectionIds };
  const changed = known === null || differs(known, now);
  const before = known?.courseId ?? null;
  const event = { ...now, cohortIds, readAt: report.readAt, ...history(known, report, changed) };
  const save = () => app.events.saveNewer(event, seenAs(known));
  const saved = await whileCoursesChange(app, changed ? [courseId, before] : [], save);
  if (saved) await noteIfRestored(app, known);
  if (isClaimed && courseId !== null) await unlessTakenBack(app, event, courseId);
  return saved ? "kept" : "again";
}

/** The state of the event when it was read. If an instructor has changed it since, it's read again. */
function seenAs(known: ClassroomEvent | null): Pick<ClassroomEvent, "courseId" | "revision"> {
  const { courseId = null, revision } = known ?? {};
  return { courseId, ...(revision === undefined ? {} : { revision }) };
}

/** A reply without cohorts keeps the known ones. */
function cohortsOf(facts: Pick<ClassroomEvent, "cohortIds">, known: ClassroomEvent | null) {
  return facts.cohortIds ?? known?.cohortIds ?? null;
}

/** An instructor may take the event out of the course before it's stored here. If so, that is repeated now. */
async function unlessTakenBack(
  { unassignedEvents, clock }: Pick<App, "unassignedEvents" | "clock">,
  { environment, eventId }: Pick<ClassroomEvent, "environment" | "eventId">,
  courseId: string,
): Promise<void> {
  if ((await unassignedEvents.courseOf(environment, eventId)) === courseId) return;
  await unassignedEvents.takeBackAgain({ environment, eventId, courseId }, clock.now());
}

/** Assigns an event without a course to the course it belongs to now. @returns the event. */
export async function giveToCourse(app: EventsApp, event: ClassroomEvent): Promise<ClassroomEvent> {
  const { environment, eventId } = event;
  const plan = await app.sessionPlans.findByEvent(environment, eventId);
  const links = await linksOfEvent(app, event);
  const { courseId, isClaimed } = await courseOfEvent(app, event, { plan, known: event, links });
  if (courseId === event.courseId) return event;
  const sectionIds = sectionsOfCourse(links, courseId);
  await whileCoursesChange(app, [courseId, event.courseId], async () => {
    await app.events.assignCourse(environment, eventId, courseId);
    await app.events.setSections(environment, eventId, sectionIds);
  });
  if (isClaimed && courseId !== null) await unlessTakenBack(app, event, courseId);
  return { ...event, courseId, sectionIds };
}

/** Notes in the change log that a change in the classroom ended an instructor's cancellation. @param before The event before. */
async function noteIfRestored(
  app: CourseAuditApp & Pick<App, "courses" | "events">,
  before: ClassroomEvent | null,
): Promise<void> {
  if (before?.cancelledHere !== true) return;
  const { environment, courseId, eventId, title, startsAt } = before;
  if ((await app.events.find(environment, eventId))?.cancelled !== false) return;
  const course = courseId === null ? null : await app.courses.find(courseId);
  if (course === null) return;
  const session = { eventId, title, startsAt };
  await writeCourseAudit(
    app,
    course,
    { personId: ruleId, name: null },
    { what: "session-on-again", session },
  );
}

/**
 * Restores a session to which people came after an instructor had cancelled it here, because it takes place after all. A session that was over
 * when it was cancelled stays cancelled.
 */
export async function restoreAttended(
  app: EventsApp & CourseAuditApp,
  event: ClassroomEvent,
  { status, at }: Pick<AttendanceObservation, "status" | "at">,
): Promise<void> {
  const { environment, eventId, cancelledHere, cancelledAt, endsAt, courseId } = event;
  const came = status === "PRESENT" || status === "LATE";
  const since = cancelledAt ?? Infinity;
  if (cancelledHere !== true || !came || at <= since || (endsAt ?? Infinity) <= since) return;
  const restored = await whileCoursesChange(app, [courseId], () =>
    app.events.restoreHere(environment, eventId, app.clock.now()),
  );
  if (restored) await noteIfRestored(app, event);
}

/** It isn't documented whether GET /events shows cancellations, so a cancellation counts until a later change. */
function cancellation(
  { at, eventType, by }: EventReport,
  read: EventReply | null,
  known: ClassroomEvent | null,
): Pick<ClassroomEvent, "cancelled" | "cancelledHere" | "cancelledAt" | "deleted" | "told"> {
  const { isHere, ...before } = reportedBefore(known);
  const cancelledAt = latest(before.cancelledAt, isEnd(eventType) ? at : null);
  const told = laterChange(before.told, changeOf({ at, eventType, by }));
  const holds = cancelledAt !== null && ((told?.at ?? 0) <= cancelledAt || isOldNews(told, isHere));
  const cancelled = read === null || read.cancelled || holds;
  const deleted = cancelled && isDeleted(read, told);
  const here = isHere && cancelled;
  return { cancelled, cancelledHere: here, cancelledAt, deleted, ...(told === null ? {} : { told }) };
}

function reportedBefore(known: ClassroomEvent | null) {
  const isHere = known?.cancelledHere === true;
  return { cancelledAt: known?.cancelledAt ?? null, told: known?.told ?? null, isHere };
}

/** The classroom's clock may date a creation after a cancellation made here. The creation doesn't end that cancellation. */
function isOldNews(change: ReportedChange | null, isHere: boolean): boolean {
  return isHere && change?.eventType === "EVENT_CREATED";
}

function changeOf({ at, eventType, by }: Pick<EventReport, "at" | "eventType" | "by">) {
  return at === null || eventType === null ? null : { eventType, by, at };
}

function isEnd(eventType: string | null): boolean {
  return eventType === "EVENT_CANCELLED" || eventType === "EVENT_DELETED";
}

/** A missing event was deleted, unless the latest webhook said cancelled. */
function isDeleted(read: EventReply | null, change: ReportedChange | null): boolean {
  if (change?.eventType === "EVENT_DELETED") return true;
  return read === null && change?.eventType !== "EVENT_CANCELLED";
}

/** An event that was part of a series stays marked as such. */
function history(known: ClassroomEvent | null, report: EventReport, changed: boolean) {
  const { recurring = false, revision = 0, changedAt = known?.readAt } = known ?? {};
  return {
    recurring: recurring || report.recurring,
    revision: revision + (changed ? 1 : 0),
    changedAt: changed ? report.readAt : (changedAt ?? report.readAt),
  };
}

const compared = ["spaceId", "title", "startsAt", "endsAt", "cancelled", "courseId"] as const;

function differs(known: ClassroomEvent, now: Pick<ClassroomEvent, (typeof compared)[number] | "sectionIds">) {
  const sections = ({ sectionIds = [] }: Pick<ClassroomEvent, "sectionIds">) => sectionIds.join("\n");
  return compared.some((name) => known[name] !== now[name]) || sections(known) !== sections(now);
}

function latest(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : Math.max(one, other);
}

/**
 * After links have changed, assigns future sessions in the Space to the course they belong to now, or to none. Sessions that have begun stay.
 * If they have no course, they get it when attendance arrives. Repeatable.
 * @param which "unassigned": only sessions without a course. Costs one small read.
 */
export async function settleSpace(
  app: EventsApp & Pick<App, "onMatchable">,
  environment: Course["environment"],
  spaceId: string,
  which: "all" | "unassigned" = "all",
): Promise<void> {
  const now = app.clock.now();
  const list = which === "all" ? app.events.listInSpace : app.events.listUnassignedInSpace;
  const events = await list(environment, spaceId, now);
  // Done first: if this process ended later, sessions that have their course wouldn't show that webhooks still wait for it.
  if (which === "all" || events.length > 0)
    await app.onMatchable({ kind: "space", environment, id: spaceId });
  for (const event of events) await giveToCourse(app, event);
}

/** Makes a change that may affect a course's grades, and computes them again even if this process ends in between. */
export type WhileSessionsChange = <T>(
  course: Pick<Course, "id" | "registrationId">,
  change: () => Promise<T>,
) => Promise<T>;

/** Like `whileSessionsChange` for several courses. @param courseIds Null and duplicates are ignored. */
async function whileCoursesChange<T>(
  app: Pick<App, "courses" | "whileSessionsChange">,
  courseIds: readonly (string | null)[],
  change: () => Promise<T>,
): Promise<T> {
  let all = change;
  for (const id of new Set(courseIds)) {
    const course = id === null ? null : await app.courses.find(id);
    if (course === null) continue;
    const inner = all;
    all = () => app.whileSessionsChange(course, inner);
  }
  return all();
}
