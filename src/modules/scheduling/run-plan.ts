import type { SessionsApp } from "./list-sessions.ts";
import type { App } from "../../app.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import type { PlannedSession } from "./rules/course-session.ts";
import type { AccountId } from "../../domain/account.ts";
import { NamedError } from "../../kernel/errors.ts";
import { ensureSpace } from "../spaces/ensure-space.ts";
import { refuseForeignSpace } from "../spaces/space-rights.ts";
import { type ActiveRegistrationApp, requireActiveRegistration } from "../registration/registrations.ts";
import { workOnDue } from "../../kernel/with-claim.ts";
import {
  afterFailure,
  findLost,
  isNotMade,
  searchAgainIn,
  OutcomeLost,
  PlanChanged,
  saveFromClassroom,
  unknownOutcome,
} from "./plan-outcome.ts";
import { invitedCohorts, invitedPeople } from "./session-owners.ts";

/** `ending` is aborted when this process ends. The queue is left to another process. */
export type RunPlanApp = ActiveRegistrationApp &
  SessionsApp &
  Pick<App, "courses" | "members" | "people" | "sectionLinks" | "spaceUsers" | "clock" | "ids" | "logger"> &
  Pick<App, "isSpaceOrigin" | "onMatchable" | "wake" | "whileSessionsChange"> & {
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
    ending: AbortSignal;
  };

/**
 * Takes the next step of the plan that has been due longest: makes its event, looks for an event that may have been made, changes it or
 * cancels it. Notes the request before sending it, so a plan with a request but no outcome is never requested again.
 * @returns false if nothing is due.
 */
export async function runPlan(app: RunPlanApp): Promise<boolean> {
  const isEnding = () => app.ending.aborted;
  if (isEnding()) return false;
  return workOnDue(app, app.sessionPlans, async (plan, holder) => {
    try {
      await nextStep(app, plan, holder);
    } catch (thrown) {
      // A process that ends leaves its requests marked.
      if (thrown instanceof PlanChanged || (isEnding() && !(thrown instanceof NamedError))) {
        await app.sessionPlans.release(plan.id, holder);
        return;
      }
      const outcome = afterFailure(plan, thrown, app.clock.now());
      await app.sessionPlans.settle(plan.id, holder, outcome);
      app.logger.warn(
        { plan: plan.id, course: plan.courseId, task: plan.task, state: outcome.state ?? plan.state },
        "a planned session could not be told to the classroom",
      );
    }
  });
}

async function nextStep(app: RunPlanApp, plan: PlannedSession, holder: string): Promise<void> {
  const { task, eventId } = plan;
  if (task === "find") await search(app, plan, holder);
  else if (task === "make" && plan.askedAt !== null) {
    // The process that sent the request ended, or lost the claim, before it had an answer.
    await app.sessionPlans.settle(plan.id, holder, unknownOutcome(app.clock.now()));
  } else if (task === "make") await make(app, plan, holder);
  else if (task !== null && eventId !== null) await sendPlan(app, plan, eventId, holder);
  else await app.sessionPlans.settle(plan.id, holder, { task: null, dueAt: null });
}

