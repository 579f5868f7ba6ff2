import { currentRequest } from "../../kernel/request-scope.ts";
import { nearMs } from "./limits.ts";

/** Whether requests use the database just now: only then must other work keep its turns short. */
export class RequestWatch {
  #lastAt = -Infinity;

  /** Whether the caller works on behalf of a request; if so, that is noted. */
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
