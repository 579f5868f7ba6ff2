import type { Model } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { ClassroomRole } from "../../../domain/api-user.ts";
import type { Person } from "../../../domain/course.ts";
import { personKeyNames, personKeysOf } from "../rules/names.ts";
import type { LeaseFields } from "../../../storage/lease.ts";

/** A user without a role is where earlier versions had their only user. */
export type ApiUserFields = LeaseFields & {
  apiUserId?: string | null;
  /** The role with the same user; it stays here for processes of the release before. */
  apiUserIs?: ClassroomRole | null;
  apiUserName?: string | null;
  hostUserId?: string | null;
  hostUserName?: string | null;
  hostLeaseHolder?: string | null;
  hostLeaseUntil?: number;
  participantUserId?: string | null;
  participantUserName?: string | null;
  participantLeaseHolder?: string | null;
  participantLeaseUntil?: number;
};

export type PersonRow = Omit<Person, "id" | "apiUsers"> &
  ApiUserFields & {
    _id: string;
    /** Since when they are in no course (ms). */
    loneSince?: number;
    /** The row stays for their API users. See `person-joins`. */
    mergedInto?: string;
    moving?: boolean;
    // Missing in records of earlier versions.
    nameKey?: string;
    familyKey?: string;
    emailKey?: string;
  };

const userNames = ["hostUserId", "participantUserId", "apiUserId"] as const;

/** Finds people of all LMSs for operators; every read is a range of an index. */
export function createPersonLists(model: Model<PersonRow>, toPerson: (row: PersonRow) => Person) {
  const shown = (rows: readonly PersonRow[], limit: number) => {
    const whole = rows.filter(({ mergedInto }) => mergedInto === undefined);
    return [...new Map(whole.map((row) => [row._id, toPerson(row)])).values()].slice(0, limit);
  };

  return {
    /** By the beginning of a name, in either order, or of an e-mail address. @param begins A `searchKey`; not empty. */
    listBeginning: async (begins: string, limit: number): Promise<Person[]> => {
      const range = { $gte: begins, $lt: `${begins}\uffff` };
      const rows: PersonRow[] = [];
      for (const key of personKeyNames)
        rows.push(
          ...(await model
            .find({ [key]: range })
            .sort({ [key]: 1 })
            .limit(limit)
            .lean()),
        );
      return shown(rows, limit);
    },
    /** By the LMS's user id, in some LMSs. */
    listBySub: async (registrationIds: readonly string[], sub: string, limit: number): Promise<Person[]> => {
      if (registrationIds.length === 0) return [];
      const found = model.find({ registrationId: { $in: [...registrationIds] }, sub }).limit(limit);
      return shown(await found.lean(), limit);
    },
    /** By a classroom user, in some accounts. */
    listByUser: async (accounts: readonly AccountId[], userId: string, limit: number): Promise<Person[]> => {
      if (accounts.length === 0) return [];
      const environment = { $in: [...accounts] };
      const rows: PersonRow[] = [];
      for (const name of userNames)
        rows.push(
          ...(await model
            .find({ environment, [name]: userId })
            .limit(limit)
            .lean()),
        );
      return shown(rows, limit);
    },
    /** At most `limit` people who were joined get keys. @returns how many there were. */
    keyMore: async (limit: number): Promise<number> => {
      const named = { name: 1, givenName: 1, familyName: 1, email: 1 };
      const rows = await model.find({ nameKey: null }, named).limit(limit).lean();
      if (rows.length > 0)
        await model.bulkWrite(
          rows.map(({ _id, ...facts }) => ({
            updateOne: { filter: { _id, nameKey: null }, update: { $set: personKeysOf(facts) } },
          })),
          { ordered: false },
        );
      return rows.length;
    },
  };
}
