import type { App } from "../../app.ts";
import { isStuck } from "./rules/job.ts";
import type { AccountId } from "../../domain/account.ts";
import { silentSince } from "./rules/webhook-silence.ts";
import type { JobStore } from "./store/job-store.ts";
import type { Trouble } from "./check-readiness.ts";

export type CheckWarningsDeps = Pick<
  App,
  "receipts" | "deliveries" | "unsentAlarmAfter" | "events" | "webhookArrivals" | "accounts" | "clock"
> & {
  jobs: Pick<JobStore, "list">;
  /** After ended sessions, this long without a webhook is no alarm (ms). */
  silenceAlarmAfter: number;
};

const lookBackMs = 14 * 24 * 3_600_000;
const minSessions = 5;
/** Age of the oldest unprocessed webhook that is an alarm. */
const receiptAlarmMs = 10 * 60_000;
/** An account's last refused webhook is an alarm for so long. */
const refusedAlarmMs = 3_600_000;

/**
 * Troubles that take no process out of service.
 * @param silent Accounts whose webhooks are missing, where somebody remembers them.
 */
export async function checkWarnings(
  deps: CheckWarningsDeps,
  silent: () => Promise<readonly Trouble[]> = () => silentAccounts(deps),
): Promise<Trouble[]> {
  return [
    await lateReceipts(deps),
    await lateScores(deps),
    ...(await silent()),
    ...(await refusedAccounts(deps)),
    await deadLetters(deps),
    await refusedScores(deps),
    await jobs(deps),
  ].filter((one) => one !== null);
}

async function lateReceipts({ receipts, clock }: CheckWarningsDeps): Promise<Trouble | null> {
  const since = await receipts.oldestWaiting();
  if (since === null || clock.now() - since <= receiptAlarmMs) return null;
  return {
    what: "receipts",
    message: `The oldest unprocessed webhook waits since ${iso(since)}. Look at the log for "a worker's step failed" and for failed calls to the classroom; "npm run doctor" says what to mend there.`,
  };
}

async function lateScores({
  deliveries,
  unsentAlarmAfter,
  clock,
}: CheckWarningsDeps): Promise<Trouble | null> {
  const since = await deliveries.oldestWaiting();
  if (since === null || clock.now() - since <= unsentAlarmAfter) return null;
  return {
    what: "scores",
    message: `The oldest unsent score waits since ${iso(since)}. /admin/deliveries?state=waiting names its LMS. Test that LMS on its page, or with "npm run cli -- platform test ID", and mend what it names; the scores go by themselves then.`,
  };
}

/** A read for each account that is quiet: at night that is every one. @param among All accounts when left out. */
export async function silentAccounts(
  deps: CheckWarningsDeps,
  among: readonly AccountId[] = deps.accounts.ids(),
): Promise<Trouble[]> {
  const last = await deps.webhookArrivals.lastOfAll();
  const found = among.map((account) => silence(deps, account, last.get(account) ?? null));
  return (await Promise.all(found)).filter((one) => one !== null);
}

async function silence(
  deps: CheckWarningsDeps,
  environment: AccountId,
  lastAt: number | null,
): Promise<Trouble | null> {
  const now = deps.clock.now();
  const from = Math.max(lastAt ?? 0, now - lookBackMs);
  const until = now - deps.silenceAlarmAfter;
  const endedSince =
    from >= until ? [] : await deps.events.endedBetween(environment, from, until, minSessions);
  const since = silentSince({ lastAt, endedSince }, deps.silenceAlarmAfter, now);
  if (since === null) return null;
  const last = lastAt === null ? "none ever came" : `the last one came ${iso(lastAt)}`;
  return {
    what: "webhooks",
    account: environment,
    message: `Sessions have ended since ${iso(since)}, but no webhook came from the ${environment} classroom (${last}). Check the address and the secret that are set there; "npm run cli -- webhooks connect" sets them. Attendance is read meanwhile, later than usual.`,
  };
}

async function refusedAccounts({ webhookArrivals, clock }: CheckWarningsDeps): Promise<Trouble[]> {
  const accounts = await webhookArrivals.refusedSince(clock.now() - refusedAlarmMs);
  return accounts.map((account) => ({
    what: "webhooks-refused",
    account,
    message: `Webhooks of the account ${account} are refused until midnight (UTC): too many of today had no effect. /admin/receipts shows them. Ask its institution what sends them, and replace the secret if nobody knows. Attendance is read meanwhile, later than usual.`,
  }));
}

async function deadLetters({ receipts }: CheckWarningsDeps): Promise<Trouble | null> {
  const failed = await receipts.countUpTo("failed", maxCount);
  if (failed === 0) return null;
  return {
    what: "failed-webhooks",
    message: `${orMore(failed)} webhook(s) failed. /admin/receipts?state=failed says why each did. Fix the reason, then process them again there.`,
  };
}

async function refusedScores({ deliveries }: CheckWarningsDeps): Promise<Trouble | null> {
  const refused = await deliveries.countUpTo("refused", maxCount);
  if (refused === 0) return null;
  return {
    what: "refused-scores",
    message: `${orMore(refused)} score(s) were refused by an LMS. /admin/deliveries?state=refused says why, and so does the Grades page of the course. Fix the reason, then send them again there.`,
  };
}

async function jobs({ jobs: store, clock }: CheckWarningsDeps): Promise<Trouble | null> {
  const now = clock.now();
  const stuck = (await store.list()).filter((job) => isStuck(job, now));
  if (stuck.length === 0) return null;
  return {
    what: "jobs",
    message: `Jobs are late or failed: ${stuck.map(({ name }) => name).join(", ")}. "npm run cli -- jobs" and /admin/jobs say why.`,
  };
}

const maxCount = 10_000;

function orMore(number: number): string {
  return number < maxCount ? String(number) : `${number} or more`;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
