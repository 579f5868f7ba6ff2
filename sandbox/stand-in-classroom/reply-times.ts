import { seededRandom } from "../seeded-random.ts";

/** In milliseconds. Assumed (`repliesTakeTime`): the document is silent; web services with a database take tens to hundreds of ms. */
export type ReplyTimes = { from: number; to: number };

export const usualReplyTimes: ReplyTimes = { from: 30, to: 600 };

/** The same times in the same order in each run. */
const seedCode = 14;

/** `set` changes later replies; null answers at once. */
export function createReplyTimes(initial: ReplyTimes | null = usualReplyTimes): {
  next: () => number;
  set: (times: ReplyTimes | null) => void;
} {
  const random = seededRandom(seedCode);
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
