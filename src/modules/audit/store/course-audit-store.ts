import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type CourseAuditEntry, courseAuditEntryRecord } from "../rules/course-audit.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

export type CourseAuditFilter = Pick<CourseAuditEntry, "registrationId" | "courseId"> & {
  personId: string | null;
  /** Everything when left out. */
  what?: readonly CourseAuditEntry["what"][] | undefined;
};

export type CourseAuditStore = ReturnType<typeof createCourseAuditStore>;

/** Lines are added, never changed. */
export function createCourseAuditStore(connection: Connection) {
  const model = recordModel(connection, courseAuditEntryRecord);

  return {
    /** Repeatable: an existing id stays as it is. */
    insert: async (entries: readonly CourseAuditEntry[]): Promise<void> => {
      for (const { id, ...facts } of entries) {
        try {
          await model.create({ _id: id, ...facts, personId: facts.on?.personId ?? null });
        } catch (thrown) {
          if (!isDuplicateKey(thrown)) throw thrown;
        }
      }
    },
    /** Newest first; with `before` only lines older than that id. */
    list: async (
      { personId, what, ...course }: CourseAuditFilter,
      before: string | null,
      limit: number,
    ): Promise<CourseAuditEntry[]> => {
      const rows = await model
        .find({
          ...course,
          ...(personId === null ? {} : { personId }),
          ...(what === undefined ? {} : { what: { $in: [...what] } }),
          ...(before === null ? {} : { _id: { $lt: before } }),
        })
        .sort({ _id: -1 })
        .limit(limit)
        .lean();
      return rows.map(({ _id, personId: _copy, ...facts }) => ({ id: _id, ...facts }));
    },
  };
}
