import { type Connection, Schema } from "mongoose";
import type { AuditEntry } from "../rules/audit.ts";

type AuditRow = Omit<AuditEntry, "id"> & { _id: string };

export type AuditStore = ReturnType<typeof createAuditStore>;

/** What operators did. Entries are added, never changed. */
export function createAuditStore(connection: Connection) {
  const schema = new Schema<AuditRow>(
    {
      _id: { type: String, required: true },
      at: { type: Number, required: true },
      who: { type: String, required: true },
      what: { type: String, required: true },
      registrationId: { type: String, default: null },
      on: { type: String, default: "" },
      personId: { type: String },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, _id: -1 });
  schema.index({ at: 1 });
  const model = connection.model<AuditRow>("AuditEntry", schema);

  return {
    insert: async ({ id, ...facts }: AuditEntry): Promise<void> => {
      await model.create({ _id: id, ...facts });
    },
    /**
     * Newest first.
     * @param before Only entries older than the one with this id; null for the newest.
     * @param registrationId Only what was done to this one; everything when null.
     */
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
