import { recordModel } from "../../../storage/record-model.ts";
import { formerSpaceRecord } from "../rules/records.ts";
import type { Connection, Model } from "mongoose";
import type { Course } from "../../../domain/course.ts";
import { accessOfNew, type NewSpace, openSpace } from "../../../domain/space-access.ts";
import type { SpaceName } from "../rules/space-right.ts";
import type { SpaceChange } from "../rules/space-change.ts";
import type { CourseRow } from "../../courses/store/course-row.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { released } from "../../../storage/lease.ts";
import { createSpaceRegister } from "./space-register.ts";

/** Whoever changes a Space has so long (ms) to tell of it; then another process does. */
const tellingTakes = 20_000;

function toBeTold(change: SpaceChange | undefined) {
  if (change === undefined) return { due: {}, push: {} };
  return { due: { spaceChangeAt: change.at + tellingTakes }, push: { $push: { spaceChanges: change } } };
}

/** The part of the course store about a course's own Space: making it once, having another one, and the ones before. */
export function createCourseSpaces(connection: Connection, model: Model<CourseRow>) {
  const formerModel = recordModel(connection, formerSpaceRecord);

  const firstDue = async (_scope: string, range: DueRange) => {
    const at = "$lte" in range ? { $gte: 0, ...range } : range;
    const row = await model.findOne({ spaceChangeAt: at }).sort({ spaceChangeAt: 1 }).lean();
    return row === null ? null : { dueAt: row.spaceChangeAt ?? 0, leaseUntil: 0 };
  };
  const queue = dueHeadsOf(connection).queue("space-changes", firstDue);
  const toldBy = (change: SpaceChange | undefined) =>
    change === undefined ? Infinity : change.at + tellingTakes;

  const register = createSpaceRegister(connection);
  /** Before a Space that was made is kept, the register learns whose it is; one that is somebody's is not kept. */
  const own = async (id: string, holder: string, spaceId: string, at: number): Promise<void> => {
    const course = await model.findOne({ _id: id }, { registrationId: 1, environment: 1 }).lean();
    if (course === null) return;
    try {
      await register.own({ ...course, id }, spaceId, at);
    } catch (thrown) {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: released });
      throw thrown;
    }
  };

  const withRight = async (space: SpaceName, courseIds: readonly string[]): Promise<string[]> => {
    if (courseIds.length === 0) return [];
    const allowed = await register.coursesWithRight(space);
    return courseIds.filter((id) => allowed.has(id));
  };

  /** Written before a course changes its Space, so that no session is left without a course by a crash. */
  const noteFormer = async (environment: string, courseId: string, spaceId: string | null): Promise<void> => {
    if (spaceId === null) return;
    const _id = `${courseId} ${spaceId}`;
    await retriedOnDuplicate(() =>
      formerModel.updateOne({ _id }, { $setOnInsert: { environment, spaceId, courseId } }, { upsert: true }),
    );
  };

  return {
    /** Whether, and how, a course may use a Space: see the register. */
    standing: register.standing,
    mayUse: register.mayUse,
    keptElsewhere: register.keptElsewhere,
    /** Keeps a Space for a course that does not have it yet, because the service put it elsewhere. */
    keepElsewhere: register.own,
    usableOf: register.usableOf,
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
    /**
     * Keeps the Space made under a claim, which is the course's own from then on; false when the claim was lost meanwhile.
     * @param made How it was made.
     * @param at When (ms).
     * @throws NamedError "space-id-taken"
     */
    keepSpace: async (
      id: string,
      holder: string,
      spaceId: string,
      made: NewSpace = openSpace,
      at = 0,
    ): Promise<boolean> => {
      await own(id, holder, spaceId, at);
      const done = await model.updateOne(
        { _id: id, spaceId: null, leaseHolder: holder },
        { $set: { spaceId, spaceAccess: accessOfNew(made), ...released } },
      );
      return done.matchedCount === 1;
    },
    /** Gives a claim back after a failure, so that the next person can try at once. */
    releaseSpace: async (id: string, holder: string): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: released });
    },
    /**
     * Gives a course another Space, to which it has a right; the one before stays known as its former one. A Space that is just being made under
     * a claim loses that claim.
     * @param from The Space that was seen; null when there was none.
     * @param change Kept with it until `spaceChangeTold`; left out when nobody is to be told.
     * @returns false, and nothing is changed, when the course has another one by now.
     */
    replaceSpace: async (
      { id, environment }: Pick<Course, "id" | "environment">,
      from: string | null,
      to: string,
      change?: SpaceChange,
    ): Promise<boolean> => {
      await noteFormer(environment, id, from);
      const { due, push } = toBeTold(change);
      const done = await queue.announced(everything, toldBy(change), () =>
        model.updateOne(
          { _id: id, spaceId: from },
          {
            $set: { spaceId: to, spaceAccess: "unknown", ...released, ...due },
            ...push,
            $inc: { settingsRevision: 1 },
          },
        ),
      );
      return done.matchedCount === 1;
    },
    /**
     * Takes the right to make another Space instead of the one that was seen.
     * @returns false when somebody else holds it or the course has another one by now.
     */
    claimNewSpace: async (
      id: string,
      from: string,
      { holder, now, until }: { holder: string; now: number; until: number },
    ): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, spaceId: from, leaseUntil: { $lte: now } },
        { $set: { leaseHolder: holder, leaseUntil: until } },
      );
      return done.matchedCount === 1;
    },
    /**
     * Keeps the Space made under such a claim; false when the claim was lost meanwhile.
     * @throws NamedError "space-id-taken"
     */
    keepNewSpace: async (
      { id, environment }: Pick<Course, "id" | "environment">,
      { holder, change, made }: { holder: string; change: SpaceChange; made: NewSpace },
    ): Promise<boolean> => {
      const { before: from, after: spaceId } = change;
      await own(id, holder, spaceId, change.at);
      await noteFormer(environment, id, from);
      const { due, push } = toBeTold(change);
      const done = await queue.announced(everything, toldBy(change), () =>
        model.updateOne(
          { _id: id, spaceId: from, leaseHolder: holder },
          {
            $set: { spaceId, spaceAccess: accessOfNew(made), ...released, ...due },
            ...push,
            $inc: { settingsRevision: 1 },
          },
        ),
      );
      return done.matchedCount === 1;
    },
    /** A change of the Space has been told to everybody concerned. */
    spaceChangeTold: async (id: string, changeId: string): Promise<void> => {
      await model.updateOne({ _id: id }, { $pull: { spaceChanges: { id: changeId } } });
      await model.updateOne({ _id: id, spaceChanges: { $size: 0 } }, { $set: { spaceChangeAt: null } });
    },
    /**
     * Takes a course whose Space somebody changed who did not live to tell.
     * @param until When the next one takes it (ms), if it is still there then.
     */
    claimSpaceChanges: async (
      now: number,
      until: number,
    ): Promise<{ courseId: string; changes: SpaceChange[] } | null> => {
      const take = () =>
        model
          .findOneAndUpdate(
            { spaceChangeAt: { $gte: 0, $lte: now } },
            { $set: { spaceChangeAt: until } },
            { sort: { spaceChangeAt: 1 }, returnDocument: "after" },
          )
          .lean();
      const row = await queue.claim(now, { take });
      return row === null ? null : { courseId: row._id, changes: row.spaceChanges ?? [] };
    },
    /** A course whose changes are all told is not looked at again; see `spaceChangeTold`, which may have been cut short. */
    noSpaceChanges: async (id: string): Promise<void> => {
      const none = [{ spaceChanges: { $size: 0 } }, { spaceChanges: null }];
      await model.updateOne({ _id: id, $or: none }, { $set: { spaceChangeAt: null } });
    },
    /** Ids of the courses that had a Space before they got another one. */
    coursesBefore: async (environment: Course["environment"], spaceId: string): Promise<string[]> =>
      withRight(
        { environment, spaceId },
        (await formerModel.find({ environment, spaceId }).lean()).map(({ courseId }) => courseId),
      ),
    /** Those of some courses that have a right to a Space. */
    withRight,
    /** Ids of the Spaces that a course had before the one it has, closed ones left out. */
    formerSpaces: async ({
      id,
      spaceId,
      environment,
    }: Pick<Course, "id" | "spaceId" | "environment">): Promise<string[]> => {
      const rows = await formerModel.find({ courseId: id }).lean();
      const former = rows.map((row) => row.spaceId).filter((one) => one !== spaceId);
      const usable = await register.usableOf({ id, environment }, former);
      return former.filter((one) => usable.has(one));
    },
  };
}
