import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { courseTurnRecord, type Provisioning, provisioningRecord } from "../rules/provisioning.ts";
import type { AccountId } from "../../../domain/account.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type ProvisioningPlace = { registrationId: string; courseId: string; environment: AccountId };
/** `revision`: the announcement up to which its list was read. */
export type CourseTurn = ProvisioningPlace & { revision: number };
export type ProvisioningChange = Partial<
  Pick<Provisioning, "dueAt" | "attempts" | "problem" | "problemCode" | "refused">
>;
export type ProvisioningStore = ReturnType<typeof createProvisioningStore>;

/**
 * Rows exist only while there is something to do, so finding due ones does not depend on their number. A claim moves
 * `dueAt` on: after a crash the person is due again.
 */
export function createProvisioningStore(connection: Connection) {
  const people = recordModel(connection, provisioningRecord);
  const courses = recordModel(connection, courseTurnRecord);
  // Turns have heads by course; this one knows when any of them is due.
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
  const open = (now: number, without: readonly AccountId[]) => ({
    dueAt: { $lte: now },
    ...(without.length === 0 ? {} : { environment: { $nin: [...without] } }),
  });
  const mine = (id: string, holder: string) => ({ _id: id, holder });

  return {
    /** At most a few hundred people; those on the list stay as they are. @returns the number added. */
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
      // After the people, and again after a crash in between: every waiting course needs a turn.
      if (added.length > 0 || (await courses.findOne({ _id: courseId }).lean()) === null)
        await announce(place, now);
      return added.length;
    },
    /** With something to do, by id after `last`, around. */
    nextLms: async (last: string, now: number, without: readonly AccountId[]): Promise<string | null> => {
      // Written so that no index of due times serves it: its results, of all LMSs, would have to be sorted.
      const due = { ...open(now, without), dueAt: { $not: { $gt: now } } };
      const first = (after: string) =>
        courses
          .findOne({ ...due, registrationId: { $gt: after } })
          .sort({ registrationId: 1 })
          .lean();
      const take = async () => (await first(last)) ?? (await first(""));
      return (await queue.claim(now, { take }))?.registrationId ?? null;
    },
    takeTurn: async (
      registrationId: string,
      now: number,
      without: readonly AccountId[],
    ): Promise<CourseTurn | null> => {
      const row = await courses
        .findOneAndUpdate(
          // Written so that no index of due times serves it: that reads the turns of all LMSs.
          { registrationId, ...open(now, without), dueAt: { $not: { $gt: now } } },
          { $set: { servedAt: now } },
          { sort: { servedAt: 1 }, returnDocument: "after" },
        )
        .lean();
      if (row === null) return null;
      return { courseId: row._id, registrationId, environment: row.environment, revision: row.revision };
    },
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
    /** Nobody is due: the course gets its next turn later, or leaves the list. */
    rest: async ({ courseId, registrationId, revision }: CourseTurn): Promise<"emptied" | "later"> => {
      const soonest = await people.findOne({ registrationId, courseId }).sort({ dueAt: 1 }).lean();
      const unchanged = { _id: courseId, revision };
      if (soonest !== null) {
        await courses.updateOne(unchanged, { $set: { dueAt: soonest.dueAt } });
        await queue.givenBack(everything, soonest.dueAt);
      } else if ((await courses.deleteOne(unchanged)).deletedCount === 1) return "emptied";
      return "later";
    },
    /** Pauses a course until a moment (ms), unless a person is added. */
    postpone: async ({ courseId, revision }: CourseTurn, until: number): Promise<void> => {
      await courses.updateOne({ _id: courseId, revision }, { $set: { dueAt: until } });
      await queue.givenBack(everything, until);
    },
    extend: async (id: string, holder: string, until: number): Promise<boolean> =>
      (await people.updateOne(mine(id, holder), { $set: { dueAt: until } })).matchedCount === 1,
    settle: async (id: string, holder: string): Promise<void> => {
      await people.deleteOne(mine(id, holder));
    },
    putOff: async (id: string, holder: string, change: ProvisioningChange): Promise<void> => {
      await people.updateOne(mine(id, holder), { $set: { ...change, holder: null } });
    },
    findMany: async (courseId: string, personIds: readonly string[]): Promise<Provisioning[]> =>
      (await listed(courseId, personIds)).map(toProvisioning),
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

const toProvisioning = readerOf(provisioningRecord);
