import { dayMs, weekMs } from "../../kernel/clock.ts";
import type { App } from "../../app.ts";
import { receiptRetentionMs } from "../../inbox/rules/receipt.ts";
import { letOthersRun, pagesByKey } from "../../kernel/async.ts";
import { slicesOf } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { ToolKeys } from "../../lms/tool-keys.ts";
import { resealAccounts } from "../accounts/change-accounts.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { unmatchedRetentionMs } from "../matching/rules/records.ts";
import { personalRecords as table } from "../privacy/rules/erasure.ts";
import type { Database } from "../../storage/open-database.ts";
import type { Restore } from "./rules/records.ts";

type PurgeApp = Pick<
  App,
  "receipts" | "personalRecords" | "unassignedEvents" | "unmatchedAttendance" | "userMatches" | "clock"
>;

const batchSize = 500;

/**
 * Deletes what isn't needed any more: old webhooks that took effect or name nobody, unmatched attendance and events, and everything that
 * expires by age (`purged` in modules/privacy/rules/erasure). Attendance keeps what webhooks said, so the same body again changes nothing.
 * @returns how many records were deleted.
 */
export async function purge(app: PurgeApp): Promise<number> {
  const now = app.clock.now();
  const [served, unmatched] = [now - receiptRetentionMs, now - unmatchedRetentionMs];
  return (
    (await purgeAll((limit) => app.receipts.purge(served, limit))) +
    (await purgeByTable(app, now)) +
    (await purgeAll((limit) => app.unassignedEvents.purge(unmatched, limit))) +
    (await purgeUnmatched(app, unmatched))
  );
}

/** Deletes what expires by age according to the table of records. */
async function purgeByTable({ personalRecords }: PurgeApp, now: number): Promise<number> {
  let deleted = 0;
  for (const { model, purged } of table) {
    if (purged === undefined) continue;
    const old = { [purged.field]: { $gt: 0, $lt: now - purged.days * dayMs } };
    deleted += await purgeAll((limit) => personalRecords.remove(model, old, limit));
  }
  return deleted;
}

async function purgeAll(purgeSome: (limit: number) => Promise<number>): Promise<number> {
  let deleted = 0;
  for (;;) {
    const some = await purgeSome(batchSize);
    deleted += some;
    if (some < batchSize) return deleted;
    await letOthersRun();
  }
}

/** Keeps attendance of a matched user as long as the match, so the match can be undone. */
async function purgeUnmatched(app: PurgeApp, before: number): Promise<number> {
  let deleted = 0;
  const read = (after: string) => app.unmatchedAttendance.listOld(before, after, batchSize);
  for await (const old of pagesByKey(batchSize, ({ id }) => id, read)) {
    const matched = new Set<string>();
    for (const environment of new Set(old.map((one) => one.environment))) {
      const userIds = old.flatMap((one) => (one.environment === environment ? [one.userId] : []));
      for (const userId of await app.userMatches.listMatchedUsers(environment, userIds))
        matched.add(JSON.stringify([environment, userId]));
    }
    const ids = old.flatMap(({ id, environment, userId }) =>
      matched.has(JSON.stringify([environment, userId])) ? [] : [id],
    );
    if (ids.length > 0) await app.unmatchedAttendance.deleteOld(ids, before);
    deleted += ids.length;
  }
  return deleted;
}

type ComparingApp = Pick<
  App,
  "restores" | "registrations" | "courses" | "deliveries" | "attendanceReadings" | "jobs" | "clock" | "logger"
>;

/** Courses with scores, their scores, and sessions to be read again in the classroom. */
type BegunComparing = { courses: number; scores: number; sessions: number };

/** Sessions that ended this long before the backup may have been corrected after it. */
const correctedForMs = weekMs;
const courseBatchSize = 100;

/**
 * Detects that the database was restored from a backup, and begins to compare every score with its gradebook. Called before anything is sent.
 * The next start continues what isn't finished.
 */
export async function detectRestore(app: ComparingApp, database: Pick<Database, "backup" | "forgetBackup">) {
  const stamp = database.backup();
  if (stamp !== null) {
    const { backupAt, restoredAt } = stamp;
    await noteRestore(app, { backupAt, restoredAt: restoredAt ?? app.clock.now() });
    await database.forgetBackup();
  }
  await beginComparing(app);
}

/** A backup without a date counts as old as its latest job. */
export async function noteRestore(
  app: Pick<ComparingApp, "restores" | "jobs">,
  { backupAt, restoredAt }: Pick<Restore, "backupAt" | "restoredAt">,
): Promise<void> {
  const at = backupAt ?? (await app.jobs.lastBegun());
  // Two processes that start on the same file store the same record.
  const id = `rst_${String(backupAt ?? restoredAt)}`;
  await app.restores.note({ id, restoredAt, backupAt: at, begun: false });
}

/** Compares every score of every course with its gradebook, and reads attendance again, because webhooks were lost. */
export async function beginComparing(app: ComparingApp): Promise<BegunComparing> {
  const sum: BegunComparing = { courses: 0, scores: 0, sessions: 0 };
  for (const restore of await app.restores.listToBegin()) {
    const { restoredAt, backupAt } = restore;
    const endedSince = (backupAt ?? restoredAt) - correctedForMs;
    for (const { id } of await app.registrations.list()) {
      await beginLms(app, id, restore, sum);
      sum.sessions += await app.attendanceReadings.readSince(id, endedSince, app.clock.now());
    }
    await app.restores.markBegun(restore.id);
    const facts = { restoredAt: iso(restoredAt), backupAt: backupAt === null ? null : iso(backupAt), ...sum };
    app.logger.warn(facts, "the database was restored: every score is compared with its gradebook");
  }
  return sum;
}

