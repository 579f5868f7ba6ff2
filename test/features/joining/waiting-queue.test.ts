import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { QueuePosition, QueueView } from "../../../src/modules/joining/rules/queue-position.ts";
import type { StoredSummary, QueueSummaryStore } from "../../../src/modules/joining/store/queue-order.ts";
import { createWaitingQueue, type WaitingQueue } from "../../../src/modules/joining/waiting-queue.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { positionOf } from "../../support/builders/queue-position.ts";

/** A store in memory that counts its calls; `down` makes it fail. */
function memoryPlaces() {
  const places = new Map<string, QueuePosition>();
  const asked = { listWaiting: 0, findMany: 0, seen: 0 };
  const state = { down: false };
  const reachable = async () => {
    await Promise.resolve();
    if (state.down) throw new Error("the store is down");
  };
  return {
    places,
    asked,
    state,
    store: {
      listWaiting: async (environment: string, now: number) => {
        asked.listWaiting += 1;
        await reachable();
        return [...places.values()]
          .filter((position) => position.environment === environment)
          .filter((position) => position.state === "waiting" && position.seenUntil > now)
          .sort((one, other) => one.turn - other.turn);
      },
      findMany: async (ids: readonly string[]) => {
        asked.findMany += 1;
        await reachable();
        return ids.flatMap((id) => places.get(id) ?? []);
      },
      seen: async (ids: readonly string[], until: number) => {
        asked.seen += 1;
        await reachable();
        for (const id of ids) change(id, { seenUntil: until });
      },
    },
    summaries: sharedSummaries(),
    change,
  };
  function change(id: string, changes: Partial<QueuePosition>): void {
    const position = places.get(id);
    if (position !== undefined) places.set(id, { ...position, ...changes });
  }
}

/** What processes share, in memory. */
function sharedSummaries(): Pick<QueueSummaryStore, "find" | "claim" | "keep"> {
  const kept = new Map<string, StoredSummary>();
  const due = new Map<string, number>();
  return {
    find: (environment) => Promise.resolve(kept.get(environment) ?? null),
    claim: (environment, now, until) => {
      const isDue = (due.get(environment) ?? 0) <= now;
      if (isDue) due.set(environment, until);
      return Promise.resolve(isDue);
    },
    keep: (environment, summary) => {
      kept.set(environment, summary);
      return Promise.resolve();
    },
  };
}

const numbered = (number: number, changes: Partial<QueuePosition> = {}) =>
  positionOf({
    id: `plc_${String(number).padStart(5, "0")}`,
    ticket: `ticket-${number}`,
    turn: number,
    personId: `person-${number}`,
    arrivedAt: number,
    seenUntil: Date.now() + 30_000,
    ...changes,
  });

const problem = {
  code: "classroom-unreachable",
  message: "It did not answer.",
  status: 502,
  temporary: true,
};

/** Another process with the same store. */
const openProcess = () =>
  createWaitingQueue({
    queuePositions: memory.store,
    queueSummaries: memory.summaries,
    clock: systemClock,
    logger: createLogger("silent"),
  });

let memory: ReturnType<typeof memoryPlaces>;
let waitingQueue: WaitingQueue;
beforeEach(() => {
  vi.useFakeTimers();
  memory = memoryPlaces();
  waitingQueue = openProcess();
});
afterEach(() => {
  waitingQueue.stop();
  vi.useRealTimers();
});

function put(count: number, changes: Partial<QueuePosition> = {}): QueuePosition[] {
  const added = Array.from({ length: count }, (_, number) => numbered(number, changes));
  for (const position of added) memory.places.set(position.id, position);
  return added;
}

/** Somebody's page; `told` grows. */
function page(
  position: QueuePosition,
  process = waitingQueue,
): { told: QueueView[]; close: () => void; stops: number } {
  const told: QueueView[] = [];
  const seen = { told, close: () => {}, stops: 0 };
  seen.close = process.watch(position, {
    onView: (view) => told.push(view),
    onStop: () => {
      seen.stops += 1;
    },
  });
  return seen;
}

