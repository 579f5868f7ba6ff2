import type { RowOf } from "../../../domain/record.ts";
import type { DueQueue } from "../../../storage/due-heads.ts";
import { released } from "../../../storage/due-queue.ts";
import type { Records } from "../../../storage/records.ts";
import type { Tally } from "../../../storage/tally-store.ts";
import { attendanceColumn } from "../rules/column.ts";
import {
  type Delivery,
  type deliveryRecord,
  personLeft,
  type ScoreCounts,
  type ScoreState,
  urgency,
  urgencyOf,
  urgencyOfState,
} from "../rules/delivery.ts";

export type DeliveryRow = RowOf<typeof deliveryRecord>;

/** Deliveries, with the running count of delivered ones. */
export type CountedDeliveries = { records: Records<typeof deliveryRecord>; delivered: Tally };

/** Scores that were tried and that time alone doesn't make due again. */
export const refusedOrBlocked = ["refused", "blocked"] as const;

/** Without scores of people who are no learners now: only their return makes these due. */
export const ofLearners = { refusal: { $ne: personLeft } } as const;

/** Makes a score due as if it was never tried. @param now Milliseconds since the epoch. */
export function dueNow(now: number) {
  return {
    state: "waiting",
    urgency: urgency.waiting,
    nextTryAt: now,
    attempts: 0,
    waitingSince: now,
    reason: null,
    refusal: null,
    // A request or a decision made it due, not a mark.
    markedAt: null,
  } as const;
}

type CourseKey = Pick<Delivery, "registrationId" | "courseId">;

const notSent = ["waiting", "blocked", "idle"] as const;

export function deliveryLists(counted: CountedDeliveries, queue: DueQueue) {
  const { records } = counted;
  return {
    /** Columns that were never filled count as "idle". */
    countOfCourse: async (courseKey: CourseKey): Promise<ScoreCounts> => {
      const states = ["held", "refused", "waiting", "delivered", "idle"] as const;
      const [held = 0, refused = 0, waiting = 0, delivered = 0, idle = 0] = await Promise.all(
        states.map((state) => records.count({ ...courseKey, state })),
      );
      const decided = { ...courseKey, state: "held", "foreign.leftAt": { $gt: 0 } } as const;
      const left = held === 0 ? 0 : await records.count(decided);
      return { held: held - left, refused, waiting, left, delivered, idle };
    },
    /** Why scores that should be there aren't, the most common reason of each state first; for waiting ones, when they are tried next. */
    causesOf: async (courseKey: CourseKey) => {
      const causes = [];
      for (const state of ["refused", "blocked", "waiting"] as const) {
        const code = state === "waiting" ? "reason" : "refusal";
        const listed = { ...courseKey, state, urgency: { $lte: urgency.waiting } };
        const found = [];
        for (const cause of await records.distinct(code, { ...listed, [code]: { $ne: null } })) {
          const alike = { ...listed, [code]: cause };
          const next = await records.row(alike, { sort: { nextTryAt: 1 } });
          if (next === null || cause == null) continue;
          found.push({ state, cause, count: await records.count(alike), nextTryAt: next.nextTryAt });
        }
        causes.push(...found.sort((one, other) => other.count - one.count));
      }
      return causes;
    },
    /** Each learner's score in the column of all sessions, as parts of the maximum. */
    sharesOf: async (courseKey: CourseKey) => {
      const scored = { ...courseKey, columnKey: attendanceColumn, "desired.score": { $ne: null } };
      const rows = await records.some(["desired"], { ...scored, urgency: { $lt: urgency.noNews } });
      return rows.flatMap(({ desired }) =>
        desired === null || desired.score === null ? [] : [desired.score / (desired.maximum || 1)],
      );
    },
    findMany: (courseKey: CourseKey, ids: readonly string[]): Promise<Delivery[]> =>
      records.list({ _id: { $in: ids }, ...courseKey }),
    /** Grades that the line item accepted, as far as we know. */
    listArrived: async (column: CourseKey & Pick<Delivery, "columnKey">, lineItemUrl: string) => {
      const fields = ["sub", "accepted", "unconfirmed"] as const;
      const rows = await records.some(fields, { ...column, accepted: { $ne: null } });
      return rows.flatMap(({ accepted, ...row }) =>
        accepted?.lineItemUrl === lineItemUrl && accepted.score !== null ? [{ ...row, accepted }] : [],
      );
    },
    /** The gradebook has lost all of them. Nothing is sent until an instructor says why. Ends claims. */
    loseGrades: async (column: CourseKey & Pick<Delivery, "columnKey">): Promise<void> => {
      const gone = { accepted: null, unconfirmed: [], foreign: null, overruled: null, waitingSince: null };
      const waits = { ...gone, state: "blocked", refusal: "gradebook-emptied" } as const;
      const withScore = { ...column, "desired.score": { $ne: null } };
      const set = { ...waits, urgency: urgency.waiting, ...released };
      await leaveStates(counted, ["delivered", "refused", "held"], withScore, set);
      await records.changeAll({ ...withScore, state: "waiting" }, { $set: set });
      await records.changeAll({ ...column, state: { $ne: "blocked" } }, { $set: gone });
    },
    /** A new term: forgets earlier scores, which are listed again once there are new ones. */
    beginTerm: async (column: CourseKey & Pick<Delivery, "columnKey">): Promise<void> => {
      const none = { desired: null, state: "blocked", refusal: personLeft } as const;
      const before = { ...column, state: { $in: [...notSent] } };
      await records.changeAll(before, { $set: { ...none, urgency: urgency.noNews, ...released } });
    },
    /** Sends scores again, even those that arrived. Held ones stay held. @returns how many there were */
    resend: (courseKey: CourseKey, ids: readonly string[], now: number) =>
      queue.announced(courseKey.registrationId, now, async () => {
        const some = { _id: { $in: [...ids] }, ...courseKey };
        const withScore = { ...some, ...ofLearners, "desired.score": { $ne: null } };
        const due = { nextTryAt: now, attempts: 0, refusal: null, again: true };
        const waiting = await records.changeAll({ ...withScore, state: "waiting" }, { $set: due });
        const again = { ...dueNow(now), again: true };
        return waiting + (await leaveStates(counted, [...refusedOrBlocked, "delivered"], withScore, again));
      }),
    countAgain: (courseKey: CourseKey): Promise<number> =>
      records.count({ ...courseKey, state: "waiting", again: true }),
  };
}

