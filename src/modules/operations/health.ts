import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { inTime, remembered } from "../../kernel/async.ts";
import { dayMs, hourMs, inStepMs } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import { advice, type CodedSentence } from "../../kernel/refusal.ts";
import { areMissing } from "./rules/health.ts";
import { isStuck } from "./rules/job.ts";
import type { JobStore } from "./store/upkeep-stores.ts";

/** What finding problems of the tool needs. */
export type HealthApp = Pick<App, "receipts" | "deliveries" | "unsentAlarmAfter" | "events"> &
  Pick<App, "webhookArrivals" | "accounts" | "clock"> & {
    jobs: Pick<JobStore, "list">;
    /** How long after ended sessions missing webhooks aren't an alarm yet (ms). */
    silenceAlarmAfter: number;
  };
type StateApp = { ping: () => Promise<void>; storeTime: Pick<App["storeTime"], "lead"> };

export type OperatorReport = {
  ready: boolean;
  problems: readonly Trouble[];
  /** What needs an operator although the process is ready. */
  warnings: readonly Trouble[];
};

/** Short, so a store that is back is used again within seconds. */
const readinessTtlMs = 2_000;
/** Warnings change slowly and cost some reads. */
const warningsTtlMs = 10_000;
/** Missing webhooks only become an alarm after hours, and there may be hundreds of accounts. */
const silenceTtlMs = 15 * 60_000;
const timeoutMs = 3_000;

/** Load balancers ask often, so simultaneous callers share one check, which takes at most a twentieth of the time. */
export function reportHealth(app: HealthApp & StateApp & Pick<App, "logger">): () => Promise<OperatorReport> {
  const { clock, logger } = app;
  const readiness = remembered({ clock, maxMs: readinessTtlMs }, () => checkReadiness(app));
  const silent = remembered({ clock, minMs: silenceTtlMs }, () => silentAccounts(app));
  /** Accounts that were silent are checked again, so their alarm ends with the first webhook. */
  const stillSilent = async () => {
    const accounts = (await silent()).flatMap(({ account }) => account ?? []);
    return accounts.length === 0 ? [] : silentAccounts(app, accounts);
  };
  const warned = new Set<string>();
  const warnings = remembered({ clock, minMs: warningsTtlMs }, async () => {
    const found = await checkWarnings(app, stillSilent);
    warnAbout(logger, warned, found);
    return found;
  });
  return async () => {
    const { ready, problems } = await readiness();
    if (problems.some(({ what }) => what === "store")) return { ready, problems, warnings: [] };
    return { ready, problems, warnings: await unlessFailed(logger, warnings) };
  };
}

/** A failure here makes no process unready. */
async function unlessFailed(logger: Logger, warnings: () => Promise<Trouble[]>): Promise<Trouble[]> {
  try {
    return await inTime(warnings(), timeoutMs);
  } catch (thrown) {
    logger.warn({ error: messageOf(thrown) }, "checking for what needs an operator failed");
    return [];
  }
}

/** Writes one line into the log when a trouble begins, and one when it ends. */
function warnAbout(logger: Logger, warned: Set<string>, found: readonly Trouble[]): void {
  for (const { what, message } of found) {
    if (!warned.has(what)) logger.warn({ what, advice: message }, "something needs an operator");
    warned.add(what);
  }
  for (const what of [...warned].filter((one) => !found.some((other) => other.what === one))) {
    logger.info({ what }, "what needed an operator is over");
    warned.delete(what);
  }
}

const pingTimeoutMs = 3_000;

/** For operators: what it's about, for programs, and a sentence with what to do. */
export type Trouble = {
  what: TroubleName;
  message: string;
  /** Left out: only in English. */
  coded?: CodedSentence;
  /** The classroom account it's about. Left out: none in particular. */
  account?: AccountId;
};

/** The first three make this process unready. The others are warnings. */
export const troubleNames = [
  "store",
  "process",
  "clock",
  "receipts",
  "scores",
  "webhooks",
  "webhooks-refused",
  "failed-webhooks",
  "refused-scores",
  "jobs",
] as const;
export type TroubleName = (typeof troubleNames)[number];

/**
 * Checks only whether this process can read and write its store, and whether its clock agrees with the store's. More checks would make a load
 * balancer take all processes out of service at once.
 */
export async function checkReadiness({
  ping,
  storeTime,
}: StateApp): Promise<Omit<OperatorReport, "warnings">> {
  try {
    await inTime(ping(), pingTimeoutMs);
    const clock = wrongClock(storeTime.lead());
    return { ready: clock === null, problems: clock === null ? [] : [clock] };
  } catch (thrown) {
    const reason = messageOf(thrown);
    return { ready: false, problems: [{ what: "store", ...advice("store-unreachable", { reason }) }] };
  }
}

