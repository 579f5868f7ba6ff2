import { isDeepStrictEqual } from "node:util";
import { type Connection, Schema } from "mongoose";
import type { Course } from "../domain/course.ts";
import { openDoor } from "../domain/door.ts";
import { unsaidRule } from "../domain/grade-policy.ts";
import { retriedOnDuplicate } from "./duplicate-key.ts";
import { type LeaseFields, leaseFields, released } from "./lease.ts";

type CourseRow = Omit<Course, "id"> & LeaseFields & { _id: string; lastLaunchAt: number | null };

/** What identifies a course: never its title, its e-mail or a custom value, which are copied with it. */
export type CourseKey = Pick<Course, "registrationId" | "deploymentId" | "contextId">;

/** The part of a course that every launch brings up to date. A null address leaves the known one. */
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
  /** Left out by callers that know no launch. */
  courseUrl?: string | null;
  /** When the launch happened, written down to the minute; for finding a course the LMS is using now. */
  lastLaunchAt?: number;
};

export type CourseStore = ReturnType<typeof createCourseStore>;

/** Courses, one for each (registration, deployment, context). */
export function createCourseStore(connection: Connection) {
  const schema = new Schema<CourseRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      deploymentId: { type: String, required: true },
      contextId: { type: String, required: true },
      title: { type: String, default: "" },
      label: { type: String, default: "" },
      environment: { type: String, required: true },
      spaceId: { type: String, default: null },
      settings: { type: Schema.Types.Mixed, required: true },
      door: { type: Schema.Types.Mixed, default: openDoor },
      spaceAccess: { type: String, default: "unknown" },
      settingsRevision: { type: Number, default: 0 },
      policy: { type: Schema.Types.Mixed, required: true },
      policyRevision: { type: Number, default: 0 },
      timeZone: { type: String, default: null },
      lineItemsUrl: { type: String, default: null },
      gradeScopes: { type: [String], default: [] },
      membershipsUrl: { type: String, default: null },
      groupsUrl: { type: String, default: null },
      groupSetsUrl: { type: String, default: null },
      history: { type: [String], default: [] },
      copyAnswer: { type: String, default: "open" },
      courseUrl: { type: String, default: null },
      asksFeedback: { type: Boolean, default: true },
      lastLaunchAt: { type: Number, default: null },
      createdAt: { type: Number, required: true },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, deploymentId: 1, contextId: 1 }, { unique: true });
  schema.index({ environment: 1, spaceId: 1 });
  schema.index({ registrationId: 1, contextId: 1 });
  schema.index({ registrationId: 1, lastLaunchAt: -1 });
  const model = connection.model<CourseRow>("Course", schema);

  return {
    /**
     * The course of a launch, made with `first` when this is its first one, brought up to date otherwise. When a class
     * arrives, all but the first launch tell nothing new and cost a read only.
     */
    record: async (
      key: CourseKey,
      facts: CourseFacts,
      first: Pick<Course, "id" | "environment" | "settings" | "policy" | "createdAt">,
    ): Promise<Course> => {
      const { id, ...rest } = first;
      const known = Object.fromEntries(
        Object.entries(facts).filter(
          ([, value]) => value !== null && !(Array.isArray(value) && value.length === 0),
        ),
      );
      const before = await model.findOne({ ...key }).lean();
      if (before !== null && saysNothingNew(known, before)) return toCourse(before);
      const empty = Object.fromEntries(Object.entries(unknownYet).filter(([name]) => !(name in known)));
      const row = await retriedOnDuplicate(() =>
        model
          .findOneAndUpdate(
            { ...key },
            {
              $set: known,
              $setOnInsert: {
                _id: id,
                ...rest,
                ...empty,
                ...unsaid,
                spaceId: null,
                copyAnswer: "open",
                asksFeedback: true,
                ...released,
              },
            },
            { upsert: true, returnDocument: "after" },
          )
          .lean(),
      );
      return toCourse(row);
    },
    find: async (id: string): Promise<Course | null> => orNull(await model.findOne({ _id: id }).lean()),
    /** The courses of a registration that were launched last, latest first. */
    latestOf: async (
      registrationId: string,
      limit: number,
    ): Promise<{ course: Course; lastLaunchAt: number | null }[]> =>
      (await model.find({ registrationId }).sort({ lastLaunchAt: -1 }).limit(limit).lean()).map((row) => ({
        course: toCourse(row),
        lastLaunchAt: row.lastLaunchAt,
      })),
    /** How many courses of an LMS have been opened. */
    countOf: (registrationId: string): Promise<number> => model.countDocuments({ registrationId }).exec(),
    /** Courses of an LMS by context id, in any of its deployments. */
    findByContexts: async (registrationId: string, contextIds: readonly string[]): Promise<Course[]> =>
      contextIds.length === 0
        ? []
        : (await model.find({ registrationId, contextId: { $in: [...contextIds] } }).lean()).map(toCourse),
    /**
     * Answers the question whether a copied course takes its source's settings, once.
     * @param taken The settings to take; null declines.
     * @returns false when it was answered before.
     */
    answerCopy: async (
      id: string,
      taken: (Pick<Course, "settings" | "policy"> & { door?: Course["door"] }) | null,
    ): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, copyAnswer: "open" },
        {
          $set: { ...taken, copyAnswer: taken === null ? "declined" : "taken" },
          ...(taken === null ? {} : { $inc: { settingsRevision: 1, policyRevision: 1 } }),
        },
      );
      return done.matchedCount === 1;
    },
    /**
     * What an instructor chose on the settings page.
     * @param revision The one they saw.
     * @param to What is left out stays.
     * @returns false when somebody has changed the settings since.
     */
    changeSettings: async (
      id: string,
      revision: number,
      to: Partial<Pick<Course, "settings" | "door" | "spaceAccess">>,
    ): Promise<boolean> => {
      const seen = revision === 0 ? { $in: [0, null] } : revision;
      const done = await model.updateOne(
        { _id: id, settingsRevision: seen },
        { $set: to, $inc: { settingsRevision: 1 } },
      );
      return done.matchedCount === 1;
    },
    /**
     * The grade policy an instructor chose.
     * @param revision The one they saw.
     * @returns false when somebody has changed the policy since.
     */
    changePolicy: async (id: string, revision: number, policy: Course["policy"]): Promise<boolean> => {
      const seen = revision === 0 ? { $in: [0, null] } : revision;
      const done = await model.updateOne(
        { _id: id, policyRevision: seen },
        { $set: { policy }, $inc: { policyRevision: 1 } },
      );
      return done.matchedCount === 1;
    },
    /** A zone for a course that has none yet; what was chosen stays. */
    suggestTimeZone: async (id: string, timeZone: string): Promise<void> => {
      await model.updateOne({ _id: id, timeZone: null }, { $set: { timeZone } });
    },
    setTimeZone: async (id: string, timeZone: string): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { timeZone } });
    },
    /** Turns the question after a class on or off. */
    askFeedback: async (id: string, asks: boolean): Promise<void> => {
      await model.updateOne({ _id: id }, { $set: { asksFeedback: asks } });
    },
    /** The courses that use a Space; more than one when instructors linked it by hand. */
    findBySpace: async (environment: Course["environment"], spaceId: string): Promise<Course[]> =>
      (await model.find({ environment, spaceId }).lean()).map(toCourse),
    /**
     * Takes the right to make this course's Space until `until`.
     * @returns false when somebody else holds it or the Space exists already.
     */
    claimSpace: async (id: string, holder: string, now: number, until: number): Promise<boolean> => {
      const row = await model
        .findOneAndUpdate(
          { _id: id, spaceId: null, leaseUntil: { $lte: now } },
          { $set: { leaseHolder: holder, leaseUntil: until } },
          { returnDocument: "after" },
        )
        .lean();
      return row !== null;
    },
    /** Lengthens a claim; without effect when it was lost. */
    extendSpace: async (id: string, holder: string, until: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } });
    },
    /** Keeps the Space made under a claim; false when the claim was lost meanwhile. */
    keepSpace: async (id: string, holder: string, spaceId: string): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, spaceId: null, leaseHolder: holder },
        { $set: { spaceId, ...released } },
      );
      return done.matchedCount === 1;
    },
    /** Gives a claim back after a failure, so that the next person can try at once. */
    releaseSpace: async (id: string, holder: string): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: released });
    },
  };
}

