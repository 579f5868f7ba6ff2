import { testAccounts } from "../../support/builders/test-accounts.ts";
import type { Connection } from "mongoose";
import { describe, expect, test } from "vitest";
import { everyDeployment } from "../../../src/domain/person-scope.ts";
import {
  passingPersonRecords,
  personalRecords,
  personReferences,
} from "../../../src/modules/privacy/rules/erasure.ts";
import { findPerson, personSubject } from "../../../src/modules/privacy/erase.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createPersonJoins } from "../../../src/modules/members/store/person-joins.ts";
import { collectionsByModel } from "../../../src/storage/records.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { seenQueries } from "../../support/builders/seen-queries.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";

const facts = { name: null, givenName: null, familyName: null, email: null };

const { connection, stores } = await forAllTests(openEmptyStores());

const rows = collectionsByModel(connection);
const put = async (model: string, row: Record<string, unknown>) => {
  await rows(model).insertOne({ _id: randomIds.id("row"), ...row });
};

/**
 * A Canvas as earlier releases kept it: Ann is a person in each of two courses, which are two deployments, and so is her
 * teacher. A row of every kind that names a person.
 */
async function seedCanvas(lms: string): Promise<void> {
  const registrationId = lms;
  for (const deployment of ["1:a", "2:b"]) {
    const courseId = `${lms}-course-${deployment}`;
    const key = { registrationId, courseId };
    const [ann, tea] = [`${lms}-ann-${deployment}`, `${lms}-tea-${deployment}`];
    for (const [personId, sub] of [
      [ann, "ann"],
      [tea, "tea"],
    ] as const) {
      const person = { registrationId, deploymentId: deployment, sub, name: `Name ${sub}` };
      const user = { environment: "production", apiUserId: `user-${personId}`, apiUserName: sub };
      await put("Person", { _id: personId, ...person, ...user, leaseHolder: null, leaseUntil: 0 });
      const role = sub === "tea" ? "instructor" : "learner";
      await put("Member", { ...key, personId, role, testUser: false, listName: sub, lastLaunchAt: 1 });
      await put("CalendarAddress", {
        registrationId,
        scope: "person",
        ownerId: personId,
        digest: `digest ${personId}`,
      });
    }
    const history = [{ status: "PRESENT", notes: null, at: 1, updatedBy: "somebody" }];
    const corrections = [{ status: "LATE", notes: null, reason: "bus", by: tea, at: 2 }];
    await put("Attendance", {
      ...key,
      eventId: deployment,
      personId: ann,
      revision: 1,
      history,
      corrections,
    });
    await put("Standing", { ...key, personId: ann, sub: "ann", revision: 1, sessions: [] });
    const score = { columnKey: "attendance", sub: "ann", state: "idle", nextTryAt: 0, attempts: 0 };
    await put("Delivery", { ...key, ...score, personId: ann, revision: 1, accepted: { given: 80 } });
    const marked = { by: { personId: tea, name: "Tea" }, rows: [{ personId: ann, status: "LATE" }] };
    await put("AttendanceMark", { ...key, eventId: deployment, ...marked, dueAt: 8.64e15, state: "done" });
    const entry = { at: 1, what: "attendance-corrected", on: { personId: ann, name: "Ann" }, personId: ann };
    await put("CourseAuditEntry", { ...key, ...entry, by: { personId: tea, name: "Tea" } });
    await put("Feedback", { ...key, personId: ann, occasion: deployment, rating: 3 });
    const match = { deploymentId: deployment, environment: "production", userId: `guest-${courseId}` };
    await put("UserMatch", { ...key, ...match, personId: ann, by: tea, state: "holds" });
    await put("Place", { ...key, personId: ann, ticket: courseId, environment: "production", turn: 1 });
    await put("ReadyLogin", { ...key, personId: ann });
    await put("OwedGrading", { ...key, personIds: [ann, tea], dueAt: 8.64e15 });
    await put("SectionLink", { ...key, lmsSectionId: "1", by: tea, endedBy: tea });
    await put("StrayEvent", { ...key, eventId: courseId, environment: "production", by: tea });
    await put("SessionPlan", { ...key, hostPersonId: tea });
    await put("ClassroomAlert", { _id: courseId, environment: "production", seen: { personId: tea, at: 1 } });
    await put("AuditEntry", { registrationId, at: 1, what: "person-exported", personId: tea, on: ann });
  }
}

