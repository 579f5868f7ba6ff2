import { currentRequest, isForPerson, isPersonWaiting } from "../../kernel/request-scope.ts";
import { holdMs, nearMs, peopleNearMs, sliceMs } from "./limits.ts";

/** Who waits for the work that asks the database: a person, a program that sends something (a webhook), or nobody. */
export type Asking = "person" | "sender" | "nobody";

/**
 * Who uses the database just now: work that no request waits for keeps its turns short beside requests, and all others let a person
 * who waits for a page go first.
 */
export class RequestWatch {
  #lastAt = -Infinity;
  #personAt = -Infinity;
  #holdBegan: number | null = null;

  /** Who asks. Also notes that they were there. */
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

  /** Whether a person did, lately: more of them may come at any moment. */
  arePeopleNear(): boolean {
    return performance.now() - this.#personAt < peopleNearMs;
  }

  /** Whether all others wait, because a person does. Where somebody always does, the others have their share of the time. */
  holdsOthers(): boolean {
    if (!isPersonWaiting()) {
      this.#holdBegan = null;
      return false;
    }
    const now = performance.now();
    this.#holdBegan ??= now;
    const held = now - this.#holdBegan;
    if (held >= holdMs + sliceMs) this.#holdBegan = now;
    return held < holdMs || held >= holdMs + sliceMs;
  }
}
