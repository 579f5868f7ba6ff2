import { type DueRange } from "../../../storage/due-heads.ts";
import { dueHeadsOf } from "../../../storage/due-heads.ts";
import { everything } from "../../../storage/due-heads.ts";
import { horizonMs } from "../../../storage/due-heads.ts";
import { longerLease } from "../../../storage/lease.ts";
import { never } from "../../../storage/lease.ts";
import { released } from "../../../storage/lease.ts";
import { openRecords } from "../../../storage/records.ts";
import { type AttendanceMark } from "../rules/records.ts";
import { attendanceMarkRecord } from "../rules/records.ts";
import { type Connection } from "mongoose";

export type MarkProgress = Partial<
  Pick<AttendanceMark, "state" | "reached" | "written" | "writtenInClass" | "missed">
>;

export type AttendanceMarkStore = ReturnType<typeof createAttendanceMarkStore>;

/** Of a finished mark (ms). */
const keptMs = 86_400_000;

export function createAttendanceMarkStore(connection: Connection) {
  const records = openRecords(connection, attendanceMarkRecord);
  const firstDue = (_scope: string, dueAt: DueRange) => records.row({ dueAt }, { sort: { dueAt: 1 } });
  const queue = dueHeadsOf(connection).queue("marks", firstDue);

  return {
    /** The caller holds it until `until`. */
    insert: async ({ id, ...mark }: AttendanceMark, holder: string, until: number): Promise<void> => {
      const row = {
        _id: id,
        ...mark,
        dueAt: mark.at,
        attempts: 0,
        expiresAt: null,
        leaseHolder: holder,
        leaseUntil: until,
      };
      await queue.announced(everything, until, () => records.add(row));
    },
    find: (id: string): Promise<AttendanceMark | null> => records.find({ _id: id }),
    listUnfinished: (
      key: Pick<AttendanceMark, "registrationId" | "courseId" | "eventId">,
    ): Promise<AttendanceMark[]> =>
      records.list({ ...key, dueAt: { $lt: horizonMs }, state: "facts" }, { sort: { dueAt: 1 } }),
    claimDue: async (holder: string, now: number, until: number): Promise<AttendanceMark | null> => {
      const take = () =>
        records.take(
          { dueAt: { $lte: now }, leaseUntil: { $lte: now } },
          // Counted here, so that one that ends the process does not return at once.
          { $set: { leaseHolder: holder, leaseUntil: until }, $inc: { attempts: 1 } },
          { sort: { dueAt: 1 } },
        );
      const row = await queue.claim(now, { take });
      return row === null ? null : records.read(row);
    },
    extend: (id: string, holder: string, until: number): Promise<boolean> =>
      records.change(...longerLease(id, holder, until)),
    /** @returns false when the claim was lost. */
    progress: (id: string, holder: string, progress: MarkProgress): Promise<boolean> =>
      records.change({ _id: id, leaseHolder: holder }, { $set: progress }),
    /** To continue at `dueAt`; no effect when the claim was lost. */
    release: async (id: string, holder: string, dueAt: number): Promise<void> => {
      await records.change({ _id: id, leaseHolder: holder }, { $set: { dueAt, ...released } });
      await queue.givenBack(everything, dueAt);
    },
    /** Its texts are deleted: they are in the facts and the trail. */
    finish: async (id: string, holder: string, now: number): Promise<void> => {
      const expiresAt = new Date(now + keptMs);
      await records.change(
        { _id: id, leaseHolder: holder },
        { $set: { state: "done", dueAt: never, rows: [], expiresAt, ...released } },
      );
    },
  };
}
