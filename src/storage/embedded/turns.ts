import { letOthersRun } from "../../kernel/async.ts";
import { currentRequest, isForPerson, isPersonWaiting } from "../../kernel/request-scope.ts";
import { holdMs, nearMs, peopleNearMs, sliceMs } from "./limits.ts";

/** Who waits for the database: a person, a program that sends something (a webhook), or nobody. */
export type Asking = "person" | "sender" | "nobody";

/**
 * Watches who uses the database. Work without a waiting request keeps its turns short while there are requests, and everything else lets
 * a person who waits for a page go first.
 */
export class RequestWatch {
  #lastAt = -Infinity;
  #personAt = -Infinity;
  #holdBegan: number | null = null;

  /** Who asks now. Also notes the request. */
  whoAsks(): Asking {
    if (currentRequest() === null) return "nobody";
    this.#lastAt = performance.now();
    if (!isForPerson()) return "sender";
    this.#personAt = this.#lastAt;
    return "person";
  }

  /** Whether a request used the database a moment ago. */
  areNear(): boolean {
    return performance.now() - this.#lastAt < nearMs;
  }

  /** Whether a person used it lately, so more requests may come at any moment. */
  arePeopleNear(): boolean {
    return performance.now() - this.#personAt < peopleNearMs;
  }

  /** Whether all others wait because a person does. If a person always waits, the others still get their share of the time. */
  holdsOthers(): boolean {
    if (!isPersonWaiting()) {
      this.#holdBegan = null;
      return false;
    }
    const now = performance.now();
    this.#holdBegan ??= now;
    const holdsMs = now - this.#holdBegan;
    if (holdsMs >= holdMs + sliceMs) this.#holdBegan = now;
    return holdsMs < holdMs || holdsMs >= holdMs + sliceMs;
  }
}

/**
 * Reads continue for `ms` in one turn of the event loop, at least `reads` of them (a busy machine loses time even without work). Each turn
 * accepts one new connection per socket, so turns stay short; shorter still for work without a waiting request.
 */
const usual = { ms: 8, reads: 20 };
const besideRequests = { ms: 1, reads: 2 };

/**
 * Lets requests run between the steps of work that reads again and again. SQLite reads synchronously, so waiting work would continue
 * before the event loop turns; a few hundred webhooks made every request wait for a quarter of a second.
 */
export class Turns {
  readonly #watch: RequestWatch;
  // Counted separately, because requests that read in every turn would otherwise leave no time for the rest.
  readonly #requests = new Turn(
    () => usual,
    () => false,
  );
  readonly #background = new Turn(
    () => (this.#watch.areNear() ? besideRequests : usual),
    () => this.#watch.holdsOthers(),
  );

  constructor(watch: RequestWatch) {
    this.#watch = watch;
  }

  /** Resolves when a read may go ahead; undefined if it needn't wait. */
  next(): Promise<void> | undefined {
    return (this.#watch.whoAsks() === "nobody" ? this.#background : this.#requests).next();
  }
}

class Turn {
  readonly #length: () => { ms: number; reads: number };
  readonly #isHeld: () => boolean;
  #began: number | undefined;
  #reads = 0;
  #pause: Promise<void> | undefined;

  constructor(length: () => { ms: number; reads: number }, isHeld: () => boolean) {
    this.#length = length;
    this.#isHeld = isHeld;
  }

  next(): Promise<void> | undefined {
    if (this.#isHeld() || this.#isOver()) return this.#later();
    this.#count();
    return undefined;
  }

  async #later(): Promise<void> {
    for (;;) {
      if (this.#isHeld()) await this.#pauseTogether();
      else if (this.#isOver()) await letOthersRun();
      else break;
    }
    this.#count();
  }

  /** One timer for everybody who waits. */
  #pauseTogether(): Promise<void> {
    this.#pause ??= new Promise((resolve) => {
      setTimeout(() => {
        this.#pause = undefined;
        resolve();
      }, 1);
    });
    return this.#pause;
  }

  #count(): void {
    this.#reads += 1;
    if (this.#began !== undefined) return;
    this.#began = performance.now();
    setImmediate(() => {
      this.#began = undefined;
      this.#reads = 0;
    });
  }

  #isOver(): boolean {
    const { ms, reads } = this.#length();
    if (this.#began === undefined || this.#reads < reads) return false;
    return performance.now() - this.#began >= ms;
  }
}
