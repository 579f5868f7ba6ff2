import type { App } from "../../app.ts";
import type { ClassroomAccount } from "../../classroom/account.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Registration } from "../../domain/registration.ts";
import { accountOfLms } from "../accounts/known-accounts.ts";
import { arrivalTimes } from "../grading/show-grades.ts";
import { maxCount } from "./background-work.ts";
import { type Alarm, listAlarms, type OverviewApp } from "./list-alarms.ts";
import { listRegistrations } from "./registrations.ts";
import {
  type AccountUse,
  byHealth,
  failedByLms,
  type Health,
  healthOf,
  healthOfAccount,
  hourMs,
  hoursFrom,
  lastDay,
} from "./rules/health.ts";

type Line = {
  health: Health;
  lastLaunchAt: number | null;
  lastWebhookAt: number | null;
  scoresWaiting: number;
  /** Of the last day, together. */
  failures: number;
};

export type LmsLine = Line & {
  registration: Registration;
  failedLaunches: number;
  refusedScores: number;
};

/** Launches and scores are those of the LMSs whose new courses it serves. */
export type AccountLine = Line & {
  account: Pick<ClassroomAccount, "id" | "name" | "stage">;
  lmss: number;
  failedWebhooks: number;
};

/** Times are milliseconds since the epoch. Counts of webhooks and scores end at `maxCount` and one. */
export type Overview = Awaited<ReturnType<typeof showOverview>>;

/** Everything an operator looks at first. Each LMS costs a few ranges of indexes, each account nothing more. */
export async function showOverview(app: OverviewApp) {
  const { receipts, deliveries, webhookArrivals, refusedLaunches, clock } = app;
  const now = clock.now();
  const { from, before } = lastDay(now);
  // Another process may have added one.
  await app.accounts.refresh();
  const listed = await listRegistrations(app);
  const [alarms, scoresWaiting, scoresRefused, oldestScoreAt, failedWebhooks, arrivals, hours] =
    await Promise.all([
      listAlarms(app, listed),
      deliveries.countUpTo("waiting", maxCount + 1),
      deliveries.countUpTo("refused", maxCount + 1),
      deliveries.oldestWaiting(),
      receipts.countUpTo("failed", maxCount + 1),
      webhookArrivals.lastOfAll(),
      refusedLaunches.listHours(from, before),
    ]);
  const [failedSince, unwell, perHour, arrival] = await Promise.all([
    receipts.failedSince(from, maxCount + 1),
    unwellAccounts(app),
    countByHour(app, from, hours),
    arrivalTimes(app, null),
  ]);
  const uses = usesOfAccounts(app, alarms);
  const failedLaunches = failedByLms(hours);
  const alarmsOf = Map.groupBy(alarms, ({ registration }) => registration?.id ?? null);
  const lines = await Promise.all(
    listed.map(async ({ registration, deployments, lastLaunchAt }): Promise<LmsLine> => {
      const { id, active } = registration;
      const ownAccount = accountOfLms(registration);
      const [waiting, refusedScores] = await Promise.all([
        deliveries.countWaitingOf(id, maxCount + 1),
        deliveries.countRefusedOf(id, from, maxCount + 1),
      ]);
      const failed = failedLaunches.get(id)?.count ?? 0;
      const account = uses.get(ownAccount) ?? "on";
      const partDown = deployments.some((one) => uses.get(one.account ?? "") === "down");
      const facts = { active, alarms: alarmsOf.get(id) ?? [], lastLaunchAt, refusedScores };
      return {
        registration,
        health: healthOf({ ...facts, account, partDown }, now),
        lastLaunchAt,
        lastWebhookAt: arrivals.get(ownAccount) ?? null,
        scoresWaiting: waiting,
        failures: failed + refusedScores,
        failedLaunches: failed,
        refusedScores,
      };
    }),
  );
  return {
    // Worst first, and so are lines and accounts.
    alarms,
    scoresWaiting,
    /** Until somebody acts, however old. */
    scoresRefused,
    oldestScoreAt,
    failedWebhooks,
    /** Of all accounts; null when none ever came. */
    lastWebhookAt: arrivals.size === 0 ? null : Math.max(...arrivals.values()),
    /** Of the last day, those of no registered LMS included. */
    failedLaunches: hours.reduce((sum, { count }) => sum + count, 0),
    /** Each of the last 24 hours, this one last. */
    perHour,
    /** From mark to gradebook. */
    arrival,
    lines: lines.toSorted(byHealth),
    accounts: accountLines(app, { lines, alarms, arrivals, failedSince, unwell, uses }, now).toSorted(
      byHealth,
    ),
  };
}

