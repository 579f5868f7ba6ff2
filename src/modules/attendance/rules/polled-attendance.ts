import {
  type AttendanceHistory,
  type AttendanceObservation,
  latestObservation,
} from "../../../domain/attendance.ts";

export type PolledAttendance = {
  userId: string;
  /** As the classroom wrote it. */
  status: string;
  notes: string | null;
  /** Milliseconds; null when unknown. */
  updatedAt: number | null;
};

/**
 * What an answer adds; null for nothing. With a time it is an observation of that time. Without one (the interface
 * shows none), or with one that lies ahead, it counts as of the request, and only when it differs from the latest known: it never overrides a webhook
 * of a later change, is never lost, and repeating it does not outdate a correction.
 * @param askedAt When the request was sent (ms): changes after it are newer.
 */
export function polledObservation(
  known: AttendanceHistory,
  { status, notes, updatedAt }: PolledAttendance,
  askedAt: number,
): AttendanceObservation | null {
  const changedAt = updatedAt !== null && updatedAt > askedAt ? null : updatedAt;
  const latest = latestObservation(known);
  const saysTheSame = latest !== null && latest.status === status && latest.notes === notes;
  if (changedAt === null) {
    return saysTheSame ? null : { status, notes, at: askedAt, updatedBy: null };
  }
  // The answer does not name the author; the webhook of the same change does.
  if (saysTheSame && changedAt <= latest.at) return null;
  const isKnown = known.some((one) => one.at === changedAt && one.status === status && one.notes === notes);
  return isKnown ? null : { status, notes, at: changedAt, updatedBy: null };
}