/** What a page was told last. */
function last({ told }: { told: QueueView[] }): QueueView | undefined {
  return told.at(-1);
}

const seconds = (count: number) => vi.advanceTimersByTimeAsync(count * 1_000);

describe("A thousand people whose pages one process serves", () => {
  test("cost one reading of the queue a second", async () => {
    for (const position of put(1_000)) page(position);
    await seconds(2);
    const before = { ...memory.asked };
    await seconds(11);
    expect(memory.asked.listWaiting - before.listWaiting).toBeGreaterThanOrEqual(9);
    expect(memory.asked.listWaiting - before.listWaiting).toBeLessThanOrEqual(11);
    expect(memory.asked.findMany).toBe(before.findMany);
    expect(memory.asked.seen).toBe(before.seen);
  });

  test("see how many are ahead, and get no news while nothing changes", async () => {
    const pages = put(1_000).map((position) => page(position));
    await seconds(1.5);
    expect(pages.map(last)).toMatchObject(
      pages.map((_page, peopleBefore) => ({ state: "waiting", peopleBefore, trouble: false })),
    );
    await seconds(4);
    expect(pages.every(({ told }) => told.length === 1)).toBe(true);
  });

  test("count as present while their pages are open, at the cost of an occasional write", async () => {
    const places = put(1_000);
    for (const position of places) page(position);
    await seconds(600);
    expect([...memory.places.values()].every(({ seenUntil }) => seenUntil > Date.now() + 30_000)).toBe(true);
    expect(memory.asked.seen).toBeLessThan(40);
  });

  test("learn that it is their turn as soon as this process lets in the first", async () => {
    const [first, ...others] = put(1_000).map((position) => ({ place: position, page: page(position) }));
    await seconds(1.5);
    memory.change(first?.place.id ?? "", { state: "ready" });
    const before = memory.asked.listWaiting;
    waitingQueue.notify(first?.place.id ?? "");
    await vi.advanceTimersByTimeAsync(150);
    expect(first && last(first.page)).toEqual({ state: "ready" });
    expect(memory.asked.listWaiting).toBe(before);
    await seconds(1.5);
    expect(others.map((other) => last(other.page))).toMatchObject(
      others.map((_other, peopleBefore) => ({ peopleBefore })),
    );
  });

  test("cost no more than one reading a second when they only ask now and then", async () => {
    const places = put(1_000);
    for (let second = 0; second < 5; second += 1) {
      await Promise.all(
        places.map((position) =>
          waitingQueue.currentView(memory.places.get(position.id) ?? position, 75_000),
        ),
      );
      await seconds(1.5);
    }
    expect(memory.asked.listWaiting).toBeLessThanOrEqual(6);
  });
});

describe("People whose pages several processes serve", () => {
  test("still cost one reading of the queue a second, and see the same numbers", async () => {
    const others = Array.from({ length: 9 }, openProcess);
    const all = [waitingQueue, ...others];
    const pages = put(1_000).map((position, number) => page(position, all[number % all.length]));
    await seconds(3);
    expect(pages.map(last)).toMatchObject(
      pages.map((_page, peopleBefore) => ({ state: "waiting", peopleBefore, trouble: false })),
    );
    const before = { ...memory.asked };
    await seconds(11);
    expect(memory.asked.listWaiting - before.listWaiting).toBeGreaterThanOrEqual(9);
    expect(memory.asked.listWaiting - before.listWaiting).toBeLessThanOrEqual(11);
    for (const other of others) other.stop();
  });

  test("learn that it is their turn, that the position is gone, and that the classroom is in trouble", async () => {
    const other = openProcess();
    const places = put(6);
    page(places[5] ?? numbered(5));
    await seconds(1.2);
    const [first, second, third] = places.map((position) => page(position, other));
    await seconds(3);
    memory.change("plc_00000", { state: "ready" });
    memory.change("plc_00001", { ticket: "another" });
    await seconds(3);
    expect([first, second].map((one) => one && last(one))).toEqual([{ state: "ready" }, { state: "gone" }]);
    expect(third && last(third)).toMatchObject({ state: "waiting", peopleBefore: 1 });
    await seconds(9);
    expect(third && last(third)).toMatchObject({ trouble: true });
    other.stop();
  });

  test("keep getting news while the store accepts no writes", async () => {
    const full = () => Promise.reject(new Error("the disk is full"));
    memory.summaries.claim = full;
    memory.summaries.keep = full;
    const watched = page(put(3)[2] ?? numbered(2));
    await seconds(1.5);
    expect(last(watched)).toMatchObject({ peopleBefore: 2, trouble: false });
    await seconds(9);
    expect(last(watched)).toMatchObject({ trouble: true });
  });

  test("keep getting news when the process that reads the queue is killed", async () => {
    const [position = numbered(0)] = put(3);
    await memory.summaries.claim("production", Date.now(), Date.now() + 1_000);
    const watched = page(position);
    await seconds(0.2);
    expect(last(watched)).toMatchObject({ peopleBefore: 0 });
  });
});

