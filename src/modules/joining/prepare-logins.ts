import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Course } from "../../domain/course.ts";
import type { Entry } from "../../domain/entry.ts";
import { isOutcomeUnknown, messageOf, NamedError } from "../../kernel/errors.ts";
import { workOnDue } from "../../kernel/with-claim.ts";
import { needsAdministrator } from "../members/provisioning.ts";
import { willEnter } from "../members/rules/provisioning.ts";
import { requireActiveRegistration } from "../registration/registrations.ts";
import { closedSpaceRefusals, refuseForeignSpace } from "../spaces/space-rights.ts";
import { type JoiningApp, authorizeEntry, loginPurpose } from "./enter-class.ts";
import { type EntryTarget, findTarget } from "./entry-target.ts";
import { type ExpectedPeople, listExpected } from "./expect-classes.ts";
import {
  type ExpectedClass,
  insideSince,
  loginNeededAt,
  maxFetches,
  hasMajorityCome,
  nextCheckAt,
  planRetryAfter,
  rankOf,
  turnOf,
} from "./rules/expected-class.ts";
import { classListTtlMs, closedPauseMs, loginUsableMs, maxParallelLogins } from "./rules/limits.ts";
import type { PlanOutcome } from "./store/prepared-store.ts";
import { createSequencer, type SequencedCalls } from "./workers-by-account.ts";

type PreparingApp = JoiningApp & Pick<App, "expectedClasses">;

/** `ending` is aborted when this process is about to end. Waiting calls are left to another process or the next start. */
export type LoginsApp = PreparingApp & { ending: AbortSignal };

/** Gives the next due class a turn, which lasts while no other class is due. @returns false if no class is due. */
export async function prepareLogins(app: LoginsApp, environment: AccountId): Promise<boolean> {
  const { claimNext, extend, settle } = app.expectedClasses;
  if (app.ending.aborted) return false;
  const claimDue = (holder: string, now: number, until: number) => claimNext(environment, holder, now, until);
  return workOnDue(app, { claimDue, extend }, async (plan, holder) => {
    await settle(plan.id, holder, await takeTurn(app, { plan, holder }));
  });
}

async function takeTurn(app: LoginsApp, claimed: ClaimedClass): Promise<PlanOutcome> {
  const { plan } = claimed;
  const now = app.clock.now();
  const rank = rankOf(plan, now);
  const over = { dueAt: now, failures: 0, rank, open: false };
  try {
    const course = await app.courses.find(plan.courseId);
    if (course === null || now >= plan.endsAt || !(await isStillDue(app, plan, course))) return over;
    // Checked once here, because it would otherwise count as a failure of each person.
    await requireActiveRegistration(app, course);
    await refuseForeignSpace(app, course, course.spaceId);
    const people = await listExpected(app, course, plan, now);
    if (plan.reason.kind === "busy-door" && hasMajorityCome(people)) return over;
    if (people.wanting.length === 0)
      return { dueAt: nextCheckAt(plan, people.nextAt, now), failures: 0, rank, open: true };
    const fetched = await fetchAll(app, claimed, people);
    const after = app.clock.now();
    const failures = fetched.includes("failed") ? plan.failures + 1 : 0;
    const othersMs = fetched.includes("elsewhere") ? 5_000 : 0;
    const pause = failures > 0 ? planRetryAfter(failures) : othersMs;
    return { dueAt: after + pause, failures, rank: rankOf(plan, after), open: true };
  } catch (thrown) {
    app.logger.warn(
      { course: plan.courseId, error: messageOf(thrown) },
      "a class cannot be authorized ahead",
    );
    const failures = plan.failures + 1;
    return { dueAt: app.clock.now() + restAfter(thrown, failures), failures, rank, open: true };
  }
}

function restAfter(thrown: unknown, failures: number): number {
  return thrown instanceof NamedError &&
    (needsAdministrator.has(thrown.code) || closedSpaceRefusals.includes(thrown.code))
    ? closedPauseMs
    : planRetryAfter(failures);
}

/** False if the session was moved or cancelled, or its Space now belongs to another course. */
async function isStillDue(app: LoginsApp, plan: ExpectedClass, course: Course): Promise<boolean> {
  const { reason } = plan;
  if (reason.kind === "busy-door") return true;
  const event = await app.events.find(plan.environment, reason.eventId);
  if (event === null || event.cancelled) return false;
  return event.startsAt === plan.startsAt && event.spaceId === course.spaceId;
}

/** Fetches logins, likeliest people first, until another class's turn comes or a call fails. */
async function fetchAll(app: LoginsApp, claimed: ClaimedClass, { wanting, expected }: ExpectedPeople) {
  const { plan } = claimed;
  const started = app.clock.now();
  const sequencer = createSequencer(app.clock, app.ending);
  const results: Preparation[] = [];
  const inside = new Set<Promise<void>>();
  let begun = 0;
  try {
    for (const { entry } of wanting) {
      // After a failure, a single call shows whether the trouble is over.
      const careful = plan.failures > 0 && !results.includes("kept");
      if (inside.size >= (careful ? 1 : maxParallelLogins)) await Promise.race(inside);
      if (results.some((result) => result === "failed" || result === "ended")) break;
      const calls = sequencer.join();
      const done = fetchOne(app, claimed, entry, calls).then((result) => {
        results.push(result);
        inside.delete(done);
      });
      inside.add(done);
      await calls.first;
      begun += 1;
      const now = app.clock.now();
      if (now - started > classListTtlMs) break;
      if (begun % turnOf(expected) === 0 && (await app.expectedClasses.othersWait(plan.environment, now)))
        break;
    }
  } finally {
    await Promise.all(inside);
    sequencer.close();
  }
  return results;
}

