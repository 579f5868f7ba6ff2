import type { App } from "../../app.ts";
import type { Restore } from "./rules/restore.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { Database } from "../../storage/open-database.ts";

export type BeginComparingDeps = Pick<
  App,
  "restores" | "registrations" | "courses" | "deliveries" | "attendanceReadings" | "jobs" | "clock" | "logger"
>;

/** Courses with scores, their scores, and sessions to be read again in the classroom. */
export type BegunComparing = { courses: number; scores: number; sessions: number };

/** Sessions that ended this long before the backup may have been corrected after it. */
const correctedForMs = 7 * 24 * 3_600_000;
const batchSize = 100;

/**
 * Detects that the database was restored from a backup, and begins to compare every score with its gradebook; called
 * before anything is sent. The next start continues what is not finished.
 */
export async function seeRestore(
  deps: BeginComparingDeps,
  database: Pick<Database, "backup" | "forgetBackup">,
): Promise<void> {
  const stamp = database.backup();
  if (stamp !== null) {
    const { backupAt, restoredAt } = stamp;
    await noteRestore(deps, { backupAt, restoredAt: restoredAt ?? deps.clock.now() });
    await database.forgetBackup();
  }
  await beginComparing(deps);
}

/** A backup without a date is as old as its latest job. */
export async function noteRestore(
  deps: Pick<BeginComparingDeps, "restores" | "jobs">,
  { backupAt, restoredAt }: Pick<Restore, "backupAt" | "restoredAt">,
): Promise<void> {
  const at = backupAt ?? (await deps.jobs.lastBegun());
  // Two processes that start on the same file store the same.
  const id = `rst_${String(backupAt ?? restoredAt)}`;
  await deps.restores.note({ id, restoredAt, backupAt: at, begun: false });
}

/** Has every score of every course read in its gradebook, and attendance read again, for webhooks were lost. */
export async function beginComparing(deps: BeginComparingDeps): Promise<BegunComparing> {
  const sum: BegunComparing = { courses: 0, scores: 0, sessions: 0 };
  for (const restore of await deps.restores.listToBegin()) {
    const { restoredAt, backupAt } = restore;
    const endedSince = (backupAt ?? restoredAt) - correctedForMs;
    for (const { id } of await deps.registrations.list()) {
      await beginLms(deps, id, restore, sum);
      sum.sessions += await deps.attendanceReadings.readSince(id, endedSince, deps.clock.now());
    }
    await deps.restores.haveBegun(restore.id);
    const facts = { restoredAt: iso(restoredAt), backupAt: backupAt === null ? null : iso(backupAt), ...sum };
    deps.logger.warn(facts, "the database was restored: every score is compared with its gradebook");
  }
  return sum;
}

async function beginLms(
  deps: BeginComparingDeps,
  registrationId: string,
  { restoredAt }: Restore,
  sum: BegunComparing,
): Promise<void> {
  let last = "";
  for (;;) {
    const ids = await deps.courses.idsAfter(registrationId, last, batchSize);
    for (const courseId of ids) {
      const place = { registrationId, courseId };
      const scores = await deps.deliveries.compareCourse(place, restoredAt, deps.clock.now());
      if (scores === 0) continue;
      sum.courses += 1;
      sum.scores += scores;
    }
    if (ids.length < batchSize) return;
    last = ids.at(-1) ?? last;
    await letOthersRun();
  }
}

function iso(time: number): string {
  return new Date(time).toISOString();
}