async function beginLms(
  app: ComparingApp,
  registrationId: string,
  { restoredAt }: Restore,
  sum: BegunComparing,
): Promise<void> {
  let last = "";
  for (;;) {
    const ids = await app.courses.idsAfter(registrationId, last, courseBatchSize);
    for (const courseId of ids) {
      const courseKey = { registrationId, courseId };
      const scores = await app.deliveries.compareCourse(courseKey, restoredAt, app.clock.now());
      if (scores === 0) continue;
      sum.courses += 1;
      sum.scores += scores;
    }
    if (ids.length < courseBatchSize) return;
    last = ids.at(-1) ?? last;
    await letOthersRun();
  }
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

const lanes = 20;

/**
 * Finds work of every LMS whose head is missing or late, for example after a restore. Takes a few reads per LMS and kind.
 * @returns how many heads were missing or late.
 */
export async function repairHeads(
  app: Pick<App, "registrations" | "accounts" | "dueHeads" | "clock" | "logger">,
): Promise<number> {
  const { dueHeads, clock, logger } = app;
  const registrations = await app.registrations.list();
  const scopes = [dueHeads.everything, ...app.accounts.ids(), ...registrations.map(({ id }) => id)];
  let repaired = 0;
  for (const batch of slicesOf(scopes, lanes)) repaired += await dueHeads.repair(batch, clock.now());
  if (repaired > 0) logger.info({ repaired }, "found work that no queue had announced");
  return repaired;
}

/**
 * Seals all stored secrets under the current SECRET_KEY, so SECRET_KEY_PREVIOUS can be removed. Deletes access tokens, because the LMS gives
 * new ones.
 * @throws NamedError "secrets-not-resealed" if some secret opens with neither key. The others are sealed again.
 */
export async function resealAll(
  app: AuditApp &
    Pick<App, "accessTokens" | "classroomAccounts" | "sealer"> & { signingKeys: Pick<ToolKeys, "reseal"> },
): Promise<{ keys: number; tokens: number; accounts: number }> {
  const accounts = await resealAccounts(app);
  const keys = await app.signingKeys.reseal();
  const tokens = await app.accessTokens.dropAll();
  const resealed = keys.resealed + accounts.resealed;
  await writeAudit(app, { what: "secrets-resealed", registrationId: null, on: String(resealed) });
  const names = [...keys.unreadable, ...accounts.unreadable];
  const unreadable = names.length;
  if (unreadable === 0) return { keys: keys.resealed, tokens, accounts: accounts.resealed };
  throw refusal("secrets-not-resealed", {
    values: { unreadable, names: names.join(", "), resealed },
    details: { unreadable, resealed },
  });
}

/** Smaller changes have no effect (ms). */
const noticedMs = 5_000;

/** The wrong time may have postponed work by up to this. */
const backOffMs = 15 * 60_000;

/** For a while, work under way is still written with the former time, so the search is repeated after these (ms). */
const againAfterMs = [0, 15_000, 60_000] as const;

/**
 * Keeps to the store's time. If that went back, since the last check or while the tool was stopped, makes everything due that would wait for
 * the wrong time. Called every few seconds.
 * @returns a function that checks, and returns how many records it changed.
 */
export function watchStoreTime({
  dueTimes,
  storeTime,
  logger,
}: Pick<App, "dueTimes" | "storeTime" | "logger">): () => Promise<number> {
  let base: number | null = null;
  let pulls: { at: number; leadMs: number; endsClaims: boolean }[] = [];
  return async () => {
    await storeTime.refresh();
    const now = storeTime.now();
    const at = storeTime.elapsed();
    const before = base;
    base = now - at;
    const leadMs = before === null ? await dueTimes.clockLeadMs(now) : before - base;
    if (leadMs >= noticedMs) {
      // Processes that hold claims have renewed them by the second time. Other claims belong to dead processes.
      pulls = againAfterMs.map((ms, index) => ({ at: at + ms, leadMs, endsClaims: index > 0 }));
      logger.warn(
        { seconds: Math.round(leadMs / 1000) },
        "the time went back; what was due by it is due now",
      );
    }
    let changed = 0;
    for (const pull of pulls.filter((one) => one.at <= at))
      changed += await dueTimes.pullBack(now, pull.leadMs + backOffMs, pull.endsClaims);
    // After a failure, it's pulled again next time.
    pulls = pulls.filter((one) => one.at > at);
    return changed;
  };
}

const alarm = "unsent-scores";

/** Whether `watchUnsent` has something to report. */
export async function isAlarmToChange(
  app: Pick<App, "deliveries" | "alarms" | "unsentAlarmAfter" | "clock" | "logger">,
): Promise<boolean> {
  const oldest = await app.deliveries.oldestWaiting();
  const waitsTooLong = oldest !== null && app.clock.now() - oldest > app.unsentAlarmAfter;
  return waitsTooLong !== (await app.alarms.isOn(alarm));
}

/** Reports once when a score waits too long for its gradebook, and once when that ends. Held scores don't count. */
export async function watchUnsent(
  app: Pick<App, "deliveries" | "alarms" | "unsentAlarmAfter" | "clock" | "logger">,
): Promise<void> {
  const { deliveries, alarms, clock, logger } = app;
  const now = clock.now();
  const oldest = await deliveries.oldestWaiting();
  if (oldest !== null && now - oldest > app.unsentAlarmAfter) {
    if (!(await alarms.raise(alarm, now))) return;
    const { waiting, held } = await deliveries.countByState();
    const waitsSince = new Date(oldest).toISOString();
    logger.error(
      { alarm, waitsSince, waiting, held },
      "scores have been waiting for their gradebook for too long",
    );
    return;
  }
  const since = await alarms.end(alarm);
  if (since !== null) logger.info({ alarm, lastedMs: now - since }, "no score waits too long any more");
}
