import { currentRequest } from "../../kernel/request-scope.ts";
import { nearMs } from "./limits.ts";

/** Whether requests use the database just now: only then other work must keep its turns short. */
export class RequestWatch {
  #lastAt = -Infinity;

  /** Also notes that a request was there. */
  isRequest(): boolean {
    if (currentRequest() === null) return false;
    this.#lastAt = performance.now();
    return true;
  }

  /** Whether a request used the database a moment ago. */
  areNear(): boolean {
    return performance.now() - this.#lastAt < nearMs;
  }
}
