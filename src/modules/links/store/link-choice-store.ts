import { recordModel } from "../../../storage/record-model.ts";
import { linkChoiceRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { StoredChoice } from "../../../domain/course-link.ts";

export type LinkChoiceStore = ReturnType<typeof createLinkChoiceStore>;

/** Kept for ever: the LMS may make the link later, or several (an activity duplicated within its course). */
export function createLinkChoiceStore(connection: Connection) {
  const model = recordModel(connection, linkChoiceRecord);

  return {
    insert: async ({ id, ...facts }: StoredChoice): Promise<void> => {
      await model.create({ _id: id, ...facts });
    },
    /** Within the registration only: ids of another LMS mean nothing here. */
    find: async (registrationId: string, id: string): Promise<StoredChoice | null> => {
      const row = await model.findOne({ _id: id, registrationId }).lean();
      if (row === null) return null;
      const { _id, ...facts } = row;
      return { id: _id, ...facts };
    },
  };
}
