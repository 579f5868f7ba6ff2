import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { ClassroomRole } from "../../../domain/api-user.ts";
import type { Course } from "../../../domain/course.ts";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import { maxOpenRequests } from "../rules/limits.ts";
import { type SpaceRequest, spaceRequestRecord, type SpaceUser, spaceUserRecord } from "../rules/records.ts";
import type { SpaceDecider, SpaceName } from "../rules/space-right.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { longerLease, released } from "../../../storage/lease.ts";
import { recordModel } from "../../../storage/record-model.ts";

type SpaceUserRow = RowOf<typeof spaceUserRecord>;

type AddingCourse = Pick<Course, "id" | "registrationId" | "environment">;

/** A user of a Space, both by the classroom's ids. */
type UserOfSpace = { spaceId: string; userId: string };

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

/** Requests for Spaces, one for each (course, Space). */
export function createSpaceRequestStore(connection: Connection) {
  const model = recordModel(connection, spaceRequestRecord);

  return {
    /**
     * An open or refused request stays; an approved one whose right was taken away is asked anew. @returns known: it
     * existed · full: not added, too many of the course are open.
     */
    ask: async (
      wanted: Pick<SpaceRequest, "id" | "registrationId" | "courseId" | "personId" | "askedAt"> & SpaceName,
    ): Promise<"asked" | "known" | "full"> => {
      const { id, personId, askedAt, courseId, environment, spaceId, registrationId } = wanted;
      const key = { courseId, environment, spaceId };
      const anew = { personId, askedAt, state: "open", decidedAt: null, decidedBy: null } as const;
      const known = await model.findOne(key).lean();
      if (known !== null) {
        const done = await model.updateOne({ _id: known._id, state: "approved" }, { $set: anew });
        return done.matchedCount === 1 ? "asked" : "known";
      }
      const waiting = await model.countDocuments({ registrationId, courseId, state: "open" });
      if (waiting >= maxOpenRequests) return "full";
      const done = await retriedOnDuplicate(() =>
        model.updateOne(key, { $setOnInsert: { _id: id, registrationId, ...anew } }, { upsert: true }),
      );
      return done.upsertedCount === 1 ? "asked" : "known";
    },
    find: async (id: string): Promise<SpaceRequest | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toRequest(row);
    },
    findOf: async (courseId: string, { environment, spaceId }: SpaceName): Promise<SpaceRequest | null> => {
      const row = await model.findOne({ courseId, environment, spaceId }).lean();
      return row === null ? null : toRequest(row);
    },
    /** @param from States it may be in; a refusal may be reconsidered. @returns false when it was answered meanwhile. */
    decide: async (
      id: string,
      state: "approved" | "refused",
      by: SpaceDecider,
      at: number,
      from: readonly SpaceRequest["state"][] = ["open"],
    ): Promise<boolean> => {
      const to = { state, decidedAt: at, decidedBy: by };
      const seen = { _id: id, state: { $in: [...from] } };
      return (await model.updateOne(seen, { $set: to })).matchedCount === 1;
    },
    /** An approved request that could not be carried out. */
    reopen: async (id: string): Promise<void> => {
      const open = { state: "open", decidedAt: null, decidedBy: null };
      await model.updateOne({ _id: id, state: "approved" }, { $set: open });
    },
    /** Up to a limit, of all LMSs. */
    countOpen: (limit: number): Promise<number> => model.countDocuments({ state: "open" }, { limit }).exec(),
    /** Latest first. @param registrationId Null for all. */
    listOpen: async (registrationId: string | null, limit: number): Promise<SpaceRequest[]> => {
      const ofLms = registrationId === null ? {} : { registrationId };
      const found = model.find({ ...ofLms, state: "open" }).sort({ askedAt: -1 });
      return (await found.limit(limit).lean()).map(toRequest);
    },
    /** Latest first. */
    listOfCourse: async (registrationId: string, courseId: string, limit: number): Promise<SpaceRequest[]> =>
      (await model.find({ registrationId, courseId }).sort({ askedAt: -1 }).limit(limit).lean()).map(
        toRequest,
      ),
  };
}

const toRequest = readerOf(spaceRequestRecord);
