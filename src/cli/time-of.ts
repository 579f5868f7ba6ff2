import { readTimestamp } from "../inbox/rules/webhook.ts";
import { UsageError } from "./command.ts";

const units: ReadonlyMap<string, number> = new Map([
  ["m", 60_000],
  ["h", 3_600_000],
  ["d", 24 * 3_600_000],
]);

/** A moment (ms): a day (UTC), an ISO 8601 time, or how long ago ("30m", "12h", "3d"). @param option For the error. @throws UsageError */
export function timeOf(text: string, option: string, now: number): number {
  const [, number, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const length = units.get(unit);
  if (number !== undefined && length !== undefined) return now - Number(number) * length;
  const at = readTimestamp(text);
  if (at === null)
    throw new UsageError(
      `${option} is a day (2026-09-14), a time (2026-09-14T08:00:00Z) or an age (30m, 12h, 3d).`,
    );
  return at;
}
