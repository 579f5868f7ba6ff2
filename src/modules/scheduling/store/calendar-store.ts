import { type Connection, Schema } from "mongoose";
import type { CalendarAddress } from "../rules/calendar-address.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

type AddressRow = CalendarAddress & { _id: string };
type Owner = Pick<CalendarAddress, "registrationId" | "scope" | "ownerId">;

export type CalendarStore = ReturnType<typeof createCalendarStore>;

/** Calendar addresses, one for each course and person that has one. */
export function createCalendarStore(connection: Connection) {
  const schema = new Schema<AddressRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      scope: { type: String, required: true },
      ownerId: { type: String, required: true },
      digest: { type: String, required: true },
      createdAt: { type: Number, required: true },
      locale: { type: String, default: null },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, scope: 1, ownerId: 1 });
  schema.index({ digest: 1 }, { unique: true });
  const model = connection.model<AddressRow>("CalendarAddress", schema);
  const keyOf = ({ scope, ownerId }: Owner) => `${scope}:${ownerId}`;

  return {
    /** Gives a course or person a new address; the one before ends with this. */
    renew: async (address: CalendarAddress): Promise<void> => {
      const { registrationId, scope, ownerId } = address;
      // Of a person who was two, both had one.
      await model.deleteMany({ registrationId, scope, ownerId, _id: { $ne: keyOf(address) } });
      await retriedOnDuplicate(() =>
        model.updateOne({ _id: keyOf(address) }, { $set: { ...address } }, { upsert: true }),
      );
    },
    /** Ends an address; without effect when there is none. */
    revoke: async (owner: Owner): Promise<void> => {
      const { registrationId, scope, ownerId } = owner;
      await model.deleteMany({ registrationId, scope, ownerId });
    },
    find: async (owner: Owner): Promise<CalendarAddress | null> =>
      orNull(await model.findOne({ ...owner }).lean()),
    findByDigest: async (digest: string): Promise<CalendarAddress | null> =>
      orNull(await model.findOne({ digest }).lean()),
  };
}

function orNull(row: AddressRow | null): CalendarAddress | null {
  if (row === null) return null;
  const { _id, ...address } = row;
  return address;
}