describe("The news for a waiting person", () => {
  test("does not go up by a person or two, but does when a class comes first", async () => {
    const places = put(10, { arrivedAt: 5 });
    const watched = page(places[9] ?? numbered(9));
    await seconds(1.5);
    expect(last(watched)).toMatchObject({ peopleBefore: 9 });
    const come = (count: number) => {
      for (let extra = 0; extra < count; extra += 1) {
        const position = numbered(1_000 + memory.places.size, { turn: 0.5 });
        memory.places.set(position.id, position);
      }
    };
    come(2);
    await seconds(2);
    expect(watched.told).toHaveLength(1);
    come(30);
    await seconds(2);
    expect(last(watched)).toMatchObject({ peopleBefore: 41 });
  });

  test("counts down with the queue", async () => {
    const places = put(40, { calls: 2 });
    const watched = page(places[39] ?? numbered(39));
    for (const position of places.slice(0, 39)) {
      await vi.advanceTimersByTimeAsync(500);
      memory.change(position.id, { state: "ready" });
    }
    await seconds(1.5);
    const numbers = watched.told.flatMap((view) => (view.state === "waiting" ? [view] : []));
    expect(numbers.map(({ peopleBefore }) => peopleBefore)).toEqual(
      [...numbers].map(({ peopleBefore }) => peopleBefore).sort((one, other) => other - one),
    );
    expect(numbers[0]).toMatchObject({ peopleBefore: 39, seconds: 21 });
    expect(numbers.at(-1)).toMatchObject({ peopleBefore: 0, seconds: 1 });
    expect(numbers.some(({ trouble }) => trouble)).toBe(false);
  });

  test("says that the classroom does not answer when nobody gets in for a while", async () => {
    const watched = page(put(5)[4] ?? numbered(4));
    await seconds(5);
    expect(last(watched)).toMatchObject({ trouble: false });
    await seconds(4);
    expect(last(watched)).toMatchObject({ trouble: true });
    memory.change("plc_00000", { state: "ready" });
    await seconds(2);
    expect(last(watched)).toMatchObject({ trouble: false, peopleBefore: 3 });
  });

  test("mentions the classroom's trouble, but not another person's", async () => {
    const places = put(5);
    memory.change("plc_00000", { problem });
    const [own, other] = [places[0], places[4]].map((position) => page(position ?? numbered(0)));
    await seconds(1.5);
    expect([own, other].map((one) => one && last(one))).toMatchObject([
      { trouble: true },
      { trouble: false },
    ]);
    for (const waiting of places.slice(0, 3)) memory.change(waiting.id, { problem });
    await seconds(2);
    expect(other && last(other)).toMatchObject({ trouble: true });
  });

  test("says that the position is gone when a newer page has it or it is forgotten", async () => {
    const [moved, forgotten] = put(2);
    const pages = [moved, forgotten].map((position) => page(position ?? numbered(0)));
    await seconds(1.5);
    memory.change("plc_00000", { ticket: "another" });
    memory.places.delete("plc_00001");
    await seconds(2);
    expect(pages.map(last)).toEqual([{ state: "gone" }, { state: "gone" }]);
  });

  test("is a failure, but not while the store is down for a short time", async () => {
    const [position = numbered(0)] = put(3);
    const watched = page(position);
    await seconds(1.5);
    memory.state.down = true;
    await seconds(60);
    expect(watched.told).toHaveLength(1);
    memory.state.down = false;
    memory.change(position.id, { state: "failed", problem });
    await seconds(2);
    expect(last(watched)).toEqual({ state: "failed", problem });
  });
});

