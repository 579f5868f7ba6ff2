import type { Connection } from "mongoose";
import type { ItemOf } from "../../../domain/record.ts";
import {
  failedLaunchHourRecord,
  type LmsPause,
  lmsPauseRecord,
  maxReferences,
  pauseReasons,
  refusedLaunchRecord,
} from "../rules/registration.ts";
import { openRecords } from "../../../storage/records.ts";
import { dayMs, hourMs } from "../../../kernel/clock.ts";

type PauseKey = Pick<LmsPause, "registrationId" | "why">;

export function createLmsPauseStore(connection: Connection) {
  const records = openRecords(connection, lmsPauseRecord);

  return {
    /** At most one per reason. */
    listOf: async (registrationId: string): Promise<LmsPause[]> => {
      const ids = pauseReasons.map((why) => keyOf({ registrationId, why }));
      return await records.list({ _id: { $in: ids } });
    },
    /** Oldest first. */
    list: async (): Promise<LmsPause[]> =>
      (await records.list({})).sort((one, other) => one.since - other.since),
    /**
     * Takes the next try: of all callers that saw the same pause, one gets it.
     * @param until When another caller may try, if this process ends.
     */
    takeTry: async (seen: LmsPause, now: number, until: number): Promise<boolean> => {
      const { triedAt, nextTryAt } = seen;
      return records.change(
        { _id: keyOf(seen), triedAt, nextTryAt },
        { $set: { triedAt: now, nextTryAt: until } },
      );
    },
    /** Begins a pause, or adds its scopes to a pause under way. @returns it as it is now. `begins`: true for the one caller that began it */
    begin: async (pause: LmsPause): Promise<{ pause: LmsPause; begins: boolean }> => {
      const { refused, grades, ofScopes, status, error } = pause;
      const more = {
        // A refusal of the whole tool takes precedence over a refusal of some scopes.
        $set: { ...(grades ? { grades } : {}), ...(ofScopes ? {} : { ofScopes, status, error }) },
        $addToSet: { refused: { $each: [...refused] } },
      };
      for (;;) {
        if (await records.insert({ _id: keyOf(pause), ...pause })) return { pause, begins: true };
        const row = await records.take({ _id: keyOf(pause) }, more);
        // Null: it has just ended.
        if (row !== null) return { pause: records.read(row), begins: false };
      }
    },
    /** Prolongs a pause after the same answer came again. @returns it as it is now, or null if it has ended */
    prolong: async (
      { registrationId, why }: PauseKey,
      change: Pick<LmsPause, "triedAt" | "nextTryAt" | "status" | "error" | "ofScopes">,
    ): Promise<LmsPause | null> => {
      const row = await records.take(
        { _id: keyOf({ registrationId, why }) },
        { $set: { ...change }, $inc: { tries: 1 } },
      );
      return row === null ? null : records.read(row);
    },
    /** Another token was given, so the refusal is about its scopes. @param nextTryAt When to try them. */
    isOfScopes: async ({ registrationId, why }: PauseKey, nextTryAt: number): Promise<void> => {
      await records.change(
        { _id: keyOf({ registrationId, why }) },
        { $set: { ofScopes: true }, $min: { nextTryAt } },
      );
    },
    /** @returns the pause, for the one caller that has ended it */
    end: async (key: PauseKey): Promise<LmsPause | null> => {
      const row = await records.model.findOneAndDelete({ _id: keyOf(key) }).lean();
      return row === null ? null : records.read(row);
    },
    makeDue: async (registrationId: string, now: number): Promise<void> => {
      for (const why of pauseReasons)
        await records.change({ _id: keyOf({ registrationId, why }) }, { $min: { nextTryAt: now } });
    },
  };
}

function keyOf({ registrationId, why }: PauseKey): string {
  return `${registrationId} ${why}`;
}

/** Launches refused for one reason: of a registered LMS, or of whatever LMS the requests named. */
export type RefusedLaunches = ItemOf<typeof refusedLaunchRecord>;

/** Launches of one LMS that were refused in one hour. `registrationId` is "" for those of no registered LMS. */
type FailedLaunchHour = ItemOf<typeof failedLaunchHourRecord>;

const retentionMs = 30 * dayMs;
const hourRetentionMs = 21 * dayMs;
/** Anybody can send a launch with any name, so further ones are counted together, without a name. */
const maxKinds = 300;
const nameless = { registrationId: "", issuer: "", clientId: "" };

/** One record per LMS and reason. */
export function createRefusedLaunchStore(connection: Connection) {
  const records = openRecords(connection, refusedLaunchRecord);
  const hours = openRecords(connection, failedLaunchHourRecord);
  type Key = Pick<RefusedLaunches, "registrationId" | "issuer" | "clientId" | "code">;
  const idOf = ({ registrationId, issuer, clientId, code }: Key) =>
    JSON.stringify([registrationId, issuer, clientId, code]);

  const countHour = async (registrationId: string, at: number, count: number): Promise<void> => {
    const hour = at - (at % hourMs);
    await hours.save(
      { _id: `${registrationId} ${hour}` },
      {
        $inc: { count },
        $setOnInsert: { registrationId, hour, expiresAt: new Date(hour + hourRetentionMs) },
      },
    );
  };

  return {
    /**
     * @param refused.references Those of the pages that people saw, oldest first.
     * @param refused.count How many launches, if some weren't stored one by one.
     * @param refused.of The LMS whose hour counts them.
     */
    add: async (
      key: Key,
      refused: { at: number; references: readonly string[]; count?: number; of?: string },
    ): Promise<void> => {
      const { at, references, count = 1, of = key.registrationId } = refused;
      await countHour(of, at, count);
      const more = {
        $inc: { count },
        $min: { firstAt: at },
        $max: { lastAt: at },
        $set: { reference: references.at(-1) ?? "", expiresAt: new Date(at + retentionMs) },
        $push: { references: { $each: references.slice(-maxReferences), $slice: -maxReferences } },
      };
      if (await records.change({ _id: idOf(key) }, more)) return;
      const isFull = key.registrationId === "" && (await records.count({})) >= maxKinds;
      const to = isFull ? { ...key, ...nameless } : key;
      await records.save({ _id: idOf(to) }, { ...more, $setOnInsert: to });
    },
    /** Newest first. A few hundred, because each LMS has a few reasons and unknown ones are bounded. */
    list: (): Promise<RefusedLaunches[]> => records.list({}, { sort: { lastAt: -1 } }),
    /** Finds the reference that a person's error page showed, among the latest of each reason. */
    listOfReference: (reference: string): Promise<RefusedLaunches[]> =>
      records.list({ references: reference }, { sort: { lastAt: -1 }, limit: 5 }),
    /** Hours of all LMSs that began at or after the first moment (ms) and before the second. */
    listHours: (from: number, before: number): Promise<FailedLaunchHour[]> =>
      hours.list({ hour: { $gte: from, $lt: before } }),
  };
}
