import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { invitationDigest } from "../../../src/modules/registration/create-invitation.ts";
import { noApiUsers } from "../../../src/domain/api-user.ts";
import { createPersonStore } from "../../../src/modules/members/store/person-store.ts";
import { createInvitationStore } from "../../../src/modules/registration/store/invitation-store.ts";
import type { Migration } from "../../../src/storage/migrations/migration.ts";
import { migrations } from "../../../src/storage/migrations/migrations.ts";
import { type Database, openDatabase } from "../../../src/storage/open-database.ts";
import { markCopying, prepareSchema, schemaStateOf } from "../../../src/storage/prepare-schema.ts";
import { storedCollection } from "../../../src/storage/stored-collection.ts";

let folder: string;
let opened: Database[];

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "spaces-lti-schema-"));
  opened = [];
});
afterEach(async () => {
  for (const database of opened) await database.close();
  await rm(folder, { recursive: true, force: true });
});

/** As another process would open it. */
async function open() {
  const database = await openDatabase({ url: `file:${folder}`, logger: createLogger("silent") });
  opened.push(database);
  return database.connection;
}

/** Gives every registration a greeting, and may break off as a killed process does. */
function greeting(log: string[], breakOff = false): Migration {
  return {
    to: 2,
    what: "registrations are greeted",
    run: async (connection, renew) => {
      const registrations = storedCollection(connection, "registrations");
      for (const { _id } of await registrations.find({ greeting: null }).toArray()) {
        if (breakOff && log.length === 1) throw new Error("killed");
        await registrations.updateOne({ _id }, { $set: { greeting: "hello" } });
        log.push(_id);
        await renew();
      }
    },
  };
}

async function withRegistrations(...ids: string[]) {
  const connection = await open();
  await storedCollection(connection, "registrations").insertMany(ids.map((_id) => ({ _id })));
  return connection;
}

test("a new database is of the newest version, and no migration runs on it", async () => {
  const log: string[] = [];
  const connection = await open();
  await prepareSchema(connection, { migrations: [greeting(log)] });
  expect(await schemaStateOf(connection)).toEqual({ version: 2, state: "ready" });
  expect(log).toEqual([]);
});

test("a database from before versions were written down is brought forward once", async () => {
  const log: string[] = [];
  const connection = await withRegistrations("reg_1", "reg_2");
  await prepareSchema(connection, { migrations: [greeting(log)] });
  await prepareSchema(connection, { migrations: [greeting(log)] });
  expect(log).toEqual(["reg_1", "reg_2"]);
  expect(await schemaStateOf(connection)).toEqual({ version: 2, state: "ready" });
});

test("the only user that people had in the classroom is kept by its role, where that is known", async () => {
  const connection = await withRegistrations("reg_1");
  const registrationId = "reg_1";
  const all = [
    ["learns", ["learner", "learner"], {}],
    ["teaches", ["instructor"], {}],
    ["does both", ["instructor", "learner"], {}],
    ["is in no course", [], {}],
    ["taught by a roster", ["learner"], { listed: { role: "learner", since: 1 } }],
    ["taught by the trail", ["learner"], {}],
    ["teaches and was marked", ["instructor"], {}],
    ["turned out to be who learns", [], {}],
    ["has no user", ["learner"], {}],
  ] as const;
  const user = (name: string) => ({ apiUserId: `user ${name}`, apiUserName: `Name ${name}` });
  for (const [_id, roles, more] of all) {
    const person = { _id, registrationId, deploymentId: "1", sub: _id, environment: "production", name: _id };
    const merged = _id.startsWith("turned") ? { mergedInto: "learns" } : {};
    const known = _id === "has no user" ? {} : user(_id);
    const lease = { leaseHolder: null, leaseUntil: 0 };
    await storedCollection(connection, "people").insertOne({ ...person, ...known, ...merged, ...lease });
    for (const [at, role] of roles.entries()) {
      const member = { _id: `${_id} ${at}`, registrationId, courseId: `crs_${at}`, personId: _id, role };
      await storedCollection(connection, "members").insertOne({
        ...member,
        ...(at === 0 ? {} : { listed: null }),
        ...more,
      });
    }
  }
  const history = [{ status: "PRESENT", notes: null, at: 1, updatedBy: null }];
  const marked = { _id: "att_1", registrationId, courseId: "crs_0", personId: "teaches and was marked" };
  await storedCollection(connection, "attendances").insertOne({ ...marked, eventId: "evt_1", history });
  const changed = { _id: "1", registrationId, courseId: "crs_0", by: { personId: "taught by the trail" } };
  await storedCollection(connection, "courseauditentries").insertOne(changed);

  const [, , , byRole] = migrations;
  await byRole?.run(connection, () => Promise.resolve());
  await byRole?.run(connection, () => Promise.resolve());
  const people = createPersonStore(connection);
  const usersOf = async (_id: string) => (await people.find(_id))?.apiUsers;
  const kept = (name: string) => ({ id: `user ${name}`, name: `Name ${name}` });
  expect(await usersOf("learns")).toEqual({ ...noApiUsers, participant: kept("learns") });
  expect(await usersOf("teaches")).toEqual({ ...noApiUsers, host: kept("teaches") });
  for (const [_id] of all.slice(2, 7))
    expect(await usersOf(_id)).toEqual({ ...noApiUsers, unknown: kept(_id) });
  expect(await usersOf("has no user")).toEqual(noApiUsers);
  // Whatever became of it, what is told of the user is the person's.
  for (const [_id] of all.slice(0, 7))
    expect(await people.listByApiUser("production", `user ${_id}`)).toMatchObject([{ person: { id: _id } }]);
  const gone = await people.listByApiUser("production", "user turned out to be who learns");
  expect(gone).toMatchObject([{ person: { id: "learns" } }]);
  // Processes of the release before go on letting people in with the user they know.
  const stored = await storedCollection(connection, "people").find({}).toArray();
  expect(stored.filter(({ apiUserId }) => typeof apiUserId === "string")).toHaveLength(8);
});

