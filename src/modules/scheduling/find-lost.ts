import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { PlannedSession } from "./rules/planned-session.ts";
import type { AccountId } from "../../domain/account.ts";

export type CoupleLostDeps = Pick<App, "events" | "sessionPlans" | "whileSessionsChange">;

export type FindLostDeps = CoupleLostDeps &
  Pick<App, "events"> & {
    classroomOf: (environment: AccountId) => Pick<ClassroomClient, "findEvents">;
  };

type Seen = {
  eventId: string;
  spaceId: string | null;
  title: string | null;
  startsAt: number | null;
  endsAt: number | null;
};

/** Couples a new event with the plan of unknown outcome that asked for it. @returns the plan; null for none. */
export async function coupleLost(
  deps: CoupleLostDeps,
  environment: AccountId,
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
 * Looks for a plan's event among those known from webhooks, then in the classroom where the dialect has an address.
 * @returns its id. @throws the classroom client's errors.
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
  // The list was asked by Space, so entries may leave it out.
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

/** @returns false when the event is not the plan's. */
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
