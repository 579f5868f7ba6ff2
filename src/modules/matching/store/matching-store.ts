import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import {
  type AttendanceHistory,
  type AttendanceObservation,
  withObservation,
} from "../../../domain/attendance.ts";
import type { RowOf } from "../../../domain/record.ts";
import { sha256 } from "../../../kernel/ids.ts";
import { dayMs } from "../../../kernel/clock.ts";
import {
  type UnassignedEvent,
  unassignedEventRecord,
  type UnmatchedAttendance,
  unmatchedAttendanceRecord,
  type UserMatch,
  userMatchRecord,
} from "../rules/records.ts";
import { openDueQueue, never, released, stillDue } from "../../../storage/due-queue.ts";
import { onDuplicate, openRecords } from "../../../storage/records.ts";

export type UnassignedEventKey = Pick<
  UnassignedEvent,
  "registrationId" | "courseId" | "environment" | "eventId"
>;

/** One record per course and event whose attendance names members of the course. */
export function createUnassignedEventStore(connection: Connection) {
  const records = openRecords(connection, unassignedEventRecord);
  const queue = openDueQueue(connection, unassignedEventRecord, "claimed-sessions");
  const idOf = ({ courseId, environment, eventId }: Omit<UnassignedEventKey, "registrationId">) =>
    `${courseId}:${environment}:${eventId}`;

  return {
    /** Notes that the event names a member. Repeating this within a day changes nothing. */
    note: async (key: UnassignedEventKey, now: number): Promise<void> => {
      const _id = idOf(key);
      const row = await records.row({ _id });
      if (row !== null && row.notedAt > now - dayMs) return;
      const first = { _id, ...key, answer: "open", by: null, at: null, dueAt: never, ...released } as const;
      await records.save({ _id }, { $set: { notedAt: now }, $setOnInsert: first });
    },
    find: (key: UnassignedEventKey): Promise<UnassignedEvent | null> => records.find({ _id: idOf(key) }),
    listOfCourse: (
      registrationId: string,
      courseId: string,
      answer: UnassignedEvent["answer"],
      limit: number,
    ): Promise<UnassignedEvent[]> =>
      records.list({ registrationId, courseId, answer }, { sort: { _id: 1 }, limit }),
    /** The course that answered "ours", or null. */
    courseOf: async (environment: AccountId, eventId: string) =>
      (await records.row({ environment, eventId, answer: "ours" }))?.courseId ?? null,
    /** @returns false if it already belongs to another course, or there is no such event. */
    answer: async (
      key: UnassignedEventKey,
      answer: UnassignedEvent["answer"],
      decision: { by: string; at: number },
    ): Promise<boolean> => {
      // An earlier "ours" may still have to be taken back.
      const due: { dueAt?: number } = answer === "ours" ? { dueAt: decision.at } : {};
      const change = { $set: { answer, ...decision, ...due } };
      return queue
        .announced(due.dueAt ?? never, () =>
          records.change({ _id: idOf(key), answer: { $ne: "ours" } }, change),
        )
        .catch(onDuplicate(false));
    },
    /** @returns false if nobody answered "ours", or another caller has undone it. */
    undo: (key: UnassignedEventKey, decision: { by: string; at: number }) =>
      queue.announced(decision.at, () =>
        records.change(
          { _id: idOf(key), answer: "ours" },
          { $set: { answer: "open", ...decision, dueAt: decision.at } },
        ),
      ),
    /** A process that had read the answer before may have stored the event as the course's since. Has no effect while the answer is "ours". */
    takeBackAgain: async (key: Omit<UnassignedEventKey, "registrationId">, now: number): Promise<void> => {
      await queue.announced(now, () =>
        records.change(
          { _id: idOf(key), answer: { $ne: "ours" } },
          // A process that is undoing it right now notices from `at` that there is more to do.
          { $set: { dueAt: now }, $inc: { at: 1 } },
        ),
      );
    },
    /** Answers that still have to be applied. */
    countToApply: (registrationId: string, courseId: string) =>
      records.count(stillDue(registrationId, courseId)),
    claimDue: queue.claimDue,
    extend: queue.extend,
    /** The answer was applied, unless another one came. With a time, it's retried then. */
    settle: async ({ id, at }: Pick<UnassignedEvent, "id" | "at">, holder: string, dueAt: number | null) => {
      const claimed = { _id: id, leaseHolder: holder };
      await records.change({ ...claimed, at }, { $set: { dueAt: dueAt ?? never } });
      await queue.release(id, holder);
    },
    /** Deletes events without a course that were last noted before a moment (ms), up to a limit. @returns how many. */
    purge: async (before: number, limit: number): Promise<number> => {
      const old = { answer: { $in: ["open", "not-ours"] as const }, notedAt: { $lt: before }, dueAt: never };
      const some = await records.some(["_id"], old, { limit });
      if (some.length > 0) await records.remove({ ...old, _id: { $in: some.map(({ _id }) => _id) } });
      return some.length;
    },
  };
}

type UnmatchedRow = RowOf<typeof unmatchedAttendanceRecord>;

type UnmatchedKey = Pick<UnmatchedAttendance, "environment" | "eventId" | "userId">;

type ReportedObservation = {
  courseId: string | null;
  /** Computed from what is stored. Null if nothing is added. May be called more than once. */
  observe: (known: AttendanceHistory) => AttendanceObservation | null;
  now: number;
};

