import { moveFormerQueue } from "../former-queues.ts";
import { rosterQueue } from "../former-rosters.ts";
import type { Migration } from "./migration.ts";

export const rostersAreTasks: Migration = {
  to: 9,
  what: "readings of rosters are tasks",
  run: async (connection, renew) => {
    await moveFormerQueue(connection, rosterQueue, renew);
  },
};
