import type { RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { preparedLoginRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { PreparedLogin } from "../rules/prepared-login.ts";

type LoginRow = RowOf<typeof preparedLoginRecord>;

export type LoginKey = Pick<PreparedLogin, "registrationId" | "courseId" | "personId">;
export type NewLogin = Omit<PreparedLogin, "id" | "expectedAs"> & Partial<Pick<PreparedLogin, "expectedAs">>;
export type KnownLogin = Omit<PreparedLogin, "login">;
export type LoginStore = ReturnType<typeof createLoginStore>;

/**
 * One record for each (course, person), each login used at most once. It outlives its login, so that nobody is
 * authorized again for the same reason.
 */
export function createLoginStore(connection: Connection) {
  const model = recordModel(connection, preparedLoginRecord);
  const ready = (now: number) => ({ usedAt: null, usableUntil: { $gt: now } });

  return {
    /** Replaces an older one; also notes that there was none. */
    keep: async ({ keptUntil, ...login }: NewLogin): Promise<void> => {
      const { registrationId, courseId, personId } = login;
      const id = rowId(login);
      const row = { _id: id, expectedAs: null, ...login, expiresAt: new Date(keptUntil) };
      await model.replaceOne({ _id: id, registrationId, courseId, personId }, row, { upsert: true });
    },
    find: async (key: LoginKey): Promise<KnownLogin | null> => {
      const row = await model.findOne({ ...key }, { login: 0 }).lean();
      return row === null ? null : toKnown(row);
    },
    listOfCourse: async (key: Pick<LoginKey, "registrationId" | "courseId">): Promise<KnownLogin[]> =>
      (await model.find({ ...key }, { login: 0 }).lean()).map(toKnown),
    /** Whether a person could enter at once. */
    has: async (key: LoginKey, fingerprint: string, now: number): Promise<boolean> =>
      (await model.countDocuments({ ...key, fingerprint, ...ready(now) })) > 0,
    /** Of all concurrent callers exactly one gets it. */
    take: async (key: LoginKey, fingerprint: string, now: number): Promise<PreparedLogin | null> => {
      const row = await model
        .findOneAndUpdate(
          { ...key, fingerprint, ...ready(now) },
          { $set: { login: "", usedAt: now } },
          { returnDocument: "before" },
        )
        .lean();
      return row === null ? null : { ...toKnown(row), login: row.login };
    },
    /** Unless used or replaced meanwhile. The record stays: it counts what was spent on the person. */
    discard: async (logins: readonly Pick<KnownLogin, "id" | "fingerprint">[]): Promise<void> => {
      for (const { id, fingerprint } of logins) {
        const blank = { login: "", fingerprint: "", expectedAs: null, usableUntil: 0 };
        await model.updateOne({ _id: id, fingerprint, usedAt: null }, { $set: blank });
      }
    },
    usedSince: async (key: Pick<LoginKey, "registrationId" | "courseId">, since: number): Promise<string[]> =>
      (
        await model
          .find(
            { registrationId: key.registrationId, courseId: key.courseId, usedAt: { $gte: since } },
            { personId: 1 },
          )
          .lean()
      ).map(({ personId }) => personId),
    countReady: (now: number): Promise<number> => model.countDocuments(ready(now)).exec(),
  };
}

function rowId({ registrationId, courseId, personId }: LoginKey): string {
  return `${registrationId} ${courseId} ${personId}`;
}

/** What records of earlier releases lack. */
const earlier = { expectedAs: null, plan: "", fetches: 0, usedAt: null };

function toKnown(row: Omit<LoginRow, "login"> & { login?: string }): KnownLogin {
  const { _id, expiresAt, login: _login, ...known } = row;
  return { id: _id, ...earlier, ...known, keptUntil: expiresAt.getTime() };
}
