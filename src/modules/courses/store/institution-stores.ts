import type { Connection } from "mongoose";
import { type InstitutionDefaults, nothingSet } from "../../../domain/institution-defaults.ts";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import {
  type InstitutionLook,
  institutionLookRecord,
  type Logo,
  type LookChange,
  plainLook,
} from "../rules/institution-look.ts";
import { classroomAddressRecord, institutionDefaultsRecord } from "../rules/records.ts";
import { dueHeadsOf, type DueRange, everything } from "../../../storage/due-heads.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { longerLease, released } from "../../../storage/lease.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type InstitutionRegrade = { registrationId: string; revision: number; regradedUpTo: string };

export function createInstitutionDefaultsStore(connection: Connection) {
  const model = recordModel(connection, institutionDefaultsRecord);
  const reads = plainReads(model);
  const unfinished = { regradedUpTo: { $gte: "" } };
  const firstDue = async (_scope: string, range: DueRange) => {
    const row = "$lte" in range ? await model.findOne(unfinished).lean() : null;
    return row === null ? null : { dueAt: 0, leaseUntil: row.leaseUntil };
  };
  const queue = dueHeadsOf(connection).queue("institution-regrades", firstDue);

  return {
    find: async (registrationId: string): Promise<InstitutionDefaults> => {
      const row = await reads.one({ _id: registrationId });
      return row === null ? nothingSet(registrationId) : toDefaults(row);
    },
    /**
     * Replaces all, and notes in the same step whether grades are to be recomputed, so that a crash loses nothing.
     * @param revision The one seen. @returns false without effect when they have changed since.
     */
    change: (
      { registrationId, revision, ...to }: InstitutionDefaults,
      { regrades }: { regrades: boolean },
    ): Promise<boolean> => {
      const facts = { ...to, locked: [...to.locked], ...(regrades ? { regradedUpTo: "" } : {}) };
      const write = async () => {
        const seen = { _id: registrationId, revision };
        const done = await model.updateOne(seen, { $set: facts, $inc: { revision: 1 } });
        if (done.matchedCount === 1 || revision > 0) return done.matchedCount === 1;
        try {
          await model.create({ _id: registrationId, regradedUpTo: null, ...released, ...facts, revision: 1 });
          return true;
        } catch (thrown) {
          if (isDuplicateKey(thrown)) return false;
          throw thrown;
        }
      };
      return regrades ? queue.announced(everything, 0, write) : write();
    },
    /** Of an LMS whose grades are to be recomputed. */
    claimRegrade: async (holder: string, now: number, until: number): Promise<InstitutionRegrade | null> => {
      const take = () =>
        model
          .findOneAndUpdate(
            { ...unfinished, leaseUntil: { $lte: now } },
            { $set: { leaseHolder: holder, leaseUntil: until } },
            { returnDocument: "after" },
          )
          .lean();
      const row = await queue.claim(now, { take });
      if (row === null) return null;
      return { registrationId: row._id, revision: row.revision, regradedUpTo: row.regradedUpTo ?? "" };
    },
    extendRegrade: async (registrationId: string, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(registrationId, holder, until))).matchedCount === 1,
    /**
     * Up to which course; null for all. @returns false when the claim was lost, or the values have changed and it
     * begins anew.
     */
    regraded: async (
      { registrationId, revision }: InstitutionRegrade,
      holder: string,
      upTo: string | null,
    ): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: registrationId, leaseHolder: holder, revision },
        { $set: { regradedUpTo: upTo, ...(upTo === null ? released : {}) } },
      );
      return done.matchedCount === 1;
    },
    releaseRegrade: async (registrationId: string, holder: string): Promise<void> => {
      const held = { _id: registrationId, leaseHolder: holder };
      const row = await model.findOneAndUpdate(held, { $set: released }).lean();
      if (row !== null && row.regradedUpTo !== null) await queue.givenBack(everything, 0);
    },
  };
}

const toDefaults = readerOf(institutionDefaultsRecord);

const toLook = readerOf(institutionLookRecord);

export type InstitutionLookStore = ReturnType<typeof createInstitutionLookStore>;

export function createInstitutionLookStore(connection: Connection) {
  const model = recordModel(connection, institutionLookRecord);
  const reads = plainReads<RowOf<typeof institutionLookRecord>>(model);
  return {
    /** Without the files: pages need their addresses. */
    find: async (registrationId: string): Promise<InstitutionLook> => {
      const row = await reads.one(
        { _id: registrationId },
        { projection: { "logo.data": 0, "logoDark.data": 0 } },
      );
      return row === null ? plainLook(registrationId) : toLook(row);
    },
    /** Any institution's; null when none has it any more. */
    findLogo: async (digest: string): Promise<Logo | null> => {
      const row =
        (await reads.one({ "logo.digest": digest })) ?? (await reads.one({ "logoDark.digest": digest }));
      if (row === null) return null;
      return [row.logo, row.logoDark].find((one) => one?.digest === digest) ?? null;
    },
    /** @param change.revision The one seen. @returns false without effect when it has changed since. */
    change: async ({ registrationId, revision, logo, logoDark, ...words }: LookChange): Promise<boolean> => {
      const files = {
        ...(logo === "keep" ? {} : { logo }),
        ...(logoDark === "keep" ? {} : { logoDark }),
      };
      const seen = { _id: registrationId, revision };
      const done = await model.updateOne(seen, { $set: { ...words, ...files }, $inc: { revision: 1 } });
      if (done.matchedCount === 1 || revision > 0) return done.matchedCount === 1;
      try {
        await model.create({ _id: registrationId, ...words, ...files, revision: 1 });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
  };
}

/** Which documented addresses a service answers, kept across restarts. `key`: the classroom client's digest. */
export function createAddressStore(connection: Connection) {
  const model = recordModel(connection, classroomAddressRecord);

  return {
    find: async (key: string): Promise<number | null> => {
      const row = await model.findOne({ _id: key }).lean();
      return row?.position ?? null;
    },
    /** When the service last answered there (ms). */
    answeredAt: async (key: string): Promise<number | null> =>
      (await model.findOne({ _id: key }).lean())?.at ?? null,
    remember: async (key: string, position: number, at: number): Promise<void> => {
      await model.updateOne({ _id: key }, { $set: { position, at } }, { upsert: true });
    },
  };
}
