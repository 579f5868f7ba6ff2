import type { Permit } from "../../../src/classroom/permits.ts";
import type { Throttle } from "../../../src/classroom/throttle.ts";

/** A call may be made immediately. */
export const freePermit: Permit = {
  begin: () => Promise.resolve(),
  left: () => undefined,
  answered: () => undefined,
};

/** Nobody waits here: the limit of calls has its own tests. */
export const freeThrottle: Throttle = {
  acquire: () => Promise.resolve(freePermit),
  pause: () => undefined,
  refused: () => undefined,
  waiting: () => ({ entry: 0, instructor: 0, session: 0, background: 0 }),
};
