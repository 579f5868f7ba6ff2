import { randomBytes } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ticketDigest } from "../../src/modules/joining/enter-class.ts";
import type { DemoWorld } from "../../sandbox/demo-world.ts";
import { patience } from "../support/patience.ts";
import {
  type Arrival,
  arriveAndWait,
  askState,
  keepEverybodyWaiting,
  listen,
  type Listener,
  lookAsOwner,
  ticketOf,
  type StateReport,
} from "../support/tool/in-queue.ts";
import { startWorld } from "../support/tool/start-world.ts";
import { startTinyWorld, type TinyWorld } from "../support/tool/tiny-world.ts";
import { wantedInstances } from "../support/tool/tool-cluster.ts";

const biology = "1";
const classSize = 12;

let world: DemoWorld;
let tiny: TinyWorld;
const listeners: Listener[] = [];
beforeAll(async () => {
  [world, tiny] = await Promise.all([startWorld({ learners: classSize }), startTinyWorld()]);
});
afterAll(async () => {
  for (const { close } of listeners) close();
  await world.close();
});

async function listenAs(ticket: string): Promise<Listener> {
  const listener = await listen(world.toolUrl, ticket);
  listeners.push(listener);
  return listener;
}

/** The course's learners open the link at the same moment, and the classroom asks for pauses. */
async function theClassArrives(): Promise<Arrival[]> {
  keepEverybodyWaiting(world.classroom);
  const people = Array.from({ length: classSize }, (_, number) => `student${number + 1}`);
  return Promise.all(people.map((person) => arriveAndWait(world.lms, person, biology)));
}

/** Does what a page does: listens, listens again when the stream breaks, and enters when it is its turn. */
async function waitLikeAPage(ticket: string): Promise<{ status: number; location: string | null }> {
  // Refused while the tool is down; and it may end while somebody listens.
  await vi.waitFor(async () => {
    const listener = await listenAs(ticket);
    await listener.ended;
    expect(last(listener)?.state).toBe("ready");
  }, patience);
  const page = await lookAsOwner(world.toolUrl, ticket);
  return { status: page.status, location: page.headers.get("location") };
}

const last = ({ words }: Listener): StateReport | undefined => words.at(-1);

/** Somebody in the queue of an environment without a classroom, who waits for as long as the test takes. */
async function waitsForLong(number: number): Promise<string> {
  const ticket = randomBytes(24).toString("base64url");
  await tiny.stores.queuePositions.join({
    id: `plc_${number}`,
    ticket: ticketDigest(ticket),
    environment: "staging",
    registrationId: tiny.registration.id,
    courseId: "course",
    personId: `person-${number}`,
    courseLinkId: null,
    role: "learner",
    locale: null,
    mobile: false,
    shown: "tab",
    arrivedAt: Date.now(),
    calls: 1,
    seenUntil: Date.now() + 60_000,
  });
  return ticket;
}

// Each of these two waits for long and calculates little, with its own setup.
describe.concurrent("A class that waits", () => {
  test("keeps its order, and everybody gets in once, when the tool is killed and started again", async () => {
    const arrivals = await theClassArrives();
    const tickets = arrivals.map(ticketOf);
    const askOrder = async () => {
      const told = await Promise.all(tickets.map((ticket) => askState(world.toolUrl, ticket)));
      return told.map(({ before }) => before ?? -1);
    };
    // People who came within the last second are not counted yet.
    await vi.waitFor(async () => {
      const sorted = (await askOrder()).sort((one, other) => one - other);
      expect(sorted).toEqual(tickets.map((_, position) => position));
    }, patience);
    const order = await askOrder();
    const entering = Promise.all(tickets.map(waitLikeAPage));
    await vi.waitFor(() => {
      expect(listeners.filter(({ words }) => words.length > 0)).toHaveLength(classSize);
    }, patience);

    await world.tool().end("SIGKILL");
    await world.restartTool();
    expect(await askOrder()).toEqual(order);
    world.classroom.clearFaults();

    const answers = await entering;
    expect(answers.map(({ status }) => status)).toEqual(tickets.map(() => 303));
    const tokens = answers.map(({ location }) => new URL(location ?? "").searchParams.get("token"));
    const logins = world.classroom.authorizations().map(({ token }) => token);
    const entered = tokens.map((token) => logins.indexOf(token ?? ""));
    expect(new Set(entered).size).toBe(classSize);
    expect(world.classroom.callCounts().mostInOneSecond).toBeLessThan(5);
  }, 90_000);
});