/** Everything that is stored of an LMS, row by row. */
async function keptOf(lms: string): Promise<string[]> {
  const kept: string[] = [];
  for (const model of stores.personalRecords.models()) {
    for (const row of await rows(model).find({}).toArray()) {
      const text = JSON.stringify(row);
      if (text.includes(`"${lms}`)) kept.push(`${model} ${text}`);
    }
  }
  return kept;
}
const naming = async (lms: string, id: string) =>
  (await keptOf(lms)).filter((row) => !row.startsWith("Person ") && row.includes(`"${id}"`));

/** The number of rows of each kind, without those that are created again when they are needed, or only noted. */
async function countsOf(lms: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const row of await keptOf(lms)) {
    const model = row.slice(0, row.indexOf(" "));
    if (![...passingPersonRecords, "OwedGrading"].includes(model)) counts[model] = (counts[model] ?? 0) + 1;
  }
  return counts;
}

const launch = (lms: string, sub: string, deploymentId = everyDeployment) =>
  stores.people.record({ registrationId: lms, deploymentId, sub }, facts, {
    id: randomIds.id("per"),
    environment: "production",
  });

describe("Somebody with a record in each of two installations of a Canvas", () => {
  const lms = "canvas-1";
  test("is one person from the next launch on, and loses nothing", async () => {
    await seedCanvas(lms);
    const before = await countsOf(lms);
    const ann = await launch(lms, "ann");
    const tea = await launch(lms, "tea");
    expect([ann.id, tea.id]).toEqual([`${lms}-ann-1:a`, `${lms}-tea-1:a`]);
    expect(ann).toMatchObject({ deploymentId: everyDeployment, name: "Name ann" });
    expect(await naming(lms, `${lms}-ann-2:b`)).toEqual([]);
    expect(await naming(lms, `${lms}-tea-2:b`)).toEqual([]);
    expect(await countsOf(lms)).toEqual(before);
    const courses = (await stores.members.listOfPerson(lms, ann.id)).map(({ courseId }) => courseId);
    expect(courses.sort()).toEqual([`${lms}-course-1:a`, `${lms}-course-2:b`]);
  });

  test("is merged by indexes, however many other records there are", async () => {
    await seedCanvas("canvas-indexed");
    const seen = await seenQueries({ connection }, () => launch("canvas-indexed", "ann"));
    expect(seen.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
  });

  test("is still found by both their users of the classroom, and by the id in an open page", async () => {
    for (const deployment of ["1:a", "2:b"]) {
      const userId = `user-${lms}-ann-${deployment}`;
      const found = await stores.people.listByApiUser("production", userId);
      expect(found).toMatchObject([{ userId, person: { id: `${lms}-ann-1:a` } }]);
    }
    expect((await stores.people.find(`${lms}-ann-2:b`))?.id).toBe(`${lms}-ann-1:a`);
  });

  test("is found from each course, by any deployment", async () => {
    for (const deploymentId of ["1:a", "2:b", "3:c", everyDeployment]) {
      const found = await stores.people.findBySub({ registrationId: lms, deploymentId, sub: "ann" });
      expect(found?.id).toBe(`${lms}-ann-1:a`);
    }
    expect((await launch(lms, "ann", "2:b")).id).toBe(`${lms}-ann-1:a`);
  });

  test("is erased with both records", async () => {
    const ann = await launch(lms, "ann");
    const subject = await personSubject(stores, ann);
    expect([...subject.personIds].sort()).toEqual([`${lms}-ann-1:a`, `${lms}-ann-2:b`]);
    expect(subject.userIds).toEqual(expect.arrayContaining([`user-${lms}-ann-1:a`, `user-${lms}-ann-2:b`]));
    expect([...subject.soleUserIds].sort()).toEqual([...subject.userIds].sort());
  });
});

describe("an operator who names somebody by the id of one of two records", () => {
  const register = (id: string, family: "canvas" | "other") =>
    stores.registrations.insert(registrationOf({ id, issuer: `https://${id}.test`, family }));

  test.each(["1:a", "2:b"])(
    "finds all of them in a Canvas, so that an erasure leaves nothing: %s",
    async (which) => {
      const lms = `canvas-named-${which}`;
      await register(lms, "canvas");
      await seedCanvas(lms);
      const ann = await findPerson(
        { ...stores, accounts: testAccounts("production") },
        { personId: `${lms}-ann-${which}` },
      );
      expect(ann).toMatchObject({ id: `${lms}-ann-1:a`, deploymentId: everyDeployment });
      const subject = await personSubject(stores, ann);
      expect([...subject.personIds].sort()).toEqual([`${lms}-ann-1:a`, `${lms}-ann-2:b`]);
      expect([...subject.courseIds].sort()).toEqual([`${lms}-course-1:a`, `${lms}-course-2:b`]);
    },
  );

  test("finds one of them in another LMS, where the other may be somebody else", async () => {
    const lms = "blackboard-named";
    await register(lms, "other");
    await seedCanvas(lms);
    const ann = await findPerson(
      { ...stores, accounts: testAccounts("production") },
      { personId: `${lms}-ann-2:b` },
    );
    expect(ann).toMatchObject({ id: `${lms}-ann-2:b`, deploymentId: "2:b" });
    expect((await personSubject(stores, ann)).personIds).toEqual([`${lms}-ann-2:b`]);
  });
});

/** Courses in which somebody's scores are to be computed because they became one. */
const owed = async (lms: string, personId: string) =>
  (
    await rows("OwedGrading")
      .find({ registrationId: lms, personIds: [personId] })
      .toArray()
  ).map(({ courseId }) => courseId);

test("an office's excuse of one of two persons who are one counts in the courses of both", async () => {
  const lms = "canvas-excused";
  await seedCanvas(lms);
  await put("Excuse", {
    registrationId: lms,
    personId: `${lms}-ann-2:b`,
    from: "2026-09-01",
    takenBackAt: null,
  });
  const [{ id: ann }, { id: tea }] = [await launch(lms, "ann"), await launch(lms, "tea")];
  expect((await owed(lms, ann)).sort()).toEqual([`${lms}-course-1:a`, `${lms}-course-2:b`]);
  expect(await owed(lms, tea), "who has nothing that counts elsewhere").toEqual([]);
});

test("a roster merges everybody it lists, even people who never come", async () => {
  const lms = "canvas-2";
  await seedCanvas(lms);
  const listed = ["ann", "tea", "new"].map((sub) => ({ sub, ...facts }));
  const place = { registrationId: lms, deploymentId: everyDeployment };
  const people = await stores.people.recordMany(place, listed, {
    newId: () => randomIds.id("per"),
    environment: "production",
  });
  expect([...people.keys()].sort()).toEqual(["ann", "new", "tea"]);
  expect(await naming(lms, `${lms}-ann-2:b`)).toEqual([]);
  expect((await stores.people.idsOf(place, ["new"])).get("new")).toBe(people.get("new")?.id);
});

test("people of other LMSs stay separate by deployment: the same id may be somebody else", async () => {
  const lms = "blackboard";
  await seedCanvas(lms);
  expect((await launch(lms, "ann", "1:a")).id).toBe(`${lms}-ann-1:a`);
  expect((await launch(lms, "ann", "2:b")).id).toBe(`${lms}-ann-2:b`);
});

test("a process of the previous release may create the person again in between", async () => {
  const lms = "canvas-3";
  await seedCanvas(lms);
  const ann = await launch(lms, "ann");
  const courseId = `${lms}-course-1:a`;
  await put("Person", {
    _id: "late-ann",
    registrationId: lms,
    deploymentId: "1:x",
    sub: "ann",
    apiUserId: null,
  });
  await put("Member", {
    registrationId: lms,
    courseId,
    personId: "late-ann",
    role: "instructor",
    lastLaunchAt: 9,
  });
  const history = [{ status: "ABSENT", notes: null, at: 7, updatedBy: "somebody" }];
  const key = { registrationId: lms, courseId, eventId: "1:a" };
  const seen = { startsAt: 0, endsAt: 60_000, ms: 60_000, stays: [] };
  await put("Attendance", { ...key, personId: "late-ann", revision: 1, history, corrections: [], seen });
  const fifty = { score: 50, maximum: 100, comment: null };
  const sent = {
    state: "delivered",
    desired: { ...fifty, revision: 1 },
    accepted: { ...fifty, at: 5 },
    lastSentAt: 5,
  };
  const column = { registrationId: lms, courseId, columnKey: "attendance" };
  await put("Delivery", { ...column, personId: "late-ann", sub: "ann", nextTryAt: 0, attempts: 0, ...sent });
  expect((await launch(lms, "ann")).id).toBe(ann.id);
  expect(await stores.deliveries.find({ ...column, personId: ann.id })).toMatchObject(sent);
  expect(await owed(lms, ann.id)).toContain(courseId);
  expect(await stores.members.find(lms, courseId, ann.id)).toMatchObject({
    role: "instructor",
    lastLaunchAt: 9,
  });
  const [attendance, ...more] = await stores.attendance.listOfPeople(lms, courseId, [ann.id]);
  expect(more).toEqual([]);
  expect([attendance?.seen, attendance?.history.map(({ at }) => at)]).toEqual([seen, [7, 1]]);
  expect(await naming(lms, "late-ann")).toEqual([]);
});

test("a merge that is killed after any write and continued has the same result", async () => {
  let writes = 0;
  for (let left = 0; ; left += 1) {
    const lms = `canvas-killed-${left}.`;
    await seedCanvas(lms);
    const before = await countsOf(lms);
    const mortal = createPersonJoins(dyingAfter(left), () => Promise.resolve());
    const died = await mortal.join({ registrationId: lms, deploymentId: everyDeployment }, "ann").then(
      () => false,
      () => true,
    );
    const ann = await launch(lms, "ann");
    expect(await naming(lms, `${lms}-ann-${ann.id.endsWith("1:a") ? "2:b" : "1:a"}`)).toEqual([]);
    expect(await countsOf(lms)).toEqual(before);
    expect(await stores.members.listOfPerson(lms, ann.id)).toHaveLength(2);
    if (!died) break;
    writes = left;
  }
  expect(writes).toBeGreaterThan(20);
});

test("every kind of record that names a person is moved with them", () => {
  const who = { registrationId: "r", deploymentId: "d", sub: "s", environment: "production" as const };
  const subject = { ...who, personIds: ["PERSON"], userIds: [], soleUserIds: [], courseIds: ["c"] };
  const models = personalRecords
    .filter(({ person }) =>
      person.some((rule) => JSON.stringify(rule.find(subject, ["c"])).includes("PERSON")),
    )
    .map(({ model }) => model);
  const moved = [...personReferences.map(({ model }) => model), ...passingPersonRecords, "Person"];
  expect(models.filter((model) => !moved.includes(model))).toEqual([]);
});

/** The connection of a process that is killed after that many writes. */
function dyingAfter(writes: number): Connection {
  let left = writes;
  return new Proxy(connection, {
    get: (connection, name) => {
      const own: unknown = Reflect.get(connection, name);
      if (name !== "collection") return own;
      return (collection: string) =>
        new Proxy(connection.collection(collection), {
          get: (target, method) => {
            const found: unknown = Reflect.get(target, method);
            if (typeof found !== "function") return found;
            return (...given: unknown[]): unknown => {
              if (/^(update|delete)/.test(String(method)) && (left -= 1) < 0) throw new Error("killed");
              return Reflect.apply(found, target, given);
            };
          },
        });
    },
  });
}
