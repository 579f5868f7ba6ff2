import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { ClassroomRole } from "../../../domain/person.ts";
import type { Course } from "../../../domain/course.ts";
import {
  maxOpenRequests,
  type SpaceDecider,
  type SpaceName,
  type SpaceRequest,
  spaceRequestRecord,
  type SpaceUser,
  spaceUserRecord,
} from "../rules/space-right.ts";
import { longerLease, released } from "../../../storage/due-queue.ts";
import { openRecords } from "../../../storage/records.ts";

type AddingCourse = Pick<Course, "id" | "registrationId" | "environment">;

/** A user of a Space, both by the classroom's ids. */
type UserOfSpace = { spaceId: string; userId: string };

/** Users that a Space was told about, one record per Space and user, so a record's size doesn't grow with the course. */
export function createSpaceUserStore(connection: Connection) {
  const records = openRecords(connection, spaceUserRecord);

  const idOf = ({ environment, spaceId }: SpaceName, userId: string) => `${environment} ${spaceId} ${userId}`;
  const keyOf = ({ environment }: AddingCourse, { spaceId, userId }: UserOfSpace) =>
    idOf({ environment, spaceId }, userId);

  return {
    find: (space: SpaceName, userId: string): Promise<SpaceUser | null> =>
      records.find({ _id: idOf(space, userId) }),
    /** Roles in the Space's list, as last sent. Leaves out other users. */
    rolesOf: async (space: SpaceName, userIds: readonly string[]): Promise<Map<string, ClassroomRole>> => {
      if (userIds.length === 0) return new Map();
      const ids = userIds.map((userId) => idOf(space, userId));
      const rows = await records.some(["userId", "role"], { _id: { $in: ids } });
      return new Map(rows.flatMap(({ userId, role }) => (role === null ? [] : [[userId, role]])));
    },
    /** Notes the users with which a new Space was made. Repeatable. */
    noteMade: async (
      { id: courseId, registrationId, environment }: AddingCourse,
      spaceId: string,
      toAdd: readonly { userId: string; role: ClassroomRole }[],
      at: number,
    ): Promise<void> => {
      const writes = toAdd.map(({ userId, role }) => ({
        filter: { _id: idOf({ environment, spaceId }, userId) },
        update: {
          $set: { role, toldAt: at },
          $setOnInsert: { registrationId, courseId, environment, spaceId, userId, ...fresh },
        },
        upsert: true,
      }));
      await records.changeEach(writes);
    },
    /** Until `until`. @returns false if it's already claimed, or the Space knows the user in this role. */
    claim: async (
      course: AddingCourse,
      user: UserOfSpace & { role: ClassroomRole },
      { holder, now, until }: { holder: string; now: number; until: number },
    ): Promise<boolean> => {
      const { id: courseId, registrationId, environment } = course;
      const { spaceId, userId, role } = user;
      const _id = keyOf(course, user);
      const begun = { registrationId, courseId, environment, spaceId, userId };
      const notAdded = { role: null, toldAt: null };
      await records.ensure({ _id }, { ...begun, ...notAdded, ...fresh });
      return records.change(
        { _id, role: { $ne: role }, leaseUntil: { $lte: now } },
        { $set: { leaseHolder: holder, leaseUntil: until } },
      );
    },
    extend: (course: AddingCourse, user: UserOfSpace, holder: string, until: number): Promise<boolean> =>
      records.change(...longerLease(keyOf(course, user), holder, until)),
    /** The user is on the Space's list. @returns false if the claim was lost. */
    keep: async (
      course: AddingCourse,
      user: UserOfSpace & { role: ClassroomRole },
      holder: string,
      at: number,
    ): Promise<boolean> => {
      const added = { role: user.role, toldAt: at };
      return records.change(
        { _id: keyOf(course, user), leaseHolder: holder },
        { $set: { ...added, ...fresh } },
      );
    },
    /** Releases the claim, so the next caller can try immediately. */
    release: async (course: AddingCourse, user: UserOfSpace, holder: string): Promise<void> => {
      await records.change({ _id: keyOf(course, user), leaseHolder: holder }, { $set: released });
    },
    noteFailure: async (
      course: AddingCourse,
      user: UserOfSpace,
      { at, problem }: { at: number; problem: string },
    ): Promise<void> => {
      await records.change({ _id: keyOf(course, user) }, { $set: { failedAt: at, problem } });
    },
    /** First sent first. */
    listHosts: ({ environment, spaceId }: SpaceName, limit: number): Promise<SpaceUser[]> =>
      records.list({ environment, spaceId, role: "host" }, { sort: { toldAt: 1 }, limit }),
    /** Participants added through this course. */
    countParticipants: ({ environment, spaceId }: SpaceName, courseId: string): Promise<number> =>
      records.count({ environment, spaceId, role: "participant", courseId }),
    /** Users that couldn't be added to a Space, latest first. */
    listFailed: ({ environment, spaceId }: SpaceName, limit: number): Promise<SpaceUser[]> =>
      records.list({ environment, spaceId, failedAt: { $gte: 0 } }, { sort: { failedAt: -1 }, limit }),
    countFailed: (environment: AccountId): Promise<number> =>
      records.count({ environment, failedAt: { $gte: 0 } }),
  };
}

