import { type Connection, Schema } from "mongoose";
import type { Provisioning } from "../rules/provisioning.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

type ProvisioningRow = Omit<Provisioning, "id"> & { _id: string; holder: string | null };
type CourseTurnRow = {
  /** The course's id. */
  _id: string;
  registrationId: string;
  environment: EnvironmentName;
  /** When there may be something to do (ms). */
  dueAt: number;
  /** When the course last had a turn (ms). */
  servedAt: number;
  /** Counts announcements, so that a course is not taken for empty while somebody is added. */
  revision: number;
};

/** A course with people to prepare. */
export type ProvisioningPlace = { registrationId: string; courseId: string; environment: EnvironmentName };
/** A turn that a course was given; `revision` is the announcement up to which its list has been seen. */
export type CourseTurn = ProvisioningPlace & { revision: number };
/** What an attempt leaves behind. */
export type ProvisioningChange = Partial<
  Pick<Provisioning, "dueAt" | "attempts" | "problem" | "problemCode" | "refused">
>;
export type ProvisioningStore = ReturnType<typeof createProvisioningStore>;

/**
 * People whose API user is to be made ahead, and the courses they wait for. Rows exist only while there is something
 * to do, so finding what is due costs the same with a hundred people and a hundred thousand. A claim is the row's
 * `dueAt` moved on: a crashed holder's person is due again by itself.
 */
