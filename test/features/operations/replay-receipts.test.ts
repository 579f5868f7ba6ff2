import { describe, expect, test } from "vitest";
import { type CommandTools, timeOf } from "../../../src/cli/command.ts";
import { replay } from "../../../src/cli/webhook-commands.ts";
import type { Receipt } from "../../../src/inbox/rules/receipt.ts";
import { processReceipts, processSlowReceipts } from "../../support/process-receipts.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { listReceipts } from "../../../src/modules/operations/background-work.ts";
import {
  countReceipts,
  type ReceiptFilter,
  replayReceipt,
  replayReceipts,
} from "../../../src/inbox/find-receipts.ts";
import { leaseMs } from "../../../src/kernel/with-claim.ts";
import { commandTools, rightVariables } from "../../support/tool/run-cli.ts";
import { readConfig } from "../../../src/config.ts";
import { type MatchingCourse, openMatchingCourse } from "../../support/builders/matching-course.ts";
import { giveApiUser } from "../../support/builders/give-api-user.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests, forEachTest } from "../../support/for-all-tests.ts";
import { waitingReceipt } from "../../support/builders/waiting-receipt.ts";

const database = await forAllTests(openEmptyStores());
let course: MatchingCourse;
forEachTest(async () => (course = await openMatchingCourse({ from: database })));

const minute = 60_000;
const everything: ReceiptFilter = {
  states: [],
  environment: null,
  family: null,
  since: null,
  until: null,
  code: null,
  text: null,
};

const processing = () => course.deps;
const deps = () => ({ ...course.deps, who: "console" as const });

/** A stored webhook in the given state. @returns its id */
async function keep(facts: Partial<Receipt> & { json?: object } = {}): Promise<string> {
  const { json = { _type: "SPACE_USER" }, ...rest } = facts;
  const failed = {
    family: "SPACE_USER",
    state: "failed",
    attempts: 3,
    reason: "It was so.",
    code: "unreadable",
  } as const;
  const receipt = waitingReceipt(json, course.clock.now(), { ...failed, ...rest });
  await course.stores.receipts.insert(receipt);
  return receipt.id;
}
const stateOf = async (id: string) => (await course.stores.receipts.find(id))?.state;

