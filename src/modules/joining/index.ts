import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Module } from "../../module.ts";
import { catchUp } from "../../tasks/timetable.ts";
import { createWorker } from "../../tasks/create-worker.ts";
import { prepareLogins } from "./prepare-logins.ts";
import { queueWorker } from "./admission.ts";
import { accountsToExpect, expectClasses } from "./expect-classes.ts";
import type { QuietCourse } from "./rules/expected-class.ts";
import { spaceRoutes } from "./pages/space-page.ts";
import { waitingRoutes } from "./pages/waiting-routes.ts";
import { workersByAccount } from "./workers-by-account.ts";
import { busyCheckIntervalMs, timetableIntervalMs } from "./rules/limits.ts";

export function createJoining(app: App): Module {
  const { metrics, clock, accounts, expectedClasses } = app;
  metrics.gauge("ready_logins", "People with a prepared login", [], async () => [
    [{}, await app.logins.countReady(clock.now())],
  ]);
  metrics.gauge(
    "people_at_the_door",
    "People who wait to be let in, by environment",
    ["environment"],
    async () => {
      const ids = accounts.ids();
      const waiting = await app.queuePositions.countWaitingByAccount(ids, clock.now());
      return ids.map((environment) => [{ environment }, waiting.get(environment) ?? 0] as const);
    },
  );
  const countDue = (at: number) => expectedClasses.countDue(accounts.ids(), at);
  /** Whether people came since the last check. True at the start, because a killed process may have left some unchecked. */
  let arrived = true;
  const quietCourses = new Map<string, QuietCourse>();
  const looking = createWorker(app, {
    name: "timetable",
    lanes: 1,
    step: async () => {
      let more = false;
      const extent = arrived ? "arrivals-too" : "timetable";
      arrived = false;
      const expecting = { ...app, quietCourses };
      for (const account of await accountsToExpect(expecting, extent))
        more = (await expectClasses(expecting, account, extent)) || more;
      return more || timetableIntervalMs;
    },
  });
  const checkArrivals = () => {
    arrived = true;
    looking.wake();
  };
  const fetching = (account: AccountId) =>
    createWorker(app, {
      name: `prepared logins of ${account}`,
      lanes: 1,
      step: (ending) => prepareLogins({ ...app, ending }, account),
    });
  return {
    routes: { pages: [spaceRoutes(app), waitingRoutes(app)] },
    works: [
      workersByAccount(app, "door", (account) => queueWorker(app, account)),
      workersByAccount(app, "ahead", fetching),
      {
        worker: looking,
        wakes: [
          ["upcoming", looking.wake],
          ["arrivals", throttled(clock, busyCheckIntervalMs, checkArrivals)],
        ],
      },
    ],
    jobs: [
      {
        name: "authorize-ahead",
        at: "*/10 * * * *",
        sooner: { due: ["ahead"] },
        run: (ending) =>
          catchUp(
            { ...app, ending },
            {
              countDue,
              countLeft: countDue,
              countSince: (since) => expectedClasses.countSince(accounts.ids(), since),
            },
          ),
      },
    ],
  };
}

function throttled(clock: Clock, intervalMs: number, run: () => void): () => void {
  let ranAt = 0;
  return () => {
    const now = clock.now();
    if (now < ranAt + intervalMs && now >= ranAt) return;
    ranAt = now;
    run();
  };
}
