import { type Connection, Schema } from "mongoose";
import type { Person } from "../domain/course.ts";
import type { EnvironmentName } from "../domain/registration.ts";
import { retriedOnDuplicate } from "./duplicate-key.ts";
import { type LeaseFields, leaseFields, released } from "./lease.ts";

type PersonRow = Omit<Person, "id"> &
  LeaseFields & {
    _id: string;
    /** Since when they were seen to be in no course (ms); left out while they are in one. */
    loneSince?: number;
  };

export type PersonKey = Pick<Person, "registrationId" | "deploymentId" | "sub">;
export type PersonFacts = Pick<Person, "name" | "givenName" | "familyName" | "email">;
export type PersonStore = ReturnType<typeof createPersonStore>;

/** People, one for each (registration, deployment, sub), with their API user. */
export function createPersonStore(connection: Connection) {
  const schema = new Schema<PersonRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      deploymentId: { type: String, required: true },
      sub: { type: String, required: true },
      name: { type: String, default: null },
      givenName: { type: String, default: null },
      familyName: { type: String, default: null },
      email: { type: String, default: null },
      environment: { type: String, required: true },
      apiUserId: { type: String, default: null },
      apiUserName: { type: String, default: null },
      loneSince: { type: Number },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, deploymentId: 1, sub: 1 }, { unique: true });
  schema.index({ environment: 1, apiUserId: 1 });
  const model = connection.model<PersonRow>("Person", schema);

  return {
    /** The person of a launch or a roster, made on first sight. Facts the LMS withholds this time are kept. */
    record: async (
      key: PersonKey,
      facts: PersonFacts,
      first: { id: string; environment: EnvironmentName },
    ): Promise<Person> => {
      const before = await model.findOne({ ...key }).lean();
      const known = toldFacts(facts, before ?? undefined);
      // Who is known as they come is not written down again: most who come.
      if (before !== null && before.loneSince === undefined && Object.keys(known).length === 0)
        return toPerson(before);
      const row = await retriedOnDuplicate(() =>
        model
          .findOneAndUpdate(
            { ...key },
            {
              $set: known,
              ...noLongerLone,
              $setOnInsert: { _id: first.id, environment: first.environment, ...newPerson },
            },
            { upsert: true, returnDocument: "after" },
          )
          .lean(),
      );
      return toPerson(row);
    },
    /**
     * The people of a roster, made or brought up to date like by `record`; those who are known as they are listed
     * cost a read only. At most a few hundred at once: one call is one transaction of the embedded engine.
     * @returns the people as they are now, by the LMS's ids.
     */
    recordMany: async (
      place: Omit<PersonKey, "sub">,
      listed: readonly (PersonFacts & { sub: string })[],
      first: { newId: () => string; environment: EnvironmentName },
    ): Promise<Map<string, Person>> => {
      const known = async (subs: readonly string[]) => {
        const rows = await model.find({ ...place, sub: { $in: [...subs] } }).lean();
        return new Map(rows.map((row) => [row.sub, row]));
      };
      const before = await known(listed.map(({ sub }) => sub));
      const writes = listed.flatMap(({ sub, ...facts }) => {
        const told = toldFacts(facts, before.get(sub));
        const lone = before.get(sub)?.loneSince !== undefined;
        if (before.has(sub) && !lone && Object.keys(told).length === 0) return [];
        const once = { _id: first.newId(), environment: first.environment, ...newPerson };
        return [
          {
            filter: { ...place, sub },
            update: { $set: told, ...noLongerLone, $setOnInsert: once },
            upsert: true,
          },
        ];
      });
      const people = new Map([...before].map(([sub, row]) => [sub, toPerson(row)]));
      if (writes.length === 0) return people;
      await retriedOnDuplicate(() =>
        model.bulkWrite(
          writes.map((updateOne) => ({ updateOne })),
          { ordered: false },
        ),
      );
      for (const [sub, row] of await known(writes.map(({ filter }) => filter.sub)))
        people.set(sub, toPerson(row));
      return people;
    },
    /** Our ids of those who are known, by the LMS's; a few hundred at most. */
    idsOf: async (place: Omit<PersonKey, "sub">, subs: readonly string[]): Promise<Map<string, string>> => {
      const rows = await model.find({ ...place, sub: { $in: [...subs] } }).lean();
      return new Map(rows.map(({ sub, _id }) => [sub, _id]));
    },
    find: async (id: string): Promise<Person | null> => orNull(await model.findOne({ _id: id }).lean()),
    findMany: async (ids: readonly string[]): Promise<Person[]> =>
      (await model.find({ _id: { $in: [...ids] } }).lean()).map(toPerson),
    /** The person of an LMS's user id; null when they have never come. */
    findBySub: async (key: PersonKey): Promise<Person | null> =>
      orNull(await model.findOne({ ...key }).lean()),
    /** Everybody with this user of the classroom: it may give one user to people of several LMSs. */
    listByApiUser: async (environment: EnvironmentName, apiUserId: string): Promise<Person[]> =>
      (await model.find({ environment, apiUserId }).limit(20).lean()).map(toPerson),
    /** Everybody with one of these users of the classroom; a few hundred at most. */
    listByApiUsers: async (environment: EnvironmentName, apiUserIds: readonly string[]): Promise<Person[]> =>
      apiUserIds.length === 0
        ? []
        : (await model.find({ environment, apiUserId: { $in: [...apiUserIds] } }).lean()).map(toPerson),
    findByApiUser: async (environment: EnvironmentName, apiUserId: string): Promise<Person | null> =>
      orNull(await model.findOne({ environment, apiUserId }).lean()),
    /** As `claimSpace` of the course store, for the person's API user. */
    claimApiUser: async (id: string, holder: string, now: number, until: number): Promise<boolean> => {
      const row = await model
        .findOneAndUpdate(
          { _id: id, apiUserId: null, leaseUntil: { $lte: now } },
          { $set: { leaseHolder: holder, leaseUntil: until } },
          { returnDocument: "after" },
        )
        .lean();
      return row !== null;
    },
    /** Lengthens a claim; without effect when it was lost. */
    extendApiUser: async (id: string, holder: string, until: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } });
    },
    /** @param apiUserName The name the classroom was given. */
    keepApiUser: async (
      id: string,
      holder: string,
      { apiUserId, apiUserName }: { apiUserId: string; apiUserName: string },
    ): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, apiUserId: null, leaseHolder: holder },
        { $set: { apiUserId, apiUserName, ...released } },
      );
      return done.matchedCount === 1;
    },
    /** Notes that the classroom was told another name. */
    keepApiUserName: async (id: string, apiUserName: string): Promise<void> => {
      await model.updateOne({ _id: id, apiUserId: { $ne: null } }, { $set: { apiUserName } });
    },
    /** Which of some people have no API user yet; a few hundred at most. */
    withoutApiUser: async (ids: readonly string[]): Promise<string[]> =>
      (
        await model
          .find({ _id: { $in: [...ids] }, apiUserId: null })
          .select({ _id: 1 })
          .lean()
      ).map(({ _id }) => _id),
    releaseApiUser: async (id: string, holder: string): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: released });
    },
  };
}

/** What nobody but the classroom can tell. */
const newPerson = { apiUserId: null, apiUserName: null, ...released };

/** What the LMS tells now and is not known so already. */
function toldFacts(facts: PersonFacts, row: PersonFacts | undefined): Partial<PersonFacts> {
  const known = new Map<string, string | null>(row === undefined ? [] : Object.entries(row));
  return Object.fromEntries(
    Object.entries(facts).filter(([name, value]) => value !== null && known.get(name) !== value),
  );
}

function toPerson(row: PersonRow): Person {
  const { _id, leaseHolder: _holder, leaseUntil: _until, loneSince: _since, ...person } = row;
  return { id: _id, ...earlier, ...person };
}

/** Whoever comes is about to be in a course: what was to erase them as somebody in none finds them changed. */
const noLongerLone = { $unset: { loneSince: "" } };

/** What records of earlier versions lack. */
const earlier = { apiUserName: null };

function orNull(row: PersonRow | null): Person | null {
  return row === null ? null : toPerson(row);
}
