import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { Entry } from "../../domain/entry.ts";
import {
  type ExpectedClass,
  mostHaveCome,
  nextLook,
  planRetryAfter,
  rankOf,
  turnOf,
} from "./rules/expected-class.ts";
import type { AccountId } from "../../domain/account.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import type { PlanOutcome } from "./store/expected-class-store.ts";
import { closedSpaceRefusals, refuseForeignSpace } from "../spaces/space-rights.ts";
import { requireActiveRegistration } from "../registration/require-active-registration.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { type ClaimedClass, prepareLogin, type PrepareLoginDeps, type Preparation } from "./prepare-login.ts";
import { type ExpectedPeople, listExpected, type ListExpectedDeps } from "./list-expected.ts";
import { type SequencedCalls, createSequencer } from "./create-sequencer.ts";
import { classListTtlMs, closedPauseMs, maxParallelLogins } from "./rules/limits.ts";

export type PrepareLoginsDeps = PrepareLoginDeps &
  ListExpectedDeps &
  Pick<App, "courses" | "events" | "expectedClasses" | "logins"> & {
    /** Aborted when this process is about to end: waiting calls are left to another one or the next start. */
    ending: AbortSignal;
  };

/** An administrator has to change something. */
const shut = [
  "registration-unknown",
  "platform-inactive",
  "deployment-refused",
  "account-paused",
  "environment-off",
  ...closedSpaceRefusals,
];

/** The next due class has a turn, and keeps the worker while no other is due. @returns false when no class is due. */
export async function prepareLogins(deps: PrepareLoginsDeps, environment: AccountId): Promise<boolean> {
  const { expectedClasses, clock } = deps;
  if (deps.ending.aborted) return false;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const plan = await expectedClasses.claimNext(environment, holder, now, now + leaseMs);
  if (plan === null) return false;
  const outcome = await withClaim(
    deps,
    { until: now + leaseMs, extend: (until) => expectedClasses.extend(plan.id, holder, until) },
    () => takeTurn(deps, { plan, holder }),
  );
  await expectedClasses.settle(plan.id, holder, outcome);
  return true;
}

async function takeTurn(deps: PrepareLoginsDeps, claimed: ClaimedClass): Promise<PlanOutcome> {
  const { plan } = claimed;
  const now = deps.clock.now();
  const rank = rankOf(plan, now);
  const over = { dueAt: now, failures: 0, rank, open: false };
  try {
    const course = await deps.courses.find(plan.courseId);
    if (course === null || now >= plan.endsAt || !(await stillHeld(deps, plan, course))) return over;
    // Checked once: it would count as a failure of each person.
    await requireActiveRegistration(deps, course);
    await refuseForeignSpace(deps, course, course.spaceId);
    const people = await listExpected(deps, course, plan, now);
    if (plan.reason.kind === "busy-door" && mostHaveCome(people)) return over;
    if (people.wanting.length === 0)
      return { dueAt: nextLook(plan, people.nextAt, now), failures: 0, rank, open: true };
    const fetched = await fetchAll(deps, claimed, people);
    const after = deps.clock.now();
    const failures = fetched.includes("failed") ? plan.failures + 1 : 0;
    const pause = failures > 0 ? planRetryAfter(failures) : fetched.includes("elsewhere") ? 5_000 : 0;
    return { dueAt: after + pause, failures, rank: rankOf(plan, after), open: true };
  } catch (thrown) {
    deps.logger.warn(
      { course: plan.courseId, error: messageOf(thrown) },
      "a class cannot be authorized ahead",
    );
    const failures = plan.failures + 1;
    return { dueAt: deps.clock.now() + restAfter(thrown, failures), failures, rank, open: true };
  }
}

function restAfter(thrown: unknown, failures: number): number {
  return thrown instanceof NamedError && shut.includes(thrown.code)
    ? closedPauseMs
    : planRetryAfter(failures);
}

/** False for a session that was moved or cancelled, or whose Space is another course's now. */
async function stillHeld(deps: PrepareLoginsDeps, plan: ExpectedClass, course: Course): Promise<boolean> {
  const { reason } = plan;
  if (reason.kind === "busy-door") return true;
  const event = await deps.events.find(plan.environment, reason.eventId);
  if (event === null || event.cancelled) return false;
  return event.startsAt === plan.startsAt && event.spaceId === course.spaceId;
}

/** Likeliest first, until another class's turn or a failure. */
async function fetchAll(
  deps: PrepareLoginsDeps,
  claimed: ClaimedClass,
  { wanting, expected }: ExpectedPeople,
): Promise<Preparation[]> {
  const { plan } = claimed;
  const started = deps.clock.now();
  const sequencer = createSequencer(deps.clock, deps.ending);
  const results: Preparation[] = [];
  const inside = new Set<Promise<void>>();
  let begun = 0;
  try {
    for (const { entry } of wanting) {
      // After a failure, one call shows whether the trouble is over.
      const careful = plan.failures > 0 && !results.includes("kept");
      if (inside.size >= (careful ? 1 : maxParallelLogins)) await Promise.race(inside);
      if (results.some((result) => result === "failed" || result === "ended")) break;
      const calls = sequencer.join();
      const done = fetchOne(deps, claimed, entry, calls).then((result) => {
        results.push(result);
        inside.delete(done);
      });
      inside.add(done);
      await calls.first;
      begun += 1;
      const now = deps.clock.now();
      if (now - started > classListTtlMs) break;
      if (begun % turnOf(expected) === 0 && (await deps.expectedClasses.othersWait(plan.environment, now)))
        break;
    }
  } finally {
    await Promise.all(inside);
    sequencer.close();
  }
  return results;
}

/** Never rejects: it may settle unobserved. */
async function fetchOne(
  deps: PrepareLoginsDeps,
  claimed: ClaimedClass,
  entry: Entry,
  calls: SequencedCalls,
): Promise<Preparation> {
  try {
    return await prepareLogin(deps, claimed, entry, calls);
  } catch (thrown) {
    const { courseId, personId } = entry;
    deps.logger.warn(
      { course: courseId, person: personId, error: messageOf(thrown) },
      "what came of a login that was authorized ahead could not be recorded",
    );
    return "failed";
  } finally {
    calls.leave();
  }
}
