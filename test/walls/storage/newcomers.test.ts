import { expect, test } from "vitest";
import { memberRecord } from "../../../src/domain/course.ts";
import type { PersonRow } from "../../../src/modules/members/store/person-api-users.ts";
import { personKeysOf } from "../../../src/modules/members/rules/names.ts";
import { openRecords } from "../../../src/storage/records.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";

const { connection, stores } = await forAllTests(openEmptyStores());

const place = { registrationId: "reg_1", deploymentId: "1" };
const nobody = { name: null, givenName: null, familyName: null, email: null };
const member = { registrationId: "reg_1", courseId: "crs_1" };
const facts = { role: "learner", testUser: false, listName: "a", lastLaunchAt: 1 } as const;
const environment = "production" as const;

/** As it is stored. */
async function stored(collection: string, filter: Record<string, string>) {
  const found = await connection.collection(collection).findOne(filter);
  if (found === null) throw new Error(`there is none in ${collection}`);
  return found;
}

test("somebody made by a launch is stored with every field that a model would have given", async () => {
  const told = { ...nobody, name: "Lena" };
  const { id } = await stores.people.record({ ...place, sub: "launched" }, told, {
    id: "per_1",
    environment,
  });
  const launched: unknown = await stored("people", { sub: "launched" });
  const person = connection.model<PersonRow>("Person");
  const made = new person({
    _id: id,
    ...place,
    sub: "launched",
    ...told,
    ...personKeysOf(told),
    environment,
  });
  expect(launched).toEqual(made.toObject());

  const key = { ...member, personId: id };
  await stores.members.recordLaunch(key, facts, null, "mem_1", false);
  const { model: membership } = openRecords(connection, memberRecord);
  const joined = new membership({ _id: "mem_1", ...key, ...facts, sectionKey: "[]", lastEntry: null });
  expect(await stored("members", key)).toEqual(joined.toObject());
});

test("of launches of one newcomer at once all record the same person and membership", async () => {
  const sub = "at-once";
  const launches = Array.from({ length: 8 }, async (_none, n) => {
    const person = await stores.people.record(
      { ...place, sub },
      { ...nobody, name: `Name ${n}` },
      { id: `per_once_${n}`, environment },
    );
    const key = { ...member, personId: person.id };
    return stores.members.recordLaunch(key, { ...facts, lastLaunchAt: n }, null, `mem_once_${n}`, false);
  });
  const members = await Promise.all(launches);
  expect(new Set(members.map(({ personId }) => personId)).size).toBe(1);
  expect(new Set(members.map(({ id }) => id)).size).toBe(1);
});

test("a guess whether somebody was in the course before is put right", async () => {
  const key = { ...member, personId: "per_guess" };
  const first = await stores.members.recordLaunch(key, facts, ["7"], "mem_a", true);
  expect(first).toMatchObject({ id: "mem_a", sectionIds: ["7"], sectionsTold: true, student: true });
  const again = await stores.members.recordLaunch(
    key,
    { ...facts, role: "instructor" },
    null,
    "mem_b",
    false,
  );
  expect(again).toMatchObject({ id: "mem_a", role: "instructor", sectionIds: ["7"], active: true });
});