/** Never rejects, because nobody may be waiting for it. */
async function fetchOne(app: LoginsApp, claimed: ClaimedClass, entry: Entry, calls: SequencedCalls) {
  try {
    return await prepareLogin(app, claimed, entry, calls);
  } catch (thrown) {
    const { courseId, personId } = entry;
    app.logger.warn(
      { course: courseId, person: personId, error: messageOf(thrown) },
      "what came of a login that was authorized ahead could not be recorded",
    );
    return "failed";
  } finally {
    calls.leave();
  }
}

type ClaimedClass = { plan: ExpectedClass; holder: string };

/**
 * "not-needed": the person has come, or would now come in another way. "elsewhere": another process makes their API user. "ended": this
 * process is stopping.
 */
type Preparation = "kept" | "not-needed" | "elsewhere" | "ended" | "failed";

/** Thrown instead of making a call that is no longer needed. */
class NotNeeded extends Error {}

/**
 * Checks before the call, and each second while it waits, whether it's still needed. A call may wait minutes, and the person may be inside by
 * then, or another process may have the plan.
 */
async function prepareLogin(
  app: PreparingApp,
  claimed: ClaimedClass,
  entry: Entry,
  calls: Pick<SequencedCalls, "sequenced" | "signal">,
): Promise<Preparation> {
  const { plan } = claimed;
  const { courseId, personId } = entry;
  const key = { registrationId: plan.registrationId, courseId, personId };
  try {
    const needed = await stillNeeded(app, claimed, entry);
    const target = needed.target;
    const { url, fingerprint } = await authorizeEntry(withRechecks(app, claimed, target, calls), target, {
      priority: "session",
      signal: calls.signal,
    });
    await Promise.all([
      app.logins.keep({
        ...key,
        ...recordFor(plan, needed.fetches + 1),
        login: app.sealer.seal(loginPurpose(entry), url),
        fingerprint,
        expectedAs: { courseLinkId: entry.courseLinkId, locale: entry.locale, mobile: entry.mobile },
        usableUntil: app.clock.now() + loginUsableMs,
      }),
      app.expectedClasses.countCall(plan.id, claimed.holder),
    ]);
    return "kept";
  } catch (thrown) {
    if (thrown instanceof NotNeeded) return "not-needed";
    if (calls.signal.aborted) return "ended";
    const code = thrown instanceof NamedError ? thrown.code : "unexpected";
    if (code === "still-being-made") return "elsewhere";
    if (code === "not-in-course") return "not-needed";
    const facts = { course: courseId, person: personId, code, error: messageOf(thrown) };
    app.logger.warn(facts, "a login could not be prepared");
    const known = await app.logins.find(key);
    // A creation with unknown outcome isn't repeated automatically.
    const unknown = isOutcomeUnknown(thrown);
    const fetches = unknown ? maxFetches(plan) : fetchesOf(known, plan) + 1;
    if (unknown || !(thrown instanceof NamedError && thrown.temporary))
      await app.logins.keep({
        ...key,
        ...recordFor(plan, fetches),
        login: "",
        fingerprint: "",
        usableUntil: 0,
      });
    return "failed";
  }
}

/** Each call waits for the one before, and isn't made if the login is no longer needed. */
function withRechecks(
  app: PreparingApp,
  claimed: ClaimedClass,
  target: EntryTarget,
  { sequenced }: Pick<SequencedCalls, "sequenced">,
): PreparingApp {
  const recheck = async () => {
    const now = await stillNeeded(app, claimed, target.entry);
    if (!sameWay(target, now.target)) throw new NotNeeded("how they would come has changed");
  };
  return {
    ...app,
    classroomOf: (environment) => {
      const client = app.classroomOf(environment);
      return {
        usersHaveRoles: client.usersHaveRoles,
        createSpace: (space, options) => client.createSpace(space, sequenced(options, recheck)),
        createApiUser: (user, options) => client.createApiUser(user, sequenced(options, recheck)),
        addsToSpace: client.addsToSpace,
        addToSpace: (added, options) => client.addToSpace(added, sequenced(options, recheck)),
        authorize: (entry, options) => client.authorize(entry, sequenced(options, recheck)),
      };
    },
  };
}

async function stillNeeded(app: PreparingApp, { plan, holder }: ClaimedClass, entry: Entry) {
  const now = app.clock.now();
  const { courseId, personId } = entry;
  const key = { registrationId: plan.registrationId, courseId, personId };
  if (now >= plan.endsAt) throw new NotNeeded("the session is over");
  if (!(await app.expectedClasses.holds(plan.id, holder, now))) throw new NotNeeded("the claim was lost");
  const target = await findTarget(app, entry);
  if (target.member === null || !willEnter(target.member)) throw new NotNeeded("not in the course any more");
  const login = await app.logins.find(key);
  const queuedAt = await app.queuePositions.lastArrivalOf(key, insideSince(plan));
  const neededAt = loginNeededAt({ queuedAt, login }, plan);
  if (neededAt === null || neededAt > now) throw new NotNeeded("they have come, or have a login");
  return { target, fetches: fetchesOf(login, plan) };
}

/** A Space that exists now but didn't before is the one that was missing, so it counts as the same. */
function sameWay(before: EntryTarget, now: EntryTarget): boolean {
  const [one, other] = [before, now].map(({ entry, settings }) => JSON.stringify([entry, settings]));
  return one === other && (before.spaceId === null || before.spaceId === now.spaceId);
}

function fetchesOf(login: { plan: string; fetches: number } | null, plan: ExpectedClass): number {
  return login?.plan === plan.id ? login.fetches : 0;
}

function recordFor(plan: ExpectedClass, fetches: number) {
  return { plan: plan.id, fetches, usedAt: null, retainedUntil: plan.endsAt + loginUsableMs };
}
