import type { AccountId } from "../../../domain/account.ts";
import type { Person, personRecord } from "../../../domain/course.ts";
import type { RowOf } from "../../../domain/record.ts";
import { personKeyNames, personKeysOf } from "../rules/names.ts";
import type { Records } from "../../../storage/records.ts";

export type PersonRow = RowOf<typeof personRecord>;
export type ApiUserFields = Partial<
  Pick<PersonRow, Extract<keyof PersonRow, `${"apiUser" | "host" | "participant" | "lease"}${string}`>>
>;

const byName = { nameKey: { nameKey: 1 }, familyKey: { familyKey: 1 }, emailKey: { emailKey: 1 } } as const;

const userNames = ["hostUserId", "participantUserId", "apiUserId"] as const;

/** Finds people of all LMSs for operators; every read is a range of an index. */
export function createPersonLists(
  records: Records<typeof personRecord>,
  toPerson: (row: PersonRow) => Person,
) {
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
        rows.push(...(await records.rows({ [key]: range }, { sort: byName[key], limit })));
      return shown(rows, limit);
    },
    /** By the LMS's user id, in some LMSs. */
    listBySub: async (registrationIds: readonly string[], sub: string, limit: number): Promise<Person[]> => {
      if (registrationIds.length === 0) return [];
      return shown(await records.rows({ registrationId: { $in: registrationIds }, sub }, { limit }), limit);
    },
    /** By a classroom user, in some accounts. */
    listByUser: async (accounts: readonly AccountId[], userId: string, limit: number): Promise<Person[]> => {
      if (accounts.length === 0) return [];
      const environment = { $in: [...accounts] };
      const rows: PersonRow[] = [];
      for (const name of userNames)
        rows.push(...(await records.rows({ environment, [name]: userId }, { limit })));
      return shown(rows, limit);
    },
    /** At most `limit` people who were joined get keys. @returns how many there were. */
    keyMore: async (limit: number): Promise<number> => {
      const named = ["name", "givenName", "familyName", "email"] as const;
      const rows = await records.some(named, { nameKey: null }, { limit });
      await records.changeEach(
        rows.map(({ _id, ...facts }) => ({
          filter: { _id, nameKey: null },
          update: { $set: personKeysOf(facts) },
        })),
      );
      return rows.length;
    },
  };
}
