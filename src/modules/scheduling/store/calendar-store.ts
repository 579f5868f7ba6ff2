import type { RowOf } from "../../../domain/record.ts";
import { openRecords } from "../../../storage/records.ts";
import type { Connection } from "mongoose";
import { type CalendarAddress, calendarAddressRecord } from "../rules/records.ts";

type AddressRow = RowOf<typeof calendarAddressRecord>;
type Owner = Pick<CalendarAddress, "registrationId" | "scope" | "ownerId">;

export type CalendarStore = ReturnType<typeof createCalendarStore>;

export function createCalendarStore(connection: Connection) {
  const records = openRecords(connection, calendarAddressRecord);
  const keyOf = ({ scope, ownerId }: Owner) => `${scope}:${ownerId}`;

  return {
    renew: async (address: CalendarAddress): Promise<void> => {
      const { registrationId, scope, ownerId } = address;
      // After a merge of two persons, both had one.
      await records.remove({ registrationId, scope, ownerId, _id: { $ne: keyOf(address) } });
      await records.save({ _id: keyOf(address) }, { $set: { ...address } });
    },
    revoke: async (owner: Owner): Promise<void> => {
      const { registrationId, scope, ownerId } = owner;
      await records.remove({ registrationId, scope, ownerId });
    },
    find: async (owner: Owner) => orNull(await records.row({ ...owner })),
    findByDigest: async (digest: string) => orNull(await records.row({ digest })),
  };
}

function orNull(row: AddressRow | null): CalendarAddress | null {
  if (row === null) return null;
  const { _id, ...address } = row;
  return address;
}
