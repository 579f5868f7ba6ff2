import { createTask } from "node-cron";

const minute = 60_000;
/** Every job runs at least so often (ms); a text that fits no minute of that time is a mistake. */
const furthest = 8 * 24 * 60 * minute;

/**
 * The times of a cron text (five fields, UTC).
 * @returns when it is next after a moment (ms), that moment left out.
 * @throws Error for a text that node-cron does not understand, or that has no time within eight days.
 */
export function cronTimes(text: string): (after: number) => number {
  const task = createTask(text, () => undefined, { timezone: "Etc/UTC" });
  return (after) => {
    const first = (Math.floor(after / minute) + 1) * minute;
    for (let at = first; at <= first + furthest; at += minute) if (task.match(new Date(at))) return at;
    throw new Error(`The cron text "${text}" has no time within eight days.`);
  };
}
