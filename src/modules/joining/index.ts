import type { App } from "../../app.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Module } from "../../module.ts";
import { catchUp } from "../../tasks/catch-up.ts";
import { createWorker, wakeTimeoutMs } from "../../tasks/create-worker.ts";
import { wokenFor, type Work } from "../../tasks/work.ts";
import { prepareLogins } from "./prepare-logins.ts";
import { queueWorker } from "./queue-worker.ts";
import { expectClasses } from "./expect-classes.ts";
import { spaceRoutes } from "./pages/space-routes.ts";
import { waitingRoutes } from "./pages/waiting-routes.ts";
import { busyCheckIntervalMs, timetableIntervalMs } from "./rules/limits.ts";

export function createJoining(app: App): Module {
  const { metrics, clock, environments, expectedClasses, wake } = app;
  metrics.gauge("ready_logins", "People for whom a login waits that was authorized ahead", [], async () => [
    [{}, await app.logins.countReady(clock.now())],
  ]);
  metrics.gauge("people_at_the_door", "People who wait to be let in, by environment", ["environment"], () =>
    Promise.all(
      (["production", "staging"] as const).map(
        async (environment) =>
          [{ environment }, await app.queuePositions.countWaiting(environment, clock.now())] as const,
      ),
    ),
  );
  const countDue = (at: number) => expectedClasses.countDue(environments, at);
  return {
    routes: { pages: [spaceRoutes(app), waitingRoutes(app)] },
    works: environments.flatMap((environment): Work[] => {
      const looking = createWorker(app, {
        name: `timetable of ${environment}`,
        lanes: 1,
        idleMs: timetableIntervalMs,
        step: () => expectClasses(app, environment),
      });
      const fetching = createWorker(app, {
        name: `prepared logins of ${environment}`,
        lanes: 1,
        idleMs: wakeTimeoutMs,
        step: (ending) => prepareLogins({ ...app, ending }, environment),
      });
      return [
        wokenFor(queueWorker(app, environment), "door"),
        wokenFor(fetching, "ahead"),
        {
          worker: looking,
          wakes: [
            ["upcoming", looking.wake],
            ["arrivals", atMostEvery(clock, busyCheckIntervalMs, looking.wake)],
          ],
        },
      ];
    }),
    jobs: [
      {
        name: "authorize-ahead",
        at: "* * * * *",
        run: (ending) => {
          wake("upcoming");
          return catchUp(
            { ...app, ending },
            {
              countDue,
              countLeft: countDue,
              countSince: (since) => expectedClasses.countSince(environments, since),
              wake: () => wake("ahead"),
            },
          );
        },
      },
    ],
  };
}

function atMostEvery(clock: Clock, intervalMs: number, look: () => void): () => void {
  let lookedAt = 0;
  return () => {
    const now = clock.now();
    if (now < lookedAt + intervalMs && now >= lookedAt) return;
    lookedAt = now;
    look();
  };
}
