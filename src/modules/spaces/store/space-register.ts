import type { Connection } from "mongoose";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import type { Course } from "../../../domain/course.ts";
import {
  isMadeFor,
  maxRights,
  type RegisteredSpace,
  registeredSpaceRecord,
  rightBatchSize,
  rightStateOf,
  spaceKey,
  type SpaceClosedReason,
  type SpaceDecider,
  type SpaceElsewhere,
  type SpaceName,
  type SpaceRight,
  spaceRightRecord,
  type SpaceRightState,
  type SpaceWay,
} from "../rules/space-right.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { openRecords, type Records } from "../../../storage/records.ts";

type SpaceRightRow = RowOf<typeof spaceRightRecord>;

type CourseOfSpace = Pick<Course, "id" | "registrationId" | "environment">;

type CheckedCourse = Pick<Course, "id" | "environment" | "ownSpacesOnly">;

/** closed: nobody can get a right to this Space · taken: another LMS has it, so only an operator can decide. */
type Allowed = "allowed" | "closed" | "taken";

/** The person who gave it, or the course with a right through which it came. */
type HowGiven = { by: SpaceDecider } | { throughCourseId: string };

/** Course ids are unique across all LMSs. */
function spaceRightKey(space: SpaceName, courseId: string): string {
  return `${courseId} ${spaceKey(space)}`;
}

/**
 * Records which LMS and course own each Space, and which courses may use it. Without a right, a course can't use a Space, whatever its
 * settings or links say. A closed Space's id is kept forever, so an old address gives access to nothing later.
 */
