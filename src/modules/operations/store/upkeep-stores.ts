import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { RowOf } from "../../../domain/record.ts";
import { type Job, type JobRun, type JobWork, keepsBreakingOff, withRun, withWork } from "../rules/job.ts";
import {
  alarmRecord,
  type DoctorRun,
  doctorRunRecord,
  jobRecord,
  type Restore,
  restoreRecord,
} from "../rules/records.ts";
import { longerLease, released } from "../../../storage/due-queue.ts";
import { openRecords } from "../../../storage/records.ts";

export type JobStore = ReturnType<typeof createJobStore>;

/** One record per job, with its latest runs. One process at a time runs it. */
export function createJobStore(connection: Connection) {
  const records = openRecords(connection, jobRecord);

  return {
    /** Makes the record if it's missing. The first run is at `dueAt`. */
    open: async (name: string, dueAt: number): Promise<void> => {
      if (await records.exists({ _id: name })) return;
      await records.ensure(
        { _id: name },
        { _id: name, dueAt, runs: [], succeededAt: null, revision: 0, ...released },
      );
    },
    /** When any job last began (ms), so roughly when this database was last in use. Null for never. */
    lastBegun: async (): Promise<number | null> => {
      const begun = (await records.rows({})).flatMap(({ runs }) => runs[0]?.startedAt ?? []);
      return begun.length === 0 ? null : Math.max(...begun);
    },
    /** Names of jobs that are due, even if a process is running them. */
    listDue: async (now: number): Promise<string[]> =>
      (await records.some(["_id"], { dueAt: { $lte: now } })).map(({ _id }) => _id),
    list: async (): Promise<Job[]> => (await records.rows({})).map(toJob),
    /** Makes the job run now, whatever the timetable says. */
    makeDue: async (name: string, now: number): Promise<void> => {
      await records.change({ _id: name, dueAt: { $gt: now } }, { $set: { dueAt: now } });
    },
    /**
     * Takes a job that is due and stores its run. If the run before hasn't ended, it's broken off.
     * @param next The next time by the timetable, for a job that breaks off again and again.
     * @returns false if it isn't due, or is taken.
     */
    begin: async (name: string, run: JobRun, until: number, next: number): Promise<boolean> => {
      const now = run.startedAt;
      const row = await records.row({ _id: name, dueAt: { $lte: now }, leaseUntil: { $lte: now } });
      if (row === null) return false;
      const seen = { _id: name, revision: row.revision, leaseUntil: row.leaseUntil };
      const runs = withRun(row.runs, run);
      if (row.runs[0]?.endedAt === null && keepsBreakingOff(runs.slice(1))) {
        const rest = { runs: runs.slice(1), dueAt: next, revision: row.revision + 1, ...released };
        await records.change(seen, { $set: rest });
        return false;
      }
      const taken = { runs, revision: row.revision + 1, leaseHolder: run.id, leaseUntil: until };
      return await records.change(seen, { $set: taken });
    },
    /** Has no effect if the claim was lost. */
    extend: (name: string, runId: string, until: number): Promise<boolean> =>
      records.change(...longerLease(name, runId, until)),
    /** Stores the end and when the job is due again. Has no effect if the claim was lost. */
    end: async (name: string, run: JobRun & { endedAt: number }, dueAt: number): Promise<void> => {
      for (;;) {
        const row = await records.row({ _id: name, leaseHolder: run.id });
        if (row === null) return;
        const runs = row.runs.map((one) => (one.id === run.id ? run : one));
        const succeededAt = run.outcome === "done" ? run.endedAt : row.succeededAt;
        const done = await records.change(
          { _id: name, revision: row.revision, leaseHolder: run.id },
          { $set: { runs, succeededAt, dueAt, revision: row.revision + 1, ...released } },
        );
        if (done) return;
      }
    },
    find: async (name: string): Promise<Job | null> => {
      const row = await records.row({ _id: name });
      return row === null ? null : toJob(row);
    },
    /** Updates the latest run's record. Has no effect if another run has begun or another process was faster. */
    follow: async (name: string, runId: string, work: JobWork): Promise<void> => {
      const row = await records.row({ _id: name });
      if (row?.runs[0]?.id !== runId) return;
      await records.change(
        { _id: name, revision: row.revision },
        { $set: { ...withWork(row, runId, work), revision: row.revision + 1 } },
      );
    },
  };
}

