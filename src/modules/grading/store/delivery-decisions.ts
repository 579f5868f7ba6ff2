import type { DueQueue } from "../../../storage/due-heads.ts";
import type { PageCursor } from "../../../storage/records.ts";
import { released } from "../../../storage/due-queue.ts";
import {
  codesOf,
  type Delivery,
  type Obstacle,
  personLeft,
  personalRefusals,
  quietMs,
  urgency,
} from "../rules/delivery.ts";
import {
  type CountedDeliveries,
  dueNow,
  refusedOrBlocked,
  leaveStates,
  ofLearners,
} from "./delivery-rows.ts";

export function deliveryQueue(counted: CountedDeliveries, queue: DueQueue) {
  const { records } = counted;
  const makeDue = async (ids: readonly string[], now: number): Promise<number> => {
    const some = { _id: { $in: [...ids] } };
    const waiting = await records.changeAll(
      { ...some, state: "waiting" },
      { $set: { nextTryAt: now, attempts: 0 } },
    );
    // A score of an earlier term is blocked, and there is nothing to send.
    const withScore = { ...some, ...ofLearners, desired: { $ne: null } };
    const refused = await leaveStates(counted, refusedOrBlocked, withScore, dueNow(now));
    const scored = { ...some, "desired.score": { $ne: null } };
    const arrived = await leaveStates(counted, ["delivered"], scored, { ...dueNow(now), again: true });
    return waiting + refused + arrived;
  };
  return {
    findById: (id: string): Promise<Delivery | null> => records.find({ _id: id }),
    /** Those tried last come first. @param within An LMS or a course. @param after Where the previous page ended, by `nextTryAt`. */
    queue: async (
      state: Delivery["state"],
      within: { registrationId: string; courseId?: string } | null,
      after: PageCursor | null,
      limit: number,
    ): Promise<Delivery[]> =>
      (await records.latest("nextTryAt", { ...within, state }, after, limit)).map(records.read),
    countUpTo: (state: Delivery["state"], limit: number): Promise<number> => records.count({ state }, limit),
    /** Sends scores that were kept back, wait or arrived, except null ones. Held ones stay held. @returns how many there were */
    sendAgain: async (ids: readonly string[], now: number): Promise<number> => {
      const found = await records.some(["registrationId"], { _id: { $in: ids } });
      let sent = 0;
      for (const registrationId of new Set(found.map((row) => row.registrationId))) {
        const own = found.filter((row) => row.registrationId === registrationId).map(({ _id }) => _id);
        sent += await queue.announced(registrationId, now, () => makeDue(own, now));
      }
      return sent;
    },
  };
}

type CourseKey = Pick<Delivery, "registrationId" | "courseId">;

export type PausedScores = { nextTryAt: number; reason: string };