type DeliveryRank = {
  /** A copy of the person's sorting key, because a store can't sort by another record. */
  listName: string;
  urgency: number;
};
/** Null if no position is stored. */
export type ListedDelivery = { delivery: Delivery } & {
  [name in keyof DeliveryRank]: DeliveryRank[name] | null;
};

const listedUrgencies = [urgency.held, urgency.refused, urgency.waiting, urgency.settled];

function storedStates(state: ScoreState): readonly Delivery["state"][] {
  if (state === "waiting") return ["waiting", "blocked"];
  return [state === "left" ? "held" : state];
}

/** Null for all. */
type Listed = { state: ScoreState | null; personIds: readonly string[] | null };

export function deliveryOrder(records: Records<typeof deliveryRecord>) {
  const filterOf = (courseKey: CourseKey, { state, personIds }: Listed) => ({
    registrationId: courseKey.registrationId,
    courseId: courseKey.courseId,
    ...(state === null
      ? { urgency: { $in: listedUrgencies } }
      : { urgency: urgencyOfState(state), state: { $in: [...storedStates(state)] } }),
    ...(personIds === null ? {} : { personId: { $in: [...personIds] } }),
  });
  const listed = (row: DeliveryRow): ListedDelivery => ({
    delivery: records.read(row),
    listName: row.listName ?? null,
    urgency: row.urgency ?? null,
  });

  return {
    /** By urgency, list name, person, and column. */
    page: async (
      courseKey: CourseKey,
      query: Listed,
      part: { skip: number; limit: number },
    ): Promise<ListedDelivery[]> => {
      const rows = await records.rows(filterOf(courseKey, query), {
        sort: { urgency: 1, listName: 1, personId: 1, columnKey: 1 },
        skip: part.skip,
        limit: part.limit,
      });
      return rows.map(listed);
    },
    countListed: (courseKey: CourseKey, query: Listed) => records.count(filterOf(courseKey, query)),
    countByScoreState: async (courseKey: CourseKey): Promise<ScoreCounts> => {
      const count = (state: ScoreState) => records.count(filterOf(courseKey, { state, personIds: null }));
      const [held, refused, waiting, left, delivered, idle] = await Promise.all([
        count("held"),
        count("refused"),
        count("waiting"),
        count("left"),
        count("delivered"),
        count("idle"),
      ]);
      return { held, refused, waiting, left, delivered, idle };
    },
    putInOrder: async (unplaced: readonly { delivery: Delivery; listName: string }[]): Promise<void> => {
      if (unplaced.length === 0) return;
      await records.model.bulkWrite(
        unplaced.flatMap(({ delivery, listName }) => {
          const { id: _id, state, accepted } = delivery;
          const same = { _id, state, ...(accepted === null ? { accepted: null } : {}) };
          return [
            { updateOne: { filter: { _id }, update: { $set: { listName } } } },
            { updateOne: { filter: same, update: { $set: { urgency: urgencyOf(delivery) } } } },
          ];
        }),
        { ordered: true },
      );
    },
  };
}

