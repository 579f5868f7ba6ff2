import type { Connection } from "mongoose";
import { dueHeadsOf, type DueRange, type Passed } from "../../../storage/due-heads.ts";
import { released } from "../../../storage/due-queue.ts";
import { openRecords } from "../../../storage/records.ts";
import { talliesOf } from "../../../storage/tally-store.ts";
import { attendanceColumn } from "../rules/column.ts";
import {
  type Delivery,
  type DeliveryChange,
  deliveryRecord,
  type DesiredScore,
  dueFirst,
  type Sending,
  urgency,
  urgencyOf,
} from "../rules/delivery.ts";
import {
  deliveryCounts,
  deliveryLists,
  deliveryOrder,
  type DeliveryRow,
  refusedOrBlocked,
  leaveStates,
  dueNow,
  ofLearners,
} from "./delivery-rows.ts";
import { deliveryDecisions, deliveryQueue, deliveryRestores } from "./delivery-decisions.ts";
import { type LearnerScores, releaseScores, setDesiredScores } from "./desired-scores.ts";

export type DeliveryKey = Pick<Delivery, "registrationId" | "courseId" | "columnKey" | "personId">;
export type DeliveryStore = ReturnType<typeof createDeliveryStore>;
export function createDeliveryStore(connection: Connection) {
  const records = openRecords(connection, deliveryRecord);
  const firstDue = async (registrationId: string, range: DueRange) => {
    const waiting = { registrationId, state: "waiting", nextTryAt: range } as const;
    const row = await records.row(waiting, { sort: { nextTryAt: 1 } });
    return row === null ? null : { dueAt: row.nextTryAt, leaseUntil: row.leaseUntil };
  };
  const delivered = talliesOf(connection).of("scores delivered", () => records.count({ state: "delivered" }));
  const counted = { records, delivered };
  const queue = dueHeadsOf(connection).queue("deliveries", firstDue);
  const givenBack = async (row: DeliveryRow | null): Promise<void> => {
    if (row?.state === "waiting") await queue.givenBack(row.registrationId, row.nextTryAt);
  };

  return {
    ...deliveryDecisions(counted, queue),
    ...deliveryLists(counted, queue),
    ...deliveryQueue(counted, queue),
    ...deliveryOrder(records),
    ...deliveryRestores(counted, queue),
    ...deliveryCounts(counted),
    setDesired: (
      courseKey: Pick<DeliveryKey, "registrationId" | "courseId">,
      learners: readonly LearnerScores[],
      given: { now: number; newId: () => string; sending?: Sending; held?: boolean },
    ): Promise<string[]> => {
      const times = { sending: "now" as const, held: false, ...given };
      const { nextTryAt } = dueFirst(times.sending, times.now);
      const announced = (write: () => Promise<boolean>) =>
        queue.announced(courseKey.registrationId, nextTryAt, write);
      return setDesiredScores(records, courseKey, learners, { ...times, delivered, announced });
    },
    /** As `releaseScores`. */
    releaseKept: (
      courseKey: Pick<DeliveryKey, "registrationId" | "courseId">,
      id: string | null,
      now: number,
    ): Promise<number> =>
      releaseScores(records, courseKey, id, {
        now,
        delivered,
        announced: (write) => queue.announced(courseKey.registrationId, now, write),
      }),
    countKept: ({ registrationId, courseId }: Pick<DeliveryKey, "registrationId" | "courseId">) =>
      records.count({ registrationId, courseId, unreleased: { $ne: null } }),
    /** Claims scores of the registration whose turn it is. @param pass Skips a registration that is busy, or asked us to wait. */
    claimDue: async (
      holder: string,
      now: number,
      until: number,
      pass?: (registrationId: string) => Passed | Promise<Passed>,
    ): Promise<Delivery | null> => {
      const take = (registrationId: string) =>
        records.take(
          { registrationId, state: "waiting", nextTryAt: { $lte: now }, leaseUntil: { $lte: now } },
          { $set: { leaseHolder: holder, leaseUntil: until } },
          { sort: { nextTryAt: 1 } },
        );
      const row = await queue.claim(now, { take, pass });
      return row === null ? null : records.read(row);
    },
    /** Claims more scores of the same column, so its grades are read once. */
    claimAlso: async (
      { registrationId, courseId, columnKey }: Omit<DeliveryKey, "personId">,
      holder: string,
      now: number,
      until: number,
      limit: number,
    ): Promise<Delivery[]> => {
      const due = { state: "waiting", nextTryAt: { $lte: now }, leaseUntil: { $lte: now } } as const;
      const column = { registrationId, courseId, columnKey };
      const some = await records.rows({ ...column, ...due }, { sort: { nextTryAt: 1 }, limit: limit });
      if (some.length === 0) return [];
      const ids = some.map(({ _id }) => _id);
      await records.changeAll(
        { _id: { $in: ids }, ...due },
        { $set: { leaseHolder: holder, leaseUntil: until } },
      );
      return await records.list({ _id: { $in: ids }, leaseHolder: holder });
    },
    /** Lanes in use by all processes. Lanes of crashed processes count for a while. */
    busyLanes: async (registrationId: string, now: number): Promise<number> => {
      const claimedRows = await records.some(["leaseHolder"], { registrationId, leaseUntil: { $gt: now } });
      return new Set(claimedRows.map(({ leaseHolder }) => leaseHolder)).size;
    },
    extend: async (ids: readonly string[], holder: string, until: number): Promise<boolean> => {
      const claimed = { _id: { $in: ids }, leaseHolder: holder };
      return (await records.changeAll(claimed, { $set: { leaseUntil: until } })) === ids.length;
    },
    release: async (ids: readonly string[], holder: string): Promise<void> => {
      const [first] = ids;
      if (first === undefined) return;
      await records.changeAll({ _id: { $in: ids }, leaseHolder: holder }, { $set: released });
      await givenBack(await records.row({ _id: first }));
    },
    findClaimed: (id: string, holder: string): Promise<Delivery | null> =>
      records.find({ _id: id, leaseHolder: holder }),
    /** Notes that the score is sent. @returns false if the claim was lost, or another score is wanted */
    sending: (id: string, holder: string, { revision, ...score }: DesiredScore, at: number) =>
      records.change(
        { _id: id, leaseHolder: holder, state: "waiting", "desired.revision": revision },
        {
          $set: { lastSentAt: at },
          $push: { unconfirmed: { $each: [score], $slice: -maxUnconfirmed } },
          // A computation that read the record before is repeated.
          $inc: { revision: 1 },
        },
      ),
    /** If another score is wanted since `revision`, only stores what the LMS accepted, and the score stays due. */
    settle: async (id: string, holder: string, revision: number, change: DeliveryChange): Promise<void> => {
      const claimed = { _id: id, leaseHolder: holder, "desired.revision": revision };
      for (const { onlyIf, urgency } of urgenciesAfter(change)) {
        const set = { ...change, ...urgency, ...released };
        const before = await records.before({ ...claimed, ...onlyIf }, { $set: set });
        if (before === null) continue;
        const isDelivered = (change.state ?? before.state) === "delivered";
        delivered.moved(Number(isDelivered) - Number(before.state === "delivered"));
        if (change.state === undefined) await givenBack(await records.row({ _id: id }));
        return;
      }
      const unsettled =
        change.accepted === undefined
          ? {}
          : { accepted: change.accepted, unconfirmed: [], foreign: null, overruled: null };
      await givenBack(
        await records.before({ _id: id, leaseHolder: holder }, { $set: { ...unsettled, ...released } }),
      );
      // A column that was once filled stays listed.
      if (change.accepted != null)
        await records.change({ _id: id, state: "idle" }, { $set: { urgency: urgency.settled } });
    },
    /** Makes scores due that wait, or were kept back ("sync now"). */
    retryCourse: async (registrationId: string, courseId: string, now: number): Promise<void> => {
      const courseKey = { registrationId, courseId };
      const due = { nextTryAt: now, attempts: 0, refusal: null };
      await queue.announced(registrationId, now, async () => {
        // `waitingSince` stays, because the alarm depends on it.
        await records.changeAll({ ...courseKey, state: "waiting" }, { $set: due });
        const blocked = { ...courseKey, ...ofLearners, desired: { $ne: null } };
        await leaveStates(counted, refusedOrBlocked, blocked, dueNow(now));
      });
    },
    /** Counts scores that were due at `at` and haven't been tried since. */
    countDue: (registrationId: string, courseId: string, at: number) =>
      records.count({ registrationId, courseId, state: "waiting", nextTryAt: { $lte: at } }),
    /**
     * A column got a line item. An attempt under way, perhaps to the old one, keeps its claim but settles nothing. @param at When due (ms);
     * default: now.
     */
    retryColumn: async (
      { registrationId, courseId, columnKey }: Omit<DeliveryKey, "personId">,
      now: number,
      at = now,
    ): Promise<void> => {
      const column = { registrationId, courseId, columnKey };
      const withScore = { ...column, ...ofLearners, "desired.score": { $ne: null } };
      const due = { nextTryAt: at, attempts: 0, foreign: null, refusal: null, again: true };
      await queue.announced(registrationId, at, async () => {
        const waiting = { ...withScore, state: "waiting" } as const;
        await records.changeAll(waiting, { $set: due, $inc: { "desired.revision": 1 } });
        const again = { ...dueNow(now), ...due, ...released };
        await leaveStates(counted, ["idle", "delivered", ...refusedOrBlocked, "held"], withScore, again);
      });
    },
    find: (key: DeliveryKey): Promise<Delivery | null> => records.find({ ...key }),
    listOfPeople: (
      { registrationId, courseId, columnKey }: Omit<DeliveryKey, "personId">,
      personIds: readonly string[],
    ): Promise<Delivery[]> =>
      records.list({ registrationId, courseId, columnKey, personId: { $in: personIds } }),
    /** People's scores in every column. */
    listAllOfPeople: (
      { registrationId, courseId }: Pick<DeliveryKey, "registrationId" | "courseId">,
      personIds: readonly string[],
    ): Promise<Delivery[]> => records.list({ registrationId, courseId, personId: { $in: personIds } }),
    listOfCourse: (registrationId: string, courseId: string): Promise<Delivery[]> =>
      records.list({ registrationId, courseId }),
  };
}

/** The urgency after an attempt: the first one whose condition is met. */
function urgenciesAfter({ state, foreign = null, refusal = null }: DeliveryChange) {
  if (state === undefined) return [{ onlyIf: {}, urgency: {} }];
  if (state !== "idle") {
    // The column and the accepted score don't matter here.
    const facts = { columnKey: "", state, accepted: null, foreign, refusal };
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

/** How many unanswered scores are kept; older ones never arrived. */
const maxUnconfirmed = 8;
