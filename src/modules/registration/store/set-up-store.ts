import type { Connection } from "mongoose";
import type { RowOf } from "../../../domain/record.ts";
import { type Invitation, invitationRecord } from "../../../domain/registration.ts";
import { connectionTestRecord } from "../rules/records.ts";
import { recordModel } from "../../../storage/record-model.ts";

type InvitationRow = RowOf<typeof invitationRecord>;

export type InvitationStore = ReturnType<typeof createInvitationStore>;

export function createInvitationStore(connection: Connection) {
  const model = recordModel(connection, invitationRecord);

  return {
    insert: async ({ id, ...facts }: Invitation): Promise<void> => {
      await model.create({ _id: id, ...facts });
    },
    find: async (id: string): Promise<Invitation | null> => orNull(await model.findOne({ _id: id }).lean()),
    /** Uses an invitation up; null when unknown, expired or used. Of two callers one gets it. */
    take: async (id: string, now: number): Promise<Invitation | null> =>
      orNull(
        await model
          .findOneAndUpdate(
            { _id: id, usedAt: null, expiresAt: { $gt: now } },
            { $set: { usedAt: now } },
            { returnDocument: "after" },
          )
          .lean(),
      ),
    /** Those to an account that nobody has used. */
    withdraw: async (environment: Invitation["environment"]): Promise<void> => {
      await model.deleteMany({ environment, usedAt: null });
    },
    /** Whether an LMS began to register with the account since then (ms). */
    isTakenSince: async (environment: Invitation["environment"], since: number): Promise<boolean> =>
      (await model.exists({ environment, usedAt: { $gt: since } })) !== null,
    /** Gives back what was taken at `usedAt`, after a registration the LMS never accepted. */
    release: async (id: string, usedAt: number): Promise<void> => {
      await model.updateOne({ _id: id, usedAt }, { $set: { usedAt: null } });
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
  const model = recordModel(connection, connectionTestRecord);

  return {
    keep: async <Check>({ registrationId, checkedAt, checks }: ConnectionTest<Check>): Promise<void> => {
      const found = { checkedAt, checks: [...checks] };
      await model.updateOne({ _id: registrationId }, { $set: found }, { upsert: true });
    },
    find: async (registrationId: string): Promise<ConnectionTest<unknown> | null> => {
      const row = await model.findOne({ _id: registrationId }).lean();
      return row === null ? null : { registrationId, checkedAt: row.checkedAt, checks: row.checks };
    },
    /** Of all LMSs: one for each that was tested. */
    list: async (): Promise<ConnectionTest<unknown>[]> =>
      (await model.find({}).lean()).map(({ _id, checkedAt, checks }) => ({
        registrationId: _id,
        checkedAt,
        checks,
      })),
    remove: async (registrationId: string): Promise<void> => {
      await model.deleteOne({ _id: registrationId });
    },
  };
}
