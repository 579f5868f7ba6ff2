import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { PlannedSession } from "./rules/planned-session.ts";
import type { PlanChange } from "./store/session-plan-store.ts";

export type ResolvePlanDeps = Pick<App, "sessionPlans" | "clock" | "wake">;

/**
 * About a stuck plan. "there": it was made, as the classroom shows. "again": make it (once more). "drop": not wanted,
 * or not there. "retry": repeat what failed.
 */
export type PlanAnswer = "there" | "again" | "drop" | "retry";

/** Applies an instructor's decision. @returns false when it does not fit the plan any more. */
export async function resolvePlan(
  deps: ResolvePlanDeps,
  course: Pick<Course, "id">,
  planId: string,
  answer: PlanAnswer,
): Promise<boolean> {
  const plan = await deps.sessionPlans.find(planId);
  if (plan === null || plan.courseId !== course.id) return false;
  const change = changeFor(plan, answer, deps.clock.now());
  if (change === null) return false;
  if (!(await deps.sessionPlans.change(plan, change))) return false;
  deps.wake("session-plans");
  return true;
}

function changeFor(plan: PlannedSession, answer: PlanAnswer, now: number): PlanChange | null {
  const { state, eventId } = plan;
  const lost = lostStates.has(state) && eventId === null;
  switch (answer) {
    case "there":
      return lost ? { state: "assumed", task: "find", attempts: 0, dueAt: now } : null;
    case "again":
      return lost ? { ...fromTheStart, dueAt: now } : null;
    case "drop":
      return lost || state === "failed" ? { state: "dropped", task: null, dueAt: null } : null;
    case "retry":
      return state === "failed" ? { ...fromTheStart, dueAt: now } : onceMore(plan, now);
  }
}

function onceMore({ task, problem }: PlannedSession, now: number): PlanChange | null {
  return task === null || problem === null ? null : { attempts: 0, problem: null, dueAt: now };
}

const lostStates: ReadonlySet<PlannedSession["state"]> = new Set(["unknown", "assumed"]);
const fromTheStart = { state: "wanted", task: "make", askedAt: null, attempts: 0, problem: null } as const;
