import {
  type AttendanceHistory,
  type AttendanceObservation,
  latestObservation,
} from "../../../domain/attendance.ts";

/** What the classroom answers about one participant when it is asked (GET /attendance/{event_id}). */
export type PolledAttendance = {
  userId: string;
  /** As the classroom wrote it. */
  status: string;
  notes: string | null;
  /** When it changed in the classroom (ms); null when the classroom does not tell. */
  updatedAt: number | null;
};

/**
 * What an answer adds to what is known; null when it adds nothing. An answer with a time is an observation of that time
 * and finds its place among the others. One without (the interface shows none) counts as of the moment the classroom was
 * asked, and only when it says something else than the latest that is known: so it can neither override a webhook about a
 * later change, whenever that arrives, nor be lost, nor move an instructor's correction into the past by saying the
 * same again and again.
 * @param askedAt When the classroom was asked (ms): before it answered, so that what changed meanwhile is newer.
 */
export function polledObservation(
  known: AttendanceHistory,
  { status, notes, updatedAt }: PolledAttendance,
  askedAt: number,
): AttendanceObservation | null {
  const latest = latestObservation(known);
  const saysTheSame = latest !== null && latest.status === status && latest.notes === notes;
  if (updatedAt === null) {
    return saysTheSame ? null : { status, notes, at: askedAt, updatedBy: null };
  }
  // The answer does not tell who changed it; the webhook about the same change did.
  if (saysTheSame && updatedAt <= latest.at) return null;
  const told = known.some((one) => one.at === updatedAt && one.status === status && one.notes === notes);
  return told ? null : { status, notes, at: updatedAt, updatedBy: null };
}