async function make(app: RunPlanApp, claimed: PlannedSession, holder: string): Promise<void> {
  const { sessionPlans, clock } = app;
  const { id, revision, title, startsAt, endsAt } = claimed;
  const course = await app.courses.find(claimed.courseId);
  if (course === null) throw new Error("the course of a plan is gone");
  await requireActiveRegistration(app, course);
  await refuseForeignSpace(app, course, claimed.spaceId);
  const spaceId = claimed.spaceId ?? (await ensureSpace(app, course, null, { priority: "background" }));
  if (claimed.spaceId === null) await sessionPlans.saveSpace(id, holder, spaceId);
  const plan = { ...claimed, spaceId };
  const people = { ...(await invitedPeople(app, plan)), ...(await invitedCohorts(app, plan)) };
  const asked: { at: number | null } = { at: null };
  const call = leavingInLine(app, async (line) => {
    const mark = async (at: number | null) => {
      if (!(await sessionPlans.markAsked(id, holder, revision, at))) throw new PlanChanged();
      asked.at = at;
    };
    return app.classroomOf(plan.environment).createEvent(
      { title, spaceId, startsAt, endsAt, ...people },
      {
        priority: "background",
        signal: line.signal,
        // The classroom refused the request, so nothing is unknown while it waits.
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
    await keepMade(app, plan, eventId, { holder, sentAt: asked.at ?? clock.now() });
  } catch (thrown) {
    throw new OutcomeLost({ cause: thrown });
  }
}

async function keepMade(
  app: RunPlanApp,
  plan: PlannedSession,
  eventId: string,
  { holder, sentAt }: { holder: string; sentAt: number },
): Promise<void> {
  await app.whileSessionsChange(courseOf(plan), async () => {
    // The event is stored first: if this process ends here, the plan finds it by Space, times and title.
    await saveFromClassroom(app, plan, eventId, { sentAt, cancelled: false });
    await settleMade(app, plan, eventId, holder);
  });
}

function courseOf({ courseId, registrationId }: PlannedSession) {
  return { id: courseId, registrationId };
}

async function settleMade(app: RunPlanApp, plan: PlannedSession, eventId: string, holder: string) {
  const { sessionPlans, clock } = app;
  const made = { state: "made", eventId, attempts: 0, problem: null } as const;
  const done = { ...made, task: null, dueAt: null };
  if (await sessionPlans.settle(plan.id, holder, done, plan.revision)) return;
  const now = await sessionPlans.find(plan.id);
  const task = now?.task === "cancel" ? "cancel" : "update";
  await sessionPlans.settle(plan.id, holder, { ...made, task, dueAt: clock.now() });
}

/** Changes or cancels a plan's event. Both are repeatable. */
async function sendPlan(app: RunPlanApp, plan: PlannedSession, eventId: string, holder: string) {
  const { updateEvent, cancelEvent } = app.classroomOf(plan.environment);
  if (plan.task === "cancel" && cancelEvent === null) {
    // It was cancelled while it was being made.
    await app.whileSessionsChange(courseOf(plan), () =>
      app.events.cancelHere(plan.environment, eventId, app.clock.now()),
    );
    await app.sessionPlans.settle(plan.id, holder, { task: null, dueAt: null });
    return;
  }
  const { title, spaceId, startsAt, endsAt } = plan;
  let sentAt = app.clock.now();
  let cancelled = plan.task === "cancel";
  await leavingInLine(app, async (line) => {
    const options: CallOptions = {
      priority: "background",
      signal: line.signal,
      onPermit: () => {
        line.leave();
        sentAt = app.clock.now();
      },
    };
    if (cancelled) await (cancelEvent ?? cannot)(eventId, options);
    else if (spaceId !== null) {
      const updated = await (updateEvent ?? cannot)({ eventId, title, spaceId, startsAt, endsAt }, options);
      cancelled = !updated;
    }
  });
  await app.whileSessionsChange(courseOf(plan), () =>
    saveFromClassroom(app, plan, eventId, { sentAt, cancelled }),
  );
  const done = { task: null, dueAt: null, attempts: 0, problem: null } as const;
  if (await app.sessionPlans.settle(plan.id, holder, done, plan.revision)) return;
  await app.sessionPlans.release(plan.id, holder);
}

function cannot(): Promise<never> {
  return Promise.reject(new Error("the dialect has lost the address for this"));
}

async function search(app: RunPlanApp, plan: PlannedSession, holder: string): Promise<void> {
  const sentAt = app.clock.now();
  const eventId = await findLost(app, plan);
  if (eventId !== null) {
    await keepFound(app, plan, eventId, sentAt);
    await app.sessionPlans.release(plan.id, holder);
    return;
  }
  const attempts = plan.attempts + 1;
  const wait = searchAgainIn(attempts);
  const next =
    wait === null ? { task: null, dueAt: null } : { task: "find" as const, dueAt: app.clock.now() + wait };
  await app.sessionPlans.settle(plan.id, holder, { ...next, attempts });
}

/** Reads the event that was found and stores it, without waiting for its webhook, which may never come. */
async function keepFound(app: RunPlanApp, plan: PlannedSession, eventId: string, sentAt: number) {
  app.wake("upcoming");
  if ((await app.events.find(plan.environment, eventId)) !== null) return;
  await app.whileSessionsChange(courseOf(plan), () =>
    saveFromClassroom(app, plan, eventId, { sentAt, cancelled: false }),
  );
}

/** When this process ends, the work leaves the throttle's queue. A request under way is finished. */
async function leavingInLine<Result>(
  { ending }: Pick<RunPlanApp, "ending">,
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
