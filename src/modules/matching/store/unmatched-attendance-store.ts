import type { RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { createHash } from "node:crypto";
import type { Connection } from "mongoose";
import {
  type AttendanceHistory,
  type AttendanceObservation,
  withObservation,
} from "../../../domain/attendance.ts";
import type { AccountId } from "../../../domain/account.ts";
import { type UnmatchedAttendance, unmatchedAttendanceRecord } from "../rules/unmatched.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

type UnmatchedRow = RowOf<typeof unmatchedAttendanceRecord>;

export type UnmatchedKey = Pick<UnmatchedAttendance, "environment" | "eventId" | "userId">;

export type ReportedObservation = {
  courseId: string | null;
  /** Computed from what is kept; null when nothing is added. May be called more than once. */
  observe: (known: AttendanceHistory) => AttendanceObservation | null;
  now: number;
};
export type UnmatchedAttendanceStore = ReturnType<typeof createUnmatchedAttendanceStore>;

/** One record for each (environment, event, user). */
export function createUnmatchedAttendanceStore(connection: Connection) {
  const model = recordModel(connection, unmatchedAttendanceRecord);

  /** @returns false when another process wrote meanwhile: to be decided anew. */
  async function kept(key: UnmatchedKey, { courseId, observe, now }: ReportedObservation): Promise<boolean> {
    const _id = idOf(key);
    const row = await model.findOne({ _id }).lean();
    const seen = observe(row?.history ?? []);
    if (row === null) {
      return (
        seen === null ||
        made({ _id, ...key, courseId, history: [seen], toldAt: now, asideAt: null, revision: 1 })
      );
    }
    const longer = seen === null ? row.history : withObservation(row.history, seen);
    const isNew = longer !== row.history;
    if (!isNew && row.courseId === courseId) return true;
    const news = isNew ? { asideAt: null, toldAt: now } : {};
    const done = await model.updateOne(
      { _id, revision: row.revision },
      { $set: { history: [...longer], courseId, ...news, revision: row.revision + 1 } },
    );
    return done.matchedCount === 1;
  }

  async function made(row: UnmatchedRow): Promise<boolean> {
    try {
      await model.create(row);
      return true;
    } catch (thrown) {
      if (!isDuplicateKey(thrown)) throw thrown;
      return false;
    }
  }

  return {
    /** Repeatable. */
    keep: async (key: UnmatchedKey, observation: ReportedObservation): Promise<void> => {
      while (!(await kept(key, observation)));
    },
    find: async (key: UnmatchedKey): Promise<UnmatchedAttendance | null> => {
      const row = await model.findOne({ _id: idOf(key) }).lean();
      return row === null ? null : toUnmatched(row);
    },
    /** Of a course's own events. */
    listOfCourse: async (courseId: string, limit: number): Promise<UnmatchedAttendance[]> =>
      (await model.find({ courseId }).sort({ userId: 1 }).limit(limit).lean()).map(toUnmatched),
    listOfEvent: async (
      environment: AccountId,
      eventId: string,
      limit: number,
    ): Promise<UnmatchedAttendance[]> =>
      (await model.find({ environment, eventId }).sort({ _id: 1 }).limit(limit).lean()).map(toUnmatched),
    listOfUser: async (
      environment: AccountId,
      userId: string,
      limit: number,
    ): Promise<UnmatchedAttendance[]> =>
      (await model.find({ environment, userId }).sort({ _id: 1 }).limit(limit).lean()).map(toUnmatched),
    /** Last reported before a moment (ms), by id, after `after`. */
    listOld: async (before: number, after: string, limit: number): Promise<UnmatchedAttendance[]> => {
      await model.updateMany({ toldAt: null }, { $set: { toldAt: before } });
      return (
        await model
          .find({ toldAt: { $lt: before }, _id: { $gt: after } })
          .sort({ _id: 1 })
          .limit(limit)
          .lean()
      ).map(toUnmatched);
    },
    /** Deletes records without a report since `before` (ms). */
    deleteOld: async (ids: readonly string[], before: number): Promise<void> => {
      await model.deleteMany({ _id: { $in: [...ids] }, toldAt: { $lt: before } });
    },
    /** Null brings them back. */
    putAside: async (courseId: string, userId: string, asideAt: number | null): Promise<void> => {
      await model.updateMany({ courseId, userId }, { $set: { asideAt } });
    },
  };
}

function idOf({ environment, eventId, userId }: UnmatchedKey): string {
  return createHash("sha256")
    .update(JSON.stringify([environment, eventId, userId]))
    .digest("hex")
    .slice(0, 40);
}

function toUnmatched({ _id, revision: _revision, toldAt, ...row }: UnmatchedRow): UnmatchedAttendance {
  return { id: _id, ...row, toldAt: toldAt ?? 0 };
}
