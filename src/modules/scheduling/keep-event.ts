import type { App } from "../../app.ts";
import type { ClassroomClient, EventReply } from "../../classroom/client.ts";
import type { AccountId } from "../../domain/account.ts";
import { type ClassroomEvent, laterChange, type ReportedChange } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { Receipt } from "../../inbox/rules/receipt.ts";
import { type WebhookHandler, webhookHandler, type WebhookOf } from "../../inbox/webhook-handlers.ts";
import { coupleLost, type CoupleLostDeps } from "./plan-outcome.ts";
import {
  type CohortLinksDeps,
  courseOfEvent,
  type CourseOfEventDeps,
  linksOfEvent,
  sectionsOfCourse,
} from "./session-owners.ts";

export type ScheduleWebhookDeps = RefreshEventDeps & Pick<App, "seriesChanges" | "receipts">;

export function scheduleWebhooks(deps: ScheduleWebhookDeps): WebhookHandler {
  return webhookHandler("SCHEDULE", {
    asksClassroom: true,
    handle: async ({ receipt, webhook }) => ({ state: await noteSchedule(deps, receipt, webhook) }),
  });
}

async function noteSchedule(
  deps: ScheduleWebhookDeps,
  { environment }: Receipt,
  { eventId, eventType, at, recurring, updatedBy: by }: WebhookOf<"SCHEDULE">,
): Promise<"done" | "kept"> {
  const before = await deps.events.find(environment, eventId);
  const change = { environment, eventId, eventType, at, recurring, by };
  const event = await refreshEvent(deps, change);
  // Sessions of Spaces without a course do not concern us.
  if (event === null || event.courseId === null) return "kept";
  if (recurring !== null) {
    const { courseId, title } = event;
    await deps.seriesChanges.note({ courseId, eventType, scope: recurring, title, at, by }, eventId);
  }
  await retryWaitingFor(deps, event, before);
  return "done";
}

/** Webhooks that waited until the event had a course are due. */
async function retryWaitingFor(
  { receipts, clock }: Pick<ScheduleWebhookDeps, "receipts" | "clock">,
  { environment, eventId }: ClassroomEvent,
  before: ClassroomEvent | null,
): Promise<void> {
  if (before !== null && before.courseId !== null) return;
  const now = clock.now();
  await receipts.retryWaiting({ kind: "event", environment, id: eventId }, now);
  const spaceId = before?.spaceId ?? null;
  if (spaceId !== null) await receipts.retryWaiting({ kind: "space", environment, id: spaceId }, now);
}

export type RefreshEventDeps = KeepEventDeps & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "readEvent">;
};

/** A SCHEDULE webhook's change (interface 6.5); each instance of a series has its own. */
type EventChange = {
  environment: AccountId;
  eventId: string;
  eventType: string;
  /** Milliseconds. */
  at: number;
  /** `recurringUpdateType`: only shows that it is one of a series, as the others have webhooks of their own. */
  recurring?: string | null;
  /** A classroom user id. */
  by?: string | null;
};

/**
 * Webhooks may come in any order, with one exception: a cancellation holds until a later change.
 * @returns null when neither the classroom nor we know it.
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

/** Reads an event in the background. @returns what was read, and when (ms). @throws the classroom client's errors. */
export async function readEvent(
  { classroomOf, clock }: Pick<RefreshEventDeps, "classroomOf" | "clock">,
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

type KeepEventDeps = CourseOfEventDeps &
  CohortLinksDeps &
  WhileCoursesChangeDeps &
  CoupleLostDeps &
  Pick<App, "events" | "sessionPlans" | "wake">;

type EventReport = {
  /** When it was read (ms): the later reading wins. */
  readAt: number;
  /** When the change happened (ms); null without a webhook. */
  at: number | null;
  /** The change (interface 6.5) and who made it; null without a webhook. */
  eventType: string | null;
  by: string | null;
  recurring: boolean;
};

/**
 * Keeps an event as read, gives it to its course and couples it with a plan of unknown outcome. Repeatable; grades are
 * recomputed even if this process ends.
 * @param read Null when the classroom does not know it.
 * @returns null when it is unknown here, too.
 */
export async function keepEvent(
  deps: KeepEventDeps,
  { environment, eventId }: { environment: AccountId; eventId: string },
  read: EventReply | null,
  report: EventReport,
): Promise<ClassroomEvent | null> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await keepOnce(deps, { environment, eventId }, read, report);
    if (outcome === "unknown") return null;
    if (outcome === "kept") break;
    if (tries === maxTries) throw new Error("the course of an event changes all the time");
  }
  deps.wake("upcoming");
  const kept = await deps.events.find(environment, eventId);
  // Its course or a link to its Space may have changed meanwhile.
  return kept === null || kept.courseId !== null ? kept : giveToCourse(deps, kept);
}

