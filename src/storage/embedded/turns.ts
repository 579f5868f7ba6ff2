import { letOthersRun } from "../../kernel/let-others-run.ts";
import { currentRequest } from "../../kernel/request-scope.ts";

/**
 * So long (ms) reads go on in one turn of the event loop before the next one waits for another turn: on behalf of
 * requests, and for work that no request waits for. Each turn takes one new connection, so turns must stay short.
 */
const requestMs = 8;
const backgroundMs = 1;

/**
 * Sees to it that work which reads again and again lets requests in between. A read of SQLite is done at once, so what
 * waits for it goes on before the event loop turns: without this, a few hundred webhooks that are processed with reads
 * only kept every request waiting for a quarter of a second.
 */
export class Turns {
  // Counted apart: else requests that read in every turn would leave no time for the others, ever.
  readonly #requests = new Turn(requestMs);
  readonly #background = new Turn(backgroundMs);

  /** Resolves when a read may go ahead. */
  next(): Promise<void> {
    return (currentRequest() === null ? this.#background : this.#requests).next();
  }
}

class Turn {
  readonly #longest: number;
  #began: number | undefined;

  constructor(longest: number) {
    this.#longest = longest;
  }

  async next(): Promise<void> {
    while (this.#began !== undefined && performance.now() - this.#began >= this.#longest)
      await letOthersRun();
    if (this.#began !== undefined) return;
    this.#began = performance.now();
    setImmediate(() => {
      this.#began = undefined;
    });
  }
}
