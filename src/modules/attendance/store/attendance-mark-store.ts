import type { Connection } from "mongoose";
import { horizonMs } from "../../../storage/due-heads.ts";
import { openDueQueue } from "../../../storage/due-queue.ts";
import { never } from "../../../storage/lease.ts";
import { openRecords } from "../../../storage/records.ts";
import { type AttendanceMark, attendanceMarkRecord } from "../rules/records.ts";

export type MarkProgress = Partial<
  Pick<AttendanceMark, "state" | "reached" | "written" | "writtenInClass" | "missed">
>;

/** Of a finished mark (ms). */
const keptMs = 86_400_000;

export function createAttendanceMarkStore(connection: Connection) {
  const records = openRecords(connection, attendanceMarkRecord);
  // Counted with the claim, so that one that ends the process does not return at once.
  const onClaim = () => ({ $inc: { attempts: 1 } });
  const queue = openDueQueue(connection, attendanceMarkRecord, "marks", { onClaim });

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
      await queue.announced(until, () => records.add(row));
    },
    find: (id: string): Promise<AttendanceMark | null> => records.find({ _id: id }),
    listUnfinished: (key: Pick<AttendanceMark, "registrationId" | "courseId" | "eventId">) =>
      records.list({ ...key, dueAt: { $lt: horizonMs }, state: "facts" }, { sort: { dueAt: 1 } }),
    claimDue: queue.claimDue,
    extend: queue.extend,
    /** @returns false when the claim was lost. */
    progress: (id: string, holder: string, progress: MarkProgress) =>
      records.change({ _id: id, leaseHolder: holder }, { $set: progress }),
    /** To continue at `dueAt`; no effect when the claim was lost. */
    release: async (id: string, holder: string, dueAt: number): Promise<void> => {
      await queue.settle(id, holder, { dueAt });
    },
    /** Its texts are deleted: they are in the facts and the trail. */
    finish: async (id: string, holder: string, now: number): Promise<void> => {
      const expiresAt = new Date(now + keptMs);
      await queue.settle(id, holder, { state: "done", dueAt: never, rows: [], expiresAt });
    },
  };
}
