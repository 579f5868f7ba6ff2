import { type WallTime, wallTimeOf } from "./time-zone.ts";

const hourMs = 60 * 60_000;
const weekMs = 7 * 24 * hourMs;
/** Clocks change by an hour; a zone's midnight may be the change. */
const mayShiftMs = 2 * hourMs;

/**
 * When a new session probably begins: at the usual weekday and time of the course, a week after its last one; else at
 * the next full hour. Never in the past. @param starts Of the course's sessions (ms). @param now ms
 */
export function proposedStart(starts: readonly number[], now: number, timeZone: string): WallTime {
  const last = starts.length === 0 ? null : Math.max(...starts);
  if (last === null) return wallTimeOf(Math.floor(now / hourMs + 1) * hourMs, timeZone);
  const { time } = wallTimeOf(last, timeZone);
  const weeks = Math.max(1, Math.ceil((now + mayShiftMs - last) / weekMs));
  // Noon of the day is in that day, whatever the clocks do.
  const day = Date.parse(`${wallTimeOf(last, timeZone).date}T12:00:00Z`) + weeks * weekMs;
  return { date: new Date(day).toISOString().slice(0, 10), time };
}
