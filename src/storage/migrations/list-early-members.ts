import type { Connection } from "mongoose";
import { z } from "zod";
import { listNameOf } from "../../domain/list-name.ts";
import { storedCollection } from "../stored-collection.ts";
import type { Migration } from "./migration.ts";

const batchSize = 500;

const orNull = z
  .string()
  .nullish()
  .transform((text) => text ?? null);
const memberSchema = z.object({ _id: z.string(), personId: z.string() });
const personSchema = z.object({
  _id: z.string(),
  sub: z.string(),
  name: orNull,
  givenName: orNull,
  familyName: orNull,
});

/** Early members lack fields that lists filter and sort by. They came by a launch, so they are in their course. */
export const listEarlyMembers: Migration = {
  to: 2,
  what: "members from before rosters were read are listed in their course",
  run: async (connection, renew) => {
    for (;;) {
      const members = await earlyMembers(connection);
      if (members.length === 0) return;
      const names = await listNames(
        connection,
        members.map(({ personId }) => personId),
      );
      for (const { _id, personId } of members) {
        const inList = { listName: names.get(personId) ?? "", active: true };
        // A launch of this minute may have stored more already: that stays.
        await membersOf(connection).updateOne({ _id, active: null }, { $set: { ...inList, ...unsaid } });
      }
      await renew();
    }
  },
};

const unsaid = { roleFrom: "launch", student: true, sectionIds: [], sectionsTold: false };

function membersOf(connection: Connection) {
  return storedCollection(connection, "members");
}

async function earlyMembers(connection: Connection) {
  const found = await membersOf(connection).find({ active: null }, { limit: batchSize }).toArray();
  return found.map((member) => memberSchema.parse(member));
}

async function listNames(connection: Connection, personIds: readonly string[]): Promise<Map<string, string>> {
  const found = await storedCollection(connection, "people")
    .find({ _id: { $in: [...personIds] } })
    .toArray();
  const people = found.map((person) => personSchema.parse(person));
  return new Map(people.map(({ _id, ...name }) => [_id, listNameOf(name)]));
}
