import type { SessionsApp } from "./list-sessions.ts";
import type { RunPlanApp } from "./run-plan.ts";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { ClassroomEvent } from "../../domain/classroom-event.ts";
import { NamedError, problemCodeOf, waitIfNothingTried } from "../../kernel/errors.ts";
import { dayMs, hourMs, minuteMs, secondMs } from "../../kernel/clock.ts";
import type { PlannedSession } from "./rules/course-session.ts";
import type { PlanOutcome } from "./store/session-plan-store.ts";

export class PlanChanged extends Error {
  constructor() {
    super("the plan has changed");
    this.name = "PlanChanged";
  }
}

export class OutcomeLost extends Error {
  constructor(options: { cause: unknown }) {
    super("what came of it got lost", options);
    this.name = "OutcomeLost";
  }
}

/** Pauses after temporary failures (ms). The last one repeats. */
const retryDelays = [2 * secondMs, 5 * secondMs, 15 * secondMs, minuteMs, 5 * minuteMs, 15 * minuteMs];
const maxAttempts = 30;
/** Pauses of the search for a lost event (ms). After the last one, only the event's webhook can find it. */
const searchDelays = [
  2 * secondMs,
  10 * secondMs,
  minuteMs,
  10 * minuteMs,
  hourMs,
  ...Array.from({ length: 14 }, () => dayMs),
];

export function searchAgainIn(attempts: number): number | null {
  return searchDelays[attempts] ?? null;
}

/** The outcome of a request without an answer: the event may have been made. */
export function unknownOutcome(now: number): PlanOutcome {
  return { state: "unknown", task: "find", attempts: 0, problem: null, dueAt: now + (searchAgainIn(0) ?? 0) };
}

/** What follows a failed step: a retry, a search for what may have been made, or a person's decision. */
export function afterFailure(plan: PlannedSession, thrown: unknown, now: number): PlanOutcome {
  const attempts = plan.attempts + 1;
  const named = thrown instanceof NamedError ? thrown : null;
  if (thrown instanceof OutcomeLost) return unknownOutcome(now);
  const problem = named?.message ?? "Something went wrong on our side.";
  const problemCode = problemCodeOf(thrown);
  const wait = waitIfNothingTried(thrown);
  if (wait !== null) return { askedAt: null, problem, problemCode, dueAt: now + wait };
  const again = (named === null || named.temporary) && attempts < maxAttempts;
  if (again) {
    const delay = retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? minuteMs;
    return { askedAt: null, attempts, problem, problemCode, dueAt: now + delay };
  }
  const state = plan.task === "make" ? "failed" : plan.state;
  return { state, askedAt: null, attempts, problem, problemCode, dueAt: null };
}

/** Whether a failed creation has certainly made nothing. */
export function isNotMade(thrown: unknown): boolean {
  if (thrown instanceof PlanChanged) return true;
  if (!(thrown instanceof NamedError)) return false;
  return thrown.code !== "classroom-reply-unreadable" && thrown.details.outcome !== "unknown";
}

type Seen = Pick<ClassroomEvent, "eventId" | "spaceId" | "title" | "startsAt" | "endsAt">;

/** Couples a new event with the plan of unknown outcome that asked for it. @returns the plan, or null. */
export async function coupleLost(
  app: SessionsApp & Pick<App, "whileSessionsChange">,
  environment: AccountId,
  event: Seen,
): Promise<PlannedSession | null> {
  const { spaceId, startsAt, endsAt } = event;
  if (spaceId === null || startsAt === null || endsAt === null) return null;
  for (const plan of await app.sessionPlans.listLost(spaceId, { startsAt, endsAt })) {
    if (plan.environment !== environment || !(await couple(app, plan, event))) continue;
    return { ...plan, eventId: event.eventId, state: "made", task: null };
  }
  return null;
}

/**
 * Looks for a plan's event among those known from webhooks, then in the classroom if the dialect has an operation for that.
 * @returns its id. @throws the classroom client's errors.
 */
export async function findLost(app: RunPlanApp, plan: PlannedSession): Promise<string | null> {
  const { environment, spaceId, startsAt, endsAt } = plan;
  if (spaceId === null) return null;
  const known = await app.events.listAt(environment, spaceId, { startsAt, endsAt });
  const found = await coupleWithOne(app, plan, known);
  if (found !== null) return found;
  const find = app.classroomOf(environment).findEvents;
  if (find === null) return null;
  const options = { priority: "background" } as const;
  const listed = await find({ spaceId, from: startsAt, to: endsAt }, options);
  // The request names the Space, so entries may leave it out.
  return coupleWithOne(
    app,
    plan,
    listed.map((event) => ({ ...event, spaceId: event.spaceId ?? spaceId })),
  );
}

async function coupleWithOne(
  app: SessionsApp & Pick<App, "whileSessionsChange">,
  plan: PlannedSession,
  events: readonly Seen[],
): Promise<string | null> {
  for (const event of events) if (await couple(app, plan, event)) return event.eventId;
  return null;
}

/** @returns false if the event isn't the plan's. */
async function couple(
  app: SessionsApp & Pick<App, "whileSessionsChange">,
  plan: PlannedSession,
  event: Seen,
): Promise<boolean> {
  if (!isMadeFor(plan, event)) return false;
  const { registrationId, courseId, environment } = plan;
  return app.whileSessionsChange({ registrationId, id: courseId }, async () => {
    if (!(await app.sessionPlans.couple(plan.id, event.eventId))) return false;
    await app.events.assignCourse(environment, event.eventId, courseId);
    return true;
  });
}

function isMadeFor(plan: PlannedSession, event: Seen): boolean {
  return (
    event.spaceId === plan.spaceId &&
    event.startsAt === plan.startsAt &&
    event.endsAt === plan.endsAt &&
    (event.title === null || event.title === plan.title)
  );
}

/**
 * Stores an event as it was sent to the classroom, without waiting for its webhook. Call it within
 * `whileSessionsChange`, because grades may change. @param saved.sentAt When the call was sent (ms). Later readings
 * win.
 */
export async function saveFromClassroom(
  app: Pick<App, "events" | "clock" | "wake">,
  plan: PlannedSession,
  eventId: string,
  saved: { sentAt: number; cancelled: boolean },
): Promise<void> {
  const { environment, courseId } = plan;
  const { sentAt, cancelled } = saved;
  const known = await app.events.find(environment, eventId);
  const here = known?.cancelledHere === true;
  // Cancelling changes nothing else about an event.
  const { spaceId, title, startsAt, endsAt } = cancelled && known !== null ? known : plan;
  await app.events.saveNewer({
    environment,
    eventId,
    spaceId,
    title,
    startsAt,
    endsAt,
    cancelled: cancelled || here,
    cancelledHere: here,
    cancelledAt: cancelled ? sentAt : (known?.cancelledAt ?? null),
    courseId,
    readAt: sentAt,
    changedAt: sentAt,
    ...untouched(known),
  });
  // Its webhook may be read already. In a shared Space, it doesn't show the course.
  await app.events.assignCourse(environment, eventId, courseId);
  app.wake("upcoming");
}

/** Keeps what the call doesn't contain. The next reading corrects it. */
function untouched(known: ClassroomEvent | null) {
  if (known === null) return { recurring: false, revision: 1, cohortIds: null, sectionIds: [] };
  const { recurring = false, revision = 0, cohortIds = null, sectionIds = [], told } = known;
  return {
    recurring,
    revision: revision + 1,
    cohortIds,
    sectionIds,
    ...(told === undefined ? {} : { told }),
  };
}
