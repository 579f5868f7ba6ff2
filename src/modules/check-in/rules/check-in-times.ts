import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { assumedSessionMs, earlyMs, openMinutes } from "./limits.ts";

type Times = Pick<CourseSession, "startsAt" | "endsAt" | "cancelled" | "deleted">;

/** When learners may check in to a session: a little before it begins until it ends (ms). Null where it takes place at no known time. */
export function checkInSpan({ startsAt, endsAt, cancelled, deleted }: Times): {
  from: number;
  to: number;
} | null {
  if (startsAt === null || cancelled || deleted === true) return null;
  return { from: startsAt - earlyMs, to: endsAt ?? startsAt + assumedSessionMs };
}

/** Whether a check-in may begin now. */
export function mayStart(session: Times, now: number): boolean {
  const span = checkInSpan(session);
  return span !== null && now >= span.from && now < span.to;
}

/** Until when learners may check in that begins now, never longer than the session (ms); null where it may not begin. */
export function closingTime(session: Times, minutes: number, now: number): number | null {
  const span = checkInSpan(session);
  return span === null || !mayStart(session, now) ? null : Math.min(now + minutes * 60_000, span.to);
}

/** A session that was moved or cancelled meanwhile takes nobody any more. */
export function isOpen(session: Times, checkIn: { closesAt: number }, now: number): boolean {
  return mayStart(session, now) && now < checkIn.closesAt;
}

/** @param lateAfter Minutes after the session began. */
export function statusAt(
  { startsAt }: Pick<CourseSession, "startsAt">,
  lateAfter: number,
  at: number,
): "PRESENT" | "LATE" {
  return startsAt !== null && at > startsAt + lateAfter * 60_000 ? "LATE" : "PRESENT";
}

/** As posted by a form; null for what it does not offer. */
export function readMinutes(posted: string): number | null {
  return openMinutes.find((one) => String(one) === posted) ?? null;
}
