import type { App } from "../../app.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { PlannedSession } from "./rules/course-session.ts";
import type { AccountId } from "../../domain/account.ts";
import { NamedError } from "../../kernel/errors.ts";
import { ensureSpace, type EnsureSpaceDeps } from "../spaces/ensure-space.ts";
import { refuseForeignSpace } from "../spaces/space-rights.ts";
import {
  requireActiveRegistration,
  type RequireActiveRegistrationDeps,
} from "../registration/registrations.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import {
  afterFailure,
  findLost,
  type FindLostDeps,
  isNotMade,
  lookAgainIn,
  OutcomeLost,
  PlanChanged,
  saveFromClassroom,
  type SaveFromClassroomDeps,
  unknownOutcome,
} from "./plan-outcome.ts";
import { invitedCohorts, invitedPeople, type InvitedPeopleDeps } from "./session-owners.ts";

type RunPlanDeps = Omit<FindLostDeps, "events" | "classroomOf" | "sessionPlans"> &
  Omit<SaveFromClassroomDeps, "events"> &
  InvitedPeopleDeps &
  Pick<EnsureSpaceDeps, "members" | "people" | "spaceUsers" | "isSpaceOrigin"> &
  RequireActiveRegistrationDeps &
  Pick<App, "sessionPlans" | "events" | "courses" | "onMatchable" | "ids" | "logger"> & {
    classroomOf: (
      environment: AccountId,
    ) => Pick<
      ClassroomClient,
      | "usersHaveRoles"
      | "createApiUser"
      | "createSpace"
      | "createEvent"
      | "updateEvent"
      | "cancelEvent"
      | "findEvents"
    >;
    /** Aborted when this process ends: the queue is left for another one. */
    ending: AbortSignal;
  };

/**
 * Takes the next step of the plan due longest: makes its event, looks for one that may have been made, changes or
 * cancels it. The request is noted before it is sent: a plan with a request and no outcome is never requested again.
 * @returns false when nothing is due.
 */
export async function runPlan(deps: RunPlanDeps): Promise<boolean> {
  const isEnding = () => deps.ending.aborted;
  if (isEnding()) return false;
  const holder = deps.ids.id("hold");
  const now = deps.clock.now();
  const plan = await deps.sessionPlans.claimDue(holder, now, now + leaseMs);
  if (plan === null) return false;
  const extend = (until: number) => deps.sessionPlans.extend(plan.id, holder, until);
  try {
    await withClaim(deps, { until: now + leaseMs, extend }, () => nextStep(deps, plan, holder));
  } catch (thrown) {
    // A process that ends leaves its requests marked.
    if (thrown instanceof PlanChanged || (isEnding() && !(thrown instanceof NamedError))) {
      await deps.sessionPlans.release(plan.id, holder);
      return true;
    }
    const outcome = afterFailure(plan, thrown, deps.clock.now());
    await deps.sessionPlans.settle(plan.id, holder, outcome);
    deps.logger.warn(
      { plan: plan.id, course: plan.courseId, task: plan.task, state: outcome.state ?? plan.state },
      "a planned session could not be told to the classroom",
    );
  }
  return true;
}

async function nextStep(deps: RunPlanDeps, plan: PlannedSession, holder: string): Promise<void> {
  const { task, eventId } = plan;
  if (task === "find") await look(deps, plan, holder);
  else if (task === "make" && plan.askedAt !== null) {
    // The requesting process ended, or lost the claim, before an answer.
    await deps.sessionPlans.settle(plan.id, holder, unknownOutcome(deps.clock.now()));
  } else if (task === "make") await make(deps, plan, holder);
  else if (task !== null && eventId !== null) await sendPlan(deps, plan, eventId, holder);
  else await deps.sessionPlans.settle(plan.id, holder, { task: null, dueAt: null });
}

async function make(deps: RunPlanDeps, claimed: PlannedSession, holder: string): Promise<void> {
  const { sessionPlans, clock } = deps;
  const { id, revision, title, startsAt, endsAt } = claimed;
  const course = await deps.courses.find(claimed.courseId);
  if (course === null) throw new Error("a plan has lost its course");
  await requireActiveRegistration(deps, course);
  await refuseForeignSpace(deps, course, claimed.spaceId);
  const spaceId = claimed.spaceId ?? (await ensureSpace(deps, course, null, { priority: "background" }));
  if (claimed.spaceId === null) await sessionPlans.place(id, holder, spaceId);
  const plan = { ...claimed, spaceId };
  const people = { ...(await invitedPeople(deps, plan)), ...(await invitedCohorts(deps, plan)) };
  const asked: { at: number | null } = { at: null };
  const call = leavingInLine(deps, async (line) => {
    const mark = async (at: number | null) => {
      if (!(await sessionPlans.markAsked(id, holder, revision, at))) throw new PlanChanged();
      asked.at = at;
    };
    return deps.classroomOf(plan.environment).createEvent(
      { title, spaceId, startsAt, endsAt, ...people },
      {
        priority: "background",
        signal: line.signal,
        // The service refused: nothing is unknown while it waits.
        onWait: async () => {
          line.rejoin();
          if (asked.at !== null) await mark(null);
        },
        onPermit: async () => {
          line.leave();
          await mark(clock.now());
        },
      },
    );
  });
  const { eventId } = await call.catch((thrown: unknown) => {
    throw asked.at === null || isNotMade(thrown) ? thrown : new OutcomeLost({ cause: thrown });
  });
  try {
    await keepMade(deps, plan, eventId, { holder, sentAt: asked.at ?? clock.now() });
  } catch (thrown) {
    throw new OutcomeLost({ cause: thrown });
  }
}

