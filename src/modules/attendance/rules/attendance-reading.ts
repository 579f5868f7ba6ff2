import {
  type AttendanceHistory,
  type AttendanceObservation,
  historyOfSameUser,
  latestObservation,
} from "../../../domain/attendance.ts";
import { type ClassroomEvent, assumedLengthMs } from "../../../domain/classroom-event.ts";
import { dayMs, hourMs, minuteMs, weekMs } from "../../../kernel/clock.ts";

/** How long after the end readings take place (ms), because webhooks may be lost, and hosts correct late. */
export const readingsAfterEnd = [5 * minuteMs, hourMs, dayMs, weekMs] as const;

export function endOf({ startsAt, endsAt }: Pick<ClassroomEvent, "startsAt" | "endsAt">): number | null {
  if (endsAt !== null) return endsAt;
  return startsAt === null ? null : startsAt + assumedLengthMs;
}

/** When the next reading is (ms); null after the last. Missed readings count as one. @param readAt When we last read; null for never. */
export function nextReading(endedAt: number, readAt: number | null): number | null {
  const times = readingsAfterEnd.map((after) => endedAt + after);
  return times.find((at) => readAt === null || at > readAt) ?? null;
}

/**
 * The classroom's state before an observation, if it differs from ours: a message was lost or is on its way. `prevStatus` is optional
 * (interface 6.6), and the document doesn't show whether it always has notes, so they only count if given.
 */
export function gapBefore(history: AttendanceHistory, observation: AttendanceObservation) {
  const { previous = null, at } = observation;
  if (previous === null) return null;
  // We don't know the order of several observations at the same moment.
  const own = historyOfSameUser(history, observation);
  const older = own.find((one) => one.at < at);
  const candidates = own.filter((one) => one !== observation && (one.at === at || one === older));
  const fits = ({ status, notes }: AttendanceObservation) =>
    status === previous.status && (previous.notes === null || notes === previous.notes);
  return candidates.some(fits) ? null : previous;
}

/** As `hasOpenGap`, for one message. @param observation As reported; in the history it may lack its author. */
export function isOpenGap(
  history: AttendanceHistory,
  observation: AttendanceObservation,
  readAt: number | null,
): boolean {
  const { at, status, notes } = observation;
  const stored = history.find((one) => one.at === at && one.status === status && one.notes === notes);
  return stored !== undefined && isAfter(at, readAt) && gapBefore(history, stored) !== null;
}

/** A reading after a message includes everything before it. @param readAt When we last read (ms); null for never. */
export function hasOpenGap(history: AttendanceHistory, readAt: number | null): boolean {
  return history.some((one) => isAfter(one.at, readAt) && gapBefore(history, one) !== null);
}

function isAfter(at: number, readAt: number | null): boolean {
  return readAt === null || at > readAt - toleranceMs;
}

/** How far the classroom's clock may differ from ours (ms). */
const toleranceMs = 60_000;

/** How long it must be quiet after gaps before attendance is read (ms), because messages overtake each other. */
export const gapQuietMs = 15_000;

export type PolledAttendance = {
  userId: string;
  status: string;
  notes: string | null;
  updatedAt: number | null;
};

/**
 * What an answer adds; null for nothing. An answer without a time (the interface shows none), or with a future one, counts as of the request,
 * and only if it differs. It never overrides a later webhook or outdates a correction. @param askedAt In ms.
 */
export function polledObservation(
  known: AttendanceHistory,
  { status, notes, updatedAt }: PolledAttendance,
  askedAt: number,
): AttendanceObservation | null {
  const changedAt = updatedAt !== null && updatedAt > askedAt ? null : updatedAt;
  const latest = latestObservation(known);
  const saysTheSame = latest !== null && latest.status === status && latest.notes === notes;
  if (changedAt === null) return saysTheSame ? null : { status, notes, at: askedAt, updatedBy: null };
  // The answer doesn't name the author, but the webhook of the same change does.
  if (saysTheSame && changedAt <= latest.at) return null;
  const isKnown = known.some((one) => one.at === changedAt && one.status === status && one.notes === notes);
  return isKnown ? null : { status, notes, at: changedAt, updatedBy: null };
}
