import { openRecords, type Records } from "../../../storage/records.ts";
import { changeLeaseMs, formerSpaceRecord, type SpaceChange, type SpaceName } from "../rules/space-right.ts";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import type { Course } from "../../../domain/course.ts";
import { accessOfNew, type NewSpace, openSpace } from "../../../domain/course-link.ts";
import type { courseRecord } from "../../courses/rules/records.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { released, longerLease } from "../../../storage/due-queue.ts";
import { createSpaceRegister } from "./space-register.ts";

function toBeApplied(change: SpaceChange | undefined) {
  if (change === undefined) return { due: {}, push: {} };
  return { due: { spaceChangeAt: change.at + changeLeaseMs }, push: { $push: { spaceChanges: change } } };
}

/** The part of the course store about a course's own Space: making it once, replacing it, and earlier Spaces. */
export function createCourseSpaces(connection: Connection, records: Records<typeof courseRecord>) {
  const former = openRecords(connection, formerSpaceRecord);

  const firstDue = async (_scope: string, range: DueRange) => {
    const at = "$lte" in range ? { $gte: 0, ...range } : range;
    const row = await records.row({ spaceChangeAt: at }, { sort: { spaceChangeAt: 1 } });
    return row === null ? null : { dueAt: row.spaceChangeAt ?? 0, leaseUntil: 0 };
  };
  const queue = dueHeadsOf(connection).queue("space-changes", firstDue);
  const appliedBy = (change: SpaceChange | undefined) =>
    change === undefined ? Infinity : change.at + changeLeaseMs;

  const register = createSpaceRegister(connection);
  /** Tells the register whose a new Space is before it's stored. A Space that already has an owner isn't stored. */
  const own = async (id: string, holder: string, spaceId: string, at: number): Promise<void> => {
    const course = await records.row({ _id: id });
    if (course === null) return;
    try {
      await register.own({ ...course, id }, spaceId, at);
    } catch (thrown) {
      await records.change({ _id: id, leaseHolder: holder }, { $set: released });
      throw thrown;
    }
  };

  const withRight = async (space: SpaceName, courseIds: readonly string[]): Promise<string[]> => {
    if (courseIds.length === 0) return [];
    const allowed = await register.coursesWithRight(space);
    return courseIds.filter((id) => allowed.has(id));
  };

  /** The previous Space becomes a former one first, so a crash leaves no session without a course. */
  const change = async (
    { id, environment }: Pick<Course, "id" | "environment">,
    seen: { spaceId: string | null; leaseHolder?: string },
    to: Pick<Course, "spaceId" | "spaceAccess">,
    noted: SpaceChange | undefined,
  ): Promise<boolean> => {
    const { spaceId } = seen;
    if (spaceId !== null)
      await former.ensure({ _id: `${id} ${spaceId}` }, { environment, spaceId, courseId: id });
    const { due, push } = toBeApplied(noted);
    const set = { $set: { ...to, ...released, ...due }, ...push, $inc: { settingsRevision: 1 } };
    return queue.announced(everything, appliedBy(noted), () => records.change({ _id: id, ...seen }, set));
  };

  return {
    rightState: register.rightState,
    mayUse: register.mayUse,
    spacesElsewhere: register.spacesElsewhere,
    /** Made for the course but not used: it's elsewhere, or another Space is wanted by now. */
    keepUnused: register.own,
    usableOf: register.usableOf,
    usableNow: register.usableNow,
    /** Claims making the course's Space, until `until`. @returns false if it's already claimed or the Space exists. */
    claimSpace: async (id: string, holder: string, now: number, until: number): Promise<boolean> => {
      const row = await records.take(
        { _id: id, spaceId: null, leaseUntil: { $lte: now } },
        { $set: { leaseHolder: holder, leaseUntil: until } },
      );
      return row !== null;
    },
    extendSpace: (id: string, holder: string, until: number): Promise<boolean> =>
      records.change(...longerLease(id, holder, until)),
    /**
     * Stores the course's own Space. @param how.made How it was made. Default: open. @param how.seen The revision of the settings by which it
     * was made. Default: any. @param at Milliseconds since the epoch. @returns false if the claim was lost, or the settings have changed
     * since. @throws NamedError "space-id-taken"
     */
    keepSpace: async (
      id: string,
      holder: string,
      spaceId: string,
      { made = openSpace, seen }: { made?: NewSpace; seen?: number } = {},
      at = 0,
    ): Promise<boolean> => {
      await own(id, holder, spaceId, at);
      const unchanged = seen === undefined ? {} : { settingsRevision: seen };
      return records.change(
        { _id: id, spaceId: null, leaseHolder: holder, ...unchanged },
        { $set: { spaceId, spaceAccess: accessOfNew(made), ...released } },
      );
    },
    /** Releases the claim after a failure, so the next person can try immediately. */
    releaseSpace: async (id: string, holder: string): Promise<void> => {
      await records.change({ _id: id, leaseHolder: holder }, { $set: released });
    },
    /**
     * Gives the course, which has a right to it, the new Space. The previous one becomes a former Space. If a Space is being made under a
     * claim, that claim is lost.
     * @param from The Space that was seen.
     * @param noted Kept until `spaceChangeApplied`. Left out if nothing has to be told.
     * @returns false, changing nothing, if the course has another Space by now.
     */
    replaceSpace: (
      course: Pick<Course, "id" | "environment">,
      from: string | null,
      to: string,
      noted?: SpaceChange,
    ): Promise<boolean> => change(course, { spaceId: from }, { spaceId: to, spaceAccess: "unknown" }, noted),
    /** Replaces the Space `from`. @returns false if it's already claimed or the course has another Space by now. */
    claimNewSpace: (
      id: string,
      from: string,
      { holder, now, until }: { holder: string; now: number; until: number },
    ): Promise<boolean> =>
      records.change(
        { _id: id, spaceId: from, leaseUntil: { $lte: now } },
        { $set: { leaseHolder: holder, leaseUntil: until } },
      ),
    /** Stores a Space made under such a claim. @returns false if the claim was lost. @throws NamedError "space-id-taken" */
    keepNewSpace: async (
      course: Pick<Course, "id" | "environment">,
      { holder, noted, made }: { holder: string; noted: SpaceChange & { after: string }; made: NewSpace },
    ): Promise<boolean> => {
      const { before, after: spaceId } = noted;
      await own(course.id, holder, spaceId, noted.at);
      const seen = { spaceId: before, leaseHolder: holder };
      return change(course, seen, { spaceId, spaceAccess: accessOfNew(made) }, noted);
    },
    /** For a link, which is another record. Stored before the link changes. */
    noteSpaceChange: async (course: Pick<Course, "id" | "environment">, noted: SpaceChange) => {
      const { id, environment } = course;
      const { before: spaceId } = noted;
      const was = { environment, spaceId: spaceId ?? "", courseId: id, ofLink: true };
      if (spaceId !== null) await former.ensure({ _id: `${id} link ${spaceId}` }, was);
      const { due, push } = toBeApplied(noted);
      await queue.announced(everything, appliedBy(noted), () =>
        records.change({ _id: id }, { $set: due, ...push }),
      );
    },
    /** Everything concerned has been told about a change of Space. */
    spaceChangeApplied: async (id: string, changeId: string): Promise<void> => {
      await records.change({ _id: id }, { $pull: { spaceChanges: { id: changeId } } });
      await records.change({ _id: id, spaceChanges: { $size: 0 } }, { $set: { spaceChangeAt: null } });
    },
    /** Changes that weren't passed on before a crash. @param until When the next process takes them (ms). */
    claimSpaceChanges: async (now: number, until: number) => {
      const take = () =>
        records.take(
          { spaceChangeAt: { $gte: 0, $lte: now } },
          { $set: { spaceChangeAt: until } },
          { sort: { spaceChangeAt: 1 } },
        );
      const row = await queue.claim(now, { take });
      return row === null ? null : { courseId: row._id, changes: row.spaceChanges ?? [] };
    },
    /** Nothing is left to pass on, though `spaceChangeApplied` may have been cut short. */
    noSpaceChanges: async (id: string): Promise<void> => {
      const none = [{ spaceChanges: { $size: 0 } }, { spaceChanges: null }];
      await records.change({ _id: id, $or: none }, { $set: { spaceChangeAt: null } });
    },
    /** Ids of courses that had this Space before their present one. @param orLinked Or whose links led there. */
    coursesBefore: async (environment: AccountId, spaceId: string, orLinked = true): Promise<string[]> => {
      const rows = await former.rows({ environment, spaceId });
      const ids = rows.flatMap(({ courseId, ofLink }) => (orLinked || ofLink !== true ? [courseId] : []));
      return withRight({ environment, spaceId }, ids);
    },
    /** Courses with a right to a Space. */
    withRight,
    /** Ids, without closed Spaces. @param ofLink Where links of the course led, instead of the course's own. */
    formerSpaces: async (
      { id, spaceId, environment }: Pick<Course, "id" | "spaceId" | "environment">,
      ofLink = false,
    ) => {
      const all = await former.rows({ courseId: id, spaceId: { $ne: spaceId } }, { sort: { _id: 1 } });
      const rows = all.filter((row) => (row.ofLink === true) === ofLink);
      const earlier = rows.map((row) => row.spaceId);
      const usable = await register.usableOf({ id, environment }, earlier);
      return earlier.filter((one) => usable.has(one));
    },
  };
}
