import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Course } from "../../domain/course.ts";
import type { Entry, LastEntry } from "../../domain/entry.ts";
import { isOutcomeUnknown, messageOf, NamedError } from "../../kernel/errors.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { willEnter } from "../members/rules/provisioning.ts";
import { requireActiveRegistration } from "../registration/registrations.ts";
import { closedSpaceRefusals, refuseForeignSpace } from "../spaces/space-rights.ts";
import { authorizeEntry, type AuthorizeEntryDeps, loginPurpose } from "./enter-class.ts";
import { type EntryTarget, findTarget, type FindTargetDeps } from "./entry-target.ts";
import { type ExpectedPeople, listExpected, type ListExpectedDeps } from "./expect-classes.ts";
import {
  type ExpectedClass,
  insideSince,
  loginWantedAt,
  mostFetches,
  mostHaveCome,
  nextLook,
  planRetryAfter,
  rankOf,
  turnOf,
} from "./rules/expected-class.ts";
import { classListTtlMs, closedPauseMs, loginUsableMs, maxParallelLogins } from "./rules/limits.ts";
import type { PlanOutcome } from "./store/prepared-store.ts";
import { createSequencer, type SequencedCalls } from "./workers-by-account.ts";

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

type PrepareLoginDeps = AuthorizeEntryDeps &
  FindTargetDeps &
  Pick<App, "logins" | "queuePositions" | "expectedClasses" | "sealer" | "logger">;

type ClaimedClass = { plan: ExpectedClass; holder: string };

/**
 * "not-wanted": they have come, or would come differently; "elsewhere": another process makes their API user; "ended":
 * this process is stopping.
 */
type Preparation = "kept" | "not-wanted" | "elsewhere" | "ended" | "failed";

/** Thrown instead of a call that is no longer wanted. */
class NotWanted extends Error {}

/**
 * Checked before the call and each second while it waits, which may take minutes: the person may be inside by then, or
 * the plan in other hands.
 */
async function prepareLogin(
  deps: PrepareLoginDeps,
  claimed: ClaimedClass,
  entry: Entry,
  calls: Pick<SequencedCalls, "sequenced" | "signal">,
): Promise<Preparation> {
  const { plan } = claimed;
  const { courseId, personId } = entry;
  const key = { registrationId: plan.registrationId, courseId, personId };
  try {
    const wanted = await stillWanted(deps, claimed, entry);
    const target = wanted.target;
    const { url, fingerprint } = await authorizeEntry(lookingAgain(deps, claimed, target, calls), target, {
      priority: "session",
      signal: calls.signal,
    });
    await Promise.all([
      deps.logins.keep({
        ...key,
        ...recordFor(plan, wanted.fetches + 1),
        login: deps.sealer.seal(loginPurpose(entry), url),
        fingerprint,
        expectedAs: wayOf(entry),
        usableUntil: deps.clock.now() + loginUsableMs,
      }),
      deps.expectedClasses.countCall(plan.id, claimed.holder),
    ]);
    return "kept";
  } catch (thrown) {
    if (thrown instanceof NotWanted) return "not-wanted";
    if (calls.signal.aborted) return "ended";
    const code = thrown instanceof NamedError ? thrown.code : "unexpected";
    if (code === "still-being-made") return "elsewhere";
    if (code === "not-in-course") return "not-wanted";
    const facts = { course: courseId, person: personId, code, error: messageOf(thrown) };
    deps.logger.warn(facts, "a login could not be authorized ahead");
    const known = await deps.logins.find(key);
    // A creation of unknown outcome is not repeated automatically.
    const unknown = isOutcomeUnknown(thrown);
    const fetches = unknown ? mostFetches(plan) : fetchesOf(known, plan) + 1;
    if (unknown || !(thrown instanceof NamedError && thrown.temporary))
      await deps.logins.keep({
        ...key,
        ...recordFor(plan, fetches),
        login: "",
        fingerprint: "",
        usableUntil: 0,
      });
    return "failed";
  }
}

/** Calls wait one after the other and give up when not wanted. */
function lookingAgain(
  deps: PrepareLoginDeps,
  claimed: ClaimedClass,
  target: EntryTarget,
  { sequenced }: Pick<SequencedCalls, "sequenced">,
): PrepareLoginDeps {
  const look = async () => {
    const now = await stillWanted(deps, claimed, target.entry);
    if (!sameWay(target, now.target)) throw new NotWanted("how they would come has changed");
  };
  return {
    ...deps,
    classroomOf: (environment) => {
      const client = deps.classroomOf(environment);
      return {
        usersHaveRoles: client.usersHaveRoles,
        createSpace: (space, options) => client.createSpace(space, sequenced(options, look)),
        createApiUser: (user, options) => client.createApiUser(user, sequenced(options, look)),
        addsToSpace: client.addsToSpace,
        addToSpace: (added, options) => client.addToSpace(added, sequenced(options, look)),
        authorize: (entry, options) => client.authorize(entry, sequenced(options, look)),
      };
    },
  };
}

async function stillWanted(
  deps: PrepareLoginDeps,
  { plan, holder }: ClaimedClass,
  entry: Entry,
): Promise<{ target: EntryTarget; fetches: number }> {
  const now = deps.clock.now();
  const { courseId, personId } = entry;
  const key = { registrationId: plan.registrationId, courseId, personId };
  if (now >= plan.endsAt) throw new NotWanted("the session is over");
  if (!(await deps.expectedClasses.holds(plan.id, holder, now))) throw new NotWanted("the claim was lost");
  const target = await findTarget(deps, entry);
  if (target.member === null || !willEnter(target.member)) throw new NotWanted("not in the course any more");
  const login = await deps.logins.find(key);
  const queuedAt = await deps.queuePositions.lastArrivalOf(key, insideSince(plan));
  const wantedAt = loginWantedAt({ queuedAt, login }, plan);
  if (wantedAt === null || wantedAt > now) throw new NotWanted("they have come, or have a login");
  return { target, fetches: fetchesOf(login, plan) };
}

/** A Space made meanwhile is the wanted one. */
function sameWay(before: EntryTarget, now: EntryTarget): boolean {
  const [one, other] = [before, now].map(({ entry, settings }) => JSON.stringify([entry, settings]));
  return one === other && (before.spaceId === null || before.spaceId === now.spaceId);
}

function wayOf({ courseLinkId, locale, mobile }: Entry): LastEntry {
  return { courseLinkId, locale, mobile };
}

function fetchesOf(login: { plan: string; fetches: number } | null, plan: ExpectedClass): number {
  return login?.plan === plan.id ? login.fetches : 0;
}

function recordFor(plan: ExpectedClass, fetches: number) {
  return { plan: plan.id, fetches, usedAt: null, keptUntil: plan.endsAt + loginUsableMs };
}
