import type { Connection } from "mongoose";
import type { Course } from "../../../domain/course.ts";
import { alwaysOpen } from "../../../domain/entry.ts";
import { readerOf } from "../../../domain/record.ts";
import { ruleDefaults } from "../../../domain/grade-policy.ts";
import {
  beginningOf,
  firstValues,
  inCourse,
  type InstitutionDefaults,
  lockedNames,
  nothingSet,
} from "../../../settings/in-effect.ts";
import { type CourseOptionValues, followedNames, wholeSettings } from "../../../settings/options.ts";
import { openSpace } from "../../../domain/course-link.ts";
import {
  courseKeysOf,
  type CourseRow,
  createCourseLists,
  grantsMore,
  type OwnCourse,
  saysNothingNew,
} from "./course-lists.ts";
import type { createInstitutionDefaultsStore } from "./institution-stores.ts";
import { createCourseSpaces } from "../../spaces/store/course-spaces.ts";
import { released } from "../../../storage/due-queue.ts";
import { openRecords } from "../../../storage/records.ts";
import { courseRecord } from "../rules/records.ts";
import { compareText } from "../../../kernel/lists.ts";

/** Identifies a course. Titles, e-mails and custom values don't, because they are copied with it. */
export type CourseKey = Pick<Course, "registrationId" | "deploymentId" | "contextId">;

/** Options of a course that are saved one by one. */
export type SingleOption = Exclude<keyof CourseOptionValues, "doorTimes" | "newSpace">;

/** What every launch updates. A null address leaves the known one. */
export type CourseFacts = Pick<
  Course,
  | "title"
  | "label"
  | "lineItemsUrl"
  | "gradeScopes"
  | "membershipsUrl"
  | "groupsUrl"
  | "groupSetsUrl"
  | "history"
> & {
  /** Left out without a launch. Kept while the address stays the same. */
  gradesLink?: Course["gradesLink"];
  /** Left out without a launch. */
  courseUrl?: string | null;
  /** Left out or null without an instructor's launch. */
  language?: string | null;
  /** To the minute. Finds the courses in use. */
  lastLaunchAt?: number;
};

export type CourseStore = ReturnType<typeof createCourseStore>;

/**
 * One record per registration, deployment and context. Records keep what was chosen in the course. Every read lays the institution's locks
 * over it, so they take effect immediately.
 */
