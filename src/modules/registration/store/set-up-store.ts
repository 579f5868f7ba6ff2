import type { Connection } from "mongoose";
import type { RowOf } from "../../../domain/record.ts";
import { type Invitation, invitationRecord } from "../../../domain/registration.ts";
import { connectionTestRecord } from "../rules/records.ts";
import { openRecords } from "../../../storage/records.ts";

type InvitationRow = RowOf<typeof invitationRecord>;

export type InvitationStore = ReturnType<typeof createInvitationStore>;

export function createInvitationStore(connection: Connection) {
  const records = openRecords(connection, invitationRecord);

  return {
    insert: async ({ id, ...facts }: Invitation): Promise<void> => {
      await records.add({ _id: id, ...facts });
    },
    find: (id: string): Promise<Invitation | null> => records.find({ _id: id }),
    /** Uses an invitation up; null when unknown, expired or used. Of two callers one gets it. */
    take: async (id: string, now: number): Promise<Invitation | null> =>
      orNull(
        await records.take({ _id: id, usedAt: null, expiresAt: { $gt: now } }, { $set: { usedAt: now } }),
      ),
    /** Those to an account that nobody has used. */
    withdraw: async (environment: Invitation["environment"]): Promise<void> => {
      await records.remove({ environment, usedAt: null });
    },
    /** Whether an LMS began to register with the account since then (ms). */
    isTakenSince: (environment: Invitation["environment"], since: number): Promise<boolean> =>
      records.exists({ environment, usedAt: { $gt: since } }),
    /** Gives back what was taken at `usedAt`, after a registration the LMS never accepted. */
    release: async (id: string, usedAt: number): Promise<void> => {
      await records.change({ _id: id, usedAt }, { $set: { usedAt: null } });
    },
  };
}

function orNull(row: InvitationRow | null): Invitation | null {
  if (row === null) return null;
  const { _id, ...facts } = row;
  return { id: _id, ...facts };
}

type ConnectionTest<Check> = { registrationId: string; checkedAt: number; checks: readonly Check[] };

export type ConnectionTestStore = ReturnType<typeof createConnectionTestStore>;

/** The latest test of each LMS. */
export function createConnectionTestStore(connection: Connection) {
  const records = openRecords(connection, connectionTestRecord);

  return {
    keep: async <Check>({ registrationId, checkedAt, checks }: ConnectionTest<Check>): Promise<void> => {
      const found = { checkedAt, checks: [...checks] };
      await records.save({ _id: registrationId }, { $set: found });
    },
    find: async (registrationId: string): Promise<ConnectionTest<unknown> | null> => {
      const row = await records.row({ _id: registrationId });
      return row === null ? null : { registrationId, checkedAt: row.checkedAt, checks: row.checks };
    },
    /** Of all LMSs: one for each that was tested. */
    list: async (): Promise<ConnectionTest<unknown>[]> =>
      (await records.rows({})).map(({ _id, checkedAt, checks }) => ({
        registrationId: _id,
        checkedAt,
        checks,
      })),
    remove: async (registrationId: string): Promise<void> => {
      await records.remove({ _id: registrationId });
    },
  };
}
