import { moveFormerQueue } from "../former-queues.ts";
import { recordingReadingQueue } from "../former-recording-readings.ts";
import type { Migration } from "./migration.ts";

export const recordingReadingsAreTasks: Migration = {
  to: 7,
  what: "readings of recordings are tasks",
  run: async (connection, renew) => {
    await moveFormerQueue(connection, recordingReadingQueue, renew);
  },
};