describe("a webhook that is processed again", () => {
  test("changes nothing if it already took effect", async () => {
    await course.enrol("Ada");
    await giveApiUser(course.stores.people, "per-Ada", { userId: "user_Ada", name: "Ada" });
    const eventId = await course.held(60 * minute);
    const tell = (status: string, at: number) =>
      keep({
        json: {
          eventId,
          userId: "user_Ada",
          timestamp: new Date(at).toISOString(),
          currentStatus: { status },
        },
        state: "waiting",
        family: "ATTENDANCE",
      });
    const first = await tell("ABSENT", course.clock.now() - 30 * minute);
    await tell("PRESENT", course.clock.now() - 10 * minute);
    await processReceipts(processing());
    const stored = () =>
      Promise.all([
        course.stores.deliveries.listOfCourse(course.key.registrationId, course.key.courseId),
        course.stores.attendance.find({ ...course.key, eventId, personId: "per-Ada" }),
      ]);
    const before = await stored();
    expect(before[0][0]?.desired?.score).toBe(100);
    expect(await replayReceipts(deps(), everything)).toEqual({
      matched: 2,
      replayed: 2,
      busy: 0,
      next: null,
    });
    expect(await stateOf(first)).toBe("again");
    while (await processSlowReceipts(processing()));
    expect(await stateOf(first)).toBe("done");
    const after = await stored();
    expect(after[1]).toEqual(before[1]);
    expect(after[0].map(({ desired, state }) => [desired?.score, state])).toEqual(
      before[0].map(({ desired, state }) => [desired?.score, state]),
    );
  });

  test("comes after new ones, and its age raises no alarm", async () => {
    const old = await keep({ receivedAt: course.clock.now() - 3_000 * minute });
    expect(await replayReceipt(deps(), old)).toBe(true);
    expect(await course.stores.receipts.oldestWaiting()).toBeNull();
    const now = course.clock.now() + minute;
    expect(await course.stores.receipts.claimDue("one", now, now + leaseMs, 10)).toEqual([]);
    const asking = await keep({ state: "asking" });
    const slow = () => course.stores.receipts.claimSlow("one", now, now + leaseMs, 10);
    expect((await slow()).map(({ id }) => id)).toEqual([asking]);
    expect((await slow()).map(({ id }) => id)).toEqual([old]);
  });

  test("is left alone while it is being processed, and a process that lost it settles nothing", async () => {
    const [busy, lost] = [await keep({ state: "waiting" }), await keep({ state: "unmatched" })];
    const { receipts } = course.stores;
    const now = course.clock.now();
    await receipts.claimDue("one", now, now + leaseMs, 1);
    await receipts.claimSlow("two", now, now - 1, 1);
    expect(await replayReceipt(deps(), busy)).toBe(false);
    expect(await replayReceipts(deps(), everything)).toMatchObject({ matched: 2, replayed: 1, busy: 1 });
    await receipts.settle([busy], "one", { state: "done", reason: null, nextTryAt: now });
    await receipts.settle([lost], "two", { state: "failed", reason: "Too late.", nextTryAt: now });
    expect([await stateOf(busy), await stateOf(lost)]).toEqual(["done", "again"]);
  });

  test("fails alone if it cannot be read, with its reason and a code, while the others take effect", async () => {
    const broken = await keep({ state: "waiting", body: "{", json: {} });
    const other = await keep({ state: "waiting", json: { _type: "SOMETHING_NEW" } });
    await course.stores.receipts.processAgain([broken], course.clock.now());
    await processReceipts(processing());
    while (await processSlowReceipts(processing()));
    expect(await course.stores.receipts.find(broken)).toMatchObject({
      state: "failed",
      code: "unreadable",
      reason: "The body is not a JSON object.",
    });
    expect(await stateOf(other)).toBe("kept");
  });

  test("fails with a sentence and a code after too many tries", async () => {
    const id = await keep({
      state: "asking",
      attempts: 199,
      json: { _type: "SCHEDULE", eventId: "e1", eventType: "EVENT_CREATED" },
    });
    const broken = {
      ...processing(),
      events: { ...course.stores.events, find: () => Promise.reject(new Error("no disk")) },
    };
    while (await processSlowReceipts(broken));
    expect(await course.stores.receipts.find(id)).toMatchObject({
      state: "failed",
      code: "given-up",
      reason: "Given up after 200 attempts. The last one: Unexpected: no disk",
    });
  });

  test("is in the audit log, without the text that somebody searched for", async () => {
    await keep({ json: { _type: "SPACE_USER", userId: "user_of_ada" } });
    await replayReceipts(deps(), { ...everything, states: ["failed"], text: "user_of_ada" });
    const [entry] = await course.stores.audit.list(null, 1);
    expect(entry).toMatchObject({
      what: "webhooks-replayed",
      who: "console",
      on: "1: state=failed text=...",
    });
  });

  test("must be known", async () => {
    await expect(replayReceipt(deps(), "rcp_nobody")).rejects.toMatchObject({
      code: "receipt-unknown",
      status: 404,
    });
  });
});

