import type { Connection } from "mongoose";
import type { ItemOf, RowOf } from "../../../domain/record.ts";
import { type Invitation, invitationRecord } from "../../../domain/registration.ts";
import { refusal } from "../../../kernel/refusal.ts";
import {
  accessTokenRecord,
  type ConnectionReport,
  connectionTestRecord,
  nonceRecord,
  toolKeyRecord,
} from "../rules/registration.ts";
import { onDuplicate, openRecords } from "../../../storage/records.ts";

type ToolKey = ItemOf<typeof toolKeyRecord>;

/** One key pair per registration, or several during a rotation. */
export function createToolKeyStore(connection: Connection) {
  const records = openRecords(connection, toolKeyRecord);

  return {
    /** @throws NamedError "tool-key-exists" if another process has made this generation. */
    insert: async ({ kid, ...facts }: ToolKey): Promise<void> => {
      if (!(await records.insert({ _id: kid, ...facts })))
        throw refusal("tool-key-exists", { temporary: true });
    },
    /** Newest generation first. */
    listOf: (registrationId: string): Promise<ToolKey[]> =>
      records.list({ registrationId }, { sort: { generation: -1 } }),
    /** Keys of all registrations, for the published key set. */
    list: (): Promise<ToolKey[]> => records.list({}),
    retire: async (kid: string, retiredAt: number): Promise<void> => {
      await records.change({ _id: kid }, { $set: { retiredAt } });
    },
    /** Replaces exactly this sealed private half. Of two concurrent calls, the first wins. */
    reseal: async (kid: string, from: string, to: string): Promise<void> => {
      await records.change({ _id: kid, sealedPrivateKey: from }, { $set: { sealedPrivateKey: to } });
    },
    remove: async (kid: string): Promise<void> => {
      await records.remove({ _id: kid });
    },
  };
}

type StoredToken = { registrationId: string; scopes: string; sealedToken: string; expiresAt: number };

/** Shared by all processes, one token per registration and scope set. */
export function createAccessTokenStore(connection: Connection) {
  const records = openRecords(connection, accessTokenRecord);

  return {
    /** A token that is still valid after `now`. */
    find: async (registrationId: string, scopes: string, now: number): Promise<StoredToken | null> => {
      const row = await records.row({ _id: keyOf(registrationId, scopes) });
      if (row === null || row.expiresAt.getTime() <= now) return null;
      return { registrationId, scopes, sealedToken: row.sealedToken, expiresAt: row.expiresAt.getTime() };
    },
    save: async ({ expiresAt, ...facts }: StoredToken): Promise<void> => {
      const _id = keyOf(facts.registrationId, facts.scopes);
      await records.replace({ _id }, { _id, ...facts, expiresAt: new Date(expiresAt) });
    },
    drop: async ({ registrationId, scopes, sealedToken }: Omit<StoredToken, "expiresAt">): Promise<void> => {
      await records.remove({ _id: keyOf(registrationId, scopes), sealedToken });
    },
    /** Drops tokens of one LMS. Default: of all. @returns how many */
    dropAll: (registrationId?: string): Promise<number> =>
      records.remove(registrationId === undefined ? {} : { registrationId }),
  };
}

function keyOf(registrationId: string, scopes: string): string {
  return `${registrationId} ${scopes}`;
}

export function createNonceStore(connection: Connection) {
  const records = openRecords(connection, nonceRecord);
  const rows = connection.collection<RowOf<typeof nonceRecord>>(records.collection);

  const idOf = (registrationId: string, nonce: string) => `${registrationId} ${nonce}`;

  return {
    /** Marks a nonce as used until `expiresAt` (ms). @throws NamedError "nonce-used" if it was used before. */
    use: async (registrationId: string, nonce: string, expiresAt: number): Promise<void> => {
      const row = { _id: idOf(registrationId, nonce), expiresAt: new Date(expiresAt) };
      // Not a mongoose document, because its defaults and casts aren't needed here.
      if ((await rows.insertOne(row).catch(onDuplicate(null))) === null)
        throw refusal("nonce-used", { status: 401 });
    },
    wasUsed: async (registrationId: string, nonce: string): Promise<boolean> =>
      (await rows.findOne({ _id: idOf(registrationId, nonce) })) !== null,
  };
}

export function createInvitationStore(connection: Connection) {
  const records = openRecords(connection, invitationRecord);

  return {
    insert: async ({ id, ...facts }: Invitation): Promise<void> => {
      await records.add({ _id: id, ...facts });
    },
    find: (id: string): Promise<Invitation | null> => records.find({ _id: id }),
    /** Uses an invitation up. Null if it's unknown, expired or used. Of two concurrent callers, one gets it. */
    take: async (id: string, now: number): Promise<Invitation | null> => {
      const free = { _id: id, usedAt: null, expiresAt: { $gt: now } };
      const row = await records.take(free, { $set: { usedAt: now } });
      return row === null ? null : records.read(row);
    },
    /** Removes invitations to an account that nobody has used. */
    withdraw: async (environment: Invitation["environment"]): Promise<void> => {
      await records.remove({ environment, usedAt: null });
    },
    /** Whether an LMS has begun to register with the account since then (ms). */
    isTakenSince: (environment: Invitation["environment"], since: number): Promise<boolean> =>
      records.exists({ environment, usedAt: { $gt: since } }),
    /** Gives back what was taken at `usedAt`, after a registration that the LMS never accepted. */
    release: async (id: string, usedAt: number): Promise<void> => {
      await records.change({ _id: id, usedAt }, { $set: { usedAt: null } });
    },
  };
}

/** The latest test of each LMS. */
export function createConnectionTestStore(connection: Connection) {
  const records = openRecords(connection, connectionTestRecord);

  return {
    keep: async ({ registrationId, ...found }: ConnectionReport): Promise<void> => {
      await records.save({ _id: registrationId }, { $set: found });
    },
    find: (registrationId: string): Promise<ConnectionReport | null> => records.find({ _id: registrationId }),
    /** The latest report of each LMS that was tested. */
    list: (): Promise<ConnectionReport[]> => records.list({}),
    remove: async (registrationId: string): Promise<void> => {
      await records.remove({ _id: registrationId });
    },
  };
}
