import {
  type AttendanceHistory,
  type AttendanceObservation,
  historyOfSameUser,
} from "../../../domain/attendance.ts";

/**
 * The state before an observation, as the classroom says, where our last word differs: a message was lost or is on its
 * way. Our corrections do not count. `prevStatus` is optional (interface 6.6): without it there is no gap. Notes count
 * where given: whether `prevStatus` always has them is not shown.
 */
export function gapBefore(
  history: AttendanceHistory,
  observation: AttendanceObservation,
): NonNullable<AttendanceObservation["previous"]> | null {
  const { previous = null, at } = observation;
  if (previous === null) return null;
  // The order of several at the same moment is unknown.
  const own = historyOfSameUser(history, observation);
  const older = own.find((one) => one.at < at);
  const candidates = own.filter((one) => one !== observation && (one.at === at || one === older));
  const fits = ({ status, notes }: AttendanceObservation) =>
    status === previous.status && (previous.notes === null || notes === previous.notes);
  return candidates.some(fits) ? null : previous;
}

/** As `hasOpenGap`, for one message. @param observation As it came; the history may lack its author. */
export function isOpenGap(
  history: AttendanceHistory,
  observation: AttendanceObservation,
  readAt: number | null,
): boolean {
  const { at, status, notes } = observation;
  const kept = history.find((one) => one.at === at && one.status === status && one.notes === notes);
  return kept !== undefined && isAfter(at, readAt) && gapBefore(history, kept) !== null;
}

/** A reading after a message includes all before it. @param readAt The last reading (ms); null for never. */
export function hasOpenGap(history: AttendanceHistory, readAt: number | null): boolean {
  return history.some((one) => isAfter(one.at, readAt) && gapBefore(history, one) !== null);
}

function isAfter(at: number, readAt: number | null): boolean {
  return readAt === null || at > readAt - toleranceMs;
}

/** How far the classroom's clock may differ from ours (ms). */
const toleranceMs = 60_000;

/** The quiet time after gaps before attendance is read (ms): messages overtake each other. */
export const gapQuietMs = 15_000;