describe("a search for some of the webhooks", () => {
  test("are found by state, environment, family, time, code and an id within, even those of earlier versions", async () => {
    const now = course.clock.now();
    const old = await keep({ receivedAt: now - 100 * minute });
    const staging = await keep({ environment: "staging" });
    const { family: _family, ...earlier } = { family: undefined };
    const other = await keep({
      ...earlier,
      family: "NEW_ONE",
      json: { _type: "NEW_ONE", spaceId: "space_77" },
    });
    const kept = await keep({ state: "kept", code: "event-type-unknown" });
    const found = async (filter: Partial<ReceiptFilter>) =>
      new Set((await listReceipts(deps(), { ...everything, ...filter }, null)).receipts.map(({ id }) => id));
    expect(await found({})).toEqual(new Set([old, staging, other, kept]));
    expect(await found({ states: ["kept"] })).toEqual(new Set([kept]));
    expect(await found({ environment: "staging" })).toEqual(new Set([staging]));
    expect(await found({ family: "other" })).toEqual(new Set([other]));
    expect(await found({ family: "SPACE_USER" })).toEqual(new Set([old, staging, kept]));
    expect(await found({ until: now - minute })).toEqual(new Set([old]));
    expect(await found({ since: now - minute })).toEqual(new Set([staging, other, kept]));
    expect(await found({ code: "event-type-unknown" })).toEqual(new Set([kept]));
    expect(await found({ text: "space_77" })).toEqual(new Set([other]));
    expect(await found({ text: old })).toEqual(new Set([old]));
  });

  test("that came at the same moment are listed once each, page by page", async () => {
    const now = course.clock.now();
    const ids = [];
    for (let number = 0; number < 130; number += 1)
      ids.push(
        await keep({
          receivedAt: number < 120 ? now : now - number,
          state: number % 2 === 0 ? "failed" : "done",
        }),
      );
    const seen: string[] = [];
    for (let from: string | null = null, more = true; more;) {
      const { receipts, next }: Awaited<ReturnType<typeof listReceipts>> = await listReceipts(
        deps(),
        everything,
        from,
      );
      seen.push(...receipts.map(({ id }) => id));
      from = next;
      more = next !== null;
    }
    expect(seen).toHaveLength(130);
    expect(new Set(seen)).toEqual(new Set(ids));
    // Not beyond the given limit, and from there on.
    const hundred = await countReceipts(deps(), everything, { limit: 100 });
    expect(hundred.matched).toBe(100);
    expect(await countReceipts(deps(), everything, { limit: 100, from: hundred.next })).toEqual({
      matched: 30,
      next: null,
    });
    expect(await replayReceipts(deps(), { ...everything, states: ["failed"] })).toMatchObject({
      matched: 65,
      replayed: 65,
    });
    expect(await course.stores.receipts.countUpTo("again", 50)).toBe(50);
  });
});

test("webhooks behind many that do not match are processed again, step by step", async () => {
  const now = course.clock.now();
  const wanted = await keep({ receivedAt: now - 10 * minute, code: "event-type-unknown", state: "done" });
  for (const ago of [1, 2, 3]) await keep({ receivedAt: now - ago * minute, state: "done" });
  const of: ReceiptFilter = { ...everything, states: ["done"], code: "event-type-unknown" };
  const first = await replayReceipts(deps(), of, { limit: 2 });
  expect(first).toMatchObject({ matched: 0, replayed: 0 });
  expect(first.next).not.toBeNull();
  expect(await replayReceipts(deps(), of, { limit: 2, from: first.next })).toMatchObject({ replayed: 1 });
  expect(await stateOf(wanted)).toBe("again");
});

describe("npm run cli -- replay", () => {
  const run = async (words: readonly string[], values: Partial<CommandTools["values"]> = {}) => {
    const config = () => readConfig(rightVariables(""));
    const [stores, clock] = [() => Promise.resolve(course.stores), () => Promise.resolve(course.clock)];
    return replay(commandTools({ values, config, stores, clock }), ...words);
  };

  test("counts with --dry-run and changes nothing, then replays", async () => {
    // A command uses the machine's clock.
    const receivedAt = systemClock.now();
    const id = await keep({ receivedAt });
    await keep({ receivedAt, state: "done" });
    const dry = await run([], { state: "failed", family: "SPACE_USER", since: "1h", "dry-run": true });
    expect(dry).toMatchObject({
      text: "1 webhook would be processed again.",
      json: { matched: 1, replayed: 0 },
    });
    expect(await stateOf(id)).toBe("failed");
    const done = await run([], { state: "failed", since: "1h" });
    expect(done).toMatchObject({ json: { matched: 1, replayed: 1, busy: 0 } });
    expect(await stateOf(id)).toBe("again");
    const [entry] = await course.stores.audit.list(null, 1);
    expect(entry).toMatchObject({ what: "webhooks-replayed", who: "command-line" });
  });

  test("replays one by its id", async () => {
    const id = await keep({ state: "kept" });
    expect(await run([id])).toMatchObject({ json: { id, replayed: true } });
    expect(await stateOf(id)).toBe("again");
  });

  test("accepts days, times and ages", () => {
    const now = Date.parse("2026-09-14T12:00:00Z");
    expect(timeOf("2026-09-14", "--since", now)).toBe(now - 12 * 60 * minute);
    expect(timeOf("2026-09-14T11:00:00Z", "--since", now)).toBe(now - 60 * minute);
    expect(timeOf("30m", "--since", now)).toBe(now - 30 * minute);
    expect(timeOf("3d", "--since", now)).toBe(now - 3 * 24 * 60 * minute);
  });
});
