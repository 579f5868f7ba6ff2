import { type Connection, Schema } from "mongoose";
import type { Regrade } from "../rules/regrade.ts";
import { type DueRange, dueHeadsOf } from "../../../storage/due-heads.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { type LeaseFields, leaseFields, released, longerLease } from "../../../storage/lease.ts";

type RegradeRow = Omit<Regrade, "id"> & LeaseFields & { _id: string };

export type RegradeKey = Pick<Regrade, "registrationId" | "courseId">;
export type RegradeProgress = Pick<Regrade, "underWay" | "cursor" | "graded" | "total">;
export type RegradeStore = ReturnType<typeof createRegradeStore>;

const never = Number.MAX_SAFE_INTEGER;

/** Requests to recompute a course's scores, one record for each course; one process at a time works on one. */
export function createRegradeStore(connection: Connection) {
  const schema = new Schema<RegradeRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      wanted: { type: Number, required: true },
      done: { type: Number, required: true },
      dueAt: { type: Number, required: true },
      attempts: { type: Number, required: true },
      underWay: { type: Number, required: true },
      cursor: { type: String, default: "" },
      graded: { type: Number, required: true },
      total: { type: Number, default: null },
      startedAt: { type: Number, default: null },
      finishedAt: { type: Number, default: null },
      problem: { type: String, default: null },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1 }, { unique: true });
  schema.index({ registrationId: 1, dueAt: 1 });
  const model = connection.model<RegradeRow>("Regrade", schema);
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

function toRegrade({ _id, leaseHolder: _holder, leaseUntil: _until, ...regrade }: RegradeRow): Regrade {
  return { id: _id, ...regrade };
}
