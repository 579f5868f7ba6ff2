import { afterAll, beforeAll, expect, test } from "vitest";
import {
  burstFor,
  type BurstWorld,
  holdUnheardEvents,
  isQuiet,
  postsOf,
  send,
  startBurstWorld,
  wrongScores,
} from "../support/tool/burst-world.ts";
import { maxGatheringMs } from "../../src/modules/grading/rules/score-gathering.ts";
import { until } from "../support/until.ts";

const patience = 60_000;
let burst: BurstWorld;
beforeAll(async () => {
  burst = await startBurstWorld({ learners: 12, events: 0 });
}, 90_000);
afterAll(() => burst.close());

test("a burst about events that the tool has never heard of sends each learner one score", async () => {
  const eventIds = holdUnheardEvents(burst, 10);
  const script = burstFor({ ...burst, eventIds }, 150, 11);
  // However slow this machine is: all of the burst is here before the classroom says what the first event is.
  burst.world.classroom.addFault({ operation: "readEvent", kind: "slow", delayMs: 6_000, times: 8 });
  const begun = Date.now();
  await send(burst, script, patience);
  await until(patience, "every score arrived", () => wrongScores(burst, script).length === 0);
  await until(patience, "the tool came to rest", () => isQuiet(burst));
  const posts = postsOf(burst).map(({ taken }) => taken.length);
  // A score waits for more for 15 s at most: only where the machine is so slow that the burst takes longer may there be another.
  const most = 1 + Math.floor((Date.now() - begun) / maxGatheringMs);
  expect(Math.max(...posts)).toBeLessThanOrEqual(most);
  expect(Math.min(...posts)).toBeGreaterThanOrEqual(1);
}, 180_000);
