import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type AuditEntry, auditEntryRecord } from "../rules/audit.ts";

export type AuditStore = ReturnType<typeof createAuditStore>;

/** Entries are added, never changed. */
export function createAuditStore(connection: Connection) {
  const model = recordModel(connection, auditEntryRecord);

  return {
    insert: async ({ id, ...facts }: AuditEntry): Promise<void> => {
      await model.create({ _id: id, ...facts });
    },
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
