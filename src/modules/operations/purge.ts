import type { App } from "../../app.ts";
import { receiptsKeptMs } from "../../inbox/rules/receipt.ts";
import { unmatchedKeptMs } from "../matching/rules/records.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { personalRecords as table } from "../privacy/rules/personal-records.ts";

export type PurgeDeps = Pick<
  App,
  "receipts" | "personalRecords" | "unassignedEvents" | "unmatchedAttendance" | "userMatches" | "clock"
>;

const batchSize = 500;

/**
 * Deletes what has served: old webhooks that took effect or name nobody, unmatched attendance and events, and what else
 * goes by age (`purged` in modules/privacy/rules/personal-records). Attendance keeps what webhooks said: the same body
 * once more changes nothing.
 * @returns how many records were deleted.
 */
export async function purge(deps: PurgeDeps): Promise<number> {
  const now = deps.clock.now();
  const [served, unmatched] = [now - receiptsKeptMs, now - unmatchedKeptMs];
  return (
    (await inSlices((limit) => deps.receipts.purge(served, limit))) +
    (await purgeByTable(deps, now)) +
    (await inSlices((limit) => deps.unassignedEvents.purge(unmatched, limit))) +
    (await purgeUnmatched(deps, unmatched))
  );
}

/** What goes by its age according to the table of records. */
async function purgeByTable({ personalRecords }: PurgeDeps, now: number): Promise<number> {
  let deleted = 0;
  for (const { model, purged } of table) {
    if (purged === undefined) continue;
    const old = { [purged.field]: { $gt: 0, $lt: now - purged.days * 24 * 3_600_000 } };
    deleted += await inSlices((limit) => personalRecords.remove(model, old, limit));
  }
  return deleted;
}

async function inSlices(purgeSome: (limit: number) => Promise<number>): Promise<number> {
  let deleted = 0;
  for (;;) {
    const some = await purgeSome(batchSize);
    deleted += some;
    if (some < batchSize) return deleted;
    await letOthersRun();
  }
}

/** Attendance of a matched user stays as long as the match, which can then be undone. */
async function purgeUnmatched(deps: PurgeDeps, before: number): Promise<number> {
  let deleted = 0;
  for (let after = ""; ;) {
    const old = await deps.unmatchedAttendance.listOld(before, after, batchSize);
    const matched = new Set<string>();
    for (const environment of new Set(old.map((one) => one.environment))) {
      const userIds = old.flatMap((one) => (one.environment === environment ? [one.userId] : []));
      for (const userId of await deps.userMatches.listMatchedUsers(environment, userIds))
        matched.add(JSON.stringify([environment, userId]));
    }
    const ids = old.flatMap(({ id, environment, userId }) =>
      matched.has(JSON.stringify([environment, userId])) ? [] : [id],
    );
    if (ids.length > 0) await deps.unmatchedAttendance.deleteOld(ids, before);
    deleted += ids.length;
    after = old.at(-1)?.id ?? "";
    if (old.length < batchSize) return deleted;
    await letOthersRun();
  }
}
