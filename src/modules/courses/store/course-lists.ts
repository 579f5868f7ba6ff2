import { isDeepStrictEqual } from "node:util";
import type { Course } from "../../../domain/course.ts";
import { searchKey } from "../../members/rules/names.ts";
import type { RowOf } from "../../../domain/record.ts";
import type { courseRecord } from "../rules/records.ts";
import { latestFirst, type PageCursor, type Records } from "../../../storage/records.ts";
import type { OwnValues } from "../../../settings/in-effect.ts";

export type CourseRow = RowOf<typeof courseRecord>;

/** What was chosen in the course itself. */
export type OwnCourse = Omit<Course, keyof OwnValues> & OwnValues;

/** Whether scores can be sent, or columns made, that couldn't before. */
export function grantsMore(
  {
    gradeScopes,
    gradesLink = null,
  }: Pick<Course, "gradeScopes"> & { gradesLink?: Course["gradesLink"] | undefined },
  before: CourseRow,
): boolean {
  const newLink = gradesLink !== null && gradesLink.lineItemsUrl !== before.gradesLink?.lineItemsUrl;
  return newLink || gradeScopes.some((scope) => !before.gradeScopes.includes(scope));
}

/** Whether a launch says only what the record already has. */
export function saysNothingNew(fields: Readonly<Record<string, unknown>>, row: CourseRow): boolean {
  const known = new Map<string, unknown>(Object.entries(row));
  return Object.entries(fields).every(([name, value]) => {
    const before = known.get(name);
    if (name !== "lastLaunchAt") return isDeepStrictEqual(value, before);
    return typeof value === "number" && typeof before === "number" && Math.abs(value - before) < 60_000;
  });
}

type CourseKeys = Pick<CourseRow, "titleKey" | "labelKey">;

/** What a list shows of a course: nothing that an institution may set for it, so its defaults aren't read. */
const listedFields = [
  "registrationId",
  "contextId",
  "title",
  "label",
  "environment",
  "spaceId",
  "timeZone",
] as const;

export type ListedCourse = {
  course: Pick<Course, "id" | (typeof listedFields)[number]>;
  lastLaunchAt: number | null;
};

/** Courses whose title or label begins with a text, of one LMS, or of all if null. */
type CourseQuery = { by: "titleKey" | "labelKey"; begins: string; registrationId: string | null };

export type AfterCourse = { key: string; id: string };

export function courseKeysOf({ title, label }: Pick<Course, "title" | "label">): CourseKeys {
  return { titleKey: searchKey(title), labelKey: searchKey(label) };
}

/** How many days off a course keeps at most. The latest win. */
const maxDaysOff = 50;

const byKey = { titleKey: { titleKey: 1, _id: 1 }, labelKey: { labelKey: 1, _id: 1 } } as const;

