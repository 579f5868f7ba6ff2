import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { PlannedSession } from "./rules/planned-session.ts";
import type { EnvironmentName } from "../../domain/registration.ts";

export type CoupleLostDeps = Pick<App, "events" | "sessionPlans" | "whileSessionsChange">;

export type FindLostDeps = CoupleLostDeps &
  Pick<App, "events"> & {
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
  deps: CoupleLostDeps,
  environment: EnvironmentName,
  event: Seen,
): Promise<PlannedSession | null> {
  const { spaceId, startsAt, endsAt } = event;
  if (spaceId === null || startsAt === null || endsAt === null) return null;
  for (const plan of await deps.sessionPlans.listLost(spaceId, { startsAt, endsAt })) {
    if (plan.environment !== environment || !(await couple(deps, plan, event))) continue;
    return { ...plan, eventId: event.eventId, state: "made", task: null };
  }
  return null;
}

/**
 * Looks for the event that may have been made for a plan: among those that webhooks told us of, then in the classroom
 * itself where the dialect has an address for that. @returns its id; null when it was not found.
 * @throws the classroom client's errors.
 */
export async function findLost(deps: FindLostDeps, plan: PlannedSession): Promise<string | null> {
  const { environment, spaceId, startsAt, endsAt } = plan;
  if (spaceId === null) return null;
  const known = await deps.events.listAt(environment, spaceId, { startsAt, endsAt });
  const found = await coupleWithOne(deps, plan, known);
  if (found !== null) return found;
  const find = deps.classroomOf(environment).findEvents;
  if (find === null) return null;
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
  deps: CoupleLostDeps,
  plan: PlannedSession,
  events: readonly Seen[],
): Promise<string | null> {
  for (const event of events) if (await couple(deps, plan, event)) return event.eventId;
  return null;
}

/** Joins a plan with an event, and the event with the plan's course. @returns false when it is not the plan's. */
async function couple(deps: CoupleLostDeps, plan: PlannedSession, event: Seen): Promise<boolean> {
  if (!isMadeFor(plan, event)) return false;
  const { registrationId, courseId, environment } = plan;
  return deps.whileSessionsChange({ registrationId, id: courseId }, async () => {
    if (!(await deps.sessionPlans.couple(plan.id, event.eventId))) return false;
    await deps.events.assignCourse(environment, event.eventId, courseId);
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