const maxTries = 10;

/** @returns "again" when its course has changed meanwhile. */
async function keepOnce(
  deps: KeepEventDeps,
  { environment, eventId }: { environment: AccountId; eventId: string },
  read: EventReply | null,
  report: EventReport,
): Promise<"kept" | "again" | "unknown"> {
  const known = await deps.events.find(environment, eventId);
  const facts = read ?? known;
  if (facts === null) return "unknown";
  const { spaceId, title, startsAt, endsAt } = facts;
  const cohortIds = cohortsOf(facts, known);
  const seen = { environment, eventId, spaceId, title, startsAt, endsAt };
  const links = await linksOfEvent(deps, { environment, cohortIds });
  const plan =
    (await deps.sessionPlans.findByEvent(environment, eventId)) ??
    (await coupleLost(deps, environment, seen));
  const { courseId, said } = await courseOfEvent(deps, seen, { plan, known, links });
  const sectionIds = sectionsOfCourse(links, courseId);
  const now = { ...seen, ...cancellation(report, read, known), courseId, sectionIds };
  const changed = known === null || differs(known, now);
  const before = known?.courseId ?? null;
  const event = { ...now, cohortIds, readAt: report.readAt, ...history(known, report, changed) };
  const save = () => deps.events.saveNewer(event, { courseId: before });
  const saved = await whileCoursesChange(deps, changed ? [courseId, before] : [], save);
  if (said && courseId !== null) await unlessTakenBack(deps, event, courseId);
  return saved ? "kept" : "again";
}

/** A reply without cohorts keeps the known ones. */
function cohortsOf(
  facts: Pick<ClassroomEvent, "cohortIds">,
  known: ClassroomEvent | null,
): readonly string[] | null {
  return facts.cohortIds ?? known?.cohortIds ?? null;
}

/** An instructor may take the event out of the course before it is stored here: that is then repeated. */
async function unlessTakenBack(
  { unassignedEvents, clock }: Pick<KeepEventDeps, "unassignedEvents" | "clock">,
  { environment, eventId }: Pick<ClassroomEvent, "environment" | "eventId">,
  courseId: string,
): Promise<void> {
  if ((await unassignedEvents.courseOf(environment, eventId)) === courseId) return;
  await unassignedEvents.takeBackAgain({ environment, eventId, courseId }, clock.now());
}

/** Gives an event without a course to the one it belongs to by now. @returns the event. */
export async function giveToCourse(
  deps: Omit<KeepEventDeps, "wake">,
  event: ClassroomEvent,
): Promise<ClassroomEvent> {
  const { environment, eventId } = event;
  const plan = await deps.sessionPlans.findByEvent(environment, eventId);
  const links = await linksOfEvent(deps, event);
  const { courseId, said } = await courseOfEvent(deps, event, { plan, known: event, links });
  if (courseId === event.courseId) return event;
  const sectionIds = sectionsOfCourse(links, courseId);
  await whileCoursesChange(deps, [courseId, event.courseId], async () => {
    await deps.events.assignCourse(environment, eventId, courseId);
    await deps.events.setSections(environment, eventId, sectionIds);
  });
  if (said && courseId !== null) await unlessTakenBack(deps, event, courseId);
  return { ...event, courseId, sectionIds };
}

