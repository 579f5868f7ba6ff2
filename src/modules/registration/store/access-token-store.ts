import { recordModel } from "../../../storage/record-model.ts";
import { accessTokenRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";

type StoredToken = {
  registrationId: string;
  scopes: string;
  sealedToken: string;
  expiresAt: number;
};

export type AccessTokenStore = ReturnType<typeof createAccessTokenStore>;

/** Shared by all processes, one for each (registration, scope set). */
export function createAccessTokenStore(connection: Connection) {
  const model = recordModel(connection, accessTokenRecord);

  return {
    /** A token that lives beyond `now`. */
    find: async (registrationId: string, scopes: string, now: number): Promise<StoredToken | null> => {
      const row = await model.findOne({ _id: keyOf(registrationId, scopes) }).lean();
      if (row === null || row.expiresAt.getTime() <= now) return null;
      return { registrationId, scopes, sealedToken: row.sealedToken, expiresAt: row.expiresAt.getTime() };
    },
    save: async ({ expiresAt, ...facts }: StoredToken): Promise<void> => {
      const _id = keyOf(facts.registrationId, facts.scopes);
      await model.replaceOne({ _id }, { _id, ...facts, expiresAt: new Date(expiresAt) }, { upsert: true });
    },
    drop: async ({ registrationId, scopes, sealedToken }: Omit<StoredToken, "expiresAt">): Promise<void> => {
      await model.deleteOne({ _id: keyOf(registrationId, scopes), sealedToken });
    },
    dropAll: async (): Promise<number> => (await model.deleteMany({})).deletedCount,
  };
}

function keyOf(registrationId: string, scopes: string): string {
  return `${registrationId} ${scopes}`;
}
