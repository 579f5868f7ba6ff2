import type { Connection } from "mongoose";
import type { ClassroomRole } from "../../../domain/person.ts";
import { type Person, personRecord } from "../../../domain/course.ts";
import { isShared, sharedScope } from "../../../domain/person-scope.ts";
import type { AccountId } from "../../../domain/account.ts";
import { readOnce, readTogether } from "../../../storage/read-once.ts";
import { onDuplicate, openRecords } from "../../../storage/records.ts";
import { personKeysOf } from "../rules/names.ts";
import { createPersonJoins, type NoteRegrade } from "./person-joins.ts";
import {
  apiUsersIn,
  createPersonApiUsers,
  createPersonLists,
  havingUser,
  noApiUsers,
  type PersonRow,
  usersIn,
} from "./person-api-users.ts";

export type PersonKey = Pick<Person, "registrationId" | "deploymentId" | "sub">;
/** `deploymentId` is `sharedPlace` if all deployments of the LMS share people. */
export type PersonScopeKey = Omit<PersonKey, "sub">;
export type PersonFacts = Pick<
  Person,
  "name" | "givenName" | "familyName" | "email" | "idNumber" | "previewSub"
>;
export type UserOfPerson = {
  userId: string;
  /** The role the user was made with. Null if unknown, or for both roles. */
  role: ClassroomRole | null;
  person: Person;
};
export type PersonStore = ReturnType<typeof createPersonStore>;

/**
 * One record per registration, deployment and sub, or per registration and sub if deployments share people (`sharedPlace`). People who were
 * known by deployment before that are merged when they are looked up.
 */
export function createPersonStore(connection: Connection, noteRegrade: NoteRegrade) {
  const records = openRecords(connection, personRecord);
  const rows = connection.collection<PersonRow>(records.collection);
  const joins = createPersonJoins(connection, noteRegrade);

  const listed = readOnce(rows, (filter: Parameters<typeof records.rows>[0]) => records.rows(filter));
  const rowsOf = async ({ registrationId, deploymentId }: PersonScopeKey, subs: readonly string[]) => {
    const sub = { $in: [...subs] };
    const shared = sharedScope(deploymentId);
    if (deploymentId !== shared)
      return listed({ registrationId, sub, deploymentId: { $in: [deploymentId, shared] } });
    const everywhere = await listed({ registrationId, sub });
    return everywhere.filter((row) => sharedScope(row.deploymentId) === shared);
  };
  /** Finds people by the LMS's ids. Those shared by all deployments take precedence. */
  const known = async (place: PersonScopeKey, subs: readonly string[]): Promise<Map<string, PersonRow>> => {
    let rows = await rowsOf(place, subs);
    if (isShared(place.deploymentId)) {
      const scattered = new Set(rows.filter(isScattered).map(({ sub }) => sub));
      for (const sub of scattered) await joins.join(place, sub);
      if (scattered.size > 0) rows = await rowsOf(place, subs);
    }
    const found = new Map<string, PersonRow>();
    for (const row of rows.filter(isWhole)) {
      if (isShared(row.deploymentId) || !found.has(row.sub)) found.set(row.sub, row);
    }
    return found;
  };
  /** Inserts a new person, field by field without mongoose, as for nonces. Null if another process has inserted them. */
  const inserted = async (
    key: PersonKey,
    changed: Partial<PersonFacts>,
    { id, environment }: { id: string; environment: AccountId },
  ): Promise<PersonRow | null> => {
    const nameless = { name: null, givenName: null, familyName: null, email: null };
    const facts = { ...nameless, ...changed };
    const row = { _id: id, ...key, ...facts, ...personKeysOf(facts), environment, ...noApiUsers };
    return rows.insertOne(row).then(() => row, onDuplicate(null));
  };
  const withUsers = async (environment: AccountId, userIds: readonly string[]) => {
    if (userIds.length === 0) return [];
    const rows = await records.rows({ $or: havingUser(environment, userIds) });
    const gone = rows.flatMap(({ mergedInto }) => mergedInto ?? []);
    const stayed = gone.length === 0 ? [] : await records.rows({ _id: { $in: [...new Set(gone)] } });
    const people = new Map([...stayed, ...rows.filter(isWhole)].map((row) => [row._id, toPerson(row)]));
    return onlyOnce(
      rows.flatMap((row) => {
        const person = people.get(row.mergedInto ?? row._id);
        return person === undefined ? [] : usersIn(row, userIds).map((user) => ({ ...user, person }));
      }),
    );
  };

  return {
    /** Made on first sight. Facts that the LMS withholds this time stay. */
    record: async (key: PersonKey, facts: PersonFacts, first: { id: string; environment: AccountId }) => {
      const before = (await known(key, [key.sub])).get(key.sub);
      const changed = changedFacts(facts, before);
      // Writes nothing if there is no news, which is the usual case.
      if (before !== undefined && before.loneSince === undefined && Object.keys(changed).length === 0)
        return toPerson(before);
      const row =
        (before === undefined ? await inserted(key, changed, first) : null) ??
        (await records.saved(
          before === undefined ? { ...key } : { _id: before._id, sub: key.sub, ...scopeKeyOf(before) },
          {
            $set: withKeys(changed, before),
            ...noLongerLone,
            $setOnInsert: { _id: first.id, environment: first.environment },
          },
        ));
      return toPerson(row);
    },
    /**
     * Records the people of a roster. Without news, a person costs only a read. At most a few hundred, because one call
     * is one transaction of the embedded engine. @returns the people by the LMS's ids.
     */
    recordMany: async (
      place: PersonScopeKey,
      listed: readonly (PersonFacts & { sub: string })[],
      first: { newId: () => string; environment: AccountId },
    ): Promise<Map<string, Person>> => {
      const before = await known(
        place,
        listed.map(({ sub }) => sub),
      );
      const writes = listed.flatMap(({ sub, ...facts }) => {
        const changed = changedFacts(facts, before.get(sub));
        const lone = before.get(sub)?.loneSince !== undefined;
        if (before.has(sub) && !lone && Object.keys(changed).length === 0) return [];
        const once = { _id: first.newId(), environment: first.environment };
        return [
          {
            filter: { ...place, ...scopeKeyOf(before.get(sub)), sub },
            update: { $set: withKeys(changed, before.get(sub)), ...noLongerLone, $setOnInsert: once },
            upsert: true,
          },
        ];
      });
      const people = new Map([...before].map(([sub, row]) => [sub, toPerson(row)]));
      if (writes.length === 0) return people;
      await records.changeEach(writes);
      const written = writes.map(({ filter }) => filter.sub);
      for (const [sub, row] of await known(place, written)) people.set(sub, toPerson(row));
      return people;
    },
    /** Our ids by the LMS's ids. At most a few hundred. */
    idsOf: async (place: PersonScopeKey, subs: readonly string[]) =>
      new Map([...(await known(place, subs))].map(([sub, { _id }]) => [sub, _id])),
    find: async (id: string): Promise<Person | null> => {
      const row = await records.row({ _id: id });
      return row?.mergedInto === undefined ? orNull(row) : orNull(await records.row({ _id: row.mergedInto }));
    },
    findMany: async (ids: readonly string[]) =>
      (await records.rows({ _id: { $in: ids }, mergedInto: null })).map(toPerson),
    findBySub: async (key: PersonKey) => orNull((await known(key, [key.sub])).get(key.sub) ?? null),
    listMergedInto: async (people: readonly Pick<Person, "id" | "registrationId" | "sub">[]) => {
      const registrationId = { $in: [...new Set(people.map((person) => person.registrationId))] };
      const sub = { $in: people.map((person) => person.sub) };
      const rows = await records.rows({
        registrationId,
        sub,
        mergedInto: { $in: people.map(({ id }) => id) },
      });
      return rows.map((row) => ({ ...toPerson(row), mergedInto: row.mergedInto }));
    },
    /** In either role: one user may belong to people of several LMSs, and to merged persons. */
    listByApiUser: readTogether(withUsers, ({ userId }) => userId),
    /** Looks each user up once. At most a few hundred. */
    listByApiUsers: (environment: AccountId, userIds: readonly string[]) => withUsers(environment, userIds),
    ...createPersonApiUsers(records),
    ...createPersonLists(records, toPerson),
  };
}

