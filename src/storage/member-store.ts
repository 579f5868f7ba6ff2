import { type Connection, Schema } from "mongoose";
import type { Member } from "../domain/course.ts";
import { retriedOnDuplicate } from "./duplicate-key.ts";

type MemberRow = Omit<Member, "id"> & { _id: string };

export type MemberStore = ReturnType<typeof createMemberStore>;

/** Who is in which course, one record for each (course, person). */
export function createMemberStore(connection: Connection) {
  const schema = new Schema<MemberRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      personId: { type: String, required: true },
      role: { type: String, required: true },
      testUser: { type: Boolean, required: true },
      active: { type: Boolean, default: true },
      sectionIds: { type: [String], default: [] },
      lastLaunchAt: { type: Number, default: null },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1, personId: 1 }, { unique: true });
  const model = connection.model<MemberRow>("Member", schema);

  return {
    /** Records a launch: the role is always this launch's, so that a lower one takes effect at once. */
    recordLaunch: async (
      key: Pick<Member, "registrationId" | "courseId" | "personId">,
      facts: Pick<Member, "role" | "testUser"> & { lastLaunchAt: number },
      /** Null when the launch does not tell: what is known stays. */
      sectionIds: readonly string[] | null,
      id: string,
    ): Promise<Member> => {
      const row = await retriedOnDuplicate(() =>
        model
          .findOneAndUpdate(
            { ...key },
            {
              $set: {
                ...facts,
                ...(sectionIds === null ? {} : { sectionIds: [...sectionIds] }),
                active: true,
              },
              $setOnInsert: { _id: id, ...(sectionIds === null ? { sectionIds: [] } : {}) },
            },
            { upsert: true, returnDocument: "after" },
          )
          .lean(),
      );
      return toMember(row);
    },
    find: async (registrationId: string, courseId: string, personId: string): Promise<Member | null> => {
      const row = await model.findOne({ registrationId, courseId, personId }).lean();
      return row === null ? null : toMember(row);
    },
  };
}

function toMember({ _id, ...member }: MemberRow): Member {
  return { id: _id, ...member };
}
