import type { App } from "../../app.ts";
import type { EventReply } from "../../classroom/client.ts";
import { type ClassroomEvent, laterChange, type ReportedChange } from "../../domain/classroom-event.ts";
import type { AccountId } from "../../domain/account.ts";
import { courseOfEvent, type CourseOfEventDeps } from "./course-of-event.ts";
import { type CohortLinksDeps, linksOfEvent, sectionsOfCourse } from "./sections-of-event.ts";
import { coupleLost, type CoupleLostDeps } from "./find-lost.ts";
import { whileCoursesChange, type WhileCoursesChangeDeps } from "./while-courses-change.ts";

export type KeepEventDeps = CourseOfEventDeps &
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
