import { expect, test } from "vitest";
import { readConfig } from "../../../src/config.ts";
import type { CommandTools } from "../../../src/cli/command.ts";
import { retryDeliveries } from "../../../src/cli/operation-commands.ts";
import type { Delivery } from "../../../src/modules/grading/rules/delivery.ts";
import {
  countDeliveries,
  listDeliveries,
  sendScoreAgain,
  sendScoresAgain,
} from "../../../src/modules/operations/deliveries.ts";
import { commandTools, rightVariables } from "../../support/tool/run-cli.ts";
import { type MatchingCourse, openMatchingCourse } from "../../support/builders/matching-course.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests, forEachTest } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const database = await forAllTests(openEmptyStores());
let course: MatchingCourse;
forEachTest(async () => (course = await openMatchingCourse({ from: database })));

const deps = () => ({ ...course.deps, who: "console" as const, pauses: { tryNow: () => Promise.resolve() } });

/** A learner's score in the given state. @returns its id */
async function scoreOf(
  name: string,
  change: Partial<Delivery> & Pick<Delivery, "state">,
  place = course.key,
): Promise<string> {
  const { deliveries } = course.stores;
  const { registrationId, courseId } = place;
  const now = course.clock.now();
  const score = { score: 80, maximum: 100, comment: null };
  await deliveries.setDesired(
    { registrationId, courseId },
    [
      {
        personId: `per-${name}`,
        sub: name,
        scores: new Map([["attendance", score]]),
        left: false,
        seen: { regrade: 1, summary: 1 },
      },
    ],
    { now, newId: () => `dlv_${name}` },
  );
  await deliveries.claimDue("test", now, now + 60_000);
  const delivery = required(
    (await deliveries.listAllOfPeople({ registrationId, courseId }, [`per-${name}`]))[0],
  );
  await deliveries.settle(delivery.id, "test", delivery.desired?.revision ?? 0, change);
  return delivery.id;
}
const stateOf = async (id: string) => (await course.stores.deliveries.findById(id))?.state;

test("refused scores are sent again, one or all with a reason, but not those that a teacher's grade holds", async () => {
  const ada = await scoreOf("Ada", { state: "refused", refusal: "lms-status-403" });
  const bob = await scoreOf("Bob", { state: "refused", refusal: "lms-status-422" });
  const cleo = await scoreOf("Cleo", { state: "held" });
  const of = { state: "refused", registrationId: null, courseId: null, reason: null } as const;
  const { rows, next } = await listDeliveries(deps(), of, null);
  expect([new Set(rows.map(({ reason }) => reason)), next]).toEqual([
    new Set(["lms-status-403", "lms-status-422"]),
    null,
  ]);
  expect(await sendScoresAgain(deps(), { ...of, reason: "lms-status-403" })).toEqual({
    matched: 1,
    sent: 1,
    next: null,
  });
  expect([await stateOf(ada), await stateOf(bob)]).toEqual(["waiting", "refused"]);
  expect(await sendScoreAgain(deps(), bob, null)).toBe(true);
  expect(await sendScoreAgain(deps(), cleo, null)).toBe(false);
  expect([await stateOf(bob), await stateOf(cleo)]).toEqual(["waiting", "held"]);
  const entries = await course.stores.audit.list(null, 10);
  expect(entries.map(({ what }) => what)).toEqual(["scores-tried-again", "scores-tried-again"]);
});

test("an LMS's administrator finds no scores of another LMS", async () => {
  const { registrationId, courseId } = course.key;
  const id = await scoreOf("Ada", { state: "refused", refusal: "lms-status-403" });
  await expect(sendScoreAgain(deps(), id, "reg_other")).rejects.toMatchObject({ code: "score-unknown" });
  const of = { state: "refused", courseId: null, reason: null } as const;
  expect((await listDeliveries(deps(), { ...of, registrationId: "reg_other" }, null)).rows).toEqual([]);
  expect((await listDeliveries(deps(), { ...of, registrationId }, null)).rows).toHaveLength(1);
  expect((await listDeliveries(deps(), { ...of, registrationId, courseId }, null)).rows).toHaveLength(1);
});

