import type { RowOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import type { ClassroomRole } from "../../../domain/api-user.ts";
import type { Course } from "../../../domain/course.ts";
import type { AccountId } from "../../../domain/account.ts";
import type { SpaceName } from "../rules/space-right.ts";
import { type SpaceUser, spaceUserRecord } from "../rules/space-user.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { released, longerLease } from "../../../storage/lease.ts";

type SpaceUserRow = RowOf<typeof spaceUserRecord>;

type AddingCourse = Pick<Course, "id" | "registrationId" | "environment">;

/** A user of a Space, both by the classroom's ids. */
export type UserOfSpace = { spaceId: string; userId: string };

export type SpaceUserStore = ReturnType<typeof createSpaceUserStore>;

/** Users that a Space was told of, one record for each (Space, user), so that size does not grow with the course. */
export function createSpaceUserStore(connection: Connection) {
  const model = recordModel(connection, spaceUserRecord);

  const idOf = ({ environment, spaceId }: SpaceName, userId: string) => `${environment} ${spaceId} ${userId}`;
  const keyOf = ({ environment }: AddingCourse, { spaceId, userId }: UserOfSpace) =>
    idOf({ environment, spaceId }, userId);

  return {
    find: async (space: SpaceName, userId: string): Promise<SpaceUser | null> => {
      const row = await model.findOne({ _id: idOf(space, userId) }).lean();
      return row === null ? null : toSpaceUser(row);
    },
    /** Last told; users never told are left out. */
    rolesOf: async (space: SpaceName, userIds: readonly string[]): Promise<Map<string, ClassroomRole>> => {
      if (userIds.length === 0) return new Map();
      const ids = userIds.map((userId) => idOf(space, userId));
      const rows = await model.find({ _id: { $in: ids } }, { userId: 1, role: 1 }).lean();
      return new Map(rows.flatMap(({ userId, role }) => (role === null ? [] : [[userId, role]])));
    },
    /** The users a new Space was told of. Repeatable. */
    noteMade: async (
      { id: courseId, registrationId, environment }: AddingCourse,
      spaceId: string,
      toAdd: readonly { userId: string; role: ClassroomRole }[],
      at: number,
    ): Promise<void> => {
      if (toAdd.length === 0) return;
      const writes = toAdd.map(({ userId, role }) => ({
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
    /** Until `until`. @returns false when it is claimed or the Space knows the user in this role. */
    claim: async (
      course: AddingCourse,
      user: UserOfSpace & { role: ClassroomRole },
      { holder, now, until }: { holder: string; now: number; until: number },
    ): Promise<boolean> => {
      const { id: courseId, registrationId, environment } = course;
      const { spaceId, userId, role } = user;
      const _id = keyOf(course, user);
      const begun = { registrationId, courseId, environment, spaceId, userId, fromStart: false };
      const notAdded = { role: null, toldAt: null };
      await retriedOnDuplicate(() =>
        model.updateOne({ _id }, { $setOnInsert: { ...begun, ...notAdded, ...fresh } }, { upsert: true }),
      );
      const done = await model.updateOne(
        { _id, role: { $ne: role }, leaseUntil: { $lte: now } },
        { $set: { leaseHolder: holder, leaseUntil: until } },
      );
      return done.matchedCount === 1;
    },
    extend: async (
      course: AddingCourse,
      user: UserOfSpace,
      holder: string,
      until: number,
    ): Promise<boolean> =>
      (await model.updateOne(...longerLease(keyOf(course, user), holder, until))).matchedCount === 1,
    /** The Space was told. @returns false when the claim was lost. */
    keep: async (
      course: AddingCourse,
      user: UserOfSpace & { role: ClassroomRole },
      holder: string,
      at: number,
    ): Promise<boolean> => {
      const added = { role: user.role, toldAt: at, fromStart: false };
      const done = await model.updateOne(
        { _id: keyOf(course, user), leaseHolder: holder },
        { $set: { ...added, ...fresh } },
      );
      return done.matchedCount === 1;
    },
    /** So that the next one can try at once. */
    release: async (course: AddingCourse, user: UserOfSpace, holder: string): Promise<void> => {
      await model.updateOne({ _id: keyOf(course, user), leaseHolder: holder }, { $set: released });
    },
    noteFailure: async (
      course: AddingCourse,
      user: UserOfSpace,
      { at, problem }: { at: number; problem: string },
    ): Promise<void> => {
      await model.updateOne({ _id: keyOf(course, user) }, { $set: { failedAt: at, problem } });
    },
    /** First told first. */
    listHosts: async ({ environment, spaceId }: SpaceName, limit: number): Promise<SpaceUser[]> => {
      const found = model.find({ environment, spaceId, role: "host" }).sort({ toldAt: 1 });
      return (await found.limit(limit).lean()).map(toSpaceUser);
    },
    /** Told through this course. */
    countParticipants: async ({ environment, spaceId }: SpaceName, courseId: string): Promise<number> =>
      model.countDocuments({ environment, spaceId, role: "participant", courseId }),
    /** Users whom a Space could not be told of, latest first. */
    listFailed: async ({ environment, spaceId }: SpaceName, limit: number): Promise<SpaceUser[]> => {
      const found = model.find({ environment, spaceId, failedAt: { $gte: 0 } }).sort({ failedAt: -1 });
      return (await found.limit(limit).lean()).map(toSpaceUser);
    },
    countFailed: async (environment: AccountId): Promise<number> =>
      model.countDocuments({ environment, failedAt: { $gte: 0 } }),
  };
}

const fresh = { failedAt: null, problem: null, ...released };

function toSpaceUser(row: SpaceUserRow): SpaceUser {
  const { environment, spaceId, userId, role, toldAt, fromStart, failedAt, problem } = row;
  return { environment, spaceId, userId, role, toldAt, fromStart, failedAt, problem };
}