describe("Somebody who closes the page", () => {
  test("gives up their position after a while, and gets it back by coming again", async () => {
    const places = put(3);
    const [first, , third] = places.map((position) => page(position));
    await seconds(1.5);
    first?.close();
    await seconds(14);
    expect(third && last(third)).toMatchObject({ peopleBefore: 2 });
    await seconds(3);
    expect(third && last(third)).toMatchObject({ peopleBefore: 1 });
    const back = page(places[0] ?? numbered(0));
    await seconds(2);
    expect(last(back)).toMatchObject({ peopleBefore: 0 });
    expect(memory.places.get("plc_00000")?.seenUntil).toBeGreaterThan(Date.now() + 60_000);
  });

  test("keeps it while another tab shows it, or when the page was only reloaded", async () => {
    const [position = numbered(0)] = put(1);
    const [one, other] = [page(position), page(position)];
    await seconds(1.5);
    one.close();
    await seconds(120);
    expect(memory.places.get(position.id)?.seenUntil).toBeGreaterThan(Date.now() + 30_000);
    other.close();
    await seconds(3);
    page(position);
    await seconds(30);
    expect(memory.places.get(position.id)?.seenUntil).toBeGreaterThan(Date.now() + 30_000);
  });

  test("is back within a second if another process assumed they had left", async () => {
    const [position = numbered(0)] = put(1);
    page(position);
    await seconds(1.5);
    memory.change(position.id, { seenUntil: Date.now() + 15_000 });
    await seconds(1.5);
    expect(memory.places.get(position.id)?.seenUntil).toBeGreaterThan(Date.now() + 60_000);
    memory.change(position.id, { seenUntil: 0 });
    await seconds(1.5);
    expect(memory.places.get(position.id)?.seenUntil).toBeGreaterThan(Date.now() + 60_000);
  });

  test("without scripts keeps their position when the page is loaded again", async () => {
    const places = put(5);
    memory.change("plc_00003", { seenUntil: 0 });
    const view = await waitingQueue.currentView({ ...(places[3] ?? numbered(3)), seenUntil: 0 }, 30_000);
    expect(view).toMatchObject({ state: "waiting", peopleBefore: 3 });
    expect(memory.places.get("plc_00003")?.seenUntil).toBe(Date.now() + 30_000);
  });
});

describe("When the tool stops", () => {
  test("every page is told once, nobody's position is given up, and nothing is watched from then on", async () => {
    const places = put(100);
    const pages = places.map((position) => page(position));
    await seconds(1.5);
    const { seen } = memory.asked;
    waitingQueue.stop();
    for (const one of pages) one.close();
    await seconds(2);
    expect(pages.every(({ stops }) => stops === 1)).toBe(true);
    expect(memory.asked.seen).toBe(seen);
    const late = page(places[0] ?? numbered(0));
    expect(late.stops).toBe(1);
    const asked = { ...memory.asked };
    await seconds(5);
    expect(memory.asked).toEqual(asked);
  });

  test("somebody who is just entering is not kept waiting", async () => {
    const [position = numbered(0)] = put(1);
    const settled = vi.fn<() => void>();
    void waitingQueue.settled(position.id, 60_000).then(settled);
    await seconds(1.5);
    expect(settled).not.toHaveBeenCalled();
    waitingQueue.stop();
    await vi.advanceTimersByTimeAsync(1);
    expect(settled).toHaveBeenCalledOnce();
  });
});
