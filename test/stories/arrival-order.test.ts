import { afterAll, beforeAll, expect, test } from "vitest";
import { systemClock } from "../../src/kernel/clock.ts";
import { type DoorWorld, startDoorWorld } from "../bench/door-world.ts";
import { comeToDoor, prepareLaunch } from "../bench/walk-in.ts";

const learners = 300;
/** All of them come within this time (ms), one every ten. */
const arriveWithin = 3_000;

let world: DoorWorld;
beforeAll(async () => {
  world = await startDoorWorld({ people: learners, processes: 3 });
}, 180_000);
afterAll(() => world.close());

/** Whom the classroom has been asked to let in, in that order, and after them the line as it stands; by their numbers. */
async function orderOfCalls(): Promise<number[]> {
  const numberOfUser = new Map(world.webhooks.userIds.map((userId, number) => [userId, number]));
  const line = await world.stores.places.line("production", Date.now());
  const places = await world.stores.places.findMany(line.map(({ id }) => id));
  const personOf = new Map(places.map(({ id, personId }) => [id, personId]));
  const people = await world.stores.people.findMany([...personOf.values()]);
  const userOf = new Map(people.map(({ id, apiUserId }) => [id, apiUserId]));
  const called = world.classroom.authorizations().map(({ userId }) => userId);
  const waiting = line.map(({ id }) => userOf.get(personOf.get(id) ?? "") ?? "");
  return [...new Set([...called, ...waiting])].flatMap((userId) => numberOfUser.get(userId) ?? []);
}

test("three hundred who come within three seconds at three instances are called in the order in which they came", async () => {
  const prepared = [];
  for (const [number, claims] of world.learners.entries()) {
    const tool = world.tools[number % world.tools.length];
    if (tool !== undefined) prepared.push(await prepareLaunch(world, tool, claims));
  }
  const cameAt: number[] = [];
  const began = performance.now();
  await Promise.all(
    prepared.map(async (one, number) => {
      await systemClock.sleep(Math.max(0, (number * arriveWithin) / learners - (performance.now() - began)));
      cameAt[number] = performance.now();
      await comeToDoor(one);
    }),
  );
  const order = await orderOfCalls();
  let pairs = 0;
  let overtaken = 0;
  for (const [at, first] of order.entries()) {
    for (const later of order.slice(at + 1)) {
      pairs += 1;
      if ((cameAt[first] ?? 0) > (cameAt[later] ?? 0)) overtaken += 1;
    }
  }
  expect(order).toHaveLength(learners);
  expect(overtaken / pairs).toBeLessThan(0.05);
}, 180_000);