export function createCourseStore(
  connection: Connection,
  {
    find: defaultsOf,
    findMany,
  }: Pick<ReturnType<typeof createInstitutionDefaultsStore>, "find" | "findMany">,
) {
  const records = openRecords(connection, courseRecord);
  const present = async (row: CourseRow): Promise<Course> =>
    underRules(toCourse(row), await defaultsOf(row.registrationId));
  const presentOrNull = async (row: CourseRow | null): Promise<Course | null> =>
    row === null ? null : present(row);
  const presentAll = async (rows: readonly CourseRow[]): Promise<Course[]> => {
    const rules = await findMany([...new Set(rows.map(({ registrationId }) => registrationId))]);
    return rows.map((row) =>
      underRules(toCourse(row), rules.get(row.registrationId) ?? nothingSet(row.registrationId)),
    );
  };

  const spaces = createCourseSpaces(connection, records);

  return {
    record: async (
      key: CourseKey,
      facts: CourseFacts,
      first: Pick<Course, "id" | "environment" | "settings" | "policy" | "createdAt">,
    ): Promise<Course> => {
      const { id, ...rest } = first;
      const known = Object.fromEntries(
        Object.entries({ ...facts, ...courseKeysOf(facts) }).filter(
          ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
        ),
      );
      // Both in one round trip. The defaults are cached for presenting the course.
      const [before] = await Promise.all([records.row({ ...key }), defaultsOf(key.registrationId)]);
      // Links with the same address are equivalent, so opening another one writes nothing.
      if (before?.gradesLink?.lineItemsUrl === facts.lineItemsUrl) delete known["gradesLink"];
      if (before !== null && grantsMore(facts, before)) known["grantedAt"] = facts.lastLaunchAt ?? null;
      if (before !== null && saysNothingNew(known, before)) return present(before);
      const empty = Object.fromEntries(Object.entries(unknownYet).filter(([name]) => !(name in known)));
      const begins = beginningOf({ ...firstValues, ...rest }, await defaultsOf(key.registrationId));
      const unchosen = Object.fromEntries(followedNames.map((name) => [name, null]));
      const row = await records.saved(
        { ...key },
        {
          $set: known,
          $setOnInsert: {
            _id: id,
            ...empty,
            ...firstFacts,
            ...begins,
            ...unchosen,
            spaceId: null,
            copyAnswer: "open",
            asksFeedback: true,
            setUp: "open",
            ...released,
          },
        },
      );
      return present(row);
    },
    find: async (id: string) => presentOrNull(await records.row({ _id: id })),
    findByKey: async (key: CourseKey) => presentOrNull(await records.row({ ...key })),
    /** The values chosen in the course itself, without locks. */
    findOwn: async (id: string): Promise<OwnCourse | null> => {
      const row = await records.row({ _id: id });
      return row === null ? null : toCourse(row);
    },
    /** Ids of an LMS's courses, in order, after `last`. */
    idsAfter: async (registrationId: string, last: string, limit: number): Promise<string[]> => {
      const later = { registrationId, _id: { $gt: last } };
      return (await records.some(["_id"], later, { sort: { _id: 1 }, limit })).map(({ _id }) => _id);
    },
    countOf: (registrationId: string) => records.count({ registrationId }),
    /** Whether another LMS has courses with the account or, if a deployment is named, another deployment of the same LMS. */
    isUsedElsewhere: async (
      environment: Course["environment"],
      registrationId: string,
      deploymentId: string | null = null,
    ) =>
      (await records.exists({ environment, registrationId: { $ne: registrationId } })) ||
      (deploymentId !== null &&
        (await records.exists({ environment, registrationId, deploymentId: { $ne: deploymentId } }))),
    /** In any deployment of the LMS. */
    findByContexts: async (registrationId: string, contextIds: readonly string[]): Promise<Course[]> =>
      contextIds.length === 0
        ? []
        : presentAll(await records.rows({ registrationId, contextId: { $in: contextIds } })),
    /** Takes over the source's settings, once. @param taken Null declines. @returns false if it was answered before. */
    answerCopy: (
      id: string,
      taken: (Pick<Course, "settings" | "policy"> & Partial<Pick<Course, "door" | "checkIn">>) | null,
    ) =>
      records.change(
        { _id: id, copyAnswer: "open" },
        {
          $set: { ...taken, copyAnswer: taken === null ? "declined" : "taken" },
          ...(taken === null ? {} : { $inc: { settingsRevision: 1, policyRevision: 1 } }),
        },
      ),
    /**
     * @param revision The one seen. @param to What is left out stays unchanged. @param only The Space that the course
     * must have, null for none. Default: any. @returns false if the settings have changed since, or the course has
     * another Space.
     */
    changeSettings: (
      id: string,
      revision: number,
      to: Partial<Pick<Course, "settings" | "door" | "spaceAccess" | "newSpace">>,
      only: Partial<Pick<Course, "spaceId">> = {},
    ) =>
      records.change(
        { _id: id, settingsRevision: revision, ...only },
        { $set: to, $inc: { settingsRevision: 1 } },
      ),
    /** @param revision The one seen. @returns false if the policy has changed since. */
    changePolicy: (id: string, revision: number, policy: Course["policy"]) =>
      records.change(
        { _id: id, policyRevision: revision },
        { $set: { policy }, $inc: { policyRevision: 1 } },
      ),
    /** Has no effect if the course already has a zone. */
    suggestTimeZone: async (id: string, timeZone: string): Promise<void> => {
      await records.change({ _id: id, timeZone: null }, { $set: { timeZone } });
    },
    /** @returns false if the course already had this zone: of concurrent callers with the same zone, one gets true. */
    setTimeZone: (id: string, timeZone: string) =>
      records.change({ _id: id, timeZone: { $ne: timeZone } }, { $set: { timeZone } }),
    /** Sets an option that is saved alone. @param value Null follows the institution again. @returns false if it already had this value. */
    setOption: <Name extends SingleOption>(id: string, name: Name, value: Course[Name] | null) =>
      records.change({ _id: id, [name]: { $ne: value } }, { $set: { [name]: value } }),
    askFeedback: async (id: string, asks: boolean): Promise<void> => {
      await records.change({ _id: id }, { $set: { asksFeedback: asks } });
    },
    /** Of concurrent callers, one gets true. @param from The expected states. In any other state nothing changes. */
    moveSetUp: (id: string, from: readonly Course["setUp"][], to: Course["setUp"]) =>
      records.change({ _id: id, setUp: { $in: from } }, { $set: { setUp: to } }),
    /** The courses approved for a Space, in a fixed order, otherwise those that used it before. Never one without a right to it. */
    findBySpace: async (environment: Course["environment"], spaceId: string): Promise<Course[]> => {
      const found = await records.rows({ environment, spaceId });
      const ids = await spaces.withRight(
        { environment, spaceId },
        found.map(({ _id }) => _id),
      );
      const rows = found.filter(({ _id }) => ids.includes(_id)).sort((a, b) => compareText(a._id, b._id));
      if (rows.length > 0) return presentAll(rows);
      const former = await spaces.coursesBefore(environment, spaceId, false);
      return former.length === 0 ? [] : presentAll(await records.rows({ _id: { $in: former } }));
    },
    ...spaces,
    ...createCourseLists(records, presentAll),
  };
}

const unknownYet = {
  lineItemsUrl: null,
  gradeScopes: [],
  membershipsUrl: null,
  groupsUrl: null,
  groupSetsUrl: null,
  history: [],
  courseUrl: null,
};

/** What a new course starts with. */
const firstFacts = {
  door: alwaysOpen,
  spaceAccess: "unknown",
  newSpace: openSpace,
  settingsRevision: 0,
  policyRevision: 0,
  timeZone: null,
} as const;

const readCourse = readerOf(courseRecord);

function toCourse(row: CourseRow): OwnCourse {
  const course = readCourse(row);
  const policy = course.policy.kind === "no-grades" ? course.policy : { ...ruleDefaults, ...course.policy };
  return { ...course, settings: wholeSettings(course.settings), policy };
}

function underRules(course: OwnCourse, rules: InstitutionDefaults): Course {
  const locked = lockedNames(rules);
  const staff = Object.keys(rules.staff).length === 0 ? {} : { staff: rules.staff };
  const spaces = rules.ownSpacesOnly ? { ownSpacesOnly: true } : {};
  return { ...inCourse(course, rules), ...(locked.length === 0 ? {} : { locked }), ...spaces, ...staff };
}