/** Whether GET /events shows cancellations is not documented, so one holds until a later change. */
function cancellation(
  { at, eventType, by }: EventReport,
  read: EventReply | null,
  known: ClassroomEvent | null,
): Pick<ClassroomEvent, "cancelled" | "cancelledAt" | "deleted" | "told"> {
  const cancelledAt = latest(known?.cancelledAt ?? null, isEnd(eventType) ? at : null);
  const told = laterChange(known?.told ?? null, changeOf({ at, eventType, by }));
  const holds = cancelledAt !== null && isLatest(told, cancelledAt);
  const cancelled = read === null || read.cancelled || holds;
  const deleted = cancelled && isDeleted(read, told);
  return { cancelled, cancelledAt, deleted, ...(told === null ? {} : { told }) };
}

function isLatest(change: ReportedChange | null, at: number): boolean {
  return change === null || change.at <= at;
}

function changeOf({
  at,
  eventType,
  by,
}: Pick<EventReport, "at" | "eventType" | "by">): ReportedChange | null {
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

/** Once part of a series, always part of one. */
function history(
  known: ClassroomEvent | null,
  report: EventReport,
  changed: boolean,
): Required<Pick<ClassroomEvent, "recurring" | "revision" | "changedAt">> {
  const { recurring = false, revision = 0, changedAt = known?.readAt } = known ?? {};
  return {
    recurring: recurring || report.recurring,
    revision: revision + (changed ? 1 : 0),
    changedAt: changed ? report.readAt : (changedAt ?? report.readAt),
  };
}

const compared = ["spaceId", "title", "startsAt", "endsAt", "cancelled", "courseId"] as const;

function differs(
  known: ClassroomEvent,
  now: Pick<ClassroomEvent, (typeof compared)[number] | "sectionIds">,
): boolean {
  const sections = ({ sectionIds = [] }: Pick<ClassroomEvent, "sectionIds">) => sectionIds.join("\n");
  return compared.some((name) => known[name] !== now[name]) || sections(known) !== sections(now);
}

function latest(one: number | null, other: number | null): number | null {
  if (one === null) return other;
  return other === null ? one : Math.max(one, other);
}

export type SettleSpaceDeps = Omit<KeepEventDeps, "wake" | "events"> & Pick<App, "events" | "onMatchable">;

/**
 * After a change of links, future sessions in the Space go to the course they belong to now, or to none. Begun ones
 * stay; those without a course get theirs when attendance arrives. Repeatable.
 * @param which "unassigned": only those without a course, for a first launch; one small read.
 */
export async function settleSpace(
  deps: SettleSpaceDeps,
  environment: Course["environment"],
  spaceId: string,
  which: "all" | "unassigned" = "all",
): Promise<void> {
  const now = deps.clock.now();
  const list = which === "all" ? deps.events.listInSpace : deps.events.listUnassignedInSpace;
  const events = await list(environment, spaceId, now);
  for (const event of events) await giveToCourse(deps, event);
  if (which === "all" || events.length > 0)
    await deps.onMatchable({ kind: "space", environment, id: spaceId });
}

/** Makes a change that may affect a course's grades, and recomputes them even if this process ends in between. */
export type WhileSessionsChange = <T>(
  course: Pick<Course, "id" | "registrationId">,
  change: () => Promise<T>,
) => Promise<T>;

type WhileCoursesChangeDeps = Pick<App, "courses" | "whileSessionsChange">;

/** As `whileSessionsChange`. @param courseIds Null and duplicates are ignored. */
async function whileCoursesChange<T>(
  deps: WhileCoursesChangeDeps,
  courseIds: readonly (string | null)[],
  change: () => Promise<T>,
): Promise<T> {
  let all = change;
  for (const id of new Set(courseIds)) {
    const course = id === null ? null : await deps.courses.find(id);
    if (course === null) continue;
    const inner = all;
    all = () => deps.whileSessionsChange(course, inner);
  }
  return all();
}
