import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { attendanceColumn } from "../rules/column.ts";
import { type Delivery, deliveryRecord, type DesiredScore } from "../rules/delivery.ts";
import { dueFirst, type Sending } from "../rules/score-gathering.ts";
import { urgency, urgencyOf } from "../rules/score-urgency.ts";
import { deliveryCounts, leaveStates } from "./delivery-counts.ts";
import { deliveryDecisions } from "./delivery-decisions.ts";
import { deliveryLists } from "./delivery-lists.ts";
import { deliveryQueue } from "./delivery-queue.ts";
import { deliveryOrder } from "./delivery-order.ts";
import { deliveryRestores } from "./delivery-restores.ts";
import type { DeliveryRow } from "./delivery-row.ts";
import { type DueRange, dueHeadsOf, type Passed } from "../../../storage/due-heads.ts";
import { released } from "../../../storage/lease.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { talliesOf } from "../../../storage/tally-store.ts";
import { type LearnerScores, wantScores } from "./want-scores.ts";

export type DeliveryKey = Pick<Delivery, "registrationId" | "courseId" | "columnKey" | "personId">;
export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
/** What a delivery becomes after an attempt. */
export type DeliveryChange = Partial<
  Pick<
    Delivery,
    | "state"
    | "accepted"
    | "foreign"
    | "overruled"
    | "unconfirmed"
    | "again"
    | "attempts"
    | "nextTryAt"
    | "waitingSince"
    | "lastError"
    | "reason"
    | "refusal"
    | "lastSentAt"
    | "restoredAt"
  >
>;

