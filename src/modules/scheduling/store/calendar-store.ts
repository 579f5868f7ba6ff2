import type { RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type CalendarAddress, calendarAddressRecord } from "../rules/records.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

type AddressRow = RowOf<typeof calendarAddressRecord>;
type Owner = Pick<CalendarAddress, "registrationId" | "scope" | "ownerId">;

export type CalendarStore = ReturnType<typeof createCalendarStore>;

export function createCalendarStore(connection: Connection) {
  const model = recordModel(connection, calendarAddressRecord);
  const keyOf = ({ scope, ownerId }: Owner) => `${scope}:${ownerId}`;

  return {
    renew: async (address: CalendarAddress): Promise<void> => {
      const { registrationId, scope, ownerId } = address;
      // After a merge of two persons, both had one.
      await model.deleteMany({ registrationId, scope, ownerId, _id: { $ne: keyOf(address) } });
      await retriedOnDuplicate(() =>
        model.updateOne({ _id: keyOf(address) }, { $set: { ...address } }, { upsert: true }),
      );
    },
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
