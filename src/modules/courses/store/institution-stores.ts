import type { Connection } from "mongoose";
import { type InstitutionDefaults, nothingSet } from "../../../settings/in-effect.ts";
import {
  type Branding,
  brandingRecord,
  type Logo,
  type BrandingChange,
  noBranding,
} from "../rules/branding.ts";
import { classroomAddressRecord, institutionDefaultsRecord } from "../rules/records.ts";
import { dueHeadsOf, type DueRange, everything } from "../../../storage/due-heads.ts";
import { longerLease, released } from "../../../storage/due-queue.ts";
import { byKey } from "../../../kernel/lists.ts";
import { openRecords } from "../../../storage/records.ts";

export type InstitutionRegrade = { registrationId: string; revision: number; regradedUpTo: string };

export function createInstitutionDefaultsStore(connection: Connection) {
  const records = openRecords(connection, institutionDefaultsRecord);
  const some = records.once((ids: readonly string[]) => records.list({ _id: { $in: ids } }));
  const unfinished = { regradedUpTo: { $gte: "" } };
  const firstDue = async (_scope: string, range: DueRange) => {
    const row = "$lte" in range ? await records.row(unfinished) : null;
    return row === null ? null : { dueAt: 0, leaseUntil: row.leaseUntil };
  };
  const queue = dueHeadsOf(connection).queue("institution-regrades", firstDue);

  return {
    find: async (registrationId: string): Promise<InstitutionDefaults> =>
      (await some([registrationId]))[0] ?? nothingSet(registrationId),
    /** By registration, for those that have set something. */
    findMany: async (registrationIds: readonly string[]) =>
      byKey(await some(registrationIds), ({ registrationId }) => registrationId),
    /**
     * Replaces all values, and notes in the same step whether grades must be computed again, so a crash loses nothing.
     * @param revision The one seen. @returns false, without effect, if they have changed since.
     */
    change: (
      { registrationId, revision, ...to }: InstitutionDefaults,
      { regrades }: { regrades: boolean },
    ): Promise<boolean> => {
      const facts = { ...to, ...(regrades ? { regradedUpTo: "" } : {}) };
      const write = async () => {
        const seen = { _id: registrationId, revision };
        if (await records.change(seen, { $set: facts, $inc: { revision: 1 } })) return true;
        const first = { _id: registrationId, regradedUpTo: null, ...released, ...facts, revision: 1 };
        return revision === 0 && records.insert(first);
      };
      return regrades ? queue.announced(everything, 0, write) : write();
    },
    /** Claims an LMS whose grades must be computed again. */
    claimRegrade: async (holder: string, now: number, until: number): Promise<InstitutionRegrade | null> => {
      const take = () =>
        records.take(
          { ...unfinished, leaseUntil: { $lte: now } },
          { $set: { leaseHolder: holder, leaseUntil: until } },
        );
      const row = await queue.claim(now, { take });
      if (row === null) return null;
      return { registrationId: row._id, revision: row.revision, regradedUpTo: row.regradedUpTo ?? "" };
    },
    extendRegrade: (registrationId: string, holder: string, until: number) =>
      records.change(...longerLease(registrationId, holder, until)),
    /** Notes up to which course, null for all. @returns false if the claim was lost, or the values have changed and it starts over. */
    regraded: ({ registrationId, revision }: InstitutionRegrade, holder: string, upTo: string | null) =>
      records.change(
        { _id: registrationId, leaseHolder: holder, revision },
        { $set: { regradedUpTo: upTo, ...(upTo === null ? released : {}) } },
      ),
    releaseRegrade: async (registrationId: string, holder: string): Promise<void> => {
      const claimed = { _id: registrationId, leaseHolder: holder };
      const row = await records.before(claimed, { $set: released });
      if (row !== null && row.regradedUpTo !== null) await queue.givenBack(everything, 0);
    },
  };
}

export type BrandingStore = ReturnType<typeof createBrandingStore>;

export function createBrandingStore(connection: Connection) {
  const records = openRecords(connection, brandingRecord);
  return {
    /** Without the files: pages only need their addresses. */
    find: async (registrationId: string): Promise<Branding> => {
      const [row] = await records.without(["logo.data", "logoDark.data"], { _id: registrationId });
      return row === undefined ? noBranding(registrationId) : records.read(row);
    },
    /** Finds any institution's logo. Null if no institution has it. */
    findLogo: async (digest: string): Promise<Logo | null> => {
      const row =
        (await records.row({ "logo.digest": digest })) ?? (await records.row({ "logoDark.digest": digest }));
      if (row === null) return null;
      return [row.logo, row.logoDark].find((one) => one?.digest === digest) ?? null;
    },
    /** @param change.revision The one seen. @returns false, without effect, if it has changed since. */
    change: async ({
      registrationId,
      revision,
      logo,
      logoDark,
      ...words
    }: BrandingChange): Promise<boolean> => {
      const files = { ...(logo === "keep" ? {} : { logo }), ...(logoDark === "keep" ? {} : { logoDark }) };
      const seen = { _id: registrationId, revision };
      if (await records.change(seen, { $set: { ...words, ...files }, $inc: { revision: 1 } })) return true;
      return revision === 0 && records.insert({ _id: registrationId, ...words, ...files, revision: 1 });
    },
  };
}

/** Which of its documented addresses a service answers at, kept across restarts. `key`: the classroom client's digest. */
export function createAddressStore(connection: Connection) {
  const records = openRecords(connection, classroomAddressRecord);

  return {
    find: async (key: string): Promise<number | null> => (await records.row({ _id: key }))?.position ?? null,
    /** When the service last answered there (ms). */
    answeredAt: async (key: string) => (await records.row({ _id: key }))?.at ?? null,
    remember: async (key: string, position: number, at: number): Promise<void> => {
      await records.save({ _id: key }, { $set: { position, at } });
    },
  };
}
