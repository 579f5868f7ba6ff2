import { type Connection, Schema } from "mongoose";
import type { CourseLink, LinkChoice, StoredChoice } from "../domain/course-link.ts";
import { retriedOnDuplicate } from "./duplicate-key.ts";

type CourseLinkRow = Omit<CourseLink, "id"> & { _id: string };

/** A link is one within its course: an id that an LMS reuses in another course is another link. */
export type CourseLinkKey = Pick<CourseLink, "registrationId" | "deploymentId" | "courseId" | "linkId">;
export type CourseLinkStore = ReturnType<typeof createCourseLinkStore>;

/** Links of courses to the tool and what they open, one record for each (course, link). */
export function createCourseLinkStore(connection: Connection) {
  const schema = new Schema<CourseLinkRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      deploymentId: { type: String, required: true },
      courseId: { type: String, required: true },
      linkId: { type: String, required: true },
      choice: { type: Schema.Types.Mixed, required: true },
      choiceId: { type: String, default: null },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1, linkId: 1 }, { unique: true });
  const model = connection.model<CourseLinkRow>("CourseLink", schema);

  return {
    /**
     * The link of a launch, written down at its first one. A choice it brings is taken once: what an instructor
     * chose on our own page afterwards stays until the link brings another choice.
     */
    record: async (
      key: CourseLinkKey,
      brought: Pick<StoredChoice, "id" | "choice"> | null,
      id: string,
    ): Promise<CourseLink> => {
      const known = await model.findOne({ ...key }).lean();
      const first = { choice: brought?.choice ?? courseSpace, choiceId: brought?.id ?? null };
      const row =
        known ??
        (await retriedOnDuplicate(() =>
          model
            .findOneAndUpdate(
              { ...key },
              { $setOnInsert: { _id: id, ...first } },
              { upsert: true, returnDocument: "after" },
            )
            .lean(),
        ));
      if (brought === null || row.choiceId === brought.id) return toCourseLink(row);
      await model.updateOne({ _id: row._id, choiceId: row.choiceId }, { $set: first });
      return toCourseLink((await model.findOne({ _id: row._id }).lean()) ?? row);
    },
    find: async (id: string): Promise<CourseLink | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toCourseLink(row);
    },
    /** What an instructor chose on our own page. */
    choose: async (id: string, choice: LinkChoice): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { choice } });
    },
  };
}

const courseSpace: LinkChoice = { kind: "course-space" };

function toCourseLink({ _id, ...link }: CourseLinkRow): CourseLink {
  return { id: _id, ...link };
}
