import type { PlannedSession } from "./rules/planned-session.ts";
import { NamedError, problemCodeOf } from "../../kernel/errors.ts";
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

const second = 1_000;
const minute = 60 * second;
/** After temporary failures (ms); the last one repeats. */
const retryDelays = [2 * second, 5 * second, 15 * second, minute, 5 * minute, 15 * minute];
const maxAttempts = 30;
/** For a lost event (ms); after the last one only its webhook can find it. */
const lookDelays = [
  2 * second,
  10 * second,
  minute,
  10 * minute,
  60 * minute,
  ...Array.from({ length: 14 }, () => 24 * 60 * minute),
];

export function lookAgainIn(attempts: number): number | null {
  return lookDelays[attempts] ?? null;
}

/** It may have been made. */
export function unknownOutcome(now: number): PlanOutcome {
  return { state: "unknown", task: "find", attempts: 0, problem: null, dueAt: now + (lookAgainIn(0) ?? 0) };
}

/** What follows a failed step: a retry, a search for what may have been made, or a person's decision. */
export function afterFailure(plan: PlannedSession, thrown: unknown, now: number): PlanOutcome {
  const attempts = plan.attempts + 1;
  const named = thrown instanceof NamedError ? thrown : null;
  if (thrown instanceof OutcomeLost) return unknownOutcome(now);
  const problem = named?.message ?? "Something went wrong on our side.";
  const problemCode = problemCodeOf(thrown);
  const again = (named === null || named.temporary) && attempts < maxAttempts;
  if (again) {
    const delay = retryDelays[Math.min(attempts, retryDelays.length) - 1] ?? minute;
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