describe.concurrent("A page that waits for long", () => {
  test("lets those behind move up when a page ahead is closed, whose person gets the position back, and gives signs of life", async () => {
    const tickets: string[] = [];
    for (let number = 0; number < 10; number += 1) tickets.push(await waitsForLong(number));
    const [leaving, staying] = [tickets[4] ?? "", tickets[9] ?? ""];
    const closing = await listen(tiny.toolUrl, leaving);
    const watching = await listen(tiny.toolUrl, staying);
    await vi.waitFor(() => {
      expect([closing, watching].map(last)).toMatchObject([{ before: 4 }, { before: 9 }]);
    }, patience);
    closing.close();
    await vi.waitFor(() => {
      // The others have no pages; on a slow machine some of them count as gone by now, too.
      expect(last(watching)?.before).toBeLessThanOrEqual(8);
    }, patience);
    expect((await askState(tiny.toolUrl, leaving)).before).toBeLessThanOrEqual(4);
    await vi.waitFor(() => {
      expect(watching.text()).toContain("event: beat\ndata:\n\n");
    }, patience);
    watching.close();
  }, 60_000);
});

describe("The stream of a waiting page", () => {
  test("passes through proxies, and says when to come back", async () => {
    const listener = await listen(tiny.toolUrl, await waitsForLong(0));
    expect(Object.fromEntries(listener.headers)).toMatchObject({
      "content-type": "text/event-stream; charset=utf-8",
      "cache-control": "no-store, no-transform",
      "x-accel-buffering": "no",
    });
    expect(listener.headers.get("content-encoding")).toBeNull();
    await vi.waitFor(() => {
      expect(listener.text()).toMatch(/^retry: \d{4}\n\n/);
    }, patience);
    listener.close();
  });

  test("is closed for the oldest of many tabs, and for old pages when somebody comes again", async () => {
    const ticket = await waitsForLong(0);
    const tabs: Listener[] = [];
    // Each instance counts separately; one more than all of them admit is one too many for one of them.
    while (tabs.length < 3 * wantedInstances + 1) tabs.push(await listen(tiny.toolUrl, ticket));
    const closed = await Promise.race(tabs.map((tab) => tab.ended.then(() => tab)));
    expect(closed.text()).toContain("event: elsewhere");
    if (wantedInstances === 1) expect(tabs.indexOf(closed)).toBe(0);
    const newer = await listen(tiny.toolUrl, await waitsForLong(0));
    await Promise.all(tabs.map(({ ended }) => ended));
    const others = tabs.filter((tab) => !tab.text().includes("event: elsewhere"));
    expect(others.length).toBeGreaterThanOrEqual(3);
    expect(others.map(last)).toEqual(others.map(() => ({ state: "gone" })));
    await vi.waitFor(() => {
      expect(last(newer)).toMatchObject({ state: "waiting", before: 0 });
    }, patience);
    newer.close();
  });

  test("does not delay a stop with two hundred open pages, and sends them to the next tool", async () => {
    const pages = 200;
    const tickets = await Promise.all(Array.from({ length: pages }, (_, number) => waitsForLong(number)));
    // A page for which an older summary shows a person too few keeps that number, so that numbers do not jump (`smoothed`).
    await vi.waitFor(async () => {
      await askState(tiny.toolUrl, tickets[0] ?? "");
      expect(await tiny.stores.queueSummaries.find("staging")).toMatchObject({ summary: { people: pages } });
    }, patience);
    const open: Listener[] = [];
    while (open.length < pages) {
      const next = tickets.slice(open.length, open.length + 50);
      open.push(...(await Promise.all(next.map((ticket) => listen(tiny.toolUrl, ticket)))));
    }
    await vi.waitFor(() => {
      const before = open.map((listener) => last(listener)?.before ?? -1);
      expect(before.sort((one, other) => one - other)).toEqual(tickets.map((_, position) => position));
    }, patience);
    const began = Date.now();
    await tiny.close();
    await Promise.all(open.map(({ ended }) => ended));
    // After ten seconds anything still open would be cut off.
    expect(Date.now() - began).toBeLessThan(8_000);
    // No page was told anything that would keep it from coming back.
    expect(new Set(open.map((listener) => last(listener)?.state))).toEqual(new Set(["waiting"]));
  }, 120_000);
});
