import type { ClassroomClient } from "../../classroom/client.ts";
import type { PlannedSession } from "../../domain/planned-session.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import type { CourseStore } from "../../storage/course-store.ts";
import type { EventStore } from "../../storage/event-store.ts";
import type { SessionPlanStore } from "../../storage/session-plan-store.ts";

export type FindLostDeps = {
  events: Pick<EventStore, "listAt" | "assignCourse">;
  courses: Pick<CourseStore, "findBySpace">;
  sessionPlans: Pick<SessionPlanStore, "listLost" | "couple">;
  classroomOf: (environment: EnvironmentName) => Pick<ClassroomClient, "findEvents">;
};

/** What is compared: an event that was made for a plan has its Space, both its times, and its title when one is told. */
type Seen = {
  eventId: string;
  spaceId: string | null;
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
};

/**
 * An event became known: if it is what a plan of unknown outcome asked for, the plan has found its event.
 * @returns the plan; null when no plan is looking for it.
 */
export async function coupleLost(
  deps: Omit<FindLostDeps, "classroomOf">,
  environment: EnvironmentName,
  event: Seen,
): Promise<PlannedSession | null> {
  const { spaceId, startsAt, endsAt } = event;
  if (spaceId === null || startsAt === null || endsAt === null) return null;
  for (const plan of await deps.sessionPlans.listLost(spaceId, { startsAt, endsAt })) {
    if (plan.environment !== environment || !isMadeFor(plan, event)) continue;
    if (!(await deps.sessionPlans.couple(plan.id, event.eventId))) continue;
    await deps.events.assignCourse(environment, event.eventId, plan.courseId);
    return { ...plan, eventId: event.eventId, state: "made", task: null };
  }
  return null;
}

/**
 * Looks for the event that may have been made for a plan: among those that webhooks told us of, then in the classroom
 * itself where the dialect has an address for that. @returns whether it was found.
 * @throws the classroom client's errors.
 */
export async function findLost(deps: FindLostDeps, plan: PlannedSession): Promise<boolean> {
  const { environment, spaceId, startsAt, endsAt } = plan;
  if (spaceId === null) return false;
  const courses = await deps.courses.findBySpace(environment, spaceId);
  const ids = new Set([plan.courseId, ...courses.map(({ id }) => id)]);
  const known = await deps.events.listAt([...ids], { startsAt, endsAt });
  if (await coupleWithOne(deps, plan, known)) return true;
  const find = deps.classroomOf(environment).findEvents;
  if (find === null) return false;
  const options = { priority: "background" } as const;
  const listed = await find({ spaceId, from: startsAt, to: endsAt }, options);
  // A list may leave the Space out of each entry, since it was asked for.
  return coupleWithOne(
    deps,
    plan,
    listed.map((event) => ({ ...event, spaceId: event.spaceId ?? spaceId })),
  );
}

async function coupleWithOne(
  deps: Pick<FindLostDeps, "sessionPlans" | "events">,
  plan: PlannedSession,
  events: readonly Seen[],
): Promise<boolean> {
  for (const event of events) {
    if (isMadeFor(plan, event) && (await deps.sessionPlans.couple(plan.id, event.eventId))) {
      await deps.events.assignCourse(plan.environment, event.eventId, plan.courseId);
      return true;
    }
  }
  return false;
}

function isMadeFor(plan: PlannedSession, event: Seen): boolean {
  return (
    event.spaceId === plan.spaceId &&
    event.startsAt === plan.startsAt &&
    event.endsAt === plan.endsAt &&
    (event.title === null || event.title === plan.title)
  );
}
