import { type Connection, Schema } from "mongoose";
import type { Person } from "../domain/course.ts";
import type { EnvironmentName } from "../domain/registration.ts";
import { retriedOnDuplicate } from "./duplicate-key.ts";
import { type LeaseFields, leaseFields, released } from "./lease.ts";

type PersonRow = Omit<Person, "id"> & LeaseFields & { _id: string };

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
      const known = Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== null));
      const row = await retriedOnDuplicate(() =>
        model
          .findOneAndUpdate(
            { ...key },
            {
              $set: known,
              $setOnInsert: { _id: first.id, environment: first.environment, apiUserId: null, ...released },
            },
            { upsert: true, returnDocument: "after" },
          )
          .lean(),
      );
      return toPerson(row);
    },
    find: async (id: string): Promise<Person | null> => orNull(await model.findOne({ _id: id }).lean()),
    findMany: async (ids: readonly string[]): Promise<Person[]> =>
      (await model.find({ _id: { $in: [...ids] } }).lean()).map(toPerson),
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
    keepApiUser: async (id: string, holder: string, apiUserId: string): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, apiUserId: null, leaseHolder: holder },
        { $set: { apiUserId, ...released } },
      );
      return done.matchedCount === 1;
    },
    releaseApiUser: async (id: string, holder: string): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: released });
    },
  };
}

function toPerson({ _id, leaseHolder: _holder, leaseUntil: _until, ...person }: PersonRow): Person {
  return { id: _id, ...person };
}

function orNull(row: PersonRow | null): Person | null {
  return row === null ? null : toPerson(row);
}