export function deliveryDecisions(counted: CountedDeliveries, queue: DueQueue) {
  const { records } = counted;
  const release = async (
    where: { registrationId: string } & Record<string, unknown>,
    states: readonly Delivery["state"][],
    codes: readonly string[],
    now: number,
  ): Promise<void> => {
    const reasons = { state: { $in: [...states] }, refusal: { $in: [...codes] } };
    const found = { ...where, desired: { $ne: null }, ...reasons };
    // Usually there is none, and a write would wait.
    if ((await records.row(found)) === null) return;
    await queue.announced(where.registrationId, now, () => records.changeAll(found, { $set: dueNow(now) }));
  };
  return {
    /** Replaces teachers' grades. Another change in the gradebook makes it a conflict again. Ignores other ids. @returns how many there were */
    overrule: async (courseKey: CourseKey, ids: readonly string[], now: number): Promise<number> => {
      const conflicts = await records.rows({ _id: { $in: ids }, ...courseKey, state: "held" });
      if (conflicts.length === 0) return 0;
      await queue.announced(courseKey.registrationId, now, async () => {
        for (const { _id, foreign } of conflicts) {
          const overruled = { overruled: foreign ?? null, foreign: null, again: true };
          await records.change(
            { _id, state: "held" },
            { $set: { ...dueNow(now), ...overruled, ...released } },
          );
        }
      });
      return conflicts.length;
    },
    /** Leaves the teachers' grades for good. @returns how many there were */
    leave: async (courseKey: CourseKey, ids: readonly string[], now: number): Promise<number> => {
      const conflicts = { _id: { $in: [...ids] }, ...courseKey, state: "held" } as const;
      return await records.changeAll(conflicts, {
        $set: { "foreign.leftAt": now, urgency: urgency.settled },
      });
    },
    /** Makes scores due that were kept back because of people who can now be graded. */
    retryPeople: async (courseKey: CourseKey, personIds: readonly string[], now: number): Promise<void> => {
      if (personIds.length === 0) return;
      const codes = [...personalRefusals, ...codesOf("person")];
      await release({ ...courseKey, personId: { $in: [...personIds] } }, refusedOrBlocked, codes, now);
    },
    /**
     * Scores of former members that the LMS refused wait until those people return. Scores of people who are no longer learners wait
     * whatever their state, until they are learners again. Unreleased ones are computed again then.
     */
    standDown: async (
      courseKey: CourseKey,
      personIds: readonly string[],
      who: "left" | "no-learner",
    ): Promise<void> => {
      if (personIds.length === 0) return;
      const own = { ...courseKey, personId: { $in: [...personIds] } };
      const refused = { ...own, state: "refused", refusal: { $in: [...personalRefusals] } } as const;
      const concerned = who === "left" ? refused : { ...own, ...ofLearners };
      // Usually there is none, and a write would wait.
      if ((await records.row(concerned)) === null) return;
      const away = { state: "blocked", refusal: personLeft, urgency: urgency.noNews } as const;
      const quiet = { ...away, waitingSince: null };
      if (who === "left") {
        await records.changeAll(refused, { $set: quiet });
        return;
      }
      const none = { ...quiet, unreleased: null };
      await records.changeAll({ ...own, state: "waiting" }, { $set: { ...none, ...released } });
      await leaveStates(counted, ["delivered", "held", ...refusedOrBlocked], concerned, none);
      await leaveStates(counted, ["idle"], { ...own, "desired.score": { $ne: null } }, none);
      await leaveStates(counted, ["idle"], own, { ...none, desired: null });
    },
    /**
     * An obstacle is gone.
     * @param where The whole LMS, a course, or a column.
     * @param goneAt Later attempts met the obstacle anyway (ms), so they stay blocked.
     */
    unblock: (
      where: Pick<CourseKey, "registrationId"> & Partial<Pick<Delivery, "courseId" | "columnKey">>,
      obstacle: Obstacle,
      now: number,
      goneAt = now,
    ): Promise<void> =>
      release({ ...where, nextTryAt: { $lte: goneAt } }, ["blocked"], codesOf(obstacle), now),
    /** Sends all scores of a course again, even those that arrived. Held ones stay held. */
    resendCourse: async (courseKey: CourseKey, now: number): Promise<void> => {
      const due = { nextTryAt: now, attempts: 0, refusal: null, again: true };
      // A null score isn't sent again, because another clearing could only do harm.
      const scored = { ...courseKey, ...ofLearners, "desired.score": { $ne: null } };
      await queue.announced(courseKey.registrationId, now, async () => {
        await records.changeAll({ ...courseKey, state: "waiting" }, { $set: due });
        await leaveStates(counted, settledStates, scored, { ...dueNow(now), again: true });
      });
    },
    /** After a change of points. An attempt with the old points keeps its claim but settles nothing; see `retryColumn`. */
    resendColumn: async (column: CourseKey & Pick<Delivery, "columnKey">, now: number): Promise<void> => {
      const scored = { ...column, ...ofLearners, "desired.score": { $ne: null } };
      await queue.announced(column.registrationId, now, async () => {
        await records.changeAll(
          { ...column, state: "waiting" },
          { $set: { nextTryAt: now, again: true }, $inc: { "desired.revision": 1 } },
        );
        await leaveStates(counted, settledStates, scored, { ...dueNow(now), again: true, ...released });
      });
    },
    /** Makes gathering scores due soon, unless more comes. */
    endGathering: async (courseKey: CourseKey, personIds: readonly string[], now: number): Promise<void> => {
      const own = { ...courseKey, personId: { $in: [...personIds] } };
      const waiting = { ...own, state: "waiting", gathering: true } as const;
      // Usually there is none, and a write would wait.
      if ((await records.row(waiting)) === null) return;
      const dueAt = now + quietMs;
      await queue.announced(courseKey.registrationId, dueAt, () =>
        records.changeAll(waiting, { $min: { nextTryAt: dueAt } }),
      );
    },
    waitForLms: async (ids: readonly string[], holder: string, paused: PausedScores): Promise<void> => {
      if (ids.length === 0) return;
      const claimed = { _id: { $in: [...ids] }, leaseHolder: holder };
      await records.changeAll({ ...claimed, state: "waiting" }, { $set: { ...paused, ...released } });
      await records.changeAll(claimed, { $set: released });
      const first = await records.row({ _id: { $in: ids } });
      if (first !== null) await queue.givenBack(first.registrationId, paused.nextTryAt);
    },
    /** The LMS is back, so everything is due except what it asked to delay. */
    retryLms: async (registrationId: string, now: number): Promise<void> => {
      const later = { registrationId, state: "waiting", nextTryAt: { $gt: now } } as const;
      await queue.announced(registrationId, now, () =>
        records.changeAll({ ...later, reason: { $ne: "busy" } }, { $set: { nextTryAt: now } }),
      );
    },
    unsentOfCourse: async (courseKey: CourseKey) => {
      // Blocked scores have this time if a person must help.
      const waiting = { ...courseKey, state: { $in: [...unsent] }, waitingSince: { $gt: 0 } };
      const oldest = await records.row(waiting, { sort: { waitingSince: 1 } });
      if (oldest === null) return { oldest, waiting: 0 };
      return { oldest: oldest.waitingSince, waiting: await records.count(waiting) };
    },
    countOfColumn: (column: CourseKey & Pick<Delivery, "columnKey">) => records.count({ ...column }),
    isWanted: (column: CourseKey & Pick<Delivery, "columnKey">) =>
      records.exists({ ...column, "desired.score": { $ne: null } }),
  };
}

const unsent = ["waiting", "blocked"] as const;
const settledStates = [...refusedOrBlocked, "delivered"] as const;

export function deliveryRestores(counted: CountedDeliveries, queue: DueQueue) {
  const { records } = counted;
  return {
    /**
     * Makes all scores that a course should have, or may have, be compared with the gradebook first. Until then, none counts as delivered.
     * Repeatable. @returns how many there are
     */
    compareCourse: async (courseKey: CourseKey, restoredAt: number, now: number): Promise<number> => {
      const some = { ...courseKey, ...ofLearners, desired: { $ne: null } };
      const states = ["delivered", "refused", "blocked", "held"] as const;
      const all = { ...some, state: { $in: ["waiting", ...states] } } as const;
      // Theirs are compared once they are learners again.
      await records.changeAll({ ...courseKey, refusal: personLeft }, { $set: { restoredAt } });
      const count = await records.count(all);
      if (count === 0) return 0;
      const toCompare = { ...dueNow(now), restoredAt, ...released } as const;
      await queue.announced(courseKey.registrationId, now, async () => {
        await records.changeAll({ ...some, state: "waiting" }, { $set: toCompare });
        await leaveStates(counted, states, some, toCompare);
      });
      return count;
    },
  };
}
