import type { App } from "../../app.ts";
import type { EventReply } from "../../classroom/client.ts";
import { type ClassroomEvent, laterChange, type ToldChange } from "../../domain/classroom-event.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import { courseOfEvent, type CourseOfEventDeps } from "./course-of-event.ts";
import { type CohortLinksDeps, linksOfEvent, sectionsOfCourse } from "./sections-of-event.ts";
import { coupleLost, type CoupleLostDeps } from "./find-lost.ts";
import { whileCoursesChange, type WhileCoursesChangeDeps } from "./while-courses-change.ts";

export type KeepEventDeps = CourseOfEventDeps &
  CohortLinksDeps &
  WhileCoursesChangeDeps &
  CoupleLostDeps &
  Pick<App, "events" | "sessionPlans" | "wake">;

/** What was told about an event besides what was read of it. */
type ToldOfEvent = {
  /** When it was read (ms): what was read later wins. */
  readAt: number;
  /** When what was told happened (ms); null when it was read without anything having been told. */
  at: number | null;
  /** What was told (interface 6.5), and who did it; null when it was read without anything having been told. */
  eventType: string | null;
  by: string | null;
  /** Whether it was told as one of a series. */
  recurring: boolean;
};

/**
 * Keeps an event as it was read, with what was told about it before, gives it to its course, and lets a plan of unknown
 * outcome find it. Repeating it changes nothing; grades that follow from it are computed anew, though this process is
 * killed in the middle.
 * @param read Null when the classroom does not know it any more.
 * @returns it as it is kept now; null when neither the classroom nor we know it.
 */
export async function keepEvent(
  deps: KeepEventDeps,
  { environment, eventId }: { environment: EnvironmentName; eventId: string },
  read: EventReply | null,
  told: ToldOfEvent,
): Promise<ClassroomEvent | null> {
  for (let tries = 1; ; tries += 1) {
    const outcome = await keepOnce(deps, { environment, eventId }, read, told);
    if (outcome === "unknown") return null;
    if (outcome === "kept") break;
    if (tries === mostTries) throw new Error("the course of an event changes all the time");
  }
  deps.wake("upcoming");
  const kept = await deps.events.find(environment, eventId);
  // Somebody may have said whose it is, or pointed a link at its Space, while it was being kept.
  return kept === null || kept.courseId !== null ? kept : giveToCourse(deps, kept);
}

/** An instructor gives it to a course, or takes it back, in between: hardly ever twice. */
const mostTries = 10;

/** @returns "again" when it has become another course's while it was being kept. */
async function keepOnce(
  deps: KeepEventDeps,
  { environment, eventId }: { environment: EnvironmentName; eventId: string },
  read: EventReply | null,
  told: ToldOfEvent,
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
  const now = { ...seen, ...cancellation(told, read, known), courseId, sectionIds };
  const changed = known === null || differs(known, now);
  const before = known?.courseId ?? null;
  const event = { ...now, cohortIds, readAt: told.readAt, ...history(known, told, changed) };
  const save = () => deps.events.saveNewer(event, { courseId: before });
  const saved = await whileCoursesChange(deps, changed ? [courseId, before] : [], save);
  if (said && courseId !== null) await unlessTakenBack(deps, event, courseId);
  return saved ? "kept" : "again";
}

/** The cohorts that an event is for; one that does not tell them (any more) keeps them. */
function cohortsOf(
  facts: Pick<ClassroomEvent, "cohortIds">,
  known: ClassroomEvent | null,
): readonly string[] | null {
  return facts.cohortIds ?? known?.cohortIds ?? null;
}

/**
 * An instructor may have said that it is the course's, and have taken that back before it was stored here: then whoever
 * takes it out of the course does so once more.
 */
async function unlessTakenBack(
  { strayEvents, clock }: Pick<KeepEventDeps, "strayEvents" | "clock">,
  { environment, eventId }: Pick<ClassroomEvent, "environment" | "eventId">,
  courseId: string,
): Promise<void> {
  if ((await strayEvents.courseOf(environment, eventId)) === courseId) return;
  await strayEvents.takeBackAgain({ environment, eventId, courseId }, clock.now());
}

/** Gives an event that is no course's to the one whose it is by now. @returns it as it is kept now. */
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

/**
 * Whether it is cancelled or deleted, since when we were told so, and by whom. Whether a cancelled event is told as cancelled by GET /events is
 * not shown, so a cancellation holds until a later change.
 */
function cancellation(
  { at, eventType, by }: ToldOfEvent,
  read: EventReply | null,
  known: ClassroomEvent | null,
): Pick<ClassroomEvent, "cancelled" | "cancelledAt" | "deleted" | "told"> {
  const cancelledAt = latest(known?.cancelledAt ?? null, isEnd(eventType) ? at : null);
  const holds = cancelledAt !== null && (at === null || cancelledAt >= at);
  const told = laterChange(known?.told ?? null, changeOf({ at, eventType, by }));
  const cancelled = read === null || read.cancelled || holds;
  const deleted = cancelled && isDeleted(read, told);
  return { cancelled, cancelledAt, deleted, ...(told === null ? {} : { told }) };
}

function changeOf({ at, eventType, by }: Pick<ToldOfEvent, "at" | "eventType" | "by">): ToldChange | null {
  return at === null || eventType === null ? null : { eventType, by, at };
}

function isEnd(eventType: string | null): boolean {
  return eventType === "EVENT_CANCELLED" || eventType === "EVENT_DELETED";
}

/** What cannot be read any more was deleted, unless the last we were told is that it was called off. */
function isDeleted(read: EventReply | null, told: ToldChange | null): boolean {
  if (told?.eventType === "EVENT_DELETED") return true;
  return read === null && told?.eventType !== "EVENT_CANCELLED";
}

/** What is remembered over all changes: once one of a series, always one. */
function history(
  known: ClassroomEvent | null,
  told: ToldOfEvent,
  changed: boolean,
): Required<Pick<ClassroomEvent, "recurring" | "revision" | "changedAt">> {
  const { recurring = false, revision = 0, changedAt = known?.readAt } = known ?? {};
  return {
    recurring: recurring || told.recurring,
    revision: revision + (changed ? 1 : 0),
    changedAt: changed ? told.readAt : (changedAt ?? told.readAt),
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
