import {
  type AttendanceHistory,
  type AttendanceObservation,
  historyOfSameUser,
} from "../../../domain/attendance.ts";

/**
 * What the classroom says was before an observation where that is not the last word we know from it: a message was lost, or
 * is still on its way, and then the gap closes by itself. Instructors' corrections are ours and are no part of this.
 *
 * A message that tells nothing of what was before leaves no gap (`prevStatus` is optional, interface 6.6). Notes count where
 * they are told: whether `prevStatus` always has those that there were is not shown.
 * @returns null when there is none.
 */
export function gapBefore(
  history: AttendanceHistory,
  observation: AttendanceObservation,
): NonNullable<AttendanceObservation["previous"]> | null {
  const { previous = null, at } = observation;
  if (previous === null) return null;
  // Of several at the same moment nobody knows the order.
  const own = historyOfSameUser(history, observation);
  const older = own.find((one) => one.at < at);
  const candidates = own.filter((one) => one !== observation && (one.at === at || one === older));
  const fits = ({ status, notes }: AttendanceObservation) =>
    status === previous.status && (previous.notes === null || notes === previous.notes);
  return candidates.some(fits) ? null : previous;
}

/**
 * Whether there is a gap before what was just told, as `hasOpenGap`.
 * @param told As it came; in the history it may stand without the name of whoever did it.
 */
export function isOpenGap(
  history: AttendanceHistory,
  told: AttendanceObservation,
  readAt: number | null,
): boolean {
  const { at, status, notes } = told;
  const kept = history.find((one) => one.at === at && one.status === status && one.notes === notes);
  return kept !== undefined && isAfter(at, readAt) && gapBefore(history, kept) !== null;
}

/**
 * Whether a history has a gap that reading the attendance anew may close: a reading that was made after a message tells all
 * that was before it.
 * @param readAt When the attendance was last read (ms); null when it never was.
 */
export function hasOpenGap(history: AttendanceHistory, readAt: number | null): boolean {
  return history.some((one) => isAfter(one.at, readAt) && gapBefore(history, one) !== null);
}

function isAfter(at: number, readAt: number | null): boolean {
  return readAt === null || at > readAt - skew;
}

/** The classroom's clock may differ from ours (ms). */
const skew = 60_000;

/** So long nothing may come that leaves a gap before attendance is read for it (ms): messages overtake each other. */
export const gapSettles = 15_000;