function toJob({ _id, dueAt, runs, succeededAt }: RowOf<typeof jobRecord>): Job {
  return { name: _id, dueAt, runs, succeededAt };
}

/** One record per kind, so only one process reports when an alarm begins and ends. */
export function createAlarmStore(connection: Connection) {
  const records = openRecords(connection, alarmRecord);

  return {
    /** @returns true for the one caller that has switched it on. */
    raise: async (name: string, now: number): Promise<boolean> => {
      await records.ensure({ _id: name }, { _id: name, since: null });
      return await records.change({ _id: name, since: null }, { $set: { since: now } });
    },
    isOn: async (name: string): Promise<boolean> =>
      (await records.count({ _id: name, since: { $ne: null } })) > 0,
    /** @returns since when it was on (ms), to the one caller that has switched it off. Otherwise null. */
    end: async (name: string): Promise<number | null> => {
      const row = await records.before({ _id: name, since: { $ne: null } }, { $set: { since: null } });
      return row?.since ?? null;
    },
  };
}

/** The record of all accounts, or of one. */
const idOf = (account: AccountId | null) => (account === null ? "doctor" : `doctor ${account}`);

/** The latest examination of all classrooms, or of one account's. At most one of each runs at a time. */
export function createDoctorRunStore(connection: Connection) {
  const records = openRecords(connection, doctorRunRecord);

  return {
    find: (account: AccountId | null = null): Promise<DoctorRun | null> =>
      records.find({ _id: idOf(account) }),
    /** @returns false if one is running. Of two concurrent callers, one gets true. */
    begin: async (
      account: AccountId | null,
      holder: string,
      { now, until }: { now: number; until: number },
    ): Promise<boolean> => {
      const begun = { leaseHolder: holder, leaseUntil: until, startedAt: now };
      const free = { _id: idOf(account), leaseUntil: { $lte: now } };
      if (await records.change(free, { $set: begun })) return true;
      return records.insert({ _id: idOf(account), endedAt: null, found: null, problem: null, ...begun });
    },
    /** Has no effect if the claim was lost. */
    extend: (account: AccountId | null, holder: string, until: number): Promise<boolean> =>
      records.change(...longerLease(idOf(account), holder, until)),
    /** Has no effect if the claim was lost. */
    end: async (
      account: AccountId | null,
      holder: string,
      outcome: Pick<DoctorRun, "endedAt" | "problem" | "found">,
    ): Promise<void> => {
      await records.change(
        { _id: idOf(account), leaseHolder: holder },
        { $set: { ...outcome, ...released } },
      );
    },
  };
}

/** How long a process caches the latest restore. */
const cacheTtlMs = 30_000;

/** Restores from a backup. */
export function createRestoreStore(connection: Connection, elapsed = () => performance.now()) {
  const restores = openRecords(connection, restoreRecord);

  let known: { restore: Restore | null; at: number } | null = null;

  return {
    /** Stores a restore once. */
    note: async ({ id, ...facts }: Restore): Promise<void> => {
      await restores.ensure({ _id: id }, { _id: id, ...facts });
      known = null;
    },
    /** Restores after which courses still have to be compared. */
    listToBegin: (): Promise<Restore[]> => restores.list({ begun: false }),
    markBegun: async (id: string): Promise<void> => {
      await restores.change({ _id: id }, { $set: { begun: true } });
    },
    /** At most half a minute old. Null for none. */
    latest: async (): Promise<Restore | null> => {
      if (known === null || elapsed() - known.at > cacheTtlMs) {
        const restore = await restores.find({}, { sort: { restoredAt: -1 } });
        known = { restore, at: elapsed() };
      }
      return known.restore;
    },
  };
}
