import { type Connection, Schema } from "mongoose";
import type { Delivery, DesiredScore } from "../domain/delivery.ts";
import { retriedOnDuplicate } from "./duplicate-key.ts";
import { type LeaseFields, leaseFields, released } from "./lease.ts";

type DeliveryRow = Omit<Delivery, "id"> &
  LeaseFields & {
    _id: string;
    /** Counts announcements that facts changed. */
    factsRevision: number;
    /** The announcement up to which `desired` was computed. */
    computedRevision: number;
  };

export type DeliveryKey = Pick<Delivery, "registrationId" | "courseId" | "columnKey" | "personId">;
export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
/** What a delivery becomes after an attempt. */
export type DeliveryChange = Partial<
  Pick<
    Delivery,
    "state" | "accepted" | "attempts" | "nextTryAt" | "waitingSince" | "lastError" | "lastSentAt"
  >
>;

/** Scores on their way, one record for each (column, person). */
export function createDeliveryStore(connection: Connection) {
  const schema = new Schema<DeliveryRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      columnKey: { type: String, required: true },
      personId: { type: String, required: true },
      sub: { type: String, required: true },
      desired: { type: Schema.Types.Mixed, default: null },
      accepted: { type: Schema.Types.Mixed, default: null },
      foreign: { type: Schema.Types.Mixed, default: null },
      state: { type: String, required: true },
      attempts: { type: Number, required: true },
      nextTryAt: { type: Number, required: true },
      waitingSince: { type: Number, default: null },
      lastError: { type: String, default: null },
      lastSentAt: { type: Number, default: null },
      factsRevision: { type: Number, required: true },
      computedRevision: { type: Number, required: true },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1, columnKey: 1, personId: 1 }, { unique: true });
  schema.index({ state: 1, nextTryAt: 1 });
  schema.index({ state: 1, waitingSince: 1 });
  const model = connection.model<DeliveryRow>("Delivery", schema);

  return {
    /**
     * Says that facts behind this score have changed (after they were stored). The revision returned orders
     * computations: one that started later has seen at least as many facts.
     */
    announce: async (key: DeliveryKey, first: { id: string; sub: string }): Promise<number> => {
      const row = await retriedOnDuplicate(() =>
        model
          .findOneAndUpdate(
            { ...key },
            {
              $inc: { factsRevision: 1 },
              $setOnInsert: { _id: first.id, sub: first.sub, ...untouched, ...released },
            },
            { upsert: true, returnDocument: "after" },
          )
          .lean(),
      );
      return row.factsRevision;
    },
    /**
     * Sets the score that should be in the gradebook, unless one computed from newer facts is there already.
     * Nothing is sent when it is the one already wanted, nor a clearing when nothing was ever sent.
     */
    want: async (key: DeliveryKey, revision: number, score: Omit<DesiredScore, "revision">, now: number) => {
      const older = { ...key, computedRevision: { $lt: revision } };
      const row = await model.findOne(older).lean();
      if (row === null) return;
      const same =
        row.desired !== null &&
        row.desired.score === score.score &&
        row.desired.maximum === score.maximum &&
        row.desired.comment === score.comment;
      const neverSent = score.score === null && row.lastSentAt === null && row.accepted === null;
      await model.updateOne(older, {
        $set: {
          computedRevision: revision,
          ...(same ? {} : { desired: { ...score, revision } }),
          ...(same ? {} : neverSent ? { state: "idle", waitingSince: null } : waitingFrom(row, now)),
        },
      });
    },
    /** Takes the delivery that is due longest, skipping registrations that are busy or told us to wait. */
    claimDue: async (
      holder: string,
      now: number,
      until: number,
      skipRegistrations: readonly string[],
    ): Promise<Delivery | null> => {
      const row = await model
        .findOneAndUpdate(
          {
            state: "waiting",
            nextTryAt: { $lte: now },
            leaseUntil: { $lte: now },
            ...(skipRegistrations.length === 0 ? {} : { registrationId: { $nin: [...skipRegistrations] } }),
          },
          { $set: { leaseHolder: holder, leaseUntil: until } },
          { sort: { nextTryAt: 1 }, returnDocument: "after" },
        )
        .lean();
      return row === null ? null : toDelivery(row);
    },
    /** Lengthens a claim; without effect when it was lost. */
    extend: async (id: string, holder: string, until: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } });
    },
    /** Notes under a claim that a score is about to go out with this timestamp; false when the claim was lost. */
    sending: async (id: string, holder: string, at: number): Promise<boolean> => {
      const done = await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { lastSentAt: at } });
      return done.matchedCount === 1;
    },
    /**
     * Writes down what an attempt brought and gives the claim back. When the desired score has changed since
     * (`revision`), only what the LMS accepted is kept and the delivery stays due.
     */
    settle: async (id: string, holder: string, revision: number, change: DeliveryChange): Promise<void> => {
      const done = await model.updateOne(
        { _id: id, leaseHolder: holder, "desired.revision": revision },
        { $set: { ...change, ...released } },
      );
      if (done.matchedCount === 1) return;
      const kept = change.accepted === undefined ? {} : { accepted: change.accepted };
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { ...kept, ...released } });
    },
    /** Makes every unsettled or refused score of a course due now ("sync now"). */
    retryCourse: async (registrationId: string, courseId: string, now: number): Promise<void> => {
      await model.updateMany(
        { registrationId, courseId, state: { $in: ["waiting", "refused"] } },
        { $set: { state: "waiting", nextTryAt: now, attempts: 0, waitingSince: now } },
      );
    },
    /** How many scores of a course have been due since `at` and were not tried since. */
    countDue: (registrationId: string, courseId: string, at: number): Promise<number> =>
      model.countDocuments({ registrationId, courseId, state: "waiting", nextTryAt: { $lte: at } }).exec(),
    /**
     * A column got (another) line item: every score it should hold is due now, also ones sent elsewhere before.
     * Claims are taken away, so that an attempt under way with the old address settles nothing.
     */
    retryColumn: async (
      { registrationId, courseId, columnKey }: Omit<DeliveryKey, "personId">,
      now: number,
    ): Promise<void> => {
      await model.updateMany(
        { registrationId, courseId, columnKey, "desired.score": { $ne: null } },
        {
          $set: {
            state: "waiting",
            nextTryAt: now,
            attempts: 0,
            waitingSince: now,
            lastError: null,
            ...released,
          },
        },
      );
    },
    find: async (key: DeliveryKey): Promise<Delivery | null> => {
      const row = await model.findOne({ ...key }).lean();
      return row === null ? null : toDelivery(row);
    },
    listOfCourse: async (registrationId: string, courseId: string): Promise<Delivery[]> =>
      (await model.find({ registrationId, courseId }).lean()).map(toDelivery),
    /** Since when the score that waits longest has been waiting; null when none waits. */
    oldestWaiting: async (): Promise<number | null> => {
      const row = await model.findOne({ state: "waiting" }).sort({ waitingSince: 1 }).lean();
      return row?.waitingSince ?? null;
    },
    countByState: async (): Promise<Record<Exclude<Delivery["state"], "idle">, number>> => ({
      waiting: await model.countDocuments({ state: "waiting" }),
      delivered: await model.countDocuments({ state: "delivered" }),
      refused: await model.countDocuments({ state: "refused" }),
      held: await model.countDocuments({ state: "held" }),
    }),
  };
}

const untouched = {
  desired: null,
  accepted: null,
  foreign: null,
  state: "idle",
  attempts: 0,
  nextTryAt: 0,
  waitingSince: null,
  lastError: null,
  lastSentAt: null,
  computedRevision: 0,
};

function waitingFrom(row: DeliveryRow, now: number): DeliveryChange {
  const waiting = row.state === "waiting";
  return {
    state: "waiting",
    attempts: 0,
    // A platform that told us to wait is not asked earlier because a grade changed once more.
    nextTryAt: waiting ? row.nextTryAt : now,
    waitingSince: waiting ? row.waitingSince : now,
    lastError: waiting ? row.lastError : null,
  };
}

function toDelivery(row: DeliveryRow): Delivery {
  const { _id, leaseHolder: _h, leaseUntil: _u, factsRevision: _f, computedRevision: _c, ...delivery } = row;
  return { id: _id, ...delivery, foreign: row.foreign ?? null };
}