/** Scores on their way, one record for each (column, person). */
export function createDeliveryStore(connection: Connection) {
  const model = recordModel(connection, deliveryRecord);
  const firstDue = async (registrationId: string, range: DueRange) => {
    const waiting = { registrationId, state: "waiting", nextTryAt: range } as const;
    const row = await model.findOne(waiting).sort({ nextTryAt: 1 }).lean();
    return row === null ? null : { dueAt: row.nextTryAt, leaseUntil: row.leaseUntil };
  };
  const delivered = talliesOf(connection).of("scores delivered", () =>
    model.countDocuments({ state: "delivered" }).exec(),
  );
  const counted = { model, delivered };
  const queue = dueHeadsOf(connection).queue("deliveries", firstDue);
  /** A claimed score that was given back while it is to be sent. */
  const givenBack = async (row: DeliveryRow | null): Promise<void> => {
    if (row?.state === "waiting") await queue.givenBack(row.registrationId, row.nextTryAt);
  };

  return {
    ...deliveryDecisions(counted, queue),
    ...deliveryLists(counted, queue, toDelivery),
    ...deliveryQueue(counted, queue, toDelivery),
    ...deliveryOrder(model, toDelivery),
    ...deliveryRestores(counted, queue, toDelivery),
    ...deliveryCounts(model, delivered),
    /** Sets the scores that some learners of a course should have; see `wantScores`. */
    want: (
      place: Pick<DeliveryKey, "registrationId" | "courseId">,
      learners: readonly LearnerScores[],
      { now, newId, sending = "now" }: { now: number; newId: () => string; sending?: Sending },
    ): Promise<string[]> =>
      wantScores(model, place, learners, {
        ...{ now, newId, sending, delivered },
        announced: (write) => queue.announced(place.registrationId, dueFirst(sending, now).nextTryAt, write),
      }),
    /**
     * Takes the delivery that is due longest in the registration whose turn it is.
     * @param pass Says of a registration whether it is busy or told us to wait; its scores are not looked at then.
     */
    claimDue: async (
      holder: string,
      now: number,
      until: number,
      pass?: (registrationId: string) => Passed | Promise<Passed>,
    ): Promise<Delivery | null> => {
      const take = (registrationId: string) =>
        model
          .findOneAndUpdate(
            { registrationId, state: "waiting", nextTryAt: { $lte: now }, leaseUntil: { $lte: now } },
            { $set: { leaseHolder: holder, leaseUntil: until } },
            { sort: { nextTryAt: 1 }, returnDocument: "after" },
          )
          .lean();
      const row = await queue.claim(now, { take, pass });
      return row === null ? null : toDelivery(row);
    },
    /** Takes more that are due for the same column, so that its grades are read once for all of them. */
    claimAlso: async (
      { registrationId, courseId, columnKey }: Omit<DeliveryKey, "personId">,
      holder: string,
      now: number,
      until: number,
      most: number,
    ): Promise<Delivery[]> => {
      const due = { state: "waiting", nextTryAt: { $lte: now }, leaseUntil: { $lte: now } } as const;
      const place = { registrationId, courseId, columnKey };
      const some = await model
        .find({ ...place, ...due })
        .sort({ nextTryAt: 1 })
        .limit(most)
        .lean();
      if (some.length === 0) return [];
      const ids = some.map(({ _id }) => _id);
      await model.updateMany(
        { _id: { $in: ids }, ...due },
        { $set: { leaseHolder: holder, leaseUntil: until } },
      );
      return (await model.find({ _id: { $in: ids }, leaseHolder: holder }).lean()).map(toDelivery);
    },
    /** How many lanes of all processes are busy with a registration; lanes that crashed count for a while. */
    busyLanes: async (registrationId: string, now: number): Promise<number> => {
      const held = await model.find({ registrationId, leaseUntil: { $gt: now } }, { leaseHolder: 1 }).lean();
      return new Set(held.map(({ leaseHolder }) => leaseHolder)).size;
    },
    /** Lengthens claims; without effect on those that were lost. */
    extend: async (ids: readonly string[], holder: string, until: number): Promise<void> => {
      await model.updateMany(
        { _id: { $in: [...ids] }, leaseHolder: holder },
        { $set: { leaseUntil: until } },
      );
    },
    /** Gives claims back and leaves the rest as it is. */
    release: async (ids: readonly string[], holder: string): Promise<void> => {
      const [first] = ids;
      if (first === undefined) return;
      await model.updateMany({ _id: { $in: [...ids] }, leaseHolder: holder }, { $set: released });
      // All of one column.
      await givenBack(await model.findOne({ _id: first }).lean());
    },
    /** A claimed delivery as it is now; null when the claim was lost. */
    findClaimed: async (id: string, holder: string): Promise<Delivery | null> => {
      const row = await model.findOne({ _id: id, leaseHolder: holder }).lean();
      return row === null ? null : toDelivery(row);
    },
    /**
     * Notes under a claim that this score is about to go out with this timestamp.
     * @returns false when the claim was lost, or another score is wanted by now
     */
    sending: async (
      id: string,
      holder: string,
      { revision, ...score }: DesiredScore,
      at: number,
    ): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, leaseHolder: holder, state: "waiting", "desired.revision": revision },
        { $set: { lastSentAt: at }, $push: { unconfirmed: { $each: [score], $slice: -mostUnconfirmed } } },
      );
      return done.matchedCount === 1;
    },
    /**
     * Writes down what an attempt brought and gives the claim back. When the desired score has changed since
     * (`revision`), only what the LMS accepted is kept and the delivery stays due.
     */
    settle: async (id: string, holder: string, revision: number, change: DeliveryChange): Promise<void> => {
      const claimed = { _id: id, leaseHolder: holder, "desired.revision": revision };
      for (const { onlyIf, urgency } of urgenciesAfter(change)) {
        const set = { ...change, ...urgency, ...released };
        const before = await model.findOneAndUpdate({ ...claimed, ...onlyIf }, { $set: set }).lean();
        if (before === null) continue;
        const isDelivered = (change.state ?? before.state) === "delivered";
        delivered.moved(Number(isDelivered) - Number(before.state === "delivered"));
        if (change.nextTryAt !== undefined) await givenBack(await model.findOne({ _id: id }).lean());
        return;
      }
      const kept =
        change.accepted === undefined
          ? {}
          : { accepted: change.accepted, unconfirmed: [], foreign: null, overruled: null };
      await givenBack(
        await model
          .findOneAndUpdate({ _id: id, leaseHolder: holder }, { $set: { ...kept, ...released } })
          .lean(),
      );
      // A column that was filled is news also when it is to be filled no more.
      if (change.accepted != null)
        await model.updateOne({ _id: id, state: "idle" }, { $set: { urgency: urgency.settled } });
    },
    /** Makes every unsettled or refused score of a course due now ("sync now"). */
    retryCourse: async (registrationId: string, courseId: string, now: number): Promise<void> => {
      const place = { registrationId, courseId };
      const due = { nextTryAt: now, attempts: 0, refusal: null };
      await queue.announced(registrationId, now, async () => {
        // What has been waiting goes on having waited since then: the alarm is about that.
        await model.updateMany({ ...place, state: "waiting" }, { $set: due });
        await model.updateMany(
          { ...place, state: "refused" },
          { $set: { ...due, state: "waiting", urgency: urgency.waiting, waitingSince: now } },
        );
      });
    },
    /** How many scores of a course have been due since `at` and were not tried since. */
    countDue: (registrationId: string, courseId: string, at: number): Promise<number> =>
      model.countDocuments({ registrationId, courseId, state: "waiting", nextTryAt: { $lte: at } }).exec(),
    /**
     * A column got (another) line item: every score it should hold is due, also ones sent elsewhere before.
     * Claims are taken away, so that an attempt under way with the old address settles nothing.
     * @param now Milliseconds since the epoch. @param at When they are due; now when left out.
     */
    retryColumn: async (
      { registrationId, courseId, columnKey }: Omit<DeliveryKey, "personId">,
      now: number,
      at = now,
    ): Promise<void> => {
      const wanted = { registrationId, courseId, columnKey, "desired.score": { $ne: null } };
      const due = { nextTryAt: at, attempts: 0, foreign: null, refusal: null, again: true, ...released };
      const toWaiting = {
        state: "waiting",
        urgency: urgency.waiting,
        waitingSince: now,
        lastError: null,
      } as const;
      await queue.announced(registrationId, at, async () => {
        await model.updateMany({ ...wanted, state: "waiting" }, { $set: due });
        await leaveStates(counted, ["idle", "delivered", "refused", "held"], wanted, {
          ...due,
          ...toWaiting,
        });
      });
    },
    find: async (key: DeliveryKey): Promise<Delivery | null> => {
      const row = await model.findOne({ ...key }).lean();
      return row === null ? null : toDelivery(row);
    },
    /** Those of some people of a course in one column; a few hundred at most. */
    listOfPeople: async (
      { registrationId, courseId, columnKey }: Omit<DeliveryKey, "personId">,
      personIds: readonly string[],
    ): Promise<Delivery[]> =>
      (
        await model.find({ registrationId, courseId, columnKey, personId: { $in: [...personIds] } }).lean()
      ).map(toDelivery),
    /** Those of one person in all columns of a course. */
    listOfPerson: async ({
      registrationId,
      courseId,
      personId,
    }: Omit<DeliveryKey, "columnKey">): Promise<Delivery[]> =>
      (await model.find({ registrationId, courseId, personId }).lean()).map(toDelivery),
    listOfCourse: async (registrationId: string, courseId: string): Promise<Delivery[]> =>
      (await model.find({ registrationId, courseId }).lean()).map(toDelivery),
  };
}

/** Where a delivery stands in lists after an attempt, the first of which the condition holds. */
function urgenciesAfter({ state, foreign = null }: DeliveryChange) {
  if (state === undefined) return [{ onlyIf: {}, urgency: {} }];
  if (state !== "idle") {
    // Neither the column nor what was accepted matters to these.
    const facts = { columnKey: "", state, accepted: null, foreign };
    return [{ onlyIf: {}, urgency: { urgency: urgencyOf(facts) } }];
  }
  return [
    {
      onlyIf: { accepted: null, columnKey: { $ne: attendanceColumn } },
      urgency: { urgency: urgency.noNews },
    },
    { onlyIf: {}, urgency: { urgency: urgency.settled } },
  ];
}

/** So many scores without an answer are remembered; more than that never arrived anyway. */
const mostUnconfirmed = 8;

const toDelivery = readerOf(deliveryRecord);
