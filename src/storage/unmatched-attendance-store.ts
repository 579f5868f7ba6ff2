import { createHash } from "node:crypto";
import { type Connection, Schema } from "mongoose";
import { type AttendanceHistory, type AttendanceObservation, withObservation } from "../domain/attendance.ts";
import type { EnvironmentName } from "../domain/registration.ts";
import type { UnmatchedAttendance } from "../domain/unmatched.ts";
import { isDuplicateKey } from "./duplicate-key.ts";

type UnmatchedRow = Omit<UnmatchedAttendance, "id" | "history"> & {
  _id: string;
  history: AttendanceObservation[];
  revision: number;
};

export type UnmatchedKey = Pick<UnmatchedAttendance, "environment" | "eventId" | "userId">;
export type UnmatchedAttendanceStore = ReturnType<typeof createUnmatchedAttendanceStore>;

/** What was told about users and events that were nobody's, one record for each (environment, event, user). */
export function createUnmatchedAttendanceStore(connection: Connection) {
  const schema = new Schema<UnmatchedRow>(
    {
      _id: { type: String, required: true },
      environment: { type: String, required: true },
      eventId: { type: String, required: true },
      userId: { type: String, required: true },
      courseId: { type: String, default: null },
      history: { type: Schema.Types.Mixed, required: true },
      asideAt: { type: Number, default: null },
      revision: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ courseId: 1, userId: 1 });
  schema.index({ environment: 1, eventId: 1 });
  schema.index({ environment: 1, userId: 1 });
  const model = connection.model<UnmatchedRow>("UnmatchedAttendance", schema);

  /** @returns false when somebody else wrote meanwhile: it is to be decided anew on what they left. */
  async function kept(
    key: UnmatchedKey,
    courseId: string | null,
    told: (known: AttendanceHistory) => AttendanceObservation | null,
  ): Promise<boolean> {
    const _id = idOf(key);
    const row = await model.findOne({ _id }).lean();
    const seen = told(row?.history ?? []);
    if (row === null) {
      return seen === null || made({ _id, ...key, courseId, history: [seen], asideAt: null, revision: 1 });
    }
    const longer = seen === null ? row.history : withObservation(row.history, seen);
    const isNew = longer !== row.history;
    if (!isNew && row.courseId === courseId) return true;
    const asideAt = isNew ? null : row.asideAt;
    const done = await model.updateOne(
      { _id, revision: row.revision },
      { $set: { history: [...longer], courseId, asideAt, revision: row.revision + 1 } },
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
    /**
     * Keeps what was told; the same once more changes nothing.
     * @param told From what is kept already; null when it adds nothing. May be called more than once.
     */
    keep: async (
      key: UnmatchedKey,
      courseId: string | null,
      told: (known: AttendanceHistory) => AttendanceObservation | null,
    ): Promise<void> => {
      while (!(await kept(key, courseId, told)));
    },
    /** Of a course's own events. */
    listOfCourse: async (courseId: string, limit: number): Promise<UnmatchedAttendance[]> =>
      (await model.find({ courseId }).sort({ userId: 1 }).limit(limit).lean()).map(toUnmatched),
    listOfEvent: async (
      environment: EnvironmentName,
      eventId: string,
      limit: number,
    ): Promise<UnmatchedAttendance[]> =>
      (await model.find({ environment, eventId }).limit(limit).lean()).map(toUnmatched),
    listOfUser: async (
      environment: EnvironmentName,
      userId: string,
      limit: number,
    ): Promise<UnmatchedAttendance[]> =>
      (await model.find({ environment, userId }).limit(limit).lean()).map(toUnmatched),
    /** Puts somebody aside in a course, or (null) brings them back. */
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

function toUnmatched({ _id, revision: _revision, ...row }: UnmatchedRow): UnmatchedAttendance {
  return { id: _id, ...row };
}
