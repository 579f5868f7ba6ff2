import { beforeEach, describe, expect, test } from "vitest";
import { seededRandom } from "../../../sandbox/seeded-random.ts";
import { openOnEachEngine } from "./open-engine.ts";

const began = 1_000_000;

describe.each(await openOnEachEngine())("The waiting queue", ({ database, stores }) => {
  let made = 0;
  let courseId = "";

  beforeEach(async () => {
    courseId = `course ${(made += 1)}`;
    await database.connection.collection("places").deleteMany({});
  });

  const joins = (came: number, course = courseId, role: "learner" | "instructor" = "learner") =>
    stores.queuePositions.join({
      ...{ id: `place ${(made += 1)}`, ticket: `ticket ${made}`, personId: `person ${made}` },
      ...{ environment: "production", registrationId: "lms", courseId: course, courseLinkId: null },
      ...{ role, locale: null, mobile: false, shown: "tab", calls: 1 },
      arrivedAt: began + came,
      seenUntil: began + 1_000_000,
    });
  const line = () => stores.queuePositions.listWaiting("production", began);
  const cameOf = async () => (await line()).map(({ arrivedAt }) => arrivedAt - began);

  test("has those of a course in the order in which they came, not in which launches ended", async () => {
    const random = seededRandom(7);
    const came = Array.from({ length: 60 }, (_none, n) => n * 10);
    // Each launch takes up to 300 ms, so each may pass some thirty others.
    const asDone = came.toSorted((one, other) => one - other + (random() - random()) * 300);
    for (const at of asDone) await joins(at);
    expect(asDone).not.toEqual(came);
    expect(await cameOf()).toEqual(came);
    const turns = (await line()).map(({ turn }) => turn);
    expect(new Set(turns).size).toBe(came.length); // no turn is lost, none is two people's
  });

  test("is nearly in order also where all join in the same moment", async () => {
    const came = Array.from({ length: 40 }, (_none, n) => n * 10);
    await Promise.all(came.toReversed().map((at) => joins(at)));
    const order = await cameOf();
    const pairs = order.flatMap((one, at) => order.slice(at + 1).map((later) => one < later));
    expect(pairs.filter((right) => !right).length / pairs.length).toBeLessThan(0.05);
  });

  test("leaves the turns to the courses, and hosts in front", async () => {
    for (const at of [30, 20, 10]) await joins(at);
    for (const at of [60, 50, 40]) await joins(at, "another course");
    const host = await joins(70, courseId, "instructor");
    const [first, ...others] = await line();
    expect(first?.id).toBe(host.id);
    expect(others.map(({ arrivedAt }) => arrivedAt - began)).toEqual([10, 40, 20, 50, 30, 60]);
  });

  test("does not move a person who is being let in", async () => {
    const first = await joins(20);
    const claimed = await stores.queuePositions.claimNext("production", "me", began + 20, began + 10_000);
    expect(claimed?.id).toBe(first.id);
    await joins(10);
    await joins(30);
    expect(await cameOf()).toEqual([20, 10, 30]);
  });
});
