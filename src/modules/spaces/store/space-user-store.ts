import type { RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import type { ClassroomRole } from "../../../domain/api-user.ts";
import type { Course } from "../../../domain/course.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";
import type { SpaceName } from "../rules/space-right.ts";
import { type SpaceUser, spaceUserRecord } from "../rules/space-user.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { released } from "../../../storage/lease.ts";

type SpaceUserRow = RowOf<typeof spaceUserRecord>;

/** A course, as far as what it tells Spaces goes. */
type TellingCourse = Pick<Course, "id" | "registrationId" | "environment">;

/** A user of a Space, both by the classroom's ids. */
export type UserOfSpace = { spaceId: string; userId: string };

export type SpaceUserStore = ReturnType<typeof createSpaceUserStore>;

/**
 * Which users of the classroom a Space was told of: a record for each (Space, user), so that a course of thousands is no
 * larger a record than one of ten.
 */
export function createSpaceUserStore(connection: Connection) {
  const model = recordModel(connection, spaceUserRecord);

  const idOf = ({ environment, spaceId }: SpaceName, userId: string) => `${environment} ${spaceId} ${userId}`;
  const keyOf = ({ environment }: TellingCourse, { spaceId, userId }: UserOfSpace) =>
    idOf({ environment, spaceId }, userId);

  return {
    find: async (space: SpaceName, userId: string): Promise<SpaceUser | null> => {
      const row = await model.findOne({ _id: idOf(space, userId) }).lean();
      return row === null ? null : toSpaceUser(row);
    },
    /** As what a Space was told of some users last; those whom it was never told of are left out. */
    rolesOf: async (space: SpaceName, userIds: readonly string[]): Promise<Map<string, ClassroomRole>> => {
      if (userIds.length === 0) return new Map();
      const ids = userIds.map((userId) => idOf(space, userId));
      const rows = await model.find({ _id: { $in: ids } }, { userId: 1, role: 1 }).lean();
      return new Map(rows.flatMap(({ userId, role }) => (role === null ? [] : [[userId, role]])));
    },
    /** Writes down whom a new Space was told of. Repeating it changes nothing. */
    noteMade: async (
      { id: courseId, registrationId, environment }: TellingCourse,
      spaceId: string,
      told: readonly { userId: string; role: ClassroomRole }[],
      at: number,
    ): Promise<void> => {
      if (told.length === 0) return;
      const writes = told.map(({ userId, role }) => ({
        updateOne: {
          filter: { _id: idOf({ environment, spaceId }, userId) },
          update: {
            $set: { role, toldAt: at, fromStart: true },
            $setOnInsert: { registrationId, courseId, environment, spaceId, userId, ...fresh },
          },
          upsert: true,
        },
      }));
      await retriedOnDuplicate(() => model.bulkWrite(writes, { ordered: false }));
    },
    /**
     * Takes the right to tell a Space of a user until `until`.
     * @returns false when somebody else holds it, or the Space was told of them in this role.
     */
    claim: async (
      course: TellingCourse,
      user: UserOfSpace & { role: ClassroomRole },
      { holder, now, until }: { holder: string; now: number; until: number },
    ): Promise<boolean> => {
      const { id: courseId, registrationId, environment } = course;
      const { spaceId, userId, role } = user;
      const _id = keyOf(course, user);
      const begun = { registrationId, courseId, environment, spaceId, userId, fromStart: false };
      const untold = { role: null, toldAt: null };
      await retriedOnDuplicate(() =>
        model.updateOne({ _id }, { $setOnInsert: { ...begun, ...untold, ...fresh } }, { upsert: true }),
      );
      const done = await model.updateOne(
        { _id, role: { $ne: role }, leaseUntil: { $lte: now } },
        { $set: { leaseHolder: holder, leaseUntil: until } },
      );
      return done.matchedCount === 1;
    },
    /** Lengthens a claim; without effect when it was lost. */
    extend: async (
      course: TellingCourse,
      user: UserOfSpace,
      holder: string,
      until: number,
    ): Promise<void> => {
      await model.updateOne(
        { _id: keyOf(course, user), leaseHolder: holder },
        { $set: { leaseUntil: until } },
      );
    },
    /** Writes down under a claim that the Space was told; false when the claim was lost. */
    keep: async (
      course: TellingCourse,
      user: UserOfSpace & { role: ClassroomRole },
      holder: string,
      at: number,
    ): Promise<boolean> => {
      const told = { role: user.role, toldAt: at, fromStart: false };
      const done = await model.updateOne(
        { _id: keyOf(course, user), leaseHolder: holder },
        { $set: { ...told, ...fresh } },
      );
      return done.matchedCount === 1;
    },
    /** Gives a claim back, so that the next one can try at once. */
    release: async (course: TellingCourse, user: UserOfSpace, holder: string): Promise<void> => {
      await model.updateOne({ _id: keyOf(course, user), leaseHolder: holder }, { $set: released });
    },
    /** Writes down that the Space could not be told of somebody whom it was begun to be told of. */
    noteFailure: async (
      course: TellingCourse,
      user: UserOfSpace,
      { at, problem }: { at: number; problem: string },
    ): Promise<void> => {
      await model.updateOne({ _id: keyOf(course, user) }, { $set: { failedAt: at, problem } });
    },
    /** The users that a Space was told of as hosts, the first ones first. */
    listHosts: async ({ environment, spaceId }: SpaceName, limit: number): Promise<SpaceUser[]> => {
      const found = model.find({ environment, spaceId, role: "host" }).sort({ toldAt: 1 });
      return (await found.limit(limit).lean()).map(toSpaceUser);
    },
    /** How many users a Space was told of as participants through a course. */
    countParticipants: async ({ environment, spaceId }: SpaceName, courseId: string): Promise<number> =>
      model.countDocuments({ environment, spaceId, role: "participant", courseId }),
    /** The users that a Space could not be told of, the latest first. */
    listFailed: async ({ environment, spaceId }: SpaceName, limit: number): Promise<SpaceUser[]> => {
      const found = model.find({ environment, spaceId, failedAt: { $gte: 0 } }).sort({ failedAt: -1 });
      return (await found.limit(limit).lean()).map(toSpaceUser);
    },
    /** How many users their Spaces could not be told of, in all of an environment. */
    countFailed: async (environment: EnvironmentName): Promise<number> =>
      model.countDocuments({ environment, failedAt: { $gte: 0 } }),
  };
}

/** Of a record about which nothing is wrong and that nobody holds. */
const fresh = { failedAt: null, problem: null, ...released };

function toSpaceUser(row: SpaceUserRow): SpaceUser {
  const { environment, spaceId, userId, role, toldAt, fromStart, failedAt, problem } = row;
  return { environment, spaceId, userId, role, toldAt, fromStart, failedAt, problem };
}