/** One record per account, event and user. */
export function createUnmatchedAttendanceStore(connection: Connection) {
  const records = openRecords(connection, unmatchedAttendanceRecord);

  /** @returns false if another process wrote first. Decide again. */
  async function update(
    key: UnmatchedKey,
    { courseId, observe, now }: ReportedObservation,
  ): Promise<boolean> {
    const _id = idOf(key);
    const row = await records.row({ _id });
    const seen = observe(row?.history ?? []);
    if (row === null) {
      return (
        seen === null ||
        records.insert({ _id, ...key, courseId, history: [seen], toldAt: now, asideAt: null, revision: 1 })
      );
    }
    const longer = seen === null ? row.history : withObservation(row.history, seen);
    const isNew = longer !== row.history;
    if (!isNew && row.courseId === courseId) return true;
    const news = isNew ? { asideAt: null, toldAt: now } : {};
    return records.change(
      { _id, revision: row.revision },
      { $set: { history: [...longer], courseId, ...news, revision: row.revision + 1 } },
    );
  }

  return {
    keep: async (key: UnmatchedKey, observation: ReportedObservation): Promise<void> => {
      while (!(await update(key, observation)));
    },
    find: async (key: UnmatchedKey): Promise<UnmatchedAttendance | null> => {
      const row = await records.row({ _id: idOf(key) });
      return row === null ? null : toUnmatched(row);
    },
    listOfCourse: async (courseId: string, limit: number) =>
      (await records.rows({ courseId }, { sort: { userId: 1 }, limit })).map(toUnmatched),
    listOfEvent: async (environment: AccountId, eventId: string, limit: number) =>
      (await records.rows({ environment, eventId }, { sort: { _id: 1 }, limit })).map(toUnmatched),
    listOfUser: async (environment: AccountId, userId: string, limit: number) =>
      (await records.rows({ environment, userId }, { sort: { _id: 1 }, limit })).map(toUnmatched),
    /** Attendance last reported before a moment (ms), by id, after `after`. */
    listOld: async (before: number, after: string, limit: number): Promise<UnmatchedAttendance[]> =>
      (await records.rows({ toldAt: { $lt: before }, _id: { $gt: after } }, { sort: { _id: 1 }, limit })).map(
        toUnmatched,
      ),
    /** Deletes records without a report since `before` (ms). */
    deleteOld: async (ids: readonly string[], before: number): Promise<void> => {
      await records.remove({ _id: { $in: ids }, toldAt: { $lt: before } });
    },
    /** Null brings them back. */
    putAside: async (courseId: string, userId: string, asideAt: number | null): Promise<void> => {
      await records.changeAll({ courseId, userId }, { $set: { asideAt } });
    },
  };
}

function idOf({ environment, eventId, userId }: UnmatchedKey): string {
  return sha256(JSON.stringify([environment, eventId, userId])).slice(0, 40);
}

function toUnmatched({ _id, revision: _revision, ...row }: UnmatchedRow): UnmatchedAttendance {
  return { id: _id, ...row };
}

type UserMatchKey = Pick<UserMatch, "registrationId" | "deploymentId" | "environment" | "userId">;

/** One record per registration, deployment, account and user. */
export function createUserMatchStore(connection: Connection) {
  const records = openRecords(connection, userMatchRecord);
  const queue = openDueQueue(connection, userMatchRecord, "matches");

  return {
    /** @returns false if this user is already matched. */
    insert: async (match: Omit<UserMatch, "state">): Promise<boolean> => {
      const { id, ...facts } = match;
      return queue.announced(match.at, () =>
        records.insert({ _id: id, ...facts, dueAt: match.at, state: "holds", ...released }),
      );
    },
    find: (key: UserMatchKey): Promise<UserMatch | null> => records.find({ ...key, state: "holds" }),
    findById: (id: string): Promise<UserMatch | null> => records.find({ _id: id }),
    findMany: (key: Omit<UserMatchKey, "userId">, userIds: readonly string[]) =>
      records.list({ ...key, userId: { $in: userIds }, state: "holds" }),
    /** Users matched in any deployment, even if that match is being taken back. */
    listMatchedUsers: async (environment: AccountId, userIds: readonly string[]) =>
      (await records.some(["userId"], { environment, userId: { $in: userIds } })).map(({ userId }) => userId),
    listOfUser: (environment: AccountId, userId: string) =>
      records.list({ environment, userId, state: "holds" }, { sort: { _id: 1 }, limit: 20 }),
    listOfPerson: (registrationId: string, personId: string) =>
      records.list({ registrationId, personId, state: "holds" }),
    listOfCourse: (registrationId: string, courseId: string) =>
      records.list({ registrationId, courseId, state: "holds" }, { sort: { at: -1 }, limit: 500 }),
    /** Ends a match, which is then taken back. @returns false if another caller has undone it. */
    undo: (id: string, now: number) =>
      queue.announced(now, () =>
        records.change({ _id: id, state: "holds" }, { $set: { state: "undone", dueAt: now } }),
      ),
    /** Matches that still have to be applied or taken back. */
    countToApply: (registrationId: string, courseId: string) =>
      records.count(stillDue(registrationId, courseId)),
    claimDue: queue.claimDue,
    extend: queue.extend,
    /** Marks a match as applied. Deletes it if it was undone since. */
    applied: async ({ id, state }: Pick<UserMatch, "id" | "state">, holder: string): Promise<void> => {
      if (state === "undone") await records.remove({ _id: id, leaseHolder: holder });
      else await records.change({ _id: id, leaseHolder: holder, state }, { $set: { dueAt: never } });
      await queue.release(id, holder);
    },
    /** It couldn't be applied, and is retried at `dueAt`. */
    postpone: async (id: string, holder: string, dueAt: number): Promise<void> => {
      await queue.settle(id, holder, { dueAt });
    },
  };
}