/** A person known by deployment though deployments share people, or whose merging isn't finished. */
function isScattered({ deploymentId, mergedInto, moving }: PersonRow): boolean {
  return mergedInto === undefined ? !isShared(deploymentId) : moving === true;
}

function isWhole({ mergedInto }: PersonRow): boolean {
  return mergedInto === undefined;
}

/** May differ from the scope that was asked for. */
function scopeKeyOf(row: PersonRow | undefined): Partial<PersonScopeKey> {
  return row === undefined ? {} : { registrationId: row.registrationId, deploymentId: row.deploymentId };
}

/** A user of both roles counts as having no role. */
function onlyOnce(users: readonly UserOfPerson[]): UserOfPerson[] {
  const found = new Map<string, UserOfPerson>();
  for (const user of users) {
    const key = `${user.person.id} ${user.userId}`;
    const known = found.get(key);
    found.set(key, known === undefined || known.role === user.role ? user : { ...user, role: null });
  }
  return [...found.values()];
}

function changedFacts(facts: PersonFacts, row: PersonFacts | undefined): Partial<PersonFacts> {
  const news = factNames.filter((name) => (facts[name] ?? null) !== null && facts[name] !== row?.[name]);
  return Object.fromEntries(news.map((name) => [name, facts[name]]));
}

/** The changed facts, with the keys derived from them. Joined people get theirs from `keyMore`. */
function withKeys(changed: Partial<PersonFacts>, row: PersonFacts | undefined) {
  if (Object.keys(changed).length === 0 && row !== undefined) return changed;
  const { name = null, givenName = null, familyName = null, email = null } = { ...row, ...changed };
  return { ...changed, ...personKeysOf({ name, givenName, familyName, email }) };
}

const factNames = ["name", "givenName", "familyName", "email", "idNumber", "previewSub"] as const;

function toPerson(row: PersonRow): Person {
  const { _id: id, registrationId, deploymentId, sub, name, givenName, familyName, email, environment } = row;
  const { idNumber, previewSub } = row;
  const facts = {
    name,
    givenName,
    familyName,
    email,
    ...(idNumber ? { idNumber } : {}),
    ...(previewSub ? { previewSub } : {}),
  };
  return { id, registrationId, deploymentId, sub, ...facts, environment, apiUsers: apiUsersIn(row) };
}

/** They are about to be in a course, so an erasure of people without a course finds them changed. */
const noLongerLone = { $unset: { loneSince: "" } };

function orNull(row: PersonRow | null): Person | null {
  return row === null ? null : toPerson(row);
}
