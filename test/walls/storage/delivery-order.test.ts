import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { sessionColumn } from "../../../src/modules/grading/rules/column.ts";
import { type DeliveryChange, urgencyOf } from "../../../src/modules/grading/rules/delivery.ts";
import { openRegisterCourse } from "../../support/builders/register-course.ts";
import { seenQueries } from "../../support/builders/seen-queries.ts";
import { collectionsByModel } from "../../../src/storage/records.ts";

const course = await openRegisterCourse();
const { deliveries, members } = course.stores;
const { key, connection } = course;

beforeEach(() => course.empty());
afterAll(() => course.close());

const score = (value: number | null) => ({ score: value, maximum: 100, comment: null });
const want = (name: string, scores: Record<string, number | null>, summary = 1) =>
  deliveries.setDesired(
    key,
    [
      {
        personId: `per-${name}`,
        sub: `sub-per-${name}`,
        listName: name.toLowerCase(),
        seen: { regrade: 0, summary },
        scores: new Map(Object.entries(scores).map(([column, value]) => [column, score(value)])),
        left: false,
      },
    ],
    { now: 1, newId: () => course.deps.ids.id("dlv") },
  );

/** Gives the next waiting score this change. */
async function comesTo(change: DeliveryChange): Promise<void> {
  const claimed = await deliveries.claimDue("x", 10, 20);
  await deliveries.settle(claimed?.id ?? "", "x", claimed?.desired?.revision ?? 0, change);
}

/** Checks that every delivery is in the part of the list for its state. */
async function allInPlace(): Promise<number> {
  const rows = await collectionsByModel(connection)("Delivery").find({}).toArray();
  const all = await deliveries.listOfCourse(key.registrationId, key.courseId);
  const stored = new Map(rows.map((row) => [row["_id"], row["urgency"]]));
  expect(all.map((one) => stored.get(one.id))).toEqual(all.map(urgencyOf));
  return all.length;
}

const names = async (state: "delivered" | null = null) =>
  (await deliveries.page(key, { state, personIds: null }, { skip: 0, limit: 50 })).map(
    ({ listName }) => listName,
  );

describe("The position of a score in a course's list", () => {
  test("is stored with its state, whatever happens to it", async () => {
    const accepted = { ...score(50), at: 5 };
    const foreign = { score: 9, maximum: 100, seenAt: 5 };
    await want("Ann", { attendance: 50, [sessionColumn("e1")]: null });
    expect(await allInPlace()).toBe(2);
    await comesTo({ state: "refused", refusal: "not-gradable", waitingSince: null });
    await allInPlace();
    await deliveries.retryPeople(key, ["per-Ann"], 2);
    await allInPlace();
    await comesTo({ state: "held", foreign, waitingSince: null });
    await allInPlace();
    const [held] = await deliveries.listAllOfPeople(key, ["per-Ann"]);
    await deliveries.leave(key, [held?.id ?? ""], 6);
    await allInPlace();
    expect(await deliveries.countByScoreState(key)).toMatchObject({ held: 0, left: 1, idle: 0 });
    await deliveries.overrule(key, [held?.id ?? ""], 7);
    await allInPlace();
    await comesTo({ state: "delivered", accepted, waitingSince: null });
    await allInPlace();
    await deliveries.resend(key, [held?.id ?? ""], 8);
    await allInPlace();
    await comesTo({ state: "delivered", accepted, waitingSince: null, again: false });
    await deliveries.resendCourse(key, 8);
    await allInPlace();
    await comesTo({ state: "delivered", accepted, waitingSince: null, again: false });
    await deliveries.retryColumn({ ...key, columnKey: "attendance" }, 8);
    await allInPlace();
    await comesTo({ state: "refused", refusal: "locked", waitingSince: null });
    await deliveries.retryCourse(key.registrationId, key.courseId, 9);
    await allInPlace();
    await want("Ann", { [sessionColumn("e1")]: 10 }, 2);
    await allInPlace();
    await comesTo({ state: "idle", waitingSince: null });
    await allInPlace();
    expect(await deliveries.countByScoreState(key)).toMatchObject({ idle: 1, delivered: 0 });
  });

  test("is by name, even after names have changed", async () => {
    for (const name of ["Cem", "Ann"]) await want(name, { attendance: 1 });
    expect(await names()).toEqual(["ann", "cem"]);
    const all = await deliveries.listOfCourse(key.registrationId, key.courseId);
    await deliveries.putInOrder(
      all.map((delivery) => ({ delivery, listName: delivery.personId === "per-Ann" ? "zoe" : "cem" })),
    );
    expect(await names()).toEqual(["cem", "zoe"]);
    await allInPlace();
  });
});

describe("A course's members", () => {
  test("are found by their exact section", async () => {
    await course.enrol("Ann", ["7"]);
    await course.enrol("Ben", ["77", 'a"7"b']);
    await course.enrol("Cem");
    const found = (sectionId: string | null, words: string[] = []) =>
      members.searchIds(key, { sectionId, words });
    expect(await found("7")).toEqual(["per-Ann"]);
    expect(await found('a"7"b')).toEqual(["per-Ben"]);
    expect(await found(null, ["b", "per"])).toEqual(["per-Ben"]);
    await course.moves("Cem", ["7"]);
    expect((await found("7")).sort()).toEqual(["per-Ann", "per-Cem"]);
    expect(await members.countLearners(key, ["7", "77"])).toBe(3);
    expect(await members.headcounts(key)).toEqual({ learners: 3, instructors: 0, students: 3, inactive: 0 });
  });

  test("are not read again once the classroom knows them", async () => {
    await course.enrol("Ann");
    await course.enrol("Ben");
    const unready = async () => (await members.listUnready(key)).map(({ personId }) => personId).sort();
    expect(await unready()).toEqual(["per-Ann", "per-Ben"]);
    await members.noteReady(key, ["per-Ann"], "instructor");
    expect(await unready()).toEqual(["per-Ann", "per-Ben"]);
    await members.noteReady(key, ["per-Ann"], "learner");
    expect(await unready()).toEqual(["per-Ben"]);
    const seen = await seenQueries({ connection }, unready);
    expect(
      seen.map(({ read }) => read),
      "those who are ready are not read",
    ).toEqual([1]);
  });
});