export function createProvisioningStore(connection: Connection) {
  const peopleSchema = new Schema<ProvisioningRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      personId: { type: String, required: true },
      dueAt: { type: Number, required: true },
      attempts: { type: Number, required: true },
      problem: { type: String, default: null },
      problemCode: { type: String, default: null },
      refused: { type: Boolean, required: true },
      holder: { type: String, default: null },
    },
    { versionKey: false, minimize: false },
  );
  peopleSchema.index({ registrationId: 1, courseId: 1, dueAt: 1 });
  peopleSchema.index({ refused: 1 });
  const people = connection.model<ProvisioningRow>("Provisioning", peopleSchema);

  const coursesSchema = new Schema<CourseTurnRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      environment: { type: String, required: true },
      dueAt: { type: Number, required: true },
      servedAt: { type: Number, required: true },
      revision: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  coursesSchema.index({ registrationId: 1, servedAt: 1 });
  coursesSchema.index({ dueAt: 1 });
  const courses = connection.model<CourseTurnRow>("ProvisioningTurn", coursesSchema);
  // The turns are heads of their own, course by course; this one says when any of them is due.
  const firstDue = async (_scope: string, dueAt: DueRange) => {
    const row = await courses.findOne({ dueAt }).sort({ dueAt: 1 }).lean();
    return row === null ? null : { dueAt: row.dueAt, leaseUntil: 0 };
  };
  const queue = dueHeadsOf(connection).queue("people", firstDue);

  const announce = async ({ registrationId, courseId, environment }: ProvisioningPlace, dueAt: number) => {
    const turn = () =>
      courses.updateOne(
        { _id: courseId },
        {
          $min: { dueAt },
          $inc: { revision: 1 },
          $setOnInsert: { registrationId, environment, servedAt: 0 },
        },
        { upsert: true },
      );
    await queue.announced(everything, dueAt, () => retriedOnDuplicate(turn));
  };
  const listed = (courseId: string, personIds: readonly string[]) =>
    people.find({ _id: { $in: personIds.map((personId) => rowId(courseId, personId)) } }).lean();
  const open = (now: number, without: readonly EnvironmentName[]) => ({
    dueAt: { $lte: now },
    ...(without.length === 0 ? {} : { environment: { $nin: [...without] } }),
  });
  const mine = (id: string, holder: string) => ({ _id: id, holder });

  return {
    /**
     * Has some people prepared, a few hundred at most; who is on the list already stays as they are.
     * @returns how many were added.
     */
    want: async (place: ProvisioningPlace, personIds: readonly string[], now: number): Promise<number> => {
      const { registrationId, courseId } = place;
      const waiting = await listed(courseId, personIds);
      const known = new Set(waiting.map(({ personId }) => personId));
      const added = personIds.filter((id) => !known.has(id));
      if (added.length > 0) {
        const row = { registrationId, courseId, dueAt: now, ...untried };
        const upserts = added.map((personId) => ({
          updateOne: {
            filter: { _id: rowId(courseId, personId) },
            update: { $setOnInsert: { ...row, personId } },
            upsert: true,
          },
        }));
        await retriedOnDuplicate(() => people.bulkWrite(upserts, { ordered: false }));
      }
      // After the people, and again when a crash came in between: nobody waits in a course that has no turn.
      if (added.length > 0 || (await courses.findOne({ _id: courseId }).lean()) === null)
        await announce(place, now);
      return added.length;
    },
    /** The next LMS with something to do, in the order of their ids after `last`, around; null when there is none. */
    nextLms: async (
      last: string,
      now: number,
      without: readonly EnvironmentName[],
    ): Promise<string | null> => {
      // Said so that no index of due times serves it: what that gives, of all LMSs, would have to be sorted.
      const due = { ...open(now, without), dueAt: { $not: { $gt: now } } };
      const first = (after: string) =>
        courses
          .findOne({ ...due, registrationId: { $gt: after } })
          .sort({ registrationId: 1 })
          .lean();
      const take = async () => (await first(last)) ?? (await first(""));
      return (await queue.claim(now, { take }))?.registrationId ?? null;
    },
    /** Gives a turn to the course of an LMS that has waited longest for one. */
    takeTurn: async (
      registrationId: string,
      now: number,
      without: readonly EnvironmentName[],
    ): Promise<CourseTurn | null> => {
      const row = await courses
        .findOneAndUpdate(
          // Said so that no index of due times serves it: that would look through the turns of all LMSs.
          { registrationId, ...open(now, without), dueAt: { $not: { $gt: now } } },
          { $set: { servedAt: now } },
          { sort: { servedAt: 1 }, returnDocument: "after" },
        )
        .lean();
      if (row === null) return null;
      return { courseId: row._id, registrationId, environment: row.environment, revision: row.revision };
    },
    /** Takes the person of a course who is due longest; null when nobody is. */
    claim: async (
      { registrationId, courseId }: CourseTurn,
      holder: string,
      now: number,
      until: number,
    ): Promise<Provisioning | null> => {
      const row = await people
        .findOneAndUpdate(
          { registrationId, courseId, dueAt: { $lte: now } },
          { $set: { holder, dueAt: until } },
          { sort: { dueAt: 1 }, returnDocument: "after" },
        )
        .lean();
      return row === null ? null : toProvisioning(row);
    },
    /** Nobody of the course is due: it has its next turn when somebody will be, or leaves the list. */
    rest: async ({ courseId, registrationId, revision }: CourseTurn): Promise<"emptied" | "later"> => {
      const soonest = await people.findOne({ registrationId, courseId }).sort({ dueAt: 1 }).lean();
      const unchanged = { _id: courseId, revision };
      if (soonest !== null) {
        await courses.updateOne(unchanged, { $set: { dueAt: soonest.dueAt } });
        await queue.givenBack(everything, soonest.dueAt);
      } else if ((await courses.deleteOne(unchanged)).deletedCount === 1) return "emptied";
      return "later";
    },
    /** Leaves a course alone until a moment (ms), unless somebody is added meanwhile. */
    postpone: async ({ courseId, revision }: CourseTurn, until: number): Promise<void> => {
      await courses.updateOne({ _id: courseId, revision }, { $set: { dueAt: until } });
      await queue.givenBack(everything, until);
    },
    /** Lengthens a claim; without effect when it was lost. */
    extend: async (id: string, holder: string, until: number): Promise<void> => {
      await people.updateOne(mine(id, holder), { $set: { dueAt: until } });
    },
    /** Nothing is left to do for a claimed person. */
    settle: async (id: string, holder: string): Promise<void> => {
      await people.deleteOne(mine(id, holder));
    },
    /** A claimed person is tried again at `dueAt`; without effect when the claim was lost. */
    putOff: async (id: string, holder: string, change: ProvisioningChange): Promise<void> => {
      await people.updateOne(mine(id, holder), { $set: { ...change, holder: null } });
    },
    /** Those of some people of a course for whom something is to be done; a few hundred at most. */
    findMany: async (courseId: string, personIds: readonly string[]): Promise<Provisioning[]> =>
      (await listed(courseId, personIds)).map(toProvisioning),
    /** How many were due at a moment (ms) and have not been tried since. */
    countDue: (at: number): Promise<number> =>
      people.countDocuments({ refused: false, dueAt: { $lte: at } }).exec(),
    count: async (): Promise<{ waiting: number; refused: number }> => ({
      waiting: await people.countDocuments({ refused: false }),
      refused: await people.countDocuments({ refused: true }),
    }),
  };
}

function rowId(courseId: string, personId: string): string {
  return `${courseId} ${personId}`;
}

const untried = { attempts: 0, problem: null, refused: false, holder: null };

function toProvisioning({ _id, holder: _holder, ...facts }: ProvisioningRow): Provisioning {
  return { id: _id, ...facts };
}
