import { maxSessions, type SessionsApp } from "./list-sessions.ts";
import type { App } from "../../app.ts";
import { type ClassroomEvent, assumedLengthMs } from "../../domain/classroom-event.ts";
import type { Course } from "../../domain/course.ts";
import { sha256 } from "../../kernel/ids.ts";
import type { PlannedSession } from "./rules/course-session.ts";

/** "there": the classroom has it, and there is nothing to do. */
export type SessionState =
  | "there"
  | "cancelled"
  | "to-make"
  | "to-change"
  | "to-cancel"
  | "failed"
  | "not-changed"
  | "unknown"
  | "assumed";

export type TimetableSession = ReturnType<typeof timetableSession>;
export type CourseTimetable = Awaited<ReturnType<typeof showSessions>>;

/** A course's sessions by time: future ones and those without a time, next one first, then past ones, last one first. */
export async function showSessions(app: SessionsApp & Pick<App, "clock">, course: Pick<Course, "id">) {
  const [events, plans] = await Promise.all([
    app.events.listOfCourse(course.id, maxSessions),
    app.sessionPlans.listOfCourse(course.id, maxSessions),
  ]);
  const now = app.clock.now();
  const startOf = ({ startsAt }: TimetableSession) => startsAt ?? Number.MAX_SAFE_INTEGER;
  const isOver = ({ startsAt, endsAt }: TimetableSession) =>
    startsAt !== null && (endsAt ?? startsAt + assumedLengthMs) <= now;
  const isLive = (session: TimetableSession) =>
    !isOver(session) && startOf(session) <= now && session.state !== "cancelled";
  const sessions = recordsOf(events, plans).map(timetableSession);
  const sorted = sessions.sort((one, other) => startOf(one) - startOf(other));
  return {
    live: sorted.filter(isLive),
    next: sorted.filter((session) => !isOver(session) && !isLive(session)),
    past: sorted.filter(isOver).reverse(),
    /** How many sessions are still to be made, and how many need a decision. */
    toMake: sorted.filter(({ state }) => state === "to-make").length,
    stuck: sorted.filter(({ state }) => stuck.has(state)).length,
  };
}

const stuck: ReadonlySet<SessionState> = new Set(["failed", "not-changed", "unknown"]);

function recordsOf(events: readonly ClassroomEvent[], plans: readonly PlannedSession[]): SessionRecord[] {
  const planOf = new Map(plans.map((plan) => [plan.eventId, plan]));
  const eventOf = new Map(events.map((event) => [event.eventId, event]));
  const seen = events.map((event): SessionRecord => ({ plan: planOf.get(event.eventId) ?? null, event }));
  const unseen = plans.filter(
    ({ eventId, state }) => state !== "dropped" && (eventId === null || !eventOf.has(eventId)),
  );
  return [...seen, ...unseen.map((plan): SessionRecord => ({ plan, event: null }))];
}

export function timetableSession(record: SessionRecord) {
  const { plan, event } = record;
  const { deleted = false, cancelledHere = false, told: change = null } = event ?? {};
  const { spaceId, eventId } = record.plan === null ? record.event : (event ?? record.plan);
  return {
    key: plan === null ? `${ofEvent}${record.event.eventId}` : plan.id,
    /** Null until the course has a Space, or if the classroom names none. */
    spaceId,
    eventId,
    ...factsOf(record),
    state: stateOf(record),
    ...factsOfPlan(plan, cancelledHere),
    /** Made in the classroom. */
    found: plan?.origin !== "planned",
    deleted,
    /** An instructor cancelled it here. */
    cancelledHere,
    /** The latest change that the classroom reported. */
    change,
    series: seriesOf(plan, event),
  };
}

function factsOfPlan(plan: PlannedSession | null, cancelledHere: boolean) {
  const { counts = true, keepsMarks = false, problem = null, problemCode = null } = plan ?? {};
  return { counts: counts && !cancelledHere, keepsMarks, problem, problemCode };
}

/** Has numbers only for a series planned here. */
function seriesOf(
  plan: PlannedSession | null,
  event: ClassroomEvent | null,
): { number: number; of: number } | "found" | null {
  if (plan !== null && plan.seriesId !== null) return { number: plan.number, of: plan.of };
  return event?.recurring === true ? "found" : null;
}

function stateOf({ plan, event }: SessionRecord): SessionState {
  if (event?.cancelled === true) return "cancelled";
  if (plan === null) return "there";
  switch (plan.state) {
    case "wanted":
      return plan.task === "cancel" ? "to-cancel" : "to-make";
    case "failed":
    case "unknown":
    case "assumed":
      return plan.state;
    case "dropped":
      return "cancelled";
    case "made":
      return stateOfMade(plan);
  }
}

function stateOfMade({ task, problem }: PlannedSession): SessionState {
  if (task === null) return "there";
  if (problem !== null) return "not-changed";
  return task === "cancel" ? "to-cancel" : "to-change";
}

export type SessionRecord =
  | { plan: PlannedSession; event: ClassroomEvent | null }
  | { plan: null; event: ClassroomEvent };

const ofEvent = "event:";

export async function findSession(app: SessionsApp, course: Pick<Course, "id" | "environment">, key: string) {
  if (!key.startsWith(ofEvent)) {
    const plan = await app.sessionPlans.find(key);
    return plan === null || plan.courseId !== course.id || plan.state === "dropped"
      ? null
      : withEvent(app, plan);
  }
  return findEventSession(app, course, key.slice(ofEvent.length));
}

export async function findEventSession(
  app: SessionsApp,
  course: Pick<Course, "id" | "environment">,
  eventId: string,
): Promise<SessionRecord | null> {
  const plan = await app.sessionPlans.findByEvent(course.environment, eventId);
  if (plan !== null && plan.courseId === course.id) return withEvent(app, plan);
  const event = await app.events.find(course.environment, eventId);
  return event === null || event.courseId !== course.id ? null : { plan: null, event };
}

async function withEvent(app: SessionsApp, plan: PlannedSession): Promise<SessionRecord> {
  const { environment, eventId } = plan;
  return { plan, event: eventId === null ? null : await app.events.find(environment, eventId) };
}

/** The record for statements about a session. Makes one for a found session. */
export async function ownRecord(
  app: SessionsApp,
  course: Pick<Course, "registrationId" | "id">,
  record: SessionRecord,
  now: number,
): Promise<PlannedSession> {
  if (record.plan !== null) return record.plan;
  const { environment, eventId, spaceId, title, startsAt, endsAt } = record.event;
  return app.sessionPlans.adopt({
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
    endsAt: endsAt ?? (startsAt ?? 0) + assumedLengthMs,
    shownTitle: null,
    sectionIds: null,
    counts: true,
    hostPersonId: null,
    askedAt: null,
    attempts: 0,
    problem: null,
    revision: 0,
    createdAt: now,
  });
}

/** The classroom's times, with the title and sections that an instructor chose here, otherwise the classroom's. */
export function factsOf(record: SessionRecord) {
  const { plan, event } = record;
  const { startsAt, endsAt } = record.plan === null ? record.event : (record.event ?? record.plan);
  return {
    title: plan?.shownTitle ?? event?.title ?? (plan?.title || null),
    startsAt,
    endsAt,
    sectionIds: sectionsOf(record),
  };
}

function sectionsOf({ plan, event }: SessionRecord): readonly string[] {
  return plan?.sectionIds ?? event?.sectionIds ?? [];
}
