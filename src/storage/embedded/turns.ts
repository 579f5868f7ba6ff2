import { letOthersRun } from "../../kernel/let-others-run.ts";
import { currentRequest } from "../../kernel/request-scope.ts";

/**
 * So long (ms) reads go on in one turn of the event loop before the next one waits for another turn, and so many at least:
 * on a machine with too much to do, time passes without anything being done. On behalf of requests, and for work that no
 * request waits for. Each turn takes one new connection of each socket, so turns must stay short.
 */
const ofRequests = { ms: 8, reads: 20 };
const ofBackground = { ms: 1, reads: 2 };

/**
 * Sees to it that work which reads again and again lets requests in between. A read of SQLite is done at once, so what
 * waits for it goes on before the event loop turns: without this, a few hundred webhooks that are processed with reads
 * only kept every request waiting for a quarter of a second.
 */
export class Turns {
  // Counted apart: else requests that read in every turn would leave no time for the others, ever.
  readonly #requests = new Turn(ofRequests);
  readonly #background = new Turn(ofBackground);

  /** Resolves when a read may go ahead. */
  next(): Promise<void> {
    return (currentRequest() === null ? this.#background : this.#requests).next();
  }
}

class Turn {
  readonly #least: { ms: number; reads: number };
  #began: number | undefined;
  #reads = 0;

  constructor(least: { ms: number; reads: number }) {
    this.#least = least;
  }

  async next(): Promise<void> {
    while (this.#isOver()) await letOthersRun();
    this.#reads += 1;
    if (this.#began !== undefined) return;
    this.#began = performance.now();
    setImmediate(() => {
      this.#began = undefined;
      this.#reads = 0;
    });
  }

  #isOver(): boolean {
    if (this.#began === undefined || this.#reads < this.#least.reads) return false;
    return performance.now() - this.#began >= this.#least.ms;
  }
}