/** Of an hour; more are counted and drawn alike. */
export const maxOfHour = 2_000;

/** Failed launches, webhooks that came, and scores that a gradebook took. */
async function countByHour(
  { receipts, deliveries }: OverviewApp,
  from: number,
  failed: readonly { hour: number; count: number }[],
) {
  const hours = hoursFrom(from);
  const each = (count: OverviewApp["receipts"]["countArrived"]) =>
    Promise.all(hours.map((hour) => count(hour, hour + hourMs, maxOfHour)));
  const inHour = (hour: number) => failed.filter((one) => one.hour === hour);
  return {
    launches: hours.map((hour) => inHour(hour).reduce((sum, { count }) => sum + count, 0)),
    webhooks: await each(receipts.countArrived),
    scores: await each(deliveries.countDelivered),
  };
}

function usesOfAccounts(
  { accounts }: OverviewApp,
  alarms: readonly Alarm[],
): ReadonlyMap<AccountId, AccountUse> {
  const down = new Set(
    alarms.flatMap(({ what, account }) =>
      what === "account-unreadable" || what === "account-fails" ? (account ?? []) : [],
    ),
  );
  return new Map(
    accounts.list().map(({ id, paused }) => [id, down.has(id) ? "down" : paused ? "paused" : "on"]),
  );
}

function accountLines(
  { accounts }: OverviewApp,
  known: {
    lines: readonly LmsLine[];
    alarms: readonly Alarm[];
    arrivals: ReadonlyMap<string, number>;
    failedSince: ReadonlyMap<string, number>;
    unwell: readonly AccountId[];
    uses: ReadonlyMap<AccountId, AccountUse>;
  },
  now: number,
): AccountLine[] {
  const { lines, alarms, arrivals, failedSince, unwell, uses } = known;
  const linesOf = Map.groupBy(lines, ({ registration }) => accountOfLms(registration));
  const silent = new Set(alarms.flatMap(({ what, account }) => (what === "webhooks" ? (account ?? []) : [])));
  return accounts.list().map(({ id, name, stage }) => {
    const own = linesOf.get(id) ?? [];
    const failedWebhooks = failedSince.get(id) ?? 0;
    const lastLaunchAt = own.reduce<number | null>(
      (last, one) => (one.lastLaunchAt === null ? last : Math.max(last ?? 0, one.lastLaunchAt)),
      null,
    );
    const toCheck = silent.has(id) || failedWebhooks > 0 || unwell.includes(id);
    return {
      account: { id, name, stage },
      health: healthOfAccount({ use: uses.get(id) ?? "on", toCheck, lastLaunchAt }, now),
      lmss: own.length,
      lastLaunchAt,
      lastWebhookAt: arrivals.get(id) ?? null,
      scoresWaiting: own.reduce((sum, one) => sum + one.scoresWaiting, 0),
      failures: failedWebhooks,
      failedWebhooks,
    };
  });
}

/** Accounts that the latest examination found something wrong with. */
export async function unwellAccounts({ doctorRuns }: Pick<App, "doctorRuns">): Promise<readonly AccountId[]> {
  const run = await doctorRuns.find();
  return (run?.found?.environments ?? []).flatMap(({ environment, findings }) =>
    findings.some(({ level }) => level === "wrong") ? [environment] : [],
  );
}
