import type { Model, Schema } from "mongoose";
import type { Course } from "../../../domain/course.ts";
import { searchKey } from "../../members/rules/search-key.ts";
import type { CourseRow } from "./course-row.ts";

/** What courses are found by; records of earlier versions have none until `keyMore` has given them some. */
type CourseKeys = Pick<CourseRow, "titleKey" | "labelKey">;

/** A course in a list, with when it was last opened (ms). */
export type ListedCourse = { course: Course; lastLaunchAt: number | null };

/** Whose title or short name begins like this; of one LMS only when it is named. */
export type CourseWanted = { by: "titleKey" | "labelKey"; begins: string; registrationId: string | null };

/** The last course of a page: its key and its id. */
export type AfterCourse = { key: string; id: string };

/** The keys of a course with this title and short name. */
export function courseKeysOf({ title, label }: Pick<Course, "title" | "label">): CourseKeys {
  return { titleKey: searchKey(title), labelKey: searchKey(label) };
}

/** Schema part of those keys, and what lists of courses are read by. */
export function withCourseLists(schema: Schema<CourseRow>): Schema<CourseRow> {
  schema.add({ titleKey: { type: String }, labelKey: { type: String } });
  for (const key of ["titleKey", "labelKey"]) {
    schema.index({ [key]: 1, _id: 1 });
    schema.index({ registrationId: 1, [key]: 1, _id: 1 });
  }
  schema.index({ lastLaunchAt: -1 });
  schema.index({ registrationId: 1, deploymentId: 1, lastLaunchAt: -1 });
  return schema;
}

/** The part of the course store that finds courses for operators; every read is one range of an index. */
export function createCourseLists(
  model: Model<CourseRow>,
  presentAll: (rows: readonly CourseRow[]) => Promise<Course[]>,
) {
  const listed = async (rows: readonly CourseRow[]): Promise<ListedCourse[]> => {
    const courses = await presentAll(rows);
    return courses.map((course, at) => ({ course, lastLaunchAt: rows[at]?.lastLaunchAt ?? null }));
  };
  const ofOne = (registrationId: string | null) => (registrationId === null ? {} : { registrationId });

  return {
    /** Those whose key begins so, in the order of the keys. @param after The last one of the page before; null for the first page. */
    listBeginning: async (
      { by, begins, registrationId }: CourseWanted,
      after: AfterCourse | null,
      limit: number,
    ): Promise<ListedCourse[]> => {
      const range = { $gte: after?.key ?? begins, $lt: `${begins}\uffff` };
      const rows: CourseRow[] = [];
      // The rest of the same key first: two ranges of one index instead of a choice that no index decides.
      if (after !== null)
        rows.push(
          ...(await model
            .find({ ...ofOne(registrationId), [by]: after.key, _id: { $gt: after.id } })
            .sort({ _id: 1 })
            .limit(limit)
            .lean()),
        );
      if (rows.length < limit)
        rows.push(
          ...(await model
            .find({
              ...ofOne(registrationId),
              [by]: after === null ? range : { $gt: after.key, $lt: range.$lt },
            })
            .sort({ [by]: 1, _id: 1 })
            .limit(limit - rows.length)
            .lean()),
        );
      return listed(rows);
    },
    /** Those that were opened last, latest first. @param skip So many were shown before. */
    listLatest: async (registrationId: string | null, skip: number, limit: number): Promise<ListedCourse[]> =>
      listed(
        await model.find(ofOne(registrationId)).sort({ lastLaunchAt: -1 }).skip(skip).limit(limit).lean(),
      ),
    /** Those with some ids of ours. */
    listMany: async (ids: readonly string[]): Promise<ListedCourse[]> =>
      ids.length === 0 ? [] : listed(await model.find({ _id: { $in: [...ids] } }).lean()),
    /** Those that an LMS names so, of some LMSs: at most a page full. */
    listByContext: async (registrationIds: readonly string[], contextId: string): Promise<ListedCourse[]> =>
      registrationIds.length === 0
        ? []
        : listed(
            await model
              .find({ registrationId: { $in: [...registrationIds] }, contextId })
              .limit(50)
              .lean(),
          ),
    /** When one was opened last from a deployment (ms); null when never. */
    lastLaunchOfDeployment: async (registrationId: string, deploymentId: string): Promise<number | null> =>
      (await model.findOne({ registrationId, deploymentId }).sort({ lastLaunchAt: -1 }).lean())
        ?.lastLaunchAt ?? null,
    /** Gives keys to courses of earlier versions, at most so many. @returns how many there were. */
    keyMore: async (limit: number): Promise<number> => {
      const rows = await model.find({ titleKey: null }, { title: 1, label: 1 }).limit(limit).lean();
      if (rows.length > 0)
        await model.bulkWrite(
          rows.map(({ _id, title, label }) => ({
            updateOne: { filter: { _id, titleKey: null }, update: { $set: courseKeysOf({ title, label }) } },
          })),
          { ordered: false },
        );
      return rows.length;
    },
  };
}