function wrongClock({ ms, doubtMs }: ReturnType<App["storeTime"]["lead"]>): Trouble | null {
  if (Math.abs(ms) + doubtMs <= inStepMs) return null;
  const doubt = doubtMs < 100 ? "" : ` ± ${(doubtMs / 1_000).toFixed(1)}`;
  const seconds = `${(Math.abs(ms) / 1_000).toFixed(1)}${doubt}`;
  return { what: "clock", ...advice(ms > 0 ? "clock-ahead" : "clock-behind", { seconds }) };
}

const evidenceMs = 14 * dayMs;
const minSessions = 5;
/** From this age on, the oldest unprocessed webhook is an alarm. */
const receiptAlarmMs = 10 * 60_000;
/** How long a refused webhook of an account is an alarm (ms). */
const refusedAlarmMs = hourMs;

/** Troubles that take no process out of service. @param silent Accounts whose webhooks are missing, if they are cached. */
export async function checkWarnings(
  app: HealthApp,
  silent: () => Promise<readonly Trouble[]> = () => silentAccounts(app),
): Promise<Trouble[]> {
  return [
    await lateReceipts(app),
    await lateScores(app),
    ...(await silent()),
    ...(await refusedAccounts(app)),
    await deadLetters(app),
    await refusedScores(app),
    await jobs(app),
  ].filter((one) => one !== null);
}

async function lateReceipts({ receipts, clock }: HealthApp): Promise<Trouble | null> {
  const since = await receipts.oldestWaiting();
  if (since === null || clock.now() - since <= receiptAlarmMs) return null;
  return { what: "receipts", ...advice("webhooks-late", {}) };
}

async function lateScores({ deliveries, unsentAlarmAfter, clock }: HealthApp): Promise<Trouble | null> {
  const since = await deliveries.oldestWaiting();
  if (since === null || clock.now() - since <= unsentAlarmAfter) return null;
  return { what: "scores", ...advice("scores-late", {}) };
}

/** Takes one read per quiet account, which at night is every account. @param among Default: all accounts. */
async function silentAccounts(app: HealthApp, among: readonly AccountId[] = app.accounts.ids()) {
  const last = await app.webhookArrivals.lastOfAll();
  const found = among.map((account) => silence(app, account, last.get(account) ?? null));
  return (await Promise.all(found)).filter((one) => one !== null);
}

async function silence(
  app: HealthApp,
  environment: AccountId,
  lastAt: number | null,
): Promise<Trouble | null> {
  const now = app.clock.now();
  const from = Math.max(lastAt ?? 0, now - evidenceMs);
  const until = now - app.silenceAlarmAfter;
  const endedSince =
    from >= until ? [] : await app.events.endedBetween(environment, from, until, minSessions);
  if (!areMissing({ lastAt, endedSince }, app.silenceAlarmAfter, now)) return null;
  return { what: "webhooks", account: environment, ...advice("webhooks-missing", { account: environment }) };
}

async function refusedAccounts({ webhookArrivals, clock }: HealthApp): Promise<Trouble[]> {
  const accounts = await webhookArrivals.refusedSince(clock.now() - refusedAlarmMs);
  return accounts.map((account) => ({
    what: "webhooks-refused",
    account,
    ...advice("webhooks-refused", { account }),
  }));
}

async function deadLetters({ receipts }: HealthApp): Promise<Trouble | null> {
  const failed = await receipts.countUpTo("failed", maxCount);
  if (failed === 0) return null;
  return { what: "failed-webhooks", ...advice("webhooks-failed", { number: orMore(failed) }) };
}

async function refusedScores({ deliveries }: HealthApp): Promise<Trouble | null> {
  const refused = await deliveries.countUpTo("refused", maxCount);
  if (refused === 0) return null;
  return { what: "refused-scores", ...advice("scores-refused", { number: orMore(refused) }) };
}

async function jobs({ jobs: store, clock }: HealthApp): Promise<Trouble | null> {
  const now = clock.now();
  const stuck = (await store.list()).filter((job) => isStuck(job, now));
  if (stuck.length === 0) return null;
  const names = stuck.map(({ name }) => name).join(", ");
  return { what: "jobs", ...advice("jobs-late", { names }) };
}

const maxCount = 10_000;

function orMore(number: number): string {
  return number < maxCount ? String(number) : `${number}+`;
}
