import { createTask } from "node-cron";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
/** Days within which every job must run; a text without a minute in them is a mistake. */
const furthestDays = 8;

/**
 * The times of a cron text (five fields, UTC).
 * @returns the next time after a moment (ms), exclusive.
 * @throws Error for a text that node-cron does not understand, or that has no time within eight days.
 */
export function cronTimes(text: string): (after: number) => number {
  const fields = text.trim().split(/\s+/);
  const [minutes = "", hours = "", ...days] = fields;
  if (fields.length !== 5) throw new Error(`The cron text "${text}" has not five fields.`);
  // Days first, then hours, then minutes: eight days by the minute would take longer than all else at a start.
  const isDay = matcher(`* * ${days.join(" ")}`);
  const isHour = matcher(`* ${hours} * * *`);
  const isMinute = matcher(`${minutes} * * * *`);
  // Asked again and again until it has come, and each answer takes some formatting of dates.
  let last = { from: Infinity, to: Infinity };
  return (after) => {
    if (after >= last.from && after < last.to) return last.to;
    const first = (Math.floor(after / minute) + 1) * minute;
    const end = first + furthestDays * day;
    for (let at = first; at <= end;) {
      if (!isDay(at)) at = nextMultiple(at, day);
      else if (!isHour(at)) at = nextMultiple(at, hour);
      else if (!isMinute(at)) at += minute;
      else {
        last = { from: after, to: at };
        return at;
      }
    }
    throw new Error(`The cron text "${text}" has no time within eight days.`);
  };
}

function matcher(text: string): (at: number) => boolean {
  const task = createTask(text, () => undefined, { timezone: "Etc/UTC" });
  return (at) => task.match(new Date(at));
}

/** The next whole day or hour after a moment (ms), in UTC. */
function nextMultiple(at: number, of: number): number {
  return (Math.floor(at / of) + 1) * of;
}
