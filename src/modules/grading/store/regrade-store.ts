import type { Connection } from "mongoose";
import {
  type PendingRegrade,
  pendingRegradeRecord,
  type Regrade,
  regradeRecord,
  type Resend,
  resendRecord,
} from "../rules/records.ts";
import { dueHeadsOf, type DueRange, everything } from "../../../storage/due-heads.ts";
import { openDueQueue, never, released } from "../../../storage/due-queue.ts";
import { openRecords } from "../../../storage/records.ts";

type RegradeKey = Pick<Regrade, "registrationId" | "courseId">;
type RegradeProgress = Pick<Regrade, "underWay" | "cursor" | "graded" | "total">;
export type RegradeStore = ReturnType<typeof createRegradeStore>;

/** Requests to compute a course's scores again, one record for each course. One process at a time works on a course. */
export function createRegradeStore(connection: Connection) {
  const records = openRecords(connection, regradeRecord);
  const queue = openDueQueue(connection, regradeRecord, "regrades", {
    within: "registrationId",
    // Counted at the claim, so a course that crashes the process isn't repeated at full speed.
    onClaim: (now) => ({ $set: { startedAt: now }, $inc: { attempts: 1 } }),
  });

  return {
    /** A regrade under way starts again. @returns the request's revision */
    enqueue: async (key: RegradeKey, id: string, now: number): Promise<number> => {
      const save = () =>
        records.saved(
          { ...key },
          {
            $inc: { wanted: 1 },
            $set: { dueAt: now, attempts: 0 },
            $setOnInsert: { _id: id, ...untouched, ...released },
          },
        );
      const row = await queue.announced(now, save, key.registrationId);
      return row.wanted;
    },
    revisionOf: async ({ registrationId, courseId }: RegradeKey) =>
      (await records.row({ registrationId, courseId }))?.wanted ?? 0,
    find: ({ registrationId, courseId }: RegradeKey) => records.find({ registrationId, courseId }),
    /** Claims the one that has been due longest, of the LMS whose turn it is. */
    claimDue: queue.claimDue,
    extend: queue.extend,
    /** @returns the latest request; null if the claim was lost */
    progress: async (id: string, holder: string, progress: RegradeProgress): Promise<number | null> => {
      const row = await records.take({ _id: id, leaseHolder: holder }, { $set: { ...progress } });
      return row?.wanted ?? null;
    },
    /** The course stays due if there is a request after `revision`. */
    finish: async (id: string, holder: string, revision: number, now: number): Promise<void> => {
      const finished = { done: revision, finishedAt: now, attempts: 0, problem: null, dueAt: never };
      if (!(await queue.settle(id, holder, finished, { wanted: revision }))) await queue.release(id, holder);
    },
    /** Retries at `dueAt`, or sooner on request. */
    postpone: async (
      id: string,
      holder: string,
      { revision, dueAt, problem }: { revision: number; dueAt: number; problem: string | null },
    ): Promise<void> => {
      if (!(await queue.settle(id, holder, { dueAt, problem }, { wanted: revision })))
        await queue.release(id, holder);
    },
  };
}

const untouched = {
  done: 0,
  underWay: 0,
  cursor: "",
  graded: 0,
  total: null,
  startedAt: null,
  finishedAt: null,
  problem: null,
};

/** Notes that are stored before a change and deleted once its scores are set, so a crash costs seconds. */
export function createPendingRegradeStore(connection: Connection) {
  const records = openRecords(connection, pendingRegradeRecord);
  const firstDue = async (_scope: string, dueAt: DueRange) => {
    const row = await records.row({ dueAt }, { sort: { dueAt: 1 } });
    return row === null ? null : { dueAt: row.dueAt, leaseUntil: 0 };
  };
  const queue = dueHeadsOf(connection).queue("owed-grades", firstDue);

  return {
    note: async ({ id, ...pending }: PendingRegrade): Promise<void> => {
      await queue.announced(everything, pending.dueAt, () => records.add({ _id: id, ...pending }));
    },
    postpone: (id: string, dueAt: number) => records.change({ _id: id }, { $set: { dueAt } }),
    remove: async (id: string): Promise<void> => {
      await records.remove({ _id: id });
    },
    /** Takes a due note. It is due again at `until` unless it is removed. */
    claimDue: async (now: number, until: number): Promise<PendingRegrade | null> => {
      const take = () =>
        records.take({ dueAt: { $lte: now } }, { $set: { dueAt: until } }, { sort: { dueAt: 1 } });
      const row = await queue.claim(now, { take });
      return row === null ? null : records.read(row);
    },
  };
}

type ResendKey = Pick<Resend, "registrationId" | "courseId">;
export type ResendStore = ReturnType<typeof createResendStore>;

export function createResendStore(connection: Connection) {
  const records = openRecords(connection, resendRecord);

  return {
    find: ({ registrationId, courseId }: ResendKey) => records.find({ registrationId, courseId }),
    begin: async (key: ResendKey, id: string, startedAt: number): Promise<void> => {
      await records.save({ ...key }, { $set: { startedAt, total: null }, $setOnInsert: { _id: id } });
    },
    keepTotal: async (key: ResendKey, startedAt: number, total: number): Promise<void> => {
      await records.change({ ...key, startedAt }, { $set: { total } });
    },
  };
}
