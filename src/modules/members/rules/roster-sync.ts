/** Reading the LMS's list of people of one course: what is under way and what came of it. One record a course. */
export type RosterSync = {
  id: string;
  registrationId: string;
  courseId: string;
  /** waiting: a worker will begin at `dueAt`; failed: `problem` says why, and `dueAt` whether it is tried again. */
  state: "idle" | "waiting" | "running" | "done" | "failed";
  /** When it is (next) to begin (ms); null when nothing is to be done. */
  dueAt: number | null;
  /** Somebody waits for it, or it is the nightly round. */
  urgency: "person" | "round";
  /** Attempts since the last success or request, the one under way included. */
  attempts: number;
  /** People read from the LMS so far. */
  listed: number;
  /** People taken over so far. */
  written: number;
  /** People to take over; null while the list is still being read. */
  total: number | null;
  /** Of the latest attempt; null before the first. */
  startedAt: number | null;
  /** End of the latest attempt, however it ended; 0 before the first. */
  finishedAt: number;
  /** When the list was last taken over completely; null when never. */
  doneAt: number | null;
  /** Why the latest attempt failed, for the instructor; null when it did not. */
  problem: string | null;
  /** Code of what `problem` says, to say it in other languages. */
  problemCode: string | null;
  /** When the course was last opened by anybody (ms, to the nearest half day). */
  activeAt: number;
};

const hour = 60 * 60_000;

/** How old a roster may be before an instructor's launch has it read again (ms). */
export const rosterLasts = hour;
/** A course nobody has opened for so long (ms) is left out of the nightly round. */
export const activityCounts = 30 * 24 * hour;
/** The nightly round leaves alone what was read less than this long ago (ms). */
export const roundLeaves = 12 * hour;
/** `activeAt` is brought up to date when it is older than this (ms). */
export const activityStep = 12 * hour;

/** Whether an instructor's launch should have the roster read now. */
export function rosterIsDue(sync: Pick<RosterSync, "state" | "finishedAt">, now: number): boolean {
  if (sync.state === "waiting" || sync.state === "running") return false;
  return sync.finishedAt <= now - rosterLasts;
}
