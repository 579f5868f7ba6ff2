export type RosterSync = {
  id: string;
  registrationId: string;
  courseId: string;
  /** waiting: starts at `dueAt`; failed: see `problem`, and `dueAt` for a retry. */
  state: "idle" | "waiting" | "running" | "done" | "failed";
  /** The next start (ms). */
  dueAt: number | null;
  /** A person waits for it, or the nightly round. */
  urgency: "person" | "round";
  /** Since the last success or request, the one under way included. */
  attempts: number;
  listed: number;
  written: number;
  /** People to take over; null while the list is being read. */
  total: number | null;
  /** Of the latest attempt; null before the first. */
  startedAt: number | null;
  /** Of the latest attempt, failed or not; 0 before the first. */
  finishedAt: number;
  /** When the list was last taken over completely. */
  doneAt: number | null;
  problem: string | null;
  problemCode: string | null;
  /** When the course was last opened (ms, to the nearest half day). */
  activeAt: number;
};

const hour = 60 * 60_000;

/** The age from which an instructor's launch renews a roster (ms). */
export const rosterTtlMs = hour;
/** Courses not opened for this long (ms) are left out of the nightly round. */
export const activityTtlMs = 30 * 24 * hour;
/** The nightly round skips rosters younger than this (ms). */
export const roundSkipMs = 12 * hour;
/** `activeAt` is updated when older than this (ms). */
export const activityStepMs = 12 * hour;

export function rosterIsDue(sync: Pick<RosterSync, "state" | "finishedAt">, now: number): boolean {
  if (sync.state === "waiting" || sync.state === "running") return false;
  return sync.finishedAt <= now - rosterTtlMs;
}
