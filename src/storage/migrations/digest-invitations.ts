import { createHash } from "node:crypto";
import { storedCollection } from "../stored-collection.ts";
import type { Migration } from "./migration.ts";

const batchSize = 500;
/** An invitation in clear: 24 random bytes as text. Digests are longer. */
const inClear = /^[\w-]{32}$/;

/** Invitations were stored in clear, so whoever read a backup could use them. */
export const digestInvitations: Migration = {
  to: 3,
  what: "invitations are kept as digests",
  run: async (connection, renew) => {
    const invitations = storedCollection(connection, "invitations");
    for (;;) {
      const found = await invitations.find({ _id: { $regex: inClear } }, { limit: batchSize }).toArray();
      if (found.length === 0) return;
      for (const { _id, ...facts } of found) {
        const digest = createHash("sha256").update(_id).digest("base64url");
        // After a kill in between, the next run deletes the one in clear.
        await invitations.updateOne({ _id: digest }, { $setOnInsert: facts }, { upsert: true });
        await invitations.deleteOne({ _id });
      }
      await renew();
    }
  },
};