async function keepMade(
  deps: RunPlanDeps,
  plan: PlannedSession,
  eventId: string,
  { holder, sentAt }: { holder: string; sentAt: number },
): Promise<void> {
  await deps.whileSessionsChange(courseOf(plan), async () => {
    // The event first: if this process ends here, the plan finds it by Space, times and title.
    await saveFromClassroom(deps, plan, eventId, { sentAt, cancelled: false });
    await settleMade(deps, plan, eventId, holder);
  });
}

function courseOf({ courseId, registrationId }: PlannedSession) {
  return { id: courseId, registrationId };
}

async function settleMade(
  deps: RunPlanDeps,
  plan: PlannedSession,
  eventId: string,
  holder: string,
): Promise<void> {
  const { sessionPlans, clock } = deps;
  const made = { state: "made", eventId, attempts: 0, problem: null } as const;
  const done = { ...made, task: null, dueAt: null };
  if (await sessionPlans.settle(plan.id, holder, done, plan.revision)) return;
  const now = await sessionPlans.find(plan.id);
  const task = now?.task === "cancel" ? "cancel" : "update";
  await sessionPlans.settle(plan.id, holder, { ...made, task, dueAt: clock.now() });
}

/** Changes or cancels a plan's event; both are repeatable. */
async function sendPlan(
  deps: RunPlanDeps,
  plan: PlannedSession,
  eventId: string,
  holder: string,
): Promise<void> {
  const { updateEvent, cancelEvent } = deps.classroomOf(plan.environment);
  const { title, spaceId, startsAt, endsAt } = plan;
  let sentAt = deps.clock.now();
  let cancelled = plan.task === "cancel";
  await leavingInLine(deps, async (line) => {
    const options: CallOptions = {
      priority: "background",
      signal: line.signal,
      onPermit: () => {
        line.leave();
        sentAt = deps.clock.now();
      },
    };
    if (cancelled) await (cancelEvent ?? cannot)(eventId, options);
    else if (spaceId !== null) {
      const there = await (updateEvent ?? cannot)({ eventId, title, spaceId, startsAt, endsAt }, options);
      cancelled = !there;
    }
  });
  await deps.whileSessionsChange(courseOf(plan), () =>
    saveFromClassroom(deps, plan, eventId, { sentAt, cancelled }),
  );
  const done = { task: null, dueAt: null, attempts: 0, problem: null } as const;
  if (await deps.sessionPlans.settle(plan.id, holder, done, plan.revision)) return;
  await deps.sessionPlans.release(plan.id, holder);
}

function cannot(): Promise<never> {
  return Promise.reject(new Error("the dialect has lost the address for this"));
}

async function look(deps: RunPlanDeps, plan: PlannedSession, holder: string): Promise<void> {
  const sentAt = deps.clock.now();
  const eventId = await findLost(deps, plan);
  if (eventId !== null) {
    await keepFound(deps, plan, eventId, sentAt);
    await deps.sessionPlans.release(plan.id, holder);
    return;
  }
  const attempts = plan.attempts + 1;
  const wait = lookAgainIn(attempts);
  const next =
    wait === null ? { task: null, dueAt: null } : { task: "find" as const, dueAt: deps.clock.now() + wait };
  await deps.sessionPlans.settle(plan.id, holder, { ...next, attempts });
}

/** Without waiting: its webhook may never come. */
async function keepFound(
  deps: RunPlanDeps,
  plan: PlannedSession,
  eventId: string,
  sentAt: number,
): Promise<void> {
  deps.wake("upcoming");
  if ((await deps.events.find(plan.environment, eventId)) !== null) return;
  await deps.whileSessionsChange(courseOf(plan), () =>
    saveFromClassroom(deps, plan, eventId, { sentAt, cancelled: false }),
  );
}

/** When this process ends, the work leaves the throttle's queue; a request under way is finished. */
async function leavingInLine<Result>(
  { ending }: Pick<RunPlanDeps, "ending">,
  work: (line: { signal: AbortSignal; leave: () => void; rejoin: () => void }) => Promise<Result>,
): Promise<Result> {
  const unneeded = new AbortController();
  let inLine = true;
  const stop = () => {
    if (inLine) unneeded.abort(ending.reason);
  };
  ending.addEventListener("abort", stop, { once: true });
  try {
    return await work({
      signal: unneeded.signal,
      leave: () => {
        inLine = false;
      },
      rejoin: () => {
        inLine = true;
        if (ending.aborted) stop();
      },
    });
  } finally {
    ending.removeEventListener("abort", stop);
  }
}
