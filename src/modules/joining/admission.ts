import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Background } from "../../kernel/async.ts";
import { isOutcomeUnknown, messageOf, NamedError } from "../../kernel/errors.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { createWorker, type Worker } from "../../tasks/create-worker.ts";
import { type JoiningApp, authorizeEntry, loginPurpose, usableUntil } from "./enter-class.ts";
import { findTarget } from "./entry-target.ts";
import { maxParallelEntries, retryAfterMs, retryWindowMs, stopWaitMs } from "./rules/limits.ts";
import type { EntryProblem, QueuePosition } from "./rules/queue-position.ts";

/** `ending` is aborted when this process ends. People then return to their positions. */
type AdmittingApp = JoiningApp & { ending: AbortSignal };

/** Lets people in, for one account. When it stops, it finishes the entries under way. */
export function queueWorker(app: JoiningApp & Pick<App, "background">, environment: AccountId): Worker {
  const ending = new AbortController();
  const worker = createWorker(app, {
    name: `waiting queue of ${environment}`,
    lanes: 1,
    step: admitStep({ ...app, admitNext: () => admitNext({ ...app, ending: ending.signal }, environment) }),
  });
  return {
    ...worker,
    stop: async () => {
      const stopped = worker.stop();
      // Waits for a call under way, but not for a pause that the classroom asked for.
      await Promise.race([Promise.all([stopped, app.background.settle()]), app.clock.sleep(stopWaitMs)]);
      ending.abort();
      await stopped;
    },
  };
}

/** Takes the first person out of the queue. Ends as soon as the next person may be taken. */
function admitStep(app: { admitNext: () => ReturnType<typeof admitNext>; background: Background }) {
  const inside = new Set<Promise<void>>();
  return async () => {
    if (inside.size >= maxParallelEntries) await Promise.race(inside);
    const admitted = await app.admitNext();
    if (admitted === null) return false;
    const done = admitted.done.finally(() => inside.delete(done));
    inside.add(done);
    app.background.run("let a person in", () => done);
    await admitted.goOn;
    return true;
  };
}

/**
 * Takes the first person out of the queue and fetches their login. `goOn` resolves when the classroom has been called, so each process has at
 * most one person before the throttle, and calls go out in the queue's order.
 * @returns null if nobody waits. `done` resolves when the login is there or the entry has failed.
 */
export async function admitNext(
  app: AdmittingApp,
  environment: AccountId,
): Promise<{ goOn: Promise<void>; done: Promise<void> } | null> {
  const holder = app.ids.id("hold");
  const now = app.clock.now();
  const position = await app.queuePositions.claimNext(environment, holder, now, now + leaseMs);
  if (position === null) return null;
  const next = Promise.withResolvers<undefined>();
  const goOn = () => {
    next.resolve(undefined);
  };
  const done = admit(app, position, holder, goOn).finally(goOn);
  return { goOn: next.promise, done };
}

async function admit(app: AdmittingApp, position: QueuePosition, holder: string, goOn: () => void) {
  const { queuePositions, clock } = app;
  const { leaving, queued, sent } = abortUntilSent(app.ending);
  try {
    await withClaim(
      app,
      { until: 0, extend: (until) => queuePositions.extend(position.id, holder, until) },
      async () => {
        const target = await findTarget(app, position);
        const { url, fingerprint } = await authorizeEntry(app, target, {
          priority: "entry",
          signal: leaving,
          onWait: queued,
          onPermit: () => {
            sent();
            goOn();
          },
        });
        const login = app.sealer.seal(loginPurpose(position), url);
        await queuePositions.keepLogin(position.id, holder, {
          login,
          fingerprint,
          usableUntil: usableUntil(clock.now()),
        });
      },
    );
  } catch (thrown) {
    await afterFailure(app, position, holder, thrown);
  } finally {
    sent();
  }
  app.waitingQueue.notify(position.id);
}

/** Follows `ending` until the call is sent. A call that was sent is finished, not repeated. */
function abortUntilSent(ending: AbortSignal): { leaving: AbortSignal; queued: () => void; sent: () => void } {
  const leaving = new AbortController();
  const leave = () => {
    leaving.abort(ending.reason);
  };
  return {
    leaving: leaving.signal,
    queued: () => {
      ending.addEventListener("abort", leave);
      if (ending.aborted) leave();
    },
    sent: () => {
      ending.removeEventListener("abort", leave);
    },
  };
}

async function afterFailure(app: AdmittingApp, position: QueuePosition, holder: string, thrown: unknown) {
  const now = app.clock.now();
  // A creation with unknown outcome isn't repeated automatically.
  const repeatable = !isOutcomeUnknown(thrown);
  if (app.ending.aborted && repeatable) {
    const { problem, troubleSince } = position;
    await app.queuePositions.putBack(position.id, holder, { problem, troubleSince, notBefore: now });
    return;
  }
  const problem = problemOf(thrown);
  const troubleSince = position.troubleSince ?? now;
  // Only an operator ends an account's pause, so people who wait see the pause immediately.
  const mayPass = problem.temporary && problem.code !== "account-paused";
  if (mayPass && repeatable && now - troubleSince < retryWindowMs) {
    await app.queuePositions.putBack(position.id, holder, {
      problem,
      troubleSince,
      notBefore: now + retryAfterMs,
    });
    return;
  }
  const { code } = problem;
  app.logger.warn({ place: position.id, code, error: messageOf(thrown) }, "a person could not be let in");
  await app.queuePositions.fail(position.id, holder, problem);
}

function problemOf(thrown: unknown): EntryProblem {
  if (!(thrown instanceof NamedError))
    return {
      code: "unexpected",
      message: "Something went wrong on our side. Please try again.",
      status: 500,
      temporary: true,
    };
  const { code, message, status, temporary } = thrown;
  return { code, message, status, temporary };
}
