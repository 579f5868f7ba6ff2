import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import {
  type PendingRegrade,
  pendingRegradeRecord,
  type Regrade,
  regradeRecord,
  type Resend,
  resendRecord,
} from "../rules/records.ts";
import { dueHeadsOf, type DueRange, everything } from "../../../storage/due-heads.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { longerLease, never, released } from "../../../storage/lease.ts";
import { recordModel } from "../../../storage/record-model.ts";

type RegradeKey = Pick<Regrade, "registrationId" | "courseId">;
type RegradeProgress = Pick<Regrade, "underWay" | "cursor" | "graded" | "total">;
export type RegradeStore = ReturnType<typeof createRegradeStore>;

/** Requests to recompute a course's scores, one record for each course; one process at a time works on one. */
export function createRegradeStore(connection: Connection) {
  const model = recordModel(connection, regradeRecord);
  const firstDue = (registrationId: string, dueAt: DueRange) =>
    model.findOne({ registrationId, dueAt }).sort({ dueAt: 1 }).lean().exec();
  const queue = dueHeadsOf(connection).queue("regrades", firstDue);
  const release = async (id: string, holder: string): Promise<void> => {
    const row = await model.findOneAndUpdate({ _id: id, leaseHolder: holder }, { $set: released }).lean();
    if (row !== null) await queue.givenBack(row.registrationId, row.dueAt);
  };

  return {
    /** One under way starts anew. @returns the request's revision. */
    want: async (key: RegradeKey, id: string, now: number): Promise<number> => {
      const wish = () =>
        model
          .findOneAndUpdate(
            { ...key },
            {
              $inc: { wanted: 1 },
              $set: { dueAt: now, attempts: 0 },
              $setOnInsert: { _id: id, ...untouched, ...released },
            },
            { upsert: true, returnDocument: "after" },
          )
          .lean();
      const row = await queue.announced(key.registrationId, now, () => retriedOnDuplicate(wish));
      return row.wanted;
    },
    /** 0 for none. */
    revisionOf: async ({ registrationId, courseId }: RegradeKey): Promise<number> =>
      (await model.findOne({ registrationId, courseId }).lean())?.wanted ?? 0,
    find: async ({ registrationId, courseId }: RegradeKey): Promise<Regrade | null> => {
      const row = await model.findOne({ registrationId, courseId }).lean();
      return row === null ? null : toRegrade(row);
    },
    /** The longest due of the LMS whose turn it is. */
    claimDue: async (holder: string, now: number, until: number): Promise<Regrade | null> => {
      const take = (registrationId: string) =>
        model
          .findOneAndUpdate(
            { registrationId, dueAt: { $lte: now }, leaseUntil: { $lte: now } },
            // Counted here, so that one that ends the process is not repeated at full speed.
            { $set: { leaseHolder: holder, leaseUntil: until, startedAt: now }, $inc: { attempts: 1 } },
            { sort: { dueAt: 1 }, returnDocument: "after" },
          )
          .lean();
      const row = await queue.claim(now, { take });
      return row === null ? null : toRegrade(row);
    },
    extend: async (id: string, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(id, holder, until))).matchedCount === 1,
    /** @returns the latest request; null when the claim was lost. */
    progress: async (id: string, holder: string, progress: RegradeProgress): Promise<number | null> => {
      const row = await model
        .findOneAndUpdate(
          { _id: id, leaseHolder: holder },
          { $set: { ...progress } },
          { returnDocument: "after" },
        )
        .lean();
      return row?.wanted ?? null;
    },
    /** Stays due when there is a request after `revision`. */
    finish: async (id: string, holder: string, revision: number, now: number): Promise<void> => {
      const finished = { done: revision, finishedAt: now, attempts: 0, problem: null, ...released };
      const done = await model.updateOne(
        { _id: id, leaseHolder: holder, wanted: revision },
        { $set: { ...finished, dueAt: never } },
      );
      if (done.matchedCount === 0) await release(id, holder);
    },
    /** Retried at `dueAt`, sooner on request. */
    postpone: async (
      id: string,
      holder: string,
      { revision, dueAt, problem }: { revision: number; dueAt: number; problem: string | null },
    ): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder, wanted: revision }, { $set: { dueAt, problem } });
      await release(id, holder);
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

const toRegrade = readerOf(regradeRecord);

/** Notes stored before a change and deleted once its scores are wanted, so that a crash costs seconds. */
export function createPendingRegradeStore(connection: Connection) {
  const model = recordModel(connection, pendingRegradeRecord);
  const firstDue = async (_scope: string, dueAt: DueRange) => {
    const row = await model.findOne({ dueAt }).sort({ dueAt: 1 }).lean();
    return row === null ? null : { dueAt: row.dueAt, leaseUntil: 0 };
  };
  const queue = dueHeadsOf(connection).queue("owed-grades", firstDue);

  return {
    note: async ({ id, ...pending }: PendingRegrade): Promise<void> => {
      await queue.announced(everything, pending.dueAt, () => model.insertOne({ _id: id, ...pending }));
    },
    postpone: async (id: string, dueAt: number): Promise<boolean> =>
      (await model.updateOne({ _id: id }, { $set: { dueAt } })).matchedCount === 1,
    remove: async (id: string): Promise<void> => {
      await model.deleteOne({ _id: id });
    },
    /** Due again at `until` unless removed. */
    claimDue: async (now: number, until: number): Promise<PendingRegrade | null> => {
      const take = () =>
        model
          .findOneAndUpdate(
            { dueAt: { $lte: now } },
            { $set: { dueAt: until } },
            { sort: { dueAt: 1 }, returnDocument: "after" },
          )
          .lean();
      const row = await queue.claim(now, { take });
      return row === null ? null : toPending(row);
    },
  };
}

const toPending = readerOf(pendingRegradeRecord);

type ResendKey = Pick<Resend, "registrationId" | "courseId">;
export type ResendStore = ReturnType<typeof createResendStore>;

export function createResendStore(connection: Connection) {
  const model = recordModel(connection, resendRecord);

  return {
    find: async ({ registrationId, courseId }: ResendKey): Promise<Resend | null> => {
      const row = await model.findOne({ registrationId, courseId }).lean();
      return row === null ? null : toResend(row);
    },
    begin: async (key: ResendKey, id: string, startedAt: number): Promise<void> => {
      await retriedOnDuplicate(() =>
        model.updateOne(
          { ...key },
          { $set: { startedAt, total: null }, $setOnInsert: { _id: id } },
          { upsert: true },
        ),
      );
    },
    keepTotal: async (key: ResendKey, startedAt: number, total: number): Promise<void> => {
      await model.updateOne({ ...key, startedAt }, { $set: { total } });
    },
  };
}

const toResend = readerOf(resendRecord);
