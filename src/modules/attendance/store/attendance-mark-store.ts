import { type Connection, Schema } from "mongoose";
import type { AttendanceMark } from "../rules/attendance-mark.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { type LeaseFields, leaseFields, released, longerLease } from "../../../storage/lease.ts";

type AttendanceMarkRow = Omit<AttendanceMark, "id"> &
  LeaseFields & {
    _id: string;
    /** Milliseconds; never once it is done. */
    dueAt: number;
    attempts: number;
    /** For deletion; null until it is done. */
    expiresAt: Date | null;
  };

export type MarkProgress = Partial<
  Pick<AttendanceMark, "state" | "reached" | "written" | "writtenInClass" | "missed">
>;
export type AttendanceMarkStore = ReturnType<typeof createAttendanceMarkStore>;

/** Later than any clock. */
const neverMs = 8.64e15;
/** Of a finished mark (ms). */
const keptMs = 86_400_000;

export function createAttendanceMarkStore(connection: Connection) {
  const schema = new Schema<AttendanceMarkRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      eventId: { type: String, required: true },
      by: { type: Schema.Types.Mixed, required: true },
      at: { type: Number, required: true },
      reason: { type: String, default: null },
      rows: { type: Schema.Types.Mixed, required: true },
      everybody: { type: Schema.Types.Mixed, default: null },
      state: { type: String, required: true },
      reached: { type: String, default: "" },
      written: { type: Number, default: 0 },
      writtenInClass: { type: Number, default: 0 },
      missed: { type: [String], default: [] },
      dueAt: { type: Number, required: true },
      attempts: { type: Number, default: 0 },
      expiresAt: { type: Date, default: null },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ dueAt: 1 });
  schema.index({ expiresAt: 1 }, { expireAfterSeconds: 0 });
  schema.index({ registrationId: 1, courseId: 1, eventId: 1, dueAt: 1 });
  const model = connection.model<AttendanceMarkRow>("AttendanceMark", schema);
  const firstDue = (_scope: string, dueAt: DueRange) =>
    model.findOne({ dueAt }).sort({ dueAt: 1 }).lean().exec();
  const queue = dueHeadsOf(connection).queue("marks", firstDue);

  return {
    /** The caller holds it until `until`. */
    insert: async ({ id, ...mark }: AttendanceMark, holder: string, until: number): Promise<void> => {
      const row = {
        _id: id,
        ...mark,
        rows: [...mark.rows],
        missed: [...mark.missed],
        dueAt: mark.at,
        attempts: 0,
        expiresAt: null,
        leaseHolder: holder,
        leaseUntil: until,
      };
      await queue.announced(everything, until, () => model.create(row));
    },
    find: async (id: string): Promise<AttendanceMark | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toMark(row);
    },
    listUnfinished: async (
      key: Pick<AttendanceMark, "registrationId" | "courseId" | "eventId">,
    ): Promise<AttendanceMark[]> => {
      const rows = await model
        .find({ ...key, dueAt: { $lt: neverMs }, state: "facts" })
        .sort({ dueAt: 1 })
        .lean();
      return rows.map(toMark);
    },
    claimDue: async (holder: string, now: number, until: number): Promise<AttendanceMark | null> => {
      const take = () =>
        model
          .findOneAndUpdate(
            { dueAt: { $lte: now }, leaseUntil: { $lte: now } },
            // Counted here, so that one that ends the process does not return at once.
            { $set: { leaseHolder: holder, leaseUntil: until }, $inc: { attempts: 1 } },
            { sort: { dueAt: 1 }, returnDocument: "after" },
          )
          .lean();
      const row = await queue.claim(now, { take });
      return row === null ? null : toMark(row);
    },
    extend: async (id: string, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(id, holder, until))).matchedCount === 1,
    /** @returns false when the claim was lost. */
    progress: async (id: string, holder: string, progress: MarkProgress): Promise<boolean> =>
      (
        await model.updateOne(
          { _id: id, leaseHolder: holder },
          {
            $set: {
              ...progress,
              ...(progress.missed === undefined ? {} : { missed: [...progress.missed] }),
            },
          },
        )
      ).matchedCount === 1,
    /** To continue at `dueAt`; no effect when the claim was lost. */
    release: async (id: string, holder: string, dueAt: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { dueAt, ...released } });
      await queue.givenBack(everything, dueAt);
    },
    /** Its texts are deleted: they are in the facts and the trail. */
    finish: async (id: string, holder: string, now: number): Promise<void> => {
      const expiresAt = new Date(now + keptMs);
      await model.updateOne(
        { _id: id, leaseHolder: holder },
        { $set: { state: "done", dueAt: neverMs, rows: [], expiresAt, ...released } },
      );
    },
  };
}

function toMark(row: AttendanceMarkRow): AttendanceMark {
  const { _id, leaseHolder: _h, leaseUntil: _u, dueAt: _d, attempts: _a, expiresAt: _e, ...mark } = row;
  return { id: _id, ...mark };
}
