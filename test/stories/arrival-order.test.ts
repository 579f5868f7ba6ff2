import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { z } from "zod";
import { systemClock } from "../../src/kernel/clock.ts";
import { type QueueWorld, startQueueWorld } from "../bench/queue-world.ts";
import { type Prepared, prepareLaunch } from "../bench/walk-in.ts";
import { onlyUserOf } from "../support/builders/give-api-user.ts";

const learners = 300;
/** All of them come within this time (ms), one every ten. */
const arriveWithin = 3_000;

let world: QueueWorld;
beforeAll(async () => {
  world = await startQueueWorld({ people: learners, processes: 3 });
}, 180_000);
afterAll(() => world.close());

const nameOf = (number: number) => `learner-number-${String(number).padStart(4, "0")}`;
const answered = z.object({
  request: z
    .string()
    .regex(/^learner-number-\d{4}$/)
    .transform((name) => Number(name.slice(-4))),
  time: z.union([z.string(), z.number()]).transform((time) => new Date(time).getTime()),
  ms: z.number(),
});

/** When each learner's launch came, as the log of the instance says (ms): what a busy machine does before is nobody's order. */
function arrivals(): Map<number, number> {
  const lines = world.tools.flatMap((tool) => tool.output().split("\n"));
  return new Map(
    lines.flatMap((line) => {
      const parsed = line.startsWith("{") ? answered.safeParse(JSON.parse(line)) : null;
      if (parsed?.success !== true) return [];
      const { request, time, ms } = parsed.data;
      return [[request, time - ms]];
    }),
  );
}

async function launch({ tool, idToken, state, cookie }: Prepared, number: number): Promise<void> {
  const response = await fetch(`${tool.url}/lti/launch`, {
    method: "POST",
    redirect: "manual",
    headers: { cookie, "x-request-id": nameOf(number), "sec-fetch-dest": "document" },
    body: new URLSearchParams({ id_token: idToken, state }),
  });
  await response.arrayBuffer();
  expect(response.status).toBe(303);
}

/** Whom the classroom has been asked to let in, in that order, and after them the line as it stands; by their numbers. */
async function orderOfCalls(): Promise<number[]> {
  const numberOfUser = new Map(world.webhooks.userIds.map((userId, number) => [userId, number]));
  const line = await world.stores.queuePositions.listWaiting("production", Date.now());
  const queuePositions = await world.stores.queuePositions.findMany(line.map(({ id }) => id));
  const personOf = new Map(queuePositions.map(({ id, personId }) => [id, personId]));
  const people = await world.stores.people.findMany([...personOf.values()]);
  const userOf = new Map(people.map((person) => [person.id, onlyUserOf(person)]));
  const called = world.classroom.authorizations().map(({ userId }) => userId);
  const waiting = line.map(({ id }) => userOf.get(personOf.get(id) ?? "") ?? "");
  return [...new Set([...called, ...waiting])].flatMap((userId) => numberOfUser.get(userId) ?? []);
}

test("three hundred who come within three seconds at three instances are called in the order in which they came", async () => {
  const prepared: Prepared[] = [];
  for (const [number, claims] of world.learners.entries()) {
    const tool = world.tools[number % world.tools.length];
    if (tool !== undefined) prepared.push(await prepareLaunch(world, tool, claims));
  }
  const began = performance.now();
  await Promise.all(
    prepared.map(async (one, number) => {
      await systemClock.sleep(Math.max(0, (number * arriveWithin) / learners - (performance.now() - began)));
      await launch(one, number);
    }),
  );
  await vi.waitFor(() => {
    expect(arrivals().size).toBe(learners);
  }, 30_000);
  const order = await orderOfCalls();
  expect(order).toHaveLength(learners);
  const came = arrivals();
  let pairs = 0;
  let overtaken = 0;
  for (const [at, first] of order.entries()) {
    for (const later of order.slice(at + 1)) {
      pairs += 1;
      if ((came.get(first) ?? 0) > (came.get(later) ?? 0)) overtaken += 1;
    }
  }
  expect(overtaken / pairs).toBeLessThan(0.03);
}, 180_000);
