import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import type { Says } from "./records.ts";

/** Of a learner's or an office's reason (UTF-16 units, as browsers count). */
export const maxReasonLength = 200;
/** Words that a learner may say in a course within a week. */
export const maxWords = 5;
export const weekMs = 7 * 86_400_000;
/** How long after a session a learner may say that they were there (ms). */
const hereWithinMs = 2 * weekMs;
/** First to last day of an excuse, both included. */
const maxExcusedDays = 366;

type Times = Pick<CourseSession, "startsAt" | "endsAt" | "cancelled">;

/** What a learner may say about a session now; null for nothing. @param status As recorded; null for nothing. */
export function mayBeSaid(
  { startsAt, endsAt, cancelled }: Times,
  status: string | null,
  now: number,
): Says | null {
  if (startsAt === null || cancelled) return null;
  if (now < startsAt) return status === null ? "absent" : null;
  const ended = endsAt ?? startsAt;
  const isOpen = now >= ended && now < ended + hereWithinMs;
  return isOpen && (status === null || status === "ABSENT") ? "here" : null;
}

export type TypedExcuse = { from: string; to: string; reason: string };
export type ExcuseProblem = "dates" | "too-long" | "reason";

export function excuseProblem({ from, to, reason }: TypedExcuse): ExcuseProblem | null {
  const [first, last] = [dayOf(from), dayOf(to)];
  if (first === null || last === null || first > last) return "dates";
  if ((last - first) / 86_400_000 >= maxExcusedDays) return "too-long";
  return reason === "" || reason.length > maxReasonLength ? "reason" : null;
}

/** Null for what is no day of the calendar, such as "2026-02-30". */
function dayOf(text: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : at;
}
