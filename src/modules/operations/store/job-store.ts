import type { RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { jobRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import { type Job, type JobRun, type JobWork, keepsBreakingOff, withRun, withWork } from "../rules/job.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { released } from "../../../storage/lease.ts";

type JobRow = RowOf<typeof jobRecord>;

export type JobStore = ReturnType<typeof createJobStore>;

/** Jobs by the clock with their latest runs, one record for each; run by one process at a time. */
export function createJobStore(connection: Connection) {
  const model = recordModel(connection, jobRecord);

  return {
    /** Makes the record of a job when there is none, to run first at `dueAt` (ms). */
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
    /** When any job last began (ms): about then somebody last worked with this database. Null when none ever did. */
    lastBegun: async (): Promise<number | null> => {
      const begun = (await model.find({}).lean()).flatMap(({ runs }) => runs[0]?.startedAt ?? []);
      return begun.length === 0 ? null : Math.max(...begun);
    },
    list: async (): Promise<Job[]> => (await model.find({}).lean()).map(toJob),
    /** Wants a run now, whatever the timetable says. */
    want: async (name: string, now: number): Promise<void> => {
      await model.updateOne({ _id: name, dueAt: { $gt: now } }, { $set: { dueAt: now } });
    },
    /**
     * Takes a job that is due and notes the run's beginning; a run that had not ended is broken off.
     * @param next When the job is due by the timetable: a job that breaks off again and again waits until then.
     * @returns false when it is not due or somebody else has it.
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
    /** Lengthens a run's claim; without effect when it was lost. */
    extend: async (name: string, runId: string, until: number): Promise<void> => {
      await model.updateOne({ _id: name, leaseHolder: runId }, { $set: { leaseUntil: until } });
    },
    /** Notes how a run ended, and when the job is due again; without effect when the claim was lost. */
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
    /** Brings the record of the latest run up to date; without effect when another has begun or somebody was faster. */
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