test("invitations of earlier releases are found by their secret still, which is in no record any more", async () => {
  const connection = await withRegistrations("reg_1");
  const stored = storedCollection(connection, "invitations");
  const [open, used] = ["o".repeat(32), "u".repeat(32)];
  const facts = { environment: "production", expiresAt: 2_000 };
  await stored.insertMany([
    { _id: open, ...facts, usedAt: null },
    { _id: used, ...facts, usedAt: 500 },
  ]);
  // As when a process was killed between the two writes for one of them.
  await stored.insertOne({ _id: invitationDigest(used), ...facts, usedAt: 500 });
  await prepareSchema(connection);
  const ids = (await stored.find({}).toArray()).map(({ _id }) => _id);
  expect(ids.toSorted()).toEqual([open, used].map(invitationDigest).toSorted());
  const invitations = createInvitationStore(connection);
  expect(await invitations.take(invitationDigest(used), 1_000)).toBeNull();
  expect(await invitations.take(invitationDigest(open), 1_000)).toMatchObject({ usedAt: 1_000 });
  // What the records say is no invitation.
  expect(await invitations.find(open)).toBeNull();
});

test("of three processes that start at once one migrates, and all go on when it is done", async () => {
  const log: string[] = [];
  await withRegistrations("reg_1", "reg_2", "reg_3");
  const connections = [await open(), await open(), await open()];
  await Promise.all(
    connections.map(async (connection) => {
      await prepareSchema(connection, { migrations: [greeting(log)] });
      expect(await schemaStateOf(connection)).toEqual({ version: 2, state: "ready" });
    }),
  );
  expect(log.toSorted()).toEqual(["reg_1", "reg_2", "reg_3"]);
});

test("a migration that was killed midway is finished by the next process once the turn has run out", async () => {
  const log: string[] = [];
  const connection = await withRegistrations("reg_1", "reg_2", "reg_3");
  await expect(prepareSchema(connection, { migrations: [greeting(log, true)] })).rejects.toThrow("killed");
  expect(await schemaStateOf(connection)).toEqual({ version: 1, state: "ready" });
  const later = { ...systemClock, now: () => Date.now() + 60_000 };
  await prepareSchema(await open(), { migrations: [greeting(log)], clock: later });
  expect(log).toEqual(["reg_1", "reg_2", "reg_3"]);
  expect(await schemaStateOf(connection)).toEqual({ version: 2, state: "ready" });
});

test("an older release refuses a database that a newer one has used, and says what to do", async () => {
  const connection = await withRegistrations("reg_1");
  await prepareSchema(connection, { migrations: [greeting([])] });
  await expect(prepareSchema(connection, { migrations: [] })).rejects.toThrow(
    "Start that release, or restore a backup",
  );
});

test("no tool starts on a database that was copied by half", async () => {
  const connection = await open();
  await markCopying(connection, true, 0);
  await expect(prepareSchema(connection)).rejects.toMatchObject({ code: "database-incomplete" });
  await markCopying(connection, false, 0);
  await prepareSchema(connection);
});

test("a copy that an earlier release left by half can be repeated, and is of this release's version then", async () => {
  const connection = await withRegistrations("reg_1");
  await prepareSchema(connection, { migrations: [] });
  await markCopying(connection, true, 0);
  await storedCollection(connection, "schemaversions").updateOne({ _id: "schema" }, { $set: { version: 1 } });
  const log: string[] = [];
  await prepareSchema(connection, { migrations: [greeting(log)], evenHalfCopied: true });
  expect(log, "what is there is deleted anyway").toEqual([]);
  await markCopying(connection, true, 0);
  await markCopying(connection, false, 0);
  expect(await schemaStateOf(connection)).toEqual({ version: 1 + migrations.length, state: "ready" });
});

describe("the list of migrations", () => {
  test("has no gap, so that every earlier database reaches the newest version", () => {
    expect(migrations.map(({ to }) => to)).toEqual(migrations.map((_, index) => index + 2));
  });
});
