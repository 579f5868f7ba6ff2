import { afterAll, beforeAll, expect, test } from "vitest";
import type { DemoWorld } from "../../src/sandbox/demo-world.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";

const biology = "1";
const history = "2";

let world: DemoWorld;
beforeAll(async () => {
  world = await startWorld({ learners: 3 });
});
afterAll(() => world.close());

/** The operations that worked, in the order in which they were called, up to the first login. */
function beginning(): string[] {
  const names = world.classroom
    .calls()
    .filter(({ status }) => status !== null && status < 300)
    .map(({ operation }) => operation);
  return names.slice(0, names.indexOf("authorize") + 1);
}

function spaceOf(course: string) {
  const space = world.classroom.spaces().find(({ name }) => name.startsWith(course));
  if (space === undefined) throw new Error(`there is no Space of ${course}`);
  return space;
}

test("a learner who is first of all is made, then the Space, then let in; the Space is told of them", async () => {
  const learner = await walkIn(world, "student1", biology);
  expect(beginning().slice(0, 1)).toEqual(["createApiUser"]);
  expect(beginning().indexOf("createSpace")).toBeGreaterThan(0);
  expect(beginning().at(-1)).toBe("authorize");
  const space = spaceOf("BIO101");
  expect(space.participantUserIds).toContain(learner);
  expect(space.hostUserIds ?? [], "nobody is told to be a host who is not one").not.toContain(learner);
});

test("an instructor who is first is a host of the Space, and the one it is told of first", async () => {
  const instructor = await walkIn(world, "teacher1", history);
  expect(spaceOf("HIS205").hostUserIds?.[0]).toBe(instructor);
  expect(world.classroom.users().find(({ userId }) => userId === instructor)?.role).toBe("host");
});
