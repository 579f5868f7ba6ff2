import { type ApiUser, type ApiUsers, apiUserSlots, type ClassroomRole } from "../../../domain/person.ts";
import { released } from "../../../storage/due-queue.ts";
import type { AccountId } from "../../../domain/account.ts";
import type { Person, personRecord } from "../../../domain/course.ts";
import type { RowOf } from "../../../domain/record.ts";
import { personKeyNames, personKeysOf } from "../rules/names.ts";
import type { Records } from "../../../storage/records.ts";

export type PersonRow = RowOf<typeof personRecord>;
type ApiUserFields = Partial<
  Pick<PersonRow, Extract<keyof PersonRow, `${"apiUser" | "host" | "participant" | "lease"}${string}`>>
>;

const byName = { nameKey: { nameKey: 1 }, familyKey: { familyKey: 1 }, emailKey: { emailKey: 1 } } as const;

const userNames = ["hostUserId", "participantUserId", "apiUserId"] as const;

/** Finds people of all LMSs for operators. Every read is a range of an index. */
export function createPersonLists(
  records: Records<typeof personRecord>,
  toPerson: (row: PersonRow) => Person,
) {
  const people = (rows: readonly PersonRow[], limit: number) => {
    const whole = rows.filter(({ mergedInto }) => mergedInto === undefined);
    return [...new Map(whole.map((row) => [row._id, toPerson(row)])).values()].slice(0, limit);
  };

  return {
    /** Finds people by the beginning of a name, in either order, or of an e-mail address. @param begins A `searchKey`, not empty. */
    listBeginning: async (begins: string, limit: number): Promise<Person[]> => {
      const range = { $gte: begins, $lt: `${begins}\uffff` };
      const rows: PersonRow[] = [];
      for (const key of personKeyNames)
        rows.push(...(await records.rows({ [key]: range }, { sort: byName[key], limit })));
      return people(rows, limit);
    },
    /** Finds people by the LMS's user id, in these LMSs. */
    listBySub: async (registrationIds: readonly string[], sub: string, limit: number): Promise<Person[]> => {
      if (registrationIds.length === 0) return [];
      return people(await records.rows({ registrationId: { $in: registrationIds }, sub }, { limit }), limit);
    },
    /** Finds people by a classroom user, in these accounts. */
    listByUser: async (accounts: readonly AccountId[], userId: string, limit: number): Promise<Person[]> => {
      if (accounts.length === 0) return [];
      const environment = { $in: [...accounts] };
      const rows: PersonRow[] = [];
      for (const name of userNames)
        rows.push(...(await records.rows({ environment, [name]: userId }, { limit })));
      return people(rows, limit);
    },
    /** Gives keys to at most `limit` people who were joined. @returns how many there were. */
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

/** `unknown` is the user of people whose classroom has no roles. */
export type ApiUserSlot = keyof ApiUsers;

/** The fields of a person without API users. */
export const noApiUsers = {
  apiUserId: null,
  apiUserName: null,
  hostUserId: null,
  hostUserName: null,
  participantUserId: null,
  participantUserName: null,
  ...released,
};

export function apiUsersIn(row: ApiUserFields): ApiUsers {
  return {
    host: userOf(row.hostUserId, row.hostUserName),
    participant: userOf(row.participantUserId, row.participantUserName),
    unknown: row.apiUserIs == null ? userOf(row.apiUserId, row.apiUserName) : null,
  };
}

function userOf(id: string | null | undefined, name: string | null | undefined): ApiUser | null {
  return id == null ? null : { id, name: name ?? null };
}

export function havingUser(environment: AccountId, userIds: readonly string[]) {
  const some = { $in: [...userIds] };
  return [
    { environment, hostUserId: some },
    { environment, participantUserId: some },
    { environment, apiUserId: some },
  ];
}

export function usersIn(row: ApiUserFields, userIds: readonly string[]) {
  const users = apiUsersIn(row);
  return apiUserSlots.flatMap((slot) => {
    const user = users[slot];
    if (user === null || !userIds.includes(user.id)) return [];
    return [{ userId: user.id, role: slot === "unknown" ? null : slot }];
  });
}

/** The part of the person store that makes and keeps classroom users, one per slot. */
export function createPersonApiUsers(records: Records<typeof personRecord>) {
  return {
    /** Like `claimSpace` of the course store. */
    claimApiUser: async (
      id: string,
      slot: ApiUserSlot,
      holder: string,
      { now, until }: { now: number; until: number },
    ): Promise<boolean> => {
      const fields = fieldsOf[slot];
      // Written so that a lease that was never taken is free.
      const free = { [fields.id]: null, [fields.until]: { $not: { $gt: now } } };
      const claim = { $set: { [fields.holder]: holder, [fields.until]: until } };
      return await records.change({ _id: id, ...free }, claim);
    },
    extendApiUser: async (id: string, slot: ApiUserSlot, holder: string, until: number): Promise<boolean> => {
      const fields = fieldsOf[slot];
      const longer = { $set: { [fields.until]: until } };
      return await records.change({ _id: id, [fields.holder]: holder }, longer);
    },
    /** @returns false if the claim was lost, or the person has this user in another role. */
    keepApiUser: async (id: string, slot: ApiUserSlot, holder: string, user: ApiUser): Promise<boolean> => {
      const fields = fieldsOf[slot];
      const others = apiUserSlots.filter((one) => one !== slot).map((one) => fieldsOf[one].id);
      const another = Object.fromEntries(others.map((field) => [field, { $ne: user.id }]));
      return records.change(
        { _id: id, [fields.id]: null, [fields.holder]: holder, ...another },
        { $set: { [fields.id]: user.id, [fields.name]: user.name, ...free(slot) } },
      );
    },
    /** For a classroom without roles: the one user also serves this role. */
    shareApiUser: async (id: string, role: ClassroomRole, user: ApiUser): Promise<void> => {
      const fields = fieldsOf[role];
      await records.change(
        { _id: id, [fields.id]: null },
        { $set: { [fields.id]: user.id, [fields.name]: user.name } },
      );
    },
    /** For a classroom with roles: a user of several roles becomes a user of unknown role. */
    unshareApiUser: async (id: string, user: ApiUser): Promise<void> => {
      const { host, participant, unknown } = fieldsOf;
      const none = (fields: Fields) => ({ [fields.id]: null, [fields.name]: null });
      const stored = { [unknown.id]: user.id, [unknown.name]: user.name, apiUserIs: null };
      const both = { [host.id]: user.id, [participant.id]: user.id };
      await records.change(
        { _id: id, ...both },
        { $set: { ...none(host), ...none(participant), ...stored } },
      );
      for (const role of [host, participant])
        await records.change(
          { _id: id, [role.id]: user.id, [unknown.id]: user.id, apiUserIs: null },
          { $set: none(role) },
        );
    },
    keepApiUserName: async (id: string, { id: userId, name }: ApiUser): Promise<void> => {
      for (const fields of Object.values(fieldsOf))
        await records.change({ _id: id, [fields.id]: userId }, { $set: { [fields.name]: name } });
    },
    /** For at most a few hundred people. @param role Default: any role. */
    withoutApiUser: async (ids: readonly string[], role?: ClassroomRole): Promise<string[]> => {
      const slots = role === undefined ? apiUserSlots : [role];
      const none = Object.fromEntries(slots.map((slot) => [fieldsOf[slot].id, null]));
      const found = await records.some(["_id"], { _id: { $in: ids }, ...none });
      return found.map(({ _id }) => _id);
    },
    releaseApiUser: async (id: string, slot: ApiUserSlot, holder: string): Promise<void> => {
      await records.change({ _id: id, [fieldsOf[slot].holder]: holder }, { $set: free(slot) });
    },
  };
}

type Fields = Record<"id" | "name" | "holder" | "until", keyof ApiUserFields>;

const fieldsOf: Readonly<Record<ApiUserSlot, Fields>> = {
  host: { id: "hostUserId", name: "hostUserName", holder: "hostLeaseHolder", until: "hostLeaseUntil" },
  participant: {
    id: "participantUserId",
    name: "participantUserName",
    holder: "participantLeaseHolder",
    until: "participantLeaseUntil",
  },
  unknown: { id: "apiUserId", name: "apiUserName", holder: "leaseHolder", until: "leaseUntil" },
};

function free(slot: ApiUserSlot) {
  const { holder, until } = fieldsOf[slot];
  return { [holder]: released.leaseHolder, [until]: released.leaseUntil };
}
