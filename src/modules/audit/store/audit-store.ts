import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { type ChainEnd, noEntry } from "../rules/audit-chain.ts";
import {
  type AuditEntry,
  auditEntryRecord,
  type ChainLink,
  type LinkedEntry,
  type SaltedFacts,
} from "../rules/audit.ts";

export type AuditStore = ReturnType<typeof createAuditStore>;

/** Every try that fails means that another entry was added. */
const maxTries = 1_000;
const maxOfRequest = 20;

/** Entries are added, never changed, except that an erasure takes out whom they name. */
const endOf = ({ seq, digest }: ChainLink) => ({ seq, digest });

export function createAuditStore(connection: Connection) {
  const model = recordModel(connection, auditEntryRecord);
  const linked = (after: number) => ({ "link.seq": { $gt: after } });

  const end = async (): Promise<ChainEnd> => {
    const [last] = await model.find(linked(0)).sort({ "link.seq": -1 }).limit(1).lean();
    return last?.link === undefined ? noEntry : { ...endOf(last.link), at: last.at };
  };

  return {
    /** Adds an entry at the end of the chain. Of several processes at once one is first; the others look again. */
    append: async (
      { id, ...facts }: SaltedFacts,
      linkAfter: (before: ChainEnd) => ChainLink,
    ): Promise<void> => {
      for (let attempt = 1; ; attempt += 1) {
        try {
          await model.create({ _id: id, ...facts, link: linkAfter(await end()) });
          return;
        } catch (thrown) {
          if (!isDuplicateKey(thrown) || attempt >= maxTries) throw thrown;
        }
      }
    },
    /** Number and digest of the last entry. */
    end,
    /** In the order of their numbers. @param after The last number read; 0 for the first page. */
    chain: async (after: number, limit: number): Promise<LinkedEntry[]> => {
      const rows = await model.find(linked(after)).sort({ "link.seq": 1 }).limit(limit).lean();
      return rows.flatMap(({ _id, link, salt = "", ...facts }) =>
        link === undefined ? [] : [{ id: _id, ...facts, salt, link }],
      );
    },
    /** Entries of earlier versions, which stand in no chain, that were made from a moment on (ms). */
    countOutside: async (since: number): Promise<number> =>
      model.countDocuments({ at: { $gte: since }, link: null }),
    /** What was done in one request; a few at most. */
    listOfRequest: async (request: string): Promise<AuditEntry[]> =>
      (
        await model
          .find({ request: { $eq: request, $gt: "" } })
          .limit(maxOfRequest)
          .lean()
      ).map(({ _id, ...facts }) => ({
        id: _id,
        ...facts,
      })),
    /** Newest first; parameters are as of `listAudit`. */
    list: async (
      before: string | null,
      limit: number,
      registrationId: string | null = null,
    ): Promise<AuditEntry[]> =>
      (
        await model
          .find({
            ...(registrationId === null ? {} : { registrationId }),
            ...(before === null ? {} : { _id: { $lt: before } }),
          })
          .sort({ _id: -1 })
          .limit(limit)
          .lean()
      ).map(({ _id, ...facts }) => ({ id: _id, ...facts })),
  };
}
