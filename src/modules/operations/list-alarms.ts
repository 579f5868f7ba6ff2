import { dayMs } from "../../kernel/clock.ts";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { byKey } from "../../kernel/lists.ts";
import { advice, type CodedSentence } from "../../kernel/refusal.ts";
import { type Trouble, type TroubleName, troubleNames } from "./health.ts";
import type { LmsPause } from "../registration/rules/registration.ts";
import { listRegistrations, type LmsListApp, type RegistrationSummary } from "./registrations.ts";
import { lastDay, launchesFail } from "./rules/health.ts";

/** What showing what works, and what needs an operator, takes. */
export type OverviewApp = LmsListApp &
  Pick<App, "report" | "receipts" | "deliveries" | "connectionTests" | "lmsPauses" | "refusedLaunches"> &
  Pick<App, "classroomOverview" | "webhookArrivals" | "doctorRuns" | "clock">;

/** Everything that an alarm can be about. */
export const alarmKinds = [
  ...troubleNames,
  "unmatched-webhooks",
  "lms-refused",
  "lms-closed",
  "lms-silent",
  "connection",
  "new-deployments",
  "environment-off",
  "launches-fail",
  "account-unreadable",
  "account-fails",
] as const;

export type Alarm = {
  what: (typeof alarmKinds)[number];
  /** The tool can't do its work, for everybody or for some. */
  urgent: boolean;
  /** What to do, in English. `adviceText` says it in other languages. */
  message: string;
  coded: CodedSentence | null;
  since: number | null;
  registration: { id: string; name: string } | null;
  /** The classroom account it's about. */
  account: AccountId | null;
};

/** Days that webhooks may wait for their event, Space or user without an alarm. */
const unmatchedAlarmDays = 3;
const maxCount = 10_001;

const late: readonly TroubleName[] = ["receipts", "scores"];

/** Worst first. @param listed The registrations, if the caller has read them. */
export async function listAlarms(
  app: OverviewApp,
  listed?: readonly RegistrationSummary[],
): Promise<Alarm[]> {
  const { problems, warnings } = await app.report();
  const [urgent, others] = await Promise.all([
    Promise.all(problems.map((trouble) => alarmOf(app, trouble, true))),
    Promise.all(warnings.map((trouble) => alarmOf(app, trouble, late.includes(trouble.what)))),
  ]);
  // Without a store, nothing more can be known.
  if (problems.some(({ what }) => what === "store")) return [...urgent, ...others];
  return [
    ...urgent,
    ...others,
    ...accounts(app),
    ...(await unmatched(app)),
    ...(await registrations(app, listed)),
  ].toSorted((one, other) => Number(other.urgent) - Number(one.urgent));
}

async function alarmOf(
  app: OverviewApp,
  { what, message, coded, account }: Trouble,
  urgent: boolean,
): Promise<Alarm> {
  const since = await sinceWhen(app, what);
  return { ...nothing, what, message, coded: coded ?? null, urgent, account: account ?? null, since };
}

const nothing = { urgent: false, since: null, registration: null, account: null };

/** Accounts with which nobody can enter. */
function accounts({ accounts: known, classroomOverview }: OverviewApp): Alarm[] {
  return known.list().flatMap((one): Alarm[] => {
    const about = { ...nothing, account: one.id, urgent: true };
    if (one.lacks === "readable-secrets")
      return [{ ...about, what: "account-unreadable", ...advice("account-unreadable", {}) }];
    const fails = !one.paused && classroomOverview(one.id)?.fails() === true;
    return fails ? [{ ...about, what: "account-fails", ...advice("account-fails", {}) }] : [];
  });
}

async function sinceWhen({ receipts, deliveries }: OverviewApp, what: TroubleName): Promise<number | null> {
  if (what === "receipts") return receipts.oldestWaiting();
  if (what === "scores") return deliveries.oldestWaiting();
  if (what === "failed-webhooks") return receipts.oldestOf("failed");
  return null;
}

async function unmatched({ receipts, clock }: OverviewApp): Promise<Alarm[]> {
  const before = clock.now() - unmatchedAlarmDays * dayMs;
  const count = await receipts.countUpTo("unmatched", maxCount, before);
  if (count === 0) return [];
  const advised = advice("webhooks-unmatched", { days: unmatchedAlarmDays, number: count });
  return [
    { ...nothing, what: "unmatched-webhooks", ...advised, since: await receipts.oldestOf("unmatched") },
  ];
}

/** What an operator can check while an LMS is paused. */
function pauseAdvice({ why, status, error, ofScopes }: LmsPause) {
  if (why === "silent") return advice("pause-silent", { reason: error ?? "" });
  if (why === "closed") return advice("pause-closed", { status });
  const answer = error === null ? String(status) : `${error} (${status})`;
  return advice(ofScopes ? "pause-scopes" : "pause-refused", { answer });
}

async function registrations(app: OverviewApp, listed?: readonly RegistrationSummary[]): Promise<Alarm[]> {
  const { from, before } = lastDay(app.clock.now());
  const [summaries, pauses, tests, hours] = await Promise.all([
    listed ?? listRegistrations(app),
    app.lmsPauses.list(),
    app.connectionTests.list(),
    app.refusedLaunches.listHours(from, before),
  ]);
  const pausesOf = Map.groupBy(pauses, ({ registrationId }) => registrationId);
  const testOf = byKey(tests, ({ registrationId }) => registrationId);
  const refusedOf = Map.groupBy(hours, ({ registrationId }) => registrationId);
  return summaries.flatMap(({ registration, undecided, missingAccount, lastLaunchAt }) => {
    const { id, name, active } = registration;
    const about = { ...nothing, registration: { id, name } };
    const alarms: Alarm[] = [];
    const add = (what: Alarm["what"], { message, coded }: Pick<Alarm, "message" | "coded">, since?: number) =>
      alarms.push({ ...about, what, message, coded, urgent: what === "launches-fail", since: since ?? null });
    if (undecided > 0) add("new-deployments", advice("deployments-refused", { number: undecided }));
    if (!active) return alarms;
    if (missingAccount !== null) add("environment-off", advice("account-missing", {}));
    const failed = launchesFail(refusedOf.get(id) ?? [], lastLaunchAt);
    if (failed !== null)
      add("launches-fail", advice("launches-fail", { number: failed.count }), failed.since);
    for (const pause of pausesOf.get(id) ?? []) add(`lms-${pause.why}`, pauseAdvice(pause), pause.since);
    const test = testOf.get(id);
    const fault = test?.checks.find(({ outcome }) => outcome === "fails");
    if (fault !== undefined)
      add("connection", { message: fault.message, coded: fault.coded ?? null }, test?.checkedAt);
    return alarms;
  });
}
