import type { App } from "../../app.ts";
import { sha256 } from "../../kernel/ids.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import type { PlannedSession } from "./rules/planned-session.ts";

export type SessionRecordDeps = Pick<App, "events" | "sessionPlans">;

export type SessionRecord =
  { plan: PlannedSession; event: ClassroomEvent | null } | { plan: null; event: ClassroomEvent };

const ofEvent = "event:";

export function sessionKey(record: SessionRecord): string {
  return record.plan === null ? `${ofEvent}${record.event.eventId}` : record.plan.id;
}

export async function findSession(
  deps: SessionRecordDeps,
  course: Pick<Course, "id" | "environment">,
  key: string,
): Promise<SessionRecord | null> {
  if (!key.startsWith(ofEvent)) {
    const plan = await deps.sessionPlans.find(key);
    return plan === null || plan.courseId !== course.id || plan.state === "dropped"
      ? null
      : withEvent(deps, plan);
  }
  return findEventSession(deps, course, key.slice(ofEvent.length));
}

export async function findEventSession(
  deps: SessionRecordDeps,
  course: Pick<Course, "id" | "environment">,
  eventId: string,
): Promise<SessionRecord | null> {
  const plan = await deps.sessionPlans.findByEvent(course.environment, eventId);
  if (plan !== null && plan.courseId === course.id) return withEvent(deps, plan);
  const event = await deps.events.find(course.environment, eventId);
  return event === null || event.courseId !== course.id ? null : { plan: null, event };
}

async function withEvent(deps: SessionRecordDeps, plan: PlannedSession): Promise<SessionRecord> {
  const { environment, eventId } = plan;
  return { plan, event: eventId === null ? null : await deps.events.find(environment, eventId) };
}

/** The record for statements about a session; made for a found one. */
export async function ownRecord(
  deps: SessionRecordDeps,
  course: Pick<Course, "registrationId" | "id">,
  record: SessionRecord,
  now: number,
): Promise<PlannedSession> {
  if (record.plan !== null) return record.plan;
  const { environment, eventId, spaceId, title, startsAt, endsAt, sectionIds = [] } = record.event;
  return deps.sessionPlans.adopt({
    id: `found_${sha256(`${environment}\n${eventId}`).slice(0, 24)}`,
    registrationId: course.registrationId,
    courseId: course.id,
    environment,
    spaceId,
    origin: "found",
    seriesId: null,
    number: 1,
    of: 1,
    eventId,
    state: "made",
    task: null,
    title: title ?? "",
    startsAt: startsAt ?? 0,
    endsAt: endsAt ?? startsAt ?? 0,
    shownTitle: null,
    sectionIds,
    counts: true,
    hostPersonId: null,
    askedAt: null,
    attempts: 0,
    problem: null,
    revision: 0,
    createdAt: now,
  });
}

export function factsOf(record: SessionRecord): {
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
} {
  const { plan, event } = record;
  const { startsAt, endsAt } = record.plan === null ? record.event : (record.event ?? record.plan);
  return { title: plan?.shownTitle ?? event?.title ?? (plan?.title || null), startsAt, endsAt };
}
