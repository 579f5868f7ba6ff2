import { AsyncResource } from "node:async_hooks";
import { currentOwner, type Owner } from "./instances.ts";

/** Something that waits to run. */
type Waiting = {
  at: number;
  /** At the same moment, what was requested first comes first. */
  order: number;
  owner: Owner;
  run: () => void;
  isOff: boolean;
};

/** Something that the real thread pool does; answers are delivered in the order of requests. */
type Answer = { owner: Owner; isThere: Promise<unknown>; handOver: () => void };

/** A real turn of the event loop, which nothing here replaces: it comes once all promises and ticks have run dry. */
const { setImmediate: realTurn } = globalThis;
const turn = () => new Promise<void>((resolve) => void realTurn(resolve));

/** Times are whole numbers of 1/64 ms, so that sums are exact and a world is the same wherever its clock begins. */
export const ticksPerMs = 64;
export const inTicks = (ms: number): number => Math.ceil(ms * ticksPerMs) / ticksPerMs;

/**
 * The one queue of everything that happens, in the order of virtual time. Between two events all promises, ticks and
 * streams have run dry, so an event is the smallest piece that a kill can tell from another.
 */
export class Loop {
  /** Milliseconds since the simulated machine started. */
  now = 0;
  /** The time of day at `now` 0 (ms since 1970). */
  epoch = 0;
  /** The number of events so far. */
  steps = 0;
  /** Called before each event. */
  beforeStep: () => void = () => undefined;
  #heap: Waiting[] = [];
  #soon: Waiting[] = [];
  #answers: Answer[] = [];
  #asked = 0;

  after(ms: number, work: () => void, owner = currentOwner()): { stop: () => void; isOff: () => boolean } {
    const one = this.#waiting(this.now + inTicks(Math.max(0, ms)), work, owner);
    this.#push(one);
    return { stop: () => (one.isOff = true), isOff: () => one.isOff };
  }

  /** In the next turn, before time moves. */
  soon(work: () => void): { stop: () => void } {
    const one = this.#waiting(this.now, work, currentOwner());
    this.#soon.push(one);
    return { stop: () => (one.isOff = true) };
  }

  /** Work that Node gives to its threads, which end in any order. */
  inOrder<T>(work: Promise<T>): Promise<T> {
    this.#asked += 1;
    return new Promise((resolve, reject) => {
      let handOver: () => void = () => undefined;
      const isThere = work.then(
        (result) => (handOver = () => resolve(result)),
        (thrown: unknown) =>
          (handOver = () => reject(thrown instanceof Error ? thrown : new Error(String(thrown)))),
      );
      this.#answers.push({ owner: currentOwner(), isThere, handOver: () => handOver() });
    });
  }

  /** Lets time pass, as code takes time. */
  spend(ms: number): void {
    this.now += inTicks(ms);
  }

  /** Lets things happen until the work is done. @throws when it needs more than that virtual time (ms) */
  async run<T>(work: Promise<T>, withinMs: number): Promise<T> {
    const until = this.now + withinMs;
    const state = { isDone: false };
    const ended = () => {
      state.isDone = true;
    };
    work.then(ended, ended);
    for (;;) {
      await turn();
      if (state.isDone) return await work;
      if (this.now > until)
        throw new Error(`nothing came of it within ${withinMs / 1_000} simulated seconds`);
      if (!(await this.#step())) throw new Error("everything waits for something that never comes");
    }
  }

  /** Forgets timers of dead processes, and cancelled ones: an hour's timer would keep everything that its process ever read. */
  forgetDead(): void {
    const left = this.#heap.filter(({ owner, isOff }) => owner.alive && !isOff);
    // A sorted list is a heap as well.
    this.#heap = left.sort((one, other) => (isBefore(one, other) ? -1 : 1));
  }

  /** Forgets what is waiting; the clock continues. */
  clear(): void {
    this.#heap = [];
    this.#soon = [];
    this.#answers = [];
  }

  async #step(): Promise<boolean> {
    const soon = this.#soon[0];
    // What a pause postponed was requested before, and comes first: otherwise waiting code could loop forever.
    const [first] = this.#heap;
    const isPutOff = soon !== undefined && first !== undefined && first.at <= this.now;
    if (soon !== undefined && !(isPutOff && first.order < soon.order)) {
      this.#soon.shift();
      this.#happen(soon);
      return true;
    }
    const answer = soon === undefined ? this.#answers.shift() : undefined;
    if (answer !== undefined) {
      await answer.isThere;
      this.#happen(this.#waiting(this.now, answer.handOver, answer.owner));
      return true;
    }
    const next = this.#pop();
    if (next === undefined) return false;
    if (!next.isOff) {
      this.now = Math.max(this.now, next.at);
      this.#happen(next);
    }
    return true;
  }

  #happen(one: Waiting): void {
    if (one.isOff) return;
    this.steps += 1;
    this.beforeStep();
    if (!one.owner.alive) return;
    if (one.owner.pausedUntil > this.now) {
      one.at = inTicks(one.owner.pausedUntil);
      this.#push(one);
      return;
    }
    one.isOff = true;
    one.run();
  }

  #waiting(at: number, work: () => void, owner: Owner): Waiting {
    this.#asked += 1;
    // Binding a function costs three times as much.
    const scope = new AsyncResource("event");
    return { at, order: this.#asked, owner, run: () => scope.runInAsyncScope(work), isOff: false };
  }

  #push(one: Waiting): void {
    const heap = this.#heap;
    let at = heap.push(one) - 1;
    while (at > 0) {
      const above = (at - 1) >> 1;
      const parent = heap[above];
      if (parent === undefined || isBefore(parent, one)) break;
      heap[at] = parent;
      at = above;
    }
    heap[at] = one;
  }

  #pop(): Waiting | undefined {
    const heap = this.#heap;
    const [first] = heap;
    const last = heap.pop();
    if (first === undefined || last === undefined || heap.length === 0) return first;
    let at = 0;
    for (;;) {
      const left = heap[2 * at + 1];
      const right = heap[2 * at + 2];
      if (left === undefined) break;
      const isRight = right !== undefined && isBefore(right, left);
      const child = isRight ? right : left;
      if (isBefore(last, child)) break;
      heap[at] = child;
      at = 2 * at + (isRight ? 2 : 1);
    }
    heap[at] = last;
    return first;
  }
}

function isBefore(one: Waiting, other: Waiting): boolean {
  return one.at < other.at || (one.at === other.at && one.order < other.order);
}

export const loop = new Loop();
