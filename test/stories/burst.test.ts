import { beforeAll, expect, test } from "vitest";
import { seededRandom } from "../../sandbox/seeded-random.ts";
import { until } from "../support/until.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { required } from "../support/required.ts";
import { runCli } from "../support/tool/run-cli.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import {
  burstFor,
  type BurstScript,
  failingLms,
  isQuiet,
  postsOf,
  send,
  sendAndKill,
  startBurstWorld,
  wrongScores,
} from "../support/tool/burst-world.ts";

const patience = 60_000;
let script: BurstScript;
const burst = await forAllTests(startBurstWorld({ learners: 10, events: 2 }));
beforeAll(() => {
  script = burstFor(burst, 80, 7);
}, 90_000);

/** Reacts to an incident at the LMS, and rotates all keys. */
async function changeKeys() {
  const { world, stores } = burst;
  const { id } = required((await stores.registrations.list())[0]);
  await runCli(world.variables, ["platform", "incident", id]);
  await runCli(world.variables, ["keys", "rotate", "--all"]);
}

test("80 webhooks, two kills, changed keys and an LMS that fails three calls in ten end in the right scores", async () => {
  failingLms(burst, { timeOuts: false });
  const sent = sendAndKill(burst, script, { times: 2, random: seededRandom(3), patience });
  await Promise.all([sent, changeKeys()]);
  await until(patience, "every score arrived", () => wrongScores(burst, script).length === 0);
  burst.world.lms.faults.clear();
  await until(patience, "the tool came to rest", () => isQuiet(burst));
  expect(wrongScores(burst, script)).toEqual([]);
});

test("no request was signed by a key unknown to the LMS, and a course opens again after an incident", async () => {
  const { world } = burst;
  expect(world.lms.refusedSignatures()).toBe(0);
  const page = await openCourseLink(createVisitor(), world.lms, "teacher1", "1", { framed: true });
  expect(page.status).toBe(200);
});

test("nobody got a score twice, or more scores than there were changes", () => {
  for (const [at, { taken, repeated }] of postsOf(burst).entries()) {
    expect(repeated).toBe(0);
    expect(taken.length).toBeLessThanOrEqual(script.changes.get(burst.userIds[at] ?? "") ?? 0);
  }
});

test("the same webhooks again change nothing, and nothing is sent", async () => {
  const before = burst.world.lms.scores().length;
  await send(burst, script, patience);
  await until(patience, "the tool came to rest", () => isQuiet(burst));
  expect(wrongScores(burst, script)).toEqual([]);
  expect(burst.world.lms.scores()).toHaveLength(before);
});