/** Whether a course is known as told, by a launch of the last minute. */
function saysNothingNew(told: Readonly<Record<string, unknown>>, row: CourseRow): boolean {
  const known = new Map<string, unknown>(Object.entries(row));
  return Object.entries(told).every(([name, value]) => {
    const before = known.get(name);
    if (name !== "lastLaunchAt") return isDeepStrictEqual(value, before);
    return typeof value === "number" && typeof before === "number" && Math.abs(value - before) < 60_000;
  });
}

/** What a course has before any launch told it. */
const unknownYet = {
  lineItemsUrl: null,
  gradeScopes: [],
  membershipsUrl: null,
  groupsUrl: null,
  groupSetsUrl: null,
  history: [],
  courseUrl: null,
};

/** What records of earlier versions lack. */
const earlier = { courseUrl: null, asksFeedback: true } as const;

/** What nobody has said of a new course, and what records of earlier versions lack. */
const unsaid = {
  door: openDoor,
  spaceAccess: "unknown",
  settingsRevision: 0,
  policyRevision: 0,
  timeZone: null,
} as const;

function toCourse(row: CourseRow): Course {
  const { _id, leaseHolder: _holder, leaseUntil: _until, lastLaunchAt: _launch, ...course } = row;
  const policy = course.policy.kind === "no-grades" ? course.policy : { ...unsaidRule, ...course.policy };
  return { id: _id, ...earlier, ...unsaid, ...course, policy };
}

function orNull(row: CourseRow | null): Course | null {
  return row === null ? null : toCourse(row);
}
