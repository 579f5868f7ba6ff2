import { attendanceReadingQueue } from "../former-attendance-readings.ts";
import { moveFormerQueue } from "../former-queues.ts";
import type { Migration } from "./migration.ts";

/** Attendance readings had a collection of their own; sessions say that theirs are planned, so none may be lost. */
export const attendanceReadingsAreTasks: Migration = {
  to: 8,
  what: "readings of attendance are tasks",
  run: async (connection, renew) => {
    await moveFormerQueue(connection, attendanceReadingQueue, renew);
  },
};
