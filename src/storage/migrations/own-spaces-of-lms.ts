import { z } from "zod";
import { storedCollection } from "../stored-collection.ts";
import type { Migration } from "./migration.ts";

const batchSize = 200;

const rightSchema = z.object({
  environment: z.string(),
  spaceId: z.string(),
  registrationId: z.string(),
});

/** An institution may allow only Spaces made for its courses, so each right says whether its Space is one. */
export const ownSpacesOfLms: Migration = {
  to: 6,
  what: "Rights to Spaces say whether the Space was made for a course of the same LMS",
  run: async (connection, renew) => {
    const rights = storedCollection(connection, "spacerights");
    const spaces = storedCollection(connection, "registeredspaces");
    for (let last = ""; ;) {
      const found = await rights
        .find({ _id: { $gt: last } }, { sort: { _id: 1 }, limit: batchSize })
        .toArray();
      for (const row of found) {
        const { environment, spaceId, registrationId } = rightSchema.parse(row);
        const made = {
          _id: `${environment} ${spaceId}`,
          "owner.registrationId": registrationId,
          "owner.courseId": { $ne: null },
        };
        const madeForLms = row["way"] === "made" || (await spaces.findOne(made)) !== null;
        await rights.updateOne({ _id: row._id }, { $set: { madeForLms } });
        last = row._id;
      }
      if (found.length < batchSize) return;
      await renew();
    }
  },
};
