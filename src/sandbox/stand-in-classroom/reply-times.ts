import { seededRandom } from "../seeded-random.ts";

/**
 * How long the service takes over a reply, in milliseconds. Assumed (`repliesTakeTime`): the document says nothing of it; web services with a
 * database behind them take some ten to some hundred milliseconds, and never the same twice.
 */
export type ReplyTimes = { from: number; to: number };

/** What a reply takes when nobody says otherwise. */
export const usualReplyTimes: ReplyTimes = { from: 30, to: 600 };

/** The same times in the same order in each run. */
const seed = 14;

/** Says for each call how long its reply takes; `set` changes it for the calls to come, null answers at once. */
export function createReplyTimes(initial: ReplyTimes | null = usualReplyTimes): {
  next: () => number;
  set: (times: ReplyTimes | null) => void;
} {
  const random = seededRandom(seed);
  let times = initial;
  return {
    next: () => {
      const share = random();
      return times === null ? 0 : times.from + share * (times.to - times.from);
    },
    set: (wanted) => {
      times = wanted;
    },
  };
}