const fresh = { failedAt: null, problem: null, ...released };

/** Requests for Spaces, one per course and Space. */
export function createSpaceRequestStore(connection: Connection) {
  const records = openRecords(connection, spaceRequestRecord);

  return {
    /**
     * Leaves an open or refused request as it is. Opens an approved one again if its right was taken away. @returns known: it existed · full:
     * not added, because too many of the course's are open.
     */
    ask: async (
      request: Pick<SpaceRequest, "id" | "registrationId" | "courseId" | "personId" | "askedAt"> & SpaceName,
    ): Promise<"asked" | "known" | "full"> => {
      const { id, personId, askedAt, courseId, environment, spaceId, registrationId } = request;
      const key = { courseId, environment, spaceId };
      const fresh = { personId, askedAt, state: "open", decidedAt: null, decidedBy: null } as const;
      const known = await records.row(key);
      if (known !== null) {
        const done = await records.change({ _id: known._id, state: "approved" }, { $set: fresh });
        return done ? "asked" : "known";
      }
      const waiting = await records.count({ registrationId, courseId, state: "open" });
      if (waiting >= maxOpenRequests) return "full";
      const done = await records.ensure(key, { _id: id, registrationId, ...fresh });
      return done ? "asked" : "known";
    },
    find: (id: string): Promise<SpaceRequest | null> => records.find({ _id: id }),
    findOf: (courseId: string, { environment, spaceId }: SpaceName): Promise<SpaceRequest | null> =>
      records.find({ courseId, environment, spaceId }),
    /** @param from States it may be in, because a refusal may be reconsidered. @returns false if it has been answered. */
    decide: async (
      id: string,
      state: "approved" | "refused",
      by: SpaceDecider,
      at: number,
      from: readonly SpaceRequest["state"][] = ["open"],
    ): Promise<boolean> => {
      const to = { state, decidedAt: at, decidedBy: by };
      return records.change({ _id: id, state: { $in: from } }, { $set: to });
    },
    /** Reopens an approved request that couldn't be carried out. */
    reopen: async (id: string): Promise<void> => {
      const open = { state: "open", decidedAt: null, decidedBy: null } as const;
      await records.change({ _id: id, state: "approved" }, { $set: open });
    },
    /** Up to a limit, of all LMSs. */
    countOpen: (limit: number): Promise<number> => records.count({ state: "open" }, limit),
    /** Latest first. @param registrationId Null for all. */
    listOpen: (registrationId: string | null, limit: number): Promise<SpaceRequest[]> => {
      const ofLms = registrationId === null ? {} : { registrationId };
      return records.list({ ...ofLms, state: "open" }, { sort: { askedAt: -1 }, limit });
    },
    /** Latest first. */
    listOfCourse: (registrationId: string, courseId: string, limit: number): Promise<SpaceRequest[]> =>
      records.list({ registrationId, courseId }, { sort: { askedAt: -1 }, limit }),
  };
}
