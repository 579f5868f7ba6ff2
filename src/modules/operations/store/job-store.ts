import type { RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { jobRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { type Job, type JobRun, type JobWork, keepsBreakingOff, withRun, withWork } from "../rules/job.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { released, longerLease } from "../../../storage/lease.ts";

type JobRow = RowOf<typeof jobRecord>;

export type JobStore = ReturnType<typeof createJobStore>;

/** One record for each job, with its latest runs; run by one process at a time. */
export function createJobStore(connection: Connection) {
  const model = recordModel(connection, jobRecord);

  return {
    /** Makes a missing record, first run at `dueAt`. */
    open: async (name: string, dueAt: number): Promise<void> => {
      if ((await model.findOne({ _id: name }).lean()) !== null) return;
      await retriedOnDuplicate(() =>
        model.updateOne(
          { _id: name },
          { $setOnInsert: { _id: name, dueAt, runs: [], succeededAt: null, revision: 0, ...released } },
          { upsert: true },
        ),
      );
    },
    /** When any job last began (ms), so about when this database was last in use; null for never. */
    lastBegun: async (): Promise<number | null> => {
      const begun = (await model.find({}).lean()).flatMap(({ runs }) => runs[0]?.startedAt ?? []);
      return begun.length === 0 ? null : Math.max(...begun);
    },
    /** Names of jobs that are due, whether or not a process runs them. */
    listDue: async (now: number): Promise<string[]> =>
      (await model.find({ dueAt: { $lte: now } }, { _id: 1 }).lean()).map(({ _id }) => _id),
    list: async (): Promise<Job[]> => (await model.find({}).lean()).map(toJob),
    /** Has it run now, whatever the timetable says. */
    want: async (name: string, now: number): Promise<void> => {
      await model.updateOne({ _id: name, dueAt: { $gt: now } }, { $set: { dueAt: now } });
    },
    /**
     * Takes a job that is due and stores its run; a run that had not ended is broken off.
     * @param next The next time by the timetable, for a job that breaks off again and again.
     * @returns false when it is not due or taken.
     */
    begin: async (name: string, run: JobRun, until: number, next: number): Promise<boolean> => {
      const now = run.startedAt;
      const row = await model.findOne({ _id: name, dueAt: { $lte: now }, leaseUntil: { $lte: now } }).lean();
      if (row === null) return false;
      const seen = { _id: name, revision: row.revision, leaseUntil: row.leaseUntil };
      const runs = withRun(row.runs, run);
      if (row.runs[0]?.endedAt === null && keepsBreakingOff(runs.slice(1))) {
        const rest = { runs: runs.slice(1), dueAt: next, revision: row.revision + 1, ...released };
        await model.updateOne(seen, { $set: rest });
        return false;
      }
      const taken = { runs, revision: row.revision + 1, leaseHolder: run.id, leaseUntil: until };
      return (await model.updateOne(seen, { $set: taken })).matchedCount === 1;
    },
    /** No effect when the claim was lost. */
    extend: async (name: string, runId: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(name, runId, until))).matchedCount === 1,
    /** Stores the end and when the job is due again; no effect when the claim was lost. */
    end: async (name: string, run: JobRun & { endedAt: number }, dueAt: number): Promise<void> => {
      for (;;) {
        const row = await model.findOne({ _id: name, leaseHolder: run.id }).lean();
        if (row === null) return;
        const runs = row.runs.map((one) => (one.id === run.id ? run : one));
        const succeededAt = run.outcome === "done" ? run.endedAt : row.succeededAt;
        const done = await model.updateOne(
          { _id: name, revision: row.revision, leaseHolder: run.id },
          { $set: { runs, succeededAt, dueAt, revision: row.revision + 1, ...released } },
        );
        if (done.matchedCount === 1) return;
      }
    },
    find: async (name: string): Promise<Job | null> => {
      const row = await model.findOne({ _id: name }).lean();
      return row === null ? null : toJob(row);
    },
    /** Updates the latest run's record; no effect when another has begun or another process was faster. */
    follow: async (name: string, runId: string, work: JobWork): Promise<void> => {
      const row = await model.findOne({ _id: name }).lean();
      if (row?.runs[0]?.id !== runId) return;
      await model.updateOne(
        { _id: name, revision: row.revision },
        { $set: { ...withWork(row, runId, work), revision: row.revision + 1 } },
      );
    },
  };
}

function toJob({ _id, dueAt, runs, succeededAt }: JobRow): Job {
  return { name: _id, dueAt, runs, succeededAt };
}
