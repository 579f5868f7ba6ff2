import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { hourMs } from "../../kernel/clock.ts";
import { accountOfLms } from "../accounts/known-accounts.ts";
import { arrivalTimes } from "../grading/show-grades.ts";
import { maxCount } from "./background-work.ts";
import { type Alarm, listAlarms, type OverviewApp } from "./list-alarms.ts";
import { listRegistrations, type RegistrationSummary } from "./registrations.ts";
import {
  byHealth,
  healthOf,
  healthOfAccount,
  hoursFrom,
  lastDay,
  refusedIn,
  type ServiceState,
} from "./rules/health.ts";

export type LmsLine = Awaited<ReturnType<typeof lmsLine>>;

/** Launches and scores are those of the LMSs with new courses in the account. */
export type AccountLine = ReturnType<typeof accountLines>[number];

/** Times are milliseconds since the epoch. Counts of webhooks and scores stop at `maxCount` plus one. */
export type Overview = Awaited<ReturnType<typeof showOverview>>;

/** Everything an operator looks at first. Each LMS costs a few ranges of indexes, an account costs none. */
export async function showOverview(app: OverviewApp) {
  const { receipts, deliveries, webhookArrivals, refusedLaunches, clock } = app;
  const now = clock.now();
  const { from, before } = lastDay(now);
  // Another process may have added an account.
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
  const [failedSince, unwell, arrival] = await Promise.all([
    receipts.failedSince(from, maxCount + 1),
    unwellAccounts(app),
    arrivalTimes(app, null),
  ]);
  const states = statesOfAccounts(app, alarms);
  const refused = Map.groupBy(hours, ({ registrationId }) => registrationId);
  const known = { alarms, arrivals, states, since: from, refused };
  const lines = await Promise.all(listed.map((summary) => lmsLine(app, summary, known, now)));
  return {
    // Worst first, like lines and accounts.
    alarms,
    scoresWaiting,
    /** Includes scores of any age. */
    scoresRefused,
    oldestScoreAt,
    failedWebhooks,
    /** The latest webhook of all accounts. Null if none ever came. */
    lastWebhookAt: arrivals.size === 0 ? null : Math.max(...arrivals.values()),
    /** In the last day, including those of unregistered LMSs. */
    failedLaunches: refusedIn(hours),
    /** From mark to gradebook. */
    arrival,
    lines: lines.toSorted(byHealth),
    accounts: accountLines(app, { lines, alarms, arrivals, failedSince, unwell, states }, now).toSorted(
      byHealth,
    ),
  };
}

async function lmsLine(
  { deliveries }: Pick<OverviewApp, "deliveries">,
  { registration, deployments, accounts, lastLaunchAt }: RegistrationSummary,
  known: {
    alarms: readonly Alarm[];
    arrivals: ReadonlyMap<string, number>;
    states: ReadonlyMap<AccountId, ServiceState>;
    since: number;
    /** Refused launches by LMS. */
    refused: ReadonlyMap<string, readonly { count: number }[]>;
  },
  now: number,
) {
  const { id, active } = registration;
  const accountId = accountOfLms(registration);
  const [scoresWaiting, refusedScores] = await Promise.all([
    deliveries.countWaitingOf(id, maxCount + 1),
    deliveries.countRefusedOf(id, known.since, maxCount + 1),
  ]);
  const failedLaunches = refusedIn(known.refused.get(id) ?? []);
  const alarms = known.alarms.filter((one) => one.registration?.id === id);
  const account = known.states.get(accountId) ?? "on";
  const partDown = deployments.some((one) => known.states.get(one.account ?? "") === "down");
  return {
    registration,
    accounts,
    health: healthOf({ active, alarms, lastLaunchAt, refusedScores, account, partDown }, now),
    lastLaunchAt,
    scoresWaiting,
    failedLaunches,
    refusedScores,
    lastWebhookAt: known.arrivals.get(accountId) ?? null,
    /** In the last day, together. */
    failures: failedLaunches + refusedScores,
  };
}

/** Failures in an hour. More are counted and drawn as this many. */
export const maxOfHour = 2_000;

/**
 * Counts failed launches, incoming webhooks, and scores that a gradebook accepted, in each of the last 24 hours, the present one last. Costs
 * 48 ranges of indexes.
 */
export async function countByHour({ receipts, deliveries, refusedLaunches, clock }: OverviewApp) {
  const { from, before } = lastDay(clock.now());
  const refused = await refusedLaunches.listHours(from, before);
  const hours = hoursFrom(from);
  const each = (count: OverviewApp["receipts"]["countArrived"]) =>
    Promise.all(hours.map((hour) => count(hour, hour + hourMs, maxOfHour)));
  const inHour = (hour: number) => refused.filter((one) => one.hour === hour);
  return {
    launches: hours.map((hour) => refusedIn(inHour(hour))),
    webhooks: await each(receipts.countArrived),
    scores: await each(deliveries.countDelivered),
  };
}

function statesOfAccounts(
  { accounts }: OverviewApp,
  alarms: readonly Alarm[],
): ReadonlyMap<AccountId, ServiceState> {
  const down = new Set(
    alarms.flatMap(({ what, account }) =>
      what === "account-unreadable" || what === "account-fails" ? (account ?? []) : [],
    ),
  );
  const working = (paused: boolean) => (paused ? "paused" : "on");
  return new Map(accounts.list().map(({ id, paused }) => [id, down.has(id) ? "down" : working(paused)]));
}

function accountLines(
  { accounts }: OverviewApp,
  known: {
    lines: readonly LmsLine[];
    alarms: readonly Alarm[];
    arrivals: ReadonlyMap<string, number>;
    failedSince: ReadonlyMap<string, number>;
    unwell: readonly AccountId[];
    states: ReadonlyMap<AccountId, ServiceState>;
  },
  now: number,
) {
  const { lines, alarms, arrivals, failedSince, unwell, states } = known;
  const silent = new Set(alarms.flatMap(({ what, account }) => (what === "webhooks" ? (account ?? []) : [])));
  return accounts.list().map(({ id, name, stage }) => {
    const own = lines.filter((line) => line.accounts.includes(id));
    const failedWebhooks = failedSince.get(id) ?? 0;
    const lastLaunchAt = own.reduce<number | null>(
      (last, one) => (one.lastLaunchAt === null ? last : Math.max(last ?? 0, one.lastLaunchAt)),
      null,
    );
    const toCheck = silent.has(id) || failedWebhooks > 0 || unwell.includes(id);
    return {
      account: { id, name, stage },
      health: healthOfAccount({ state: states.get(id) ?? "on", toCheck, lastLaunchAt }, now),
      lmss: own.length,
      lastLaunchAt,
      lastWebhookAt: arrivals.get(id) ?? null,
      scoresWaiting: own.reduce((sum, one) => sum + one.scoresWaiting, 0),
      failures: failedWebhooks,
      failedWebhooks,
    };
  });
}

/** Accounts in which the latest examination found something wrong. */
export async function unwellAccounts({ doctorRuns }: Pick<App, "doctorRuns">): Promise<readonly AccountId[]> {
  const run = await doctorRuns.find();
  return (run?.found?.environments ?? []).flatMap(({ environment, findings }) =>
    findings.some(({ level }) => level === "wrong") ? [environment] : [],
  );
}
