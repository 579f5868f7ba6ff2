import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { type AuditCheck, type AuditWitness, auditWitnessRecord } from "../rules/audit-check.ts";

export type AuditWitnessStore = ReturnType<typeof createAuditWitnessStore>;

const read = readerOf(auditWitnessRecord);
const only = { _id: "audit" };

export function createAuditWitnessStore(connection: Connection) {
  const model = recordModel(connection, auditWitnessRecord);

  return {
    find: async (): Promise<AuditWitness> => {
      const row = await model.findOne(only).lean();
      return row === null ? { loggedSeq: 0, check: null, acceptedFaults: 0 } : read(row);
    },
    logged: async (seq: number): Promise<void> => {
      await retriedOnDuplicate(() => model.updateOne(only, { $max: { loggedSeq: seq } }, { upsert: true }));
    },
    accepted: async (faults: number): Promise<void> => {
      await retriedOnDuplicate(() =>
        model.updateOne(only, { $set: { acceptedFaults: faults } }, { upsert: true }),
      );
    },
    checked: async (check: AuditCheck): Promise<void> => {
      await retriedOnDuplicate(() => model.updateOne(only, { $set: { check } }, { upsert: true }));
    },
  };
}
