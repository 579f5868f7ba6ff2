import { createHash } from "node:crypto";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import {
  type AttendanceHistory,
  type AttendanceObservation,
  withObservation,
} from "../../../domain/attendance.ts";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import {
  type UnassignedEvent,
  unassignedEventRecord,
  type UnmatchedAttendance,
  unmatchedAttendanceRecord,
} from "../rules/records.ts";
import { dueHeadsOf, type DueRange, everything } from "../../../storage/due-heads.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { dueClaim, dueOf, longerLease, never, released, stillDue } from "../../../storage/lease.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type UnassignedEventKey = Pick<
  UnassignedEvent,
  "registrationId" | "courseId" | "environment" | "eventId"
>;

const dayMs = 24 * 3_600_000;

/** One record for each (course, event) whose attendance names members of the course. */
export function createUnassignedEventStore(connection: Connection) {
  const model = recordModel(connection, unassignedEventRecord);
  const firstDue = (_scope: string, dueAt: DueRange) =>
    model.findOne({ dueAt }).sort({ dueAt: 1 }).lean().exec();
  const queue = dueHeadsOf(connection).queue("claimed-sessions", firstDue);
  const idOf = ({ courseId, environment, eventId }: Omit<UnassignedEventKey, "registrationId">) =>
    `${courseId}:${environment}:${eventId}`;

  return {
    /** A member is named by the event; a repetition within a day changes nothing. */
    note: async (key: UnassignedEventKey, now: number): Promise<void> => {
      const _id = idOf(key);
      const row = await model.findOne({ _id }).lean();
      if (row !== null && row.notedAt > now - dayMs) return;
      const first = { _id, ...key, answer: "open", by: null, at: null, dueAt: never, ...released } as const;
      await retriedOnDuplicate(() =>
        model.updateOne({ _id }, { $set: { notedAt: now }, $setOnInsert: first }, { upsert: true }),
      );
    },
    find: async (key: UnassignedEventKey): Promise<UnassignedEvent | null> => {
      const row = await model.findOne({ _id: idOf(key) }).lean();
      return row === null ? null : toUnassigned(row);
    },
    listOfCourse: async (
      registrationId: string,
      courseId: string,
      answer: UnassignedEvent["answer"],
      limit: number,
    ): Promise<UnassignedEvent[]> =>
      (await model.find({ registrationId, courseId, answer }).sort({ _id: 1 }).limit(limit).lean()).map(
        toUnassigned,
      ),
    /** The course that answered "ours"; null for none. */
    courseOf: async (environment: AccountId, eventId: string): Promise<string | null> =>
      (await model.findOne({ environment, eventId, answer: "ours" }).lean())?.courseId ?? null,
    /** @returns false when it is another course's already, or there is no such event. */
    answer: async (
      key: UnassignedEventKey,
      answer: UnassignedEvent["answer"],
      said: { by: string; at: number },
    ): Promise<boolean> => {
      // An earlier "ours" may still have to be taken back.
      const due: { dueAt?: number } = answer === "ours" ? { dueAt: said.at } : {};
      try {
        const done = await queue.announced(everything, due.dueAt ?? never, () =>
          model.updateOne({ _id: idOf(key), answer: { $ne: "ours" } }, { $set: { answer, ...said, ...due } }),
        );
        return done.matchedCount === 1;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** @returns false when nobody answered "ours", or another caller has undone it. */
    undo: async (key: UnassignedEventKey, said: { by: string; at: number }): Promise<boolean> =>
      (
        await queue.announced(everything, said.at, () =>
          model.updateOne(
            { _id: idOf(key), answer: "ours" },
            { $set: { answer: "open", ...said, dueAt: said.at } },
          ),
        )
      ).matchedCount === 1,
    /**
     * A process that read the answer before may have stored the event as the course's since. No effect while it is.
     */
    takeBackAgain: async (key: Omit<UnassignedEventKey, "registrationId">, now: number): Promise<void> => {
      await queue.announced(everything, now, () =>
        model.updateOne(
          { _id: idOf(key), answer: { $ne: "ours" } },
          // A process that takes it back right now has to see that there is more to do.
          { $set: { dueAt: now }, $inc: { at: 1 } },
        ),
      );
    },
    /** Answers that are still to be applied. */
    countToApply: (registrationId: string, courseId: string): Promise<number> =>
      model.countDocuments(stillDue(registrationId, courseId)).exec(),
    claimDue: async (holder: string, now: number, until: number): Promise<UnassignedEvent | null> => {
      const take = () => model.findOneAndUpdate(...dueClaim(holder, now, until)).lean();
      const row = await queue.claim(now, { take });
      return row === null ? null : toUnassigned(row);
    },
    extend: async (id: string, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(id, holder, until))).matchedCount === 1,
    /** Applied, unless another answer came; or, with a time, to be tried again then. */
    settle: async (
      { id, at }: Pick<UnassignedEvent, "id" | "at">,
      holder: string,
      dueAt: number | null,
    ): Promise<void> => {
      const held = { _id: id, leaseHolder: holder };
      await model.updateOne({ ...held, at }, { $set: { dueAt: dueAt ?? never } });
      const row = await model.findOneAndUpdate(held, { $set: released }).lean();
      if (row !== null) await queue.givenBack(everything, row.dueAt);
    },
    /** Deletes events of no course last noted before a moment (ms), at most so many. @returns how many. */
    purge: async (before: number, limit: number): Promise<number> => {
      const old = { answer: { $in: ["open", "not-ours"] as const }, notedAt: { $lt: before }, dueAt: never };
      const some = await model.find(old, { _id: 1 }).limit(limit).lean();
      if (some.length > 0) await model.deleteMany({ ...old, _id: { $in: some.map(({ _id }) => _id) } });
      return some.length;
    },
  };
}

const readEvent = readerOf(unassignedEventRecord);

function toUnassigned(row: RowOf<typeof unassignedEventRecord>): UnassignedEvent {
  return { ...readEvent(row), dueAt: dueOf(row) };
}

type UnmatchedRow = RowOf<typeof unmatchedAttendanceRecord>;

type UnmatchedKey = Pick<UnmatchedAttendance, "environment" | "eventId" | "userId">;

type ReportedObservation = {
  courseId: string | null;
  /** Computed from what is kept; null when nothing is added. May be called more than once. */
  observe: (known: AttendanceHistory) => AttendanceObservation | null;
  now: number;
};

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