export function deliveryCounts({ records, delivered }: CountedDeliveries) {
  return {
    oldestWaiting: async (): Promise<number | null> => {
      const row = await records.row({ state: "waiting" }, { sort: { waitingSince: 1 } });
      return row?.waitingSince ?? null;
    },
    countWaitingOf: (registrationId: string, limit: number) =>
      records.count({ registrationId, state: "waiting" }, limit),
    /** Counts scores in the gradebook that were last due between two moments (ms), up to a limit. */
    countDelivered: (since: number, before: number, limit: number) =>
      records.count({ state: "delivered", nextTryAt: { $gte: since, $lt: before } }, limit),
    /** Counts scores that an LMS refused and that were tried since then (ms). */
    countRefusedOf: (registrationId: string, since: number, limit: number) =>
      records.count({ registrationId, state: "refused", nextTryAt: { $gte: since } }, limit),
    /** Scores of an LMS that were tried since then (ms), or wait: when the gradebook last accepted each, and when it refused; null for never. */
    listMoved: async (registrationId: string, since: number) => {
      const listedFields = ["courseId", "state", "nextTryAt", "accepted"] as const;
      const moved = [];
      for (const state of ["delivered", "waiting", "blocked", "refused", "held"] as const)
        moved.push(
          ...(await records.some(listedFields, { registrationId, state, nextTryAt: { $gte: since } })),
        );
      return moved.map(({ courseId, state, nextTryAt, accepted }) => ({
        courseId,
        acceptedAt: accepted?.at ?? null,
        refusedAt: state === "refused" ? nextTryAt : null,
      }));
    },
    /** How long scores took from the mark to the gradebook (ms), for the latest ones that arrived since then. */
    arrivals: async (
      within: { registrationId: string; courseId?: string } | null,
      { since, limit }: { since: number; limit: number },
    ): Promise<number[]> => {
      const delivered = { ...within, state: "delivered", nextTryAt: { $gte: since } } as const;
      const rows = await records.some(["accepted"], delivered, { sort: { nextTryAt: -1 }, limit });
      return rows.flatMap(({ accepted }) =>
        accepted?.markedAt === undefined ? [] : [accepted.at - accepted.markedAt],
      );
    },
    countAllDue: (at: number) => records.count({ state: "waiting", nextTryAt: { $lte: at } }),
    /** Counts scores that have waited since `at` (ms), retries included. */
    countLeft: (at: number) => records.count({ state: "waiting", waitingSince: { $lte: at } }),
    /** "delivered" is a running total, some seconds old. */
    countByState: async (): Promise<Record<Exclude<Delivery["state"], "idle">, number>> => ({
      waiting: await records.count({ state: "waiting" }),
      delivered: await delivered.read(),
      blocked: await records.count({ state: "blocked" }),
      refused: await records.count({ state: "refused" }),
      held: await records.count({ state: "held" }),
    }),
  };
}

/** Changes scores in some states and updates the count of delivered ones. @returns how many there were */
export async function leaveStates(
  { records, delivered }: CountedDeliveries,
  states: readonly Exclude<Delivery["state"], "waiting">[],
  filter: Record<string, unknown>,
  set: Partial<DeliveryRow>,
): Promise<number> {
  let left = 0;
  for (const state of states) {
    const some = await records.changeAll({ ...filter, state }, { $set: set });
    if (state === "delivered") delivered.moved(-some);
    left += some;
  }
  return left;
}
