import { type Connection, Schema } from "mongoose";
import type { StoredChoice } from "../../../domain/course-link.ts";

type LinkChoiceRow = Omit<StoredChoice, "id"> & { _id: string };

export type LinkChoiceStore = ReturnType<typeof createLinkChoiceStore>;

/**
 * What instructors chose in deep linking dialogs. Kept without an end: the LMS may make the link much later, and
 * one choice may come back with several links (an activity that was duplicated within its course).
 */
export function createLinkChoiceStore(connection: Connection) {
  const schema = new Schema<LinkChoiceRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      deploymentId: { type: String, required: true },
      courseId: { type: String, required: true },
      choice: { type: Schema.Types.Mixed, required: true },
      createdAt: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  const model = connection.model<LinkChoiceRow>("LinkChoice", schema);

  return {
    insert: async ({ id, ...facts }: StoredChoice): Promise<void> => {
      await model.create({ _id: id, ...facts });
    },
    /** Only within the registration: another LMS's ids mean nothing. */
    find: async (registrationId: string, id: string): Promise<StoredChoice | null> => {
      const row = await model.findOne({ _id: id, registrationId }).lean();
      if (row === null) return null;
      const { _id, ...facts } = row;
      return { id: _id, ...facts };
    },
  };
}
