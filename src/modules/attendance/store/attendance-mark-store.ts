import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { type AttendanceMark, attendanceMarkRecord } from "../rules/attendance-mark.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { released, longerLease } from "../../../storage/lease.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type MarkProgress = Partial<
  Pick<AttendanceMark, "state" | "reached" | "written" | "writtenInClass" | "missed">
>;
export type AttendanceMarkStore = ReturnType<typeof createAttendanceMarkStore>;

/** Later than any clock. */
const neverMs = 8.64e15;
/** Of a finished mark (ms). */
const keptMs = 86_400_000;

export function createAttendanceMarkStore(connection: Connection) {
  const model = recordModel(connection, attendanceMarkRecord);
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

const toMark = readerOf(attendanceMarkRecord);