test("a course without its LMS lists only that course, and sends nothing again", async () => {
  const { courseId } = course.key;
  await scoreOf("Ada", { state: "refused", refusal: "lms-status-403" });
  const elsewhere = { registrationId: "reg_other", courseId: "crs_other" };
  const bob = await scoreOf("Bob", { state: "refused", refusal: "lms-status-403" }, elsewhere);
  const of = { state: "refused", registrationId: null, reason: null, courseId } as const;
  const { rows } = await listDeliveries(deps(), of, null);
  expect(rows.map(({ delivery }) => delivery.sub)).toEqual(["Ada"]);
  await expect(sendScoresAgain(deps(), of)).rejects.toThrow("Choose the LMS of that course, too.");
  await expect(countDeliveries(deps(), of)).rejects.toMatchObject({
    code: "course-without-lms",
    status: 400,
  });
  expect(await stateOf(bob)).toBe("refused");
});

test("a score that is sent again counts as waiting in its course, and is listed there", async () => {
  const ada = await scoreOf("Ada", { state: "refused", refusal: "lms-status-403" });
  const { registrationId, courseId } = course.key;
  expect(await sendScoreAgain(deps(), ada, null)).toBe(true);
  const { deliveries } = course.stores;
  const place = { registrationId, courseId };
  expect(await deliveries.countByScoreState(place)).toMatchObject({ waiting: 1, refused: 0 });
  const waiting = await deliveries.page(place, { state: "waiting", personIds: null }, { skip: 0, limit: 9 });
  expect(waiting.map(({ delivery }) => delivery.id)).toEqual([ada]);
});

test("scores behind many others are reached step by step", async () => {
  const own = await scoreOf("Ada", { state: "refused", refusal: "lms-status-403", nextTryAt: 1 });
  const elsewhere = { registrationId: "reg_other", courseId: "crs_other" };
  for (const [at, name] of ["Bob", "Cleo", "Dan"].entries())
    await scoreOf(name, { state: "refused", refusal: "lms-status-422", nextTryAt: 10 + at }, elsewhere);
  const of = { state: "refused", registrationId: null, courseId: null, reason: "lms-status-403" } as const;
  const { registrationId, courseId } = course.key;
  // Scores of other LMSs and courses are not even read.
  for (const id of [null, courseId])
    expect(await countDeliveries(deps(), { ...of, registrationId, courseId: id }, { limit: 1 })).toEqual({
      matched: 1,
      next: null,
    });
  const first = await sendScoresAgain(deps(), of, { limit: 2 });
  expect(first).toMatchObject({ matched: 0, sent: 0 });
  expect(first.next).not.toBeNull();
  expect(await sendScoresAgain(deps(), of, { limit: 2, from: first.next })).toEqual({
    matched: 1,
    sent: 1,
    next: null,
  });
  expect(await stateOf(own)).toBe("waiting");
});

test("npm run cli -- deliveries retry counts, then sends", async () => {
  const id = await scoreOf("Ada", { state: "refused", refusal: "lms-status-403" });
  const run = async (words: readonly string[], values: Partial<CommandTools["values"]> = {}) => {
    const config = () => readConfig(rightVariables(""));
    const [stores, clock] = [() => Promise.resolve(course.stores), () => Promise.resolve(course.clock)];
    return retryDeliveries(commandTools({ values, config, stores, clock }), ...words);
  };
  expect(await run([], { "dry-run": true })).toMatchObject({ json: { matched: 1, sent: 0 } });
  expect(await stateOf(id)).toBe("refused");
  expect(await run([], { reason: "lms-status-403" })).toMatchObject({ json: { matched: 1, sent: 1 } });
  expect(await stateOf(id)).toBe("waiting");
  expect(await run([id])).toMatchObject({ json: { id, sent: true } });
  await expect(run([], { course: "c1" })).rejects.toThrow("with --registration");
  await expect(run([], { state: "held" })).rejects.toThrow("--state is");
  await expect(run([id], { state: "refused" })).rejects.toThrow("given alone");
});