export function createSpaceRegister(connection: Connection) {
  const spaces = openRecords(connection, registeredSpaceRecord);
  const rights = openRecords(connection, spaceRightRecord);

  /** Leaves an existing right as it is. */
  const addRight = async (right: Omit<SpaceRight, "elsewhere">, elsewhere: SpaceElsewhere | null = null) => {
    const _id = spaceRightKey(right, right.courseId);
    await rights.ensure({ _id }, { ...right, elsewhere });
  };

  /** Begins the record, as this LMS's, if there is none. */
  const begin = ({ environment, spaceId }: SpaceName, owner: RegisteredSpace["owner"]) =>
    spaces.saved(
      { _id: spaceKey({ environment, spaceId }) },
      { $setOnInsert: { environment, spaceId, owner, closed: null } },
    );

  /** Null if the right isn't refused. */
  const refusedBy = async (
    { environment, spaceId, owner, closed }: RegisteredSpace,
    registrationId: string,
    by: SpaceDecider | null,
  ): Promise<Exclude<Allowed, "allowed"> | null> => {
    if (closed !== null) return by === "operator" && closed.why === "operator" ? null : "closed";
    if (by !== "lms-administrator") return null;
    return (await isOthers(rights, { environment, spaceId }, owner, registrationId)) ? "taken" : null;
  };

  /** Leaves an existing right as it is. */
  const giveRight = async (course: CourseOfSpace, row: RegisteredSpace, how: HowGiven, at: number) => {
    const { id: courseId, registrationId } = course;
    const space = { environment: row.environment, spaceId: row.spaceId };
    const madeForLms = isMadeFor(row, registrationId);
    const facts =
      "by" in how
        ? ({ way: "approved", decidedBy: how.by, throughCourseId: null, at } as const)
        : ({ way: "proven", decidedBy: null, throughCourseId: how.throughCourseId, at } as const);
    const _id = spaceRightKey(space, courseId);
    await addRight({ ...space, registrationId, courseId, madeForLms, ...facts });
  };

  /** Takes one read by key. */
  const rightState = async (course: CheckedCourse, spaceId: string): Promise<SpaceRightState> => {
    const _id = spaceRightKey({ environment: course.environment, spaceId }, course.id);
    const row = await rights.row({ _id });
    return rightStateOf(row === null ? null : toRight(row), course);
  };

  return {
    rightState,
    mayUse: async (course: CheckedCourse, spaceId: string): Promise<boolean> =>
      (await rightState(course, spaceId)) === "usable",
    /** Which of the Spaces a course has a right to, even while its institution allows only its own. */
    usableOf: async (
      course: Pick<CourseOfSpace, "id" | "environment">,
      spaceIds: readonly string[],
    ): Promise<Set<string>> => {
      if (spaceIds.length === 0) return new Set();
      const { id, environment } = course;
      const ids = spaceIds.map((spaceId) => spaceRightKey({ environment, spaceId }, id));
      // Most courses have one Space, whose right the request has already read.
      const [only = ""] = ids;
      const rows =
        ids.length > 1
          ? await rights.some(["spaceId"], { _id: { $in: ids } })
          : [await rights.row({ _id: only })];
      return new Set(rows.flatMap((row) => row?.spaceId ?? []));
    },
    /** Which of the Spaces a course may use now. */
    usableNow: async (course: CheckedCourse, spaceIds: readonly string[]): Promise<Set<string>> => {
      const { id, environment } = course;
      const ids = spaceIds.map((spaceId) => spaceRightKey({ environment, spaceId }, id));
      const found = (await rights.rows({ _id: { $in: ids } })).map(toRight);
      const usable = found.filter((right) => rightStateOf(right, course) === "usable");
      return new Set(usable.map(({ spaceId }) => spaceId));
    },
    coursesWithRight: async ({ environment, spaceId }: SpaceName): Promise<Set<string>> => {
      const rows = await rights.some(["courseId"], { environment, spaceId });
      return new Set(rows.map(({ courseId }) => courseId));
    },
    /** A course belongs to one account. */
    withRightTo: async (spaceId: string, courseIds: readonly string[]): Promise<Set<string>> => {
      if (courseIds.length === 0) return new Set();
      const filter = { courseId: { $in: [...new Set(courseIds)] }, spaceId };
      return new Set((await rights.some(["courseId"], filter)).map(({ courseId }) => courseId));
    },
    find: (space: SpaceName): Promise<RegisteredSpace | null> => spaces.find({ _id: spaceKey(space) }),
    findMany: (some: readonly SpaceName[]) => spaces.list({ _id: { $in: some.map(spaceKey) } }),
    rightsTo: async (some: readonly SpaceName[]): Promise<SpaceRight[]> => {
      const environment = { $in: [...new Set(some.map((one) => one.environment))] };
      const spaceId = { $in: [...new Set(some.map((one) => one.spaceId))] };
      return (await rights.rows({ environment, spaceId }, { limit: maxRights * some.length })).map(toRight);
    },
    /**
     * Records that this tool made a Space for a course. Repeatable. If it was kept elsewhere, it becomes the course's.
     * @param elsewhere Left out for a usable Space. @throws NamedError "space-id-taken" if the classroom reused an id.
     */
    own: async (
      course: CourseOfSpace,
      spaceId: string,
      at: number,
      elsewhere: SpaceElsewhere | null = null,
    ): Promise<void> => {
      const { id: courseId, registrationId, environment } = course;
      const row = await begin({ environment, spaceId }, { registrationId, courseId });
      if (row.closed !== null || row.owner?.courseId !== courseId)
        throw refusal("space-id-taken", { status: 502 });
      const facts = { environment, spaceId, registrationId, courseId, at };
      const how = { way: "made", madeForLms: true, decidedBy: null, throughCourseId: null } as const;
      await addRight({ ...facts, ...how }, elsewhere);
      if (elsewhere === null) {
        const _id = spaceRightKey({ environment, spaceId }, courseId);
        await rights.change({ _id, "elsewhere.origin": { $gte: "" } }, { $set: { elsewhere: null } });
      }
    },
    /**
     * @param by Only an operator can give a Space to a second LMS, or reopen a Space that an operator closed. A Space closed with its course
     * or LMS stays closed.
     */
    allow: async (course: CourseOfSpace, spaceId: string, how: HowGiven, at: number): Promise<Allowed> => {
      const { id: courseId, registrationId, environment } = course;
      const space = { environment, spaceId };
      const by = "by" in how ? how.by : null;
      const row = await begin(space, { registrationId, courseId: null });
      const refused = await refusedBy(row, registrationId, by);
      if (refused !== null) return refused;
      if (row.closed !== null) {
        const again = { owner: { registrationId, courseId: null }, closed: null };
        await spaces.change({ _id: row._id, "closed.why": "operator" }, { $set: again });
      }
      await giveRight(course, row, how, at);
      // If it was closed at the same moment, closing wins.
      const after = await spaces.row({ _id: row._id });
      if (after?.closed === null) return "allowed";
      await rights.remove({ _id: spaceRightKey(space, courseId) });
      return "closed";
    },
    /** Rights proven through this one stay. @returns false if the course had none. */
    take: async (courseId: string, space: SpaceName): Promise<boolean> => {
      const gone = await rights.remove({ _id: spaceRightKey(space, courseId) });
      const { environment, spaceId } = space;
      const through = { environment, spaceId, throughCourseId: courseId };
      await rights.changeAll(through, { $set: { throughCourseId: null } });
      return gone === 1;
    },
    /** From now on, nobody can enter the Space through this tool. */
    close: async (space: SpaceName, at: number): Promise<void> => {
      const { environment, spaceId } = space;
      await begin(space, null);
      const closed = { at, why: "operator" } as const;
      await spaces.change({ _id: spaceKey(space), closed: null }, { $set: { closed, owner: null } });
      await rights.remove({ environment, spaceId });
    },
    ...closing(spaces, rights),
    /** Rights that don't come from making a Space, latest first. @param registrationId Null for all. */
    listGiven: async (registrationId: string | null, limit: number): Promise<SpaceRight[]> => {
      const given: SpaceWay[] = ["approved", "proven"];
      const ofLms = registrationId === null ? {} : { registrationId };
      return (await rights.rows({ ...ofLms, way: { $in: given } }, { sort: { at: -1 }, limit })).map(toRight);
    },
    spacesElsewhere: async ({ id, environment }: Pick<CourseOfSpace, "id" | "environment">) =>
      (await rights.rows({ courseId: id, environment, ...isElsewhere }, { limit: maxRights })).flatMap(
        ({ spaceId, elsewhere }): UnusedSpace[] => (elsewhere == null ? [] : [{ spaceId, ...elsewhere }]),
      ),
    /** Origins that the service named for such Spaces, with their courses. */
    listElsewhere: async (
      environment: Course["environment"],
      limit: number,
    ): Promise<{ origin: string; courseId: string }[]> => {
      const rows = await rights.rows({ environment, ...isElsewhere }, { limit });
      return rows.flatMap(({ courseId, elsewhere }) =>
        elsewhere == null ? [] : [{ courseId, origin: elsewhere.origin }],
      );
    },
    /** Closed by operators, latest first. */
    listClosed: (limit: number): Promise<RegisteredSpace[]> =>
      spaces.list({ "closed.why": "operator" }, { sort: { "closed.at": -1 }, limit }),
  };
}

