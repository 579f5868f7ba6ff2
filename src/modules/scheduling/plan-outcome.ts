import type { PlannedSession } from "./rules/planned-session.ts";
import { NamedError } from "../../kernel/errors.ts";
import { problemCodeOf } from "../../kernel/problem-code.ts";
import type { PlanOutcome } from "./store/session-plan-store.ts";

/** Somebody changed the plan, or has taken it over, before the classroom was asked: nothing was asked. */
export class PlanChanged extends Error {
  constructor() {
    super("the plan has changed");
    this.name = "PlanChanged";
  }
}

/** The classroom was asked, and what came of it got lost on our side. */
export class OutcomeLost extends Error {
  constructor(options: { cause: unknown }) {
    super("what came of it got lost", options);
    this.name = "OutcomeLost";
  }
}

const second = 1_000;
const minute = 60 * second;
/** After temporary failures it is tried again after these delays (the last one repeats). */
const retryDelays = [2 * second, 5 * second, 15 * second, minute, 5 * minute, 15 * minute];
const givesUpAfter = 30;
/** A lost event is looked for after these delays; then only its webhook can tell. */
const lookDelays = [
  2 * second,
  10 * second,
  minute,
  10 * minute,
  60 * minute,
  ...Array.from({ length: 14 }, () => 24 * 60 * minute),
];

/** How long until a lost event is looked for again (ms); null when it is not any more. */
export function lookAgainIn(attempts: number): number | null {
  return lookDelays[attempts] ?? null;
}

/** It may have been made, and nobody knows. */
export function unknownOutcome(now: number): PlanOutcome {
  return { state: "unknown", task: "find", attempts: 0, problem: null, dueAt: now + (lookAgainIn(0) ?? 0) };
}

/** What a failed step leads to: another try, a look for what may have been made, or a person who decides. */
export function afterFailure(plan: PlannedSession, thrown: unknown, now: number): PlanOutcome {
  const attempts = plan.attempts + 1;
  const named = thrown instanceof NamedError ? thrown : null;
  if (thrown instanceof OutcomeLost) return unknownOutcome(now);
  const problem = named?.message ?? "Something went wrong on our side.";
  const problemCode = problemCodeOf(thrown);
  const again = (named === null || named.temporary) && attempts < givesUpAfter;
  if (again) {
    const delay = retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? minute;
    return { askedAt: null, attempts, problem, problemCode, dueAt: now + delay };
  }
  const state = plan.task === "make" ? "failed" : plan.state;
  return { state, askedAt: null, attempts, problem, problemCode, dueAt: null };
}

/** Whether a failed call that was to make something has certainly made nothing. */
export function isNotMade(thrown: unknown): boolean {
  if (thrown instanceof PlanChanged) return true;
  if (!(thrown instanceof NamedError)) return false;
  return thrown.code !== "classroom-reply-unreadable" && thrown.details.outcome !== "unknown";
}
