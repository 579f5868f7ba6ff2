import type { ItemOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { courseCopyRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { CourseKey } from "./course-store.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

export type CourseCopy = ItemOf<typeof courseCopyRecord>;

export type CourseCopyStore = ReturnType<typeof createCourseCopyStore>;

/** Evidence of copies, one record for each (registration, deployment, context); courses need not exist yet. */
export function createCourseCopyStore(connection: Connection) {
  const model = recordModel(connection, courseCopyRecord);

  return {
    /** Repeatable. */
    addOrigins: async (key: CourseKey, origins: readonly string[], id: string): Promise<void> => {
      await retriedOnDuplicate(() =>
        model.updateOne(
          { ...key },
          {
            $addToSet: { origins: { $each: [...origins] } },
            $setOnInsert: { _id: id, madeIn: null },
          },
          { upsert: true },
        ),
      );
    },
    /** The first one noted stays. */
    noteMadeIn: async (key: CourseKey, madeIn: string, id: string): Promise<void> => {
      const noted = await model.updateOne({ ...key, madeIn: null }, { $set: { madeIn } });
      if (noted.matchedCount === 1) return;
      await retriedOnDuplicate(() =>
        model.updateOne({ ...key }, { $setOnInsert: { _id: id, origins: [], madeIn } }, { upsert: true }),
      );
    },
    /** In any deployment of the registration. */
    listOf: async (registrationId: string, contextId: string): Promise<CourseCopy[]> =>
      (await model.find({ registrationId, contextId }).lean()).map(({ _id, ...copy }) => copy),
  };
}
