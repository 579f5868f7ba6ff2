import type { Connection, Model } from "mongoose";
import type { Course } from "../../../domain/course.ts";
import {
  isMadeFor,
  type RegisteredSpace,
  type SpaceClosedWhy,
  type SpaceDecider,
  type SpaceElsewhere,
  type SpaceName,
  type SpaceRight,
  type SpaceStanding,
  type SpaceWay,
  standingOf,
} from "../rules/space-right.ts";
import type { NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import {
  type RegisteredSpaceRow,
  spaceModels,
  type SpaceRightRow,
  toRight,
  toSpace,
} from "../../../storage/space-models.ts";

/** A course, as far as its rights to Spaces go. */
type CourseOfSpace = Pick<Course, "id" | "registrationId" | "environment">;

/** A course, as far as it matters at the door. */
type CheckedCourse = Pick<Course, "id" | "environment" | "ownSpacesOnly">;

/**
 * What became of a wish for a right. closed: nobody gets a right to this Space any more · taken: it is another LMS's, or
 * several LMSs have it, so that only an operator can decide.
 */
type Allowed = "allowed" | "closed" | "taken";

/** By whose word, or through which course that has a right already. */
type HowGiven = { by: SpaceDecider } | { throughCourseId: string };

export type SpaceRegister = ReturnType<typeof createSpaceRegister>;

/** The id of a Space's record. */
function spaceKey({ environment, spaceId }: SpaceName): string {
  return `${environment} ${spaceId}`;
}

/** The id of a course's right to a Space; ids of courses are unique over all LMSs. */
function spaceRightKey(space: SpaceName, courseId: string): string {
  return `${courseId} ${spaceKey(space)}`;
}

/**
 * The register of Spaces: whose each is, and which courses may use it. A course without a right to a Space has nothing to
 * do with it, whatever its settings or links say. A closed Space is kept for ever, by its id only, so that an id in an old
 * address opens nothing later.
 */
export function createSpaceRegister(connection: Connection) {
  const { spaces, rights } = spaceModels(connection);

  /** Writes a right down; one that is there already stays as it is. */
  const addRight = async (right: Omit<SpaceRight, "elsewhere">, elsewhere: SpaceElsewhere | null = null) => {
    const _id = spaceRightKey(right, right.courseId);
    await retriedOnDuplicate(() =>
      rights.updateOne({ _id }, { $setOnInsert: { ...right, elsewhere } }, { upsert: true }),
    );
  };

  /** The Space's record, begun as this LMS's when there is none. */
  const begin = async ({ environment, spaceId }: SpaceName, owner: RegisteredSpace["owner"]) =>
    retriedOnDuplicate(() =>
      spaces
        .findOneAndUpdate(
          { _id: spaceKey({ environment, spaceId }) },
          { $setOnInsert: { environment, spaceId, owner, closed: null } },
          { upsert: true, returnDocument: "after" },
        )
        .lean(),
    );

  /** Why a right to a Space is not given; null when it is. */
  const refusedBy = async (
    { environment, spaceId, owner, closed }: RegisteredSpace,
    registrationId: string,
    by: SpaceDecider | null,
  ): Promise<Exclude<Allowed, "allowed"> | null> => {
    if (closed !== null) return by === "operator" && closed.why === "operator" ? null : "closed";
    if (by !== "lms-administrator") return null;
    return (await isOthers(rights, { environment, spaceId }, owner, registrationId)) ? "taken" : null;
  };

  /** What was linked before anybody was asked is approved by a word; another right that is there already stays. */
  const giveRight = async (course: CourseOfSpace, row: RegisteredSpace, how: HowGiven, at: number) => {
    const { id: courseId, registrationId } = course;
    const space = { environment: row.environment, spaceId: row.spaceId };
    const madeForLms = isMadeFor(row, registrationId);
    const facts =
      "by" in how
        ? ({ way: "approved", decidedBy: how.by, throughCourseId: null, at } as const)
        : ({ way: "proven", decidedBy: null, throughCourseId: how.throughCourseId, at } as const);
    const _id = spaceRightKey(space, courseId);
    if (facts.way === "approved") await rights.updateOne({ _id, way: "linked-before" }, { $set: facts });
    await addRight({ ...space, registrationId, courseId, madeForLms, ...facts });
  };

  /** One read by key. */
  const standing = async (course: CheckedCourse, spaceId: string): Promise<SpaceStanding> => {
    const _id = spaceRightKey({ environment: course.environment, spaceId }, course.id);
    const row = await rights.findOne({ _id }).lean();
    return standingOf(row === null ? null : toRight(row), course);
  };

  return {
    /** How a course stands to a Space. */
    standing,
    /** Whether a course may use a Space now. */
    mayUse: async (course: CheckedCourse, spaceId: string): Promise<boolean> =>
      (await standing(course, spaceId)) === "usable",
    /** Those of some Spaces to which a course has a right, also while its institution allows only its own. */
    usableOf: async (
      course: Pick<CourseOfSpace, "id" | "environment">,
      spaceIds: readonly string[],
    ): Promise<Set<string>> => {
      if (spaceIds.length === 0) return new Set();
      const { id, environment } = course;
      const ids = spaceIds.map((spaceId) => spaceRightKey({ environment, spaceId }, id));
      const rows = await rights.find({ _id: { $in: ids } }, { spaceId: 1 }).lean();
      return new Set(rows.map(({ spaceId }) => spaceId));
    },
    /** Ids of the courses that may use a Space. */
    coursesWithRight: async ({ environment, spaceId }: SpaceName): Promise<Set<string>> => {
      const rows = await rights.find({ environment, spaceId }, { courseId: 1 }).lean();
      return new Set(rows.map(({ courseId }) => courseId));
    },
    /** Those of some courses that have a right to a Space; a course is in one environment. */
    withRightTo: async (spaceId: string, courseIds: readonly string[]): Promise<Set<string>> => {
      if (courseIds.length === 0) return new Set();
      const filter = { courseId: { $in: [...new Set(courseIds)] }, spaceId };
      return new Set((await rights.find(filter, { courseId: 1 }).lean()).map(({ courseId }) => courseId));
    },
    /** What the register says of a Space; null when it does not know it. */
    find: async (space: SpaceName): Promise<RegisteredSpace | null> => {
      const row = await spaces.findOne({ _id: spaceKey(space) }).lean();
      return row === null ? null : toSpace(row);
    },
    /** Every right to a Space. */
    rightsTo: async ({ environment, spaceId }: SpaceName): Promise<SpaceRight[]> =>
      (await rights.find({ environment, spaceId }).limit(most).lean()).map(toRight),
    /**
     * Writes down that this tool made a Space for a course. Repeating it changes nothing, but that a Space which was kept
     * elsewhere is the course's from then on.
     * @param elsewhere Left out for a Space that can be used.
     * @throws NamedError "space-id-taken" when the classroom gave it an id that was somebody's before.
     */
    own: async (
      course: CourseOfSpace,
      spaceId: string,
      at: number,
      elsewhere: SpaceElsewhere | null = null,
    ): Promise<void> => {
      const { id: courseId, registrationId, environment } = course;
      const row = await begin({ environment, spaceId }, { registrationId, courseId });
      if (row.closed !== null || row.owner?.courseId !== courseId) throw idTaken();
      const facts = { environment, spaceId, registrationId, courseId, at };
      const how = { way: "made", madeForLms: true, decidedBy: null, throughCourseId: null } as const;
      await addRight({ ...facts, ...how }, elsewhere);
      if (elsewhere === null) {
        const _id = spaceRightKey({ environment, spaceId }, courseId);
        await rights.updateOne({ _id, "elsewhere.origin": { $gte: "" } }, { $set: { elsewhere: null } });
      }
    },
    /**
     * Gives a course the right to a Space.
     * @param by Only an operator gives a Space to a second LMS, or opens one again that an operator closed; one whose course
     * was erased or whose LMS was uninstalled stays closed for ever.
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
        await spaces.updateOne({ _id: row._id, "closed.why": "operator" }, { $set: again });
      }
      await giveRight(course, row, how, at);
      // Closed in the same moment: closed it is.
      const after = await spaces.findOne({ _id: row._id }).lean();
      if (after?.closed === null) return "allowed";
      await rights.deleteOne({ _id: spaceRightKey(space, courseId) });
      return "closed";
    },
    /** Takes the right to a Space from a course; others that got theirs through it keep it. @returns false when it had none. */
    take: async (courseId: string, space: SpaceName): Promise<boolean> => {
      const gone = await rights.deleteOne({ _id: spaceRightKey(space, courseId) });
      const { environment, spaceId } = space;
      const through = { environment, spaceId, throughCourseId: courseId };
      await rights.updateMany(through, { $set: { throughCourseId: null } });
      return gone.deletedCount === 1;
    },
    /** Closes a Space for everybody: nobody enters it through this tool any more. */
    close: async (space: SpaceName, at: number): Promise<void> => {
      const { environment, spaceId } = space;
      await begin(space, null);
      const closed = { at, why: "operator" };
      await spaces.updateOne({ _id: spaceKey(space), closed: null }, { $set: { closed, owner: null } });
      await rights.deleteMany({ environment, spaceId });
    },
    ...closing(spaces, rights),
    /** The rights that were not given by making a Space, latest first. @param registrationId Of one LMS; null for all. */
    listGiven: async (registrationId: string | null, limit: number): Promise<SpaceRight[]> => {
      const given: SpaceWay[] = ["approved", "proven", "linked-before"];
      const ofLms = registrationId === null ? {} : { registrationId };
      const found = rights.find({ ...ofLms, way: { $in: given } }).sort({ at: -1 });
      return (await found.limit(limit).lean()).map(toRight);
    },
    /** The Spaces that are kept for a course because they are elsewhere. */
    keptElsewhere: async ({
      id,
      environment,
    }: Pick<CourseOfSpace, "id" | "environment">): Promise<KeptSpace[]> =>
      (
        await rights
          .find({ courseId: id, environment, ...isElsewhere })
          .limit(most)
          .lean()
      ).flatMap(toKept),
    /** Where the service said that Spaces are which are kept, with the courses for which they are. */
    listElsewhere: async (
      environment: Course["environment"],
      limit: number,
    ): Promise<{ origin: string; courseId: string }[]> => {
      const rows = await rights
        .find({ environment, ...isElsewhere })
        .limit(limit)
        .lean();
      return rows.flatMap(({ courseId, elsewhere }) =>
        elsewhere == null ? [] : [{ courseId, origin: elsewhere.origin }],
      );
    },
    /** The Spaces that operators closed, latest first. */
    listClosed: async (limit: number): Promise<RegisteredSpace[]> => {
      const found = spaces.find({ "closed.why": "operator" }).sort({ "closed.at": -1 });
      return (await found.limit(limit).lean()).map(toSpace);
    },
  };
}

/** A Space that was made for a course, and is kept because the service put it where this tool sends nobody. */
export type KeptSpace = SpaceElsewhere & { spaceId: string };

const isElsewhere = { "elsewhere.origin": { $gte: "" } };

function toKept({ spaceId, elsewhere }: SpaceRightRow): KeptSpace[] {
  return elsewhere == null ? [] : [{ spaceId, ...elsewhere }];
}

/** So many rights to one Space are looked at. */
const most = 500;
/** So many rights are closed at once. */
const slice = 200;

/** What becomes of Spaces whose course or LMS goes. */
function closing(spaces: Model<RegisteredSpaceRow>, rights: Model<SpaceRightRow>) {
  /** A Space stays open for other courses that have a right to it, and is closed for everybody else. */
  const closeOne = async (
    { environment, spaceId }: SpaceName,
    going: { registrationId: string } | { courseId: string },
    closed: { at: number; why: SpaceClosedWhy },
  ): Promise<void> => {
    const _id = spaceKey({ environment, spaceId });
    const row = await spaces.findOne({ _id }).lean();
    const isOwner =
      "courseId" in going
        ? row?.owner?.courseId === going.courseId
        : row?.owner?.registrationId === going.registrationId;
    const others =
      "courseId" in going
        ? { courseId: { $ne: going.courseId } }
        : { registrationId: { $ne: going.registrationId } };
    const stays = (await rights.findOne({ environment, spaceId, ...others }, { _id: 1 }).lean()) !== null;
    if (stays && !isOwner) return;
    await spaces.updateOne({ _id, closed: null }, { $set: { closed, owner: null } });
  };

  return {
    /**
     * Closes the Spaces of a course that is erased, or of an LMS that is uninstalled; their rights go with them. Other
     * courses that use one of them go on with it. Repeating it changes nothing.
     * @returns how many rights went.
     */
    closeOf: async (
      going: { registrationId: string } | { courseId: string },
      why: Exclude<SpaceClosedWhy, "operator">,
      at: number,
    ): Promise<number> => {
      let gone = 0;
      for (;;) {
        const some = await rights.find(going).limit(slice).lean();
        for (const right of some) {
          await closeOne(right, going, { at, why });
          await rights.deleteOne({ _id: right._id });
        }
        if ("courseId" in going)
          await rights.updateMany({ throughCourseId: going.courseId }, { $set: { throughCourseId: null } });
        gone += some.length;
        if (some.length < slice) return gone;
      }
    },
  };
}

/** Whether a Space is another LMS's, or another one has a part in it. */
async function isOthers(
  rights: Model<SpaceRightRow>,
  { environment, spaceId }: SpaceName,
  owner: RegisteredSpace["owner"],
  registrationId: string,
): Promise<boolean> {
  if (owner?.registrationId !== registrationId) return true;
  const theirs = { environment, spaceId, registrationId: { $ne: registrationId } };
  return (await rights.findOne(theirs, { _id: 1 }).lean()) !== null;
}

function idTaken(): NamedError {
  return refusal("space-id-taken", { status: 502 });
}
