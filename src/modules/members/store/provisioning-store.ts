import type { Connection } from "mongoose";
import { courseTurnRecord, type Provisioning, provisioningRecord } from "../rules/provisioning.ts";
import type { AccountId } from "../../../domain/account.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { openRecords } from "../../../storage/records.ts";

export type ProvisioningCourse = { registrationId: string; courseId: string; environment: AccountId };
/** `revision`: the announcement up to which the course's list was read. */
export type CourseTurn = ProvisioningCourse & { revision: number };
export type ProvisioningChange = Partial<
  Pick<Provisioning, "dueAt" | "attempts" | "problem" | "problemCode" | "refused">
>;

/**
 * Rows exist only while there is work, so finding due ones doesn't depend on how many courses there are. A claim moves `dueAt` on, so after a
 * crash the person is due again.
 */
export function createProvisioningStore(connection: Connection) {
  const people = openRecords(connection, provisioningRecord);
  const courses = openRecords(connection, courseTurnRecord);
  // Turns have heads by course. This queue knows when any of them is due.
  const firstDue = async (_scope: string, dueAt: DueRange) => {
    const row = await courses.row({ dueAt }, { sort: { dueAt: 1 } });
    return row === null ? null : { dueAt: row.dueAt, leaseUntil: 0 };
  };
  const queue = dueHeadsOf(connection).queue("people", firstDue);

  const announce = async ({ registrationId, courseId, environment }: ProvisioningCourse, dueAt: number) => {
    const turn = () =>
      courses.save(
        { _id: courseId },
        {
          $min: { dueAt },
          $inc: { revision: 1 },
          $setOnInsert: { registrationId, environment, servedAt: 0 },
        },
      );
    await queue.announced(everything, dueAt, turn);
  };
  const listed = (courseId: string, personIds: readonly string[]) =>
    people.rows({ _id: { $in: personIds.map((personId) => rowId(courseId, personId)) } });
  const open = (now: number, without: readonly AccountId[]) => ({
    dueAt: { $lte: now },
    ...(without.length === 0 ? {} : { environment: { $nin: without } }),
  });
  const mine = (id: string, holder: string) => ({ _id: id, holder });

  return {
    /** Adds at most a few hundred people. Those who already wait stay as they are. @returns the number added. */
    enqueue: async (course: ProvisioningCourse, personIds: readonly string[], now: number) => {
      const { registrationId, courseId } = course;
      const waiting = await listed(courseId, personIds);
      const known = new Set(waiting.map(({ personId }) => personId));
      const added = personIds.filter((id) => !known.has(id));
      if (added.length > 0) {
        const row = { registrationId, courseId, dueAt: now, ...untried };
        const upserts = added.map((personId) => ({
          filter: { _id: rowId(courseId, personId) },
          update: { $setOnInsert: { ...row, personId } },
          upsert: true,
        }));
        await people.changeEach(upserts);
      }
      // After the people are written, and again after a crash in between: every waiting course needs a turn.
      if (added.length > 0 || !(await courses.exists({ _id: courseId }))) await announce(course, now);
      return added.length;
    },
    /** The next LMS with work, by id after `last`. After the last LMS, the first one. */
    nextLms: async (last: string, now: number, without: readonly AccountId[]): Promise<string | null> => {
      // Written so that the index of due times isn't used, because its results for all LMSs would have to be sorted.
      const due = { ...open(now, without), dueAt: { $not: { $gt: now } } };
      const first = (after: string) =>
        courses.row({ ...due, registrationId: { $gt: after } }, { sort: { registrationId: 1 } });
      const take = async () => (await first(last)) ?? (await first(""));
      return (await queue.claim(now, { take }))?.registrationId ?? null;
    },
    takeTurn: async (registrationId: string, now: number, without: readonly AccountId[]) => {
      const row = await courses.take(
        // Written so that the index of due times isn't used, because it would read the turns of all LMSs.
        { registrationId, ...open(now, without), dueAt: { $not: { $gt: now } } },
        { $set: { servedAt: now } },
        { sort: { servedAt: 1 } },
      );
      if (row === null) return null;
      return { courseId: row._id, registrationId, environment: row.environment, revision: row.revision };
    },
    claim: async ({ registrationId, courseId }: CourseTurn, holder: string, now: number, until: number) => {
      const row = await people.take(
        { registrationId, courseId, dueAt: { $lte: now } },
        { $set: { holder, dueAt: until } },
        { sort: { dueAt: 1 } },
      );
      return row === null ? null : people.read(row);
    },
    /** If nobody is due, the course gets its next turn later, or leaves the list. */
    rest: async ({ courseId, registrationId, revision }: CourseTurn): Promise<"emptied" | "later"> => {
      const soonest = await people.row({ registrationId, courseId }, { sort: { dueAt: 1 } });
      const unchanged = { _id: courseId, revision };
      if (soonest !== null) {
        await courses.change(unchanged, { $set: { dueAt: soonest.dueAt } });
        await queue.givenBack(everything, soonest.dueAt);
      } else if ((await courses.remove(unchanged)) === 1) return "emptied";
      return "later";
    },
    /** Pauses a course until a moment (ms), unless a person is added. */
    postpone: async ({ courseId, revision }: CourseTurn, until: number): Promise<void> => {
      await courses.change({ _id: courseId, revision }, { $set: { dueAt: until } });
      await queue.givenBack(everything, until);
    },
    extend: (id: string, holder: string, until: number) =>
      people.change(mine(id, holder), { $set: { dueAt: until } }),
    settle: async (id: string, holder: string): Promise<void> => {
      await people.remove(mine(id, holder));
    },
    putOff: async (id: string, holder: string, change: ProvisioningChange): Promise<void> => {
      await people.change(mine(id, holder), { $set: { ...change, holder: null } });
    },
    findMany: async (courseId: string, personIds: readonly string[]) =>
      (await listed(courseId, personIds)).map(people.read),
    countDue: (at: number) => people.count({ refused: false, dueAt: { $lte: at } }),
    count: async () => ({
      waiting: await people.count({ refused: false }),
      refused: await people.count({ refused: true }),
    }),
  };
}

function rowId(courseId: string, personId: string): string {
  return `${courseId} ${personId}`;
}

const untried = { attempts: 0, problem: null, refused: false, holder: null };