/** Finds courses for operators. Every read is one range of an index. */
export function createCourseLists(
  records: Records<typeof courseRecord>,
  presentAll: (rows: readonly CourseRow[]) => Promise<Course[]>,
) {
  const whole = async (rows: readonly CourseRow[]) => {
    const courses = await presentAll(rows);
    return courses.map((course, at) => ({ course, lastLaunchAt: rows[at]?.lastLaunchAt ?? null }));
  };
  const rowsOf = (...asked: Parameters<typeof records.rows>) =>
    records.some([...listedFields, "lastLaunchAt"], ...asked);
  const listed = (rows: Awaited<ReturnType<typeof rowsOf>>) =>
    rows.map(({ _id: id, lastLaunchAt, ...course }): ListedCourse => ({
      course: { id, ...course },
      lastLaunchAt,
    }));
  const ofOne = (registrationId: string | null) => (registrationId === null ? {} : { registrationId });

  return {
    setCountsFrom: async (id: string, countsFrom: number | null): Promise<void> => {
      await records.change({ _id: id }, { $set: { countsFrom } });
    },
    /** @param days As in `Course`. */
    addDayOff: async (id: string, days: string): Promise<void> => {
      const $push = { daysOff: { $each: [days], $slice: -maxDaysOff } };
      await records.change({ _id: id, daysOff: { $ne: days } }, { $push });
    },
    forgetDaysOff: async (id: string): Promise<void> => {
      await records.change({ _id: id }, { $set: { daysOff: [] } });
    },
    /** Sorted by key. @param after The last course of the page before. */
    listBeginning: async (
      { by, begins, registrationId }: CourseQuery,
      after: AfterCourse | null,
      limit: number,
    ): Promise<ListedCourse[]> => {
      const of = ofOne(registrationId);
      // The rest of the same key first: two index ranges instead of an $or that no index serves.
      const same =
        after === null
          ? []
          : await rowsOf({ ...of, [by]: after.key, _id: { $gt: after.id } }, { sort: { _id: 1 }, limit });
      if (same.length === limit) return listed(same);
      const range = { [after === null ? "$gte" : "$gt"]: after?.key ?? begins, $lt: `${begins}\uffff` };
      const page = { sort: byKey[by], limit: limit - same.length };
      return listed([...same, ...(await rowsOf({ ...of, [by]: range }, page))]);
    },
    /** The latest opened first. Courses that were never opened come last, as if opened at 0. @param after The last course of the page before. */
    listLatest: async (registrationId: string | null, after: PageCursor | null, limit: number) => {
      const read = (lastLaunchAt: object | number | null, beyond: string | null, count: number) =>
        rowsOf(
          { ...ofOne(registrationId), lastLaunchAt, ...(beyond === null ? {} : { _id: { $gt: beyond } }) },
          {
            sort:
              typeof lastLaunchAt === "object" && lastLaunchAt !== null ? { lastLaunchAt: -1 } : { _id: 1 },
            limit: count,
          },
        );
      const isPastOpened = after?.at === 0;
      const opened = isPastOpened
        ? []
        : await latestFirst(
            (range, count) =>
              "at" in range ? read(range.at, range.after, count) : read({ $lt: range.before }, null, count),
            (row) => row.lastLaunchAt ?? 0,
            after,
            limit,
          );
      if (opened.length === limit) return listed(opened);
      return listed([
        ...opened,
        ...(await read(null, isPastOpened ? after.id : null, limit - opened.length)),
      ]);
    },
    latestOf: async (registrationId: string, limit: number) =>
      whole(await records.rows({ registrationId }, { sort: { lastLaunchAt: -1 }, limit })),
    listMany: async (ids: readonly string[]) => whole(await records.rows({ _id: { $in: ids } })),
    /** Courses of one deployment, or of all except some, in order, after `last`. */
    listAfter: async (
      {
        registrationId,
        ...of
      }: { registrationId: string } & ({ deploymentId: string } | { notOf: readonly string[] }),
      last: string,
      limit: number,
    ): Promise<Course[]> => {
      const deploymentId = "deploymentId" in of ? of.deploymentId : { $nin: of.notOf };
      const filter = { registrationId, deploymentId, _id: { $gt: last } };
      return presentAll(await records.rows(filter, { sort: { _id: 1 }, limit }));
    },
    /** The weeks by each course's own clock, null for never. At most a few hundred courses. */
    listMailedWeeks: async (ids: readonly string[]) => {
      const rows = await records.some(["timeZone", "mailedWeek"], { _id: { $in: ids } });
      return rows.map(({ _id, timeZone, mailedWeek }) => ({
        id: _id,
        timeZone: timeZone ?? null,
        mailedWeek: mailedWeek ?? null,
      }));
    },
    /** @param monday The week's. An earlier week changes nothing. */
    markMailed: async (id: string, monday: string): Promise<void> => {
      await records.change({ _id: id }, { $max: { mailedWeek: monday } });
    },
    /** Finds courses by the LMS's id, at most a page. */
    listByContext: async (registrationIds: readonly string[], contextId: string): Promise<ListedCourse[]> =>
      listed(
        await rowsOf(
          { registrationId: { $in: registrationIds }, contextId },
          { sort: { lastLaunchAt: -1 }, limit: 50 },
        ),
      ),
    /** When a course was last opened from a deployment (ms), or null for never. */
    lastLaunchOfDeployment: async (registrationId: string, deploymentId: string) =>
      (await records.row({ registrationId, deploymentId }, { sort: { lastLaunchAt: -1 } }))?.lastLaunchAt ??
      null,
  };
}
