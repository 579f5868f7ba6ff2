import type { Connection } from "mongoose";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";
import {
  type InstitutionLook,
  institutionLookRecord,
  type Logo,
  type LookChange,
  plainLook,
} from "../rules/institution-look.ts";

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