/** A Space made for a course and kept unused because the service put it on another origin. */
export type UnusedSpace = SpaceElsewhere & { spaceId: string };

const isElsewhere = { "elsewhere.origin": { $gte: "" } };

/** For when a course or LMS goes. */
function closing(spaces: Records<typeof registeredSpaceRecord>, rights: Records<typeof spaceRightRecord>) {
  /** Keeps a Space open for other courses with a right, and closes it for all others. */
  const closeOne = async (
    { environment, spaceId }: SpaceName,
    going: { registrationId: string } | { courseId: string },
    closed: { at: number; why: SpaceClosedReason },
  ): Promise<void> => {
    const _id = spaceKey({ environment, spaceId });
    const row = await spaces.row({ _id });
    const isOwner =
      "courseId" in going
        ? row?.owner?.courseId === going.courseId
        : row?.owner?.registrationId === going.registrationId;
    const others =
      "courseId" in going
        ? { courseId: { $ne: going.courseId } }
        : { registrationId: { $ne: going.registrationId } };
    const stays = await rights.exists({ environment, spaceId, ...others });
    if (stays && !isOwner) return;
    await spaces.change({ _id, closed: null }, { $set: { closed, owner: null } });
  };

  return {
    /**
     * Closes the Spaces of an erased course or uninstalled LMS and removes their rights. Other courses that use a Space keep it. Repeatable.
     * @returns how many rights were removed.
     */
    closeOf: async (
      going: { registrationId: string } | { courseId: string },
      why: Exclude<SpaceClosedReason, "operator">,
      at: number,
    ): Promise<number> => {
      let gone = 0;
      for (;;) {
        const some = await rights.rows(going, { limit: rightBatchSize });
        for (const right of some) {
          await closeOne(right, going, { at, why });
          await rights.remove({ _id: right._id });
        }
        if ("courseId" in going)
          await rights.changeAll({ throughCourseId: going.courseId }, { $set: { throughCourseId: null } });
        gone += some.length;
        if (some.length < rightBatchSize) return gone;
      }
    },
  };
}

const readRight = readerOf(spaceRightRecord);

function toRight(row: SpaceRightRow): SpaceRight {
  return { madeForLms: row.way === "made", ...readRight(row) };
}

/** Whether another LMS has a Space or a part in it. */
async function isOthers(
  rights: Records<typeof spaceRightRecord>,
  { environment, spaceId }: SpaceName,
  owner: RegisteredSpace["owner"],
  registrationId: string,
): Promise<boolean> {
  if (owner?.registrationId !== registrationId) return true;
  const theirs = { environment, spaceId, registrationId: { $ne: registrationId } };
  return rights.exists(theirs);
}
