import { isDate } from "../../../kernel/text.ts";
import { dayMs, weekMs } from "../../../kernel/clock.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import type { Says } from "./records.ts";
import { assumedLengthMs } from "../../../domain/classroom-event.ts";

/** Of a learner's or an office's reason (UTF-16 units, as browsers count). */
export const maxReasonLength = 200;
/** Words that a learner may say in a course within a week. */
export const maxWords = 5;
/** How long after a session a learner may say that they were there (ms). */
const hereWithinMs = 2 * weekMs;
/** First to last day of an excuse, both included. */
const maxExcusedDays = 366;

/** What a learner may say about a session now; null for nothing. @param status As recorded; null for nothing. */
export function mayBeSaid(
  { startsAt, endsAt, cancelled }: Pick<CourseSession, "startsAt" | "endsAt" | "cancelled">,
  status: string | null,
  now: number,
): Says | null {
  if (startsAt === null || cancelled) return null;
  if (now < startsAt) return status === null ? "absent" : null;
  const ended = endsAt ?? startsAt + assumedLengthMs;
  const isOpen = now >= ended && now < ended + hereWithinMs;
  return isOpen && (status === null || status === "ABSENT") ? "here" : null;
}

export type TypedExcuse = { from: string; to: string; reason: string };
export type ExcuseProblem = "dates" | "too-long" | "reason";

export function excuseProblem({ from, to, reason }: TypedExcuse): ExcuseProblem | null {
  if (!isDate(from) || !isDate(to) || from > to) return "dates";
  if ((Date.parse(to) - Date.parse(from)) / dayMs >= maxExcusedDays) return "too-long";
  return reason === "" || reason.length > maxReasonLength ? "reason" : null;
}
