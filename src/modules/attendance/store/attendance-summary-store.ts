import { openRecords } from "../../../storage/records.ts";
import type { Connection } from "mongoose";
import {
  type AttendanceSummary,
  attendanceSummaryRecord,
  attendanceSums,
  type CountedSession,
} from "../rules/attendance-summary.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

export type SummaryCourse = Pick<AttendanceSummary, "registrationId" | "courseId">;
/** `seen`: the revision read before the facts, 0 for none. */
export type NewSummary = Pick<AttendanceSummary, "personId" | "sub" | "sessions"> & { seen: number };
export type AttendanceSummaryStore = ReturnType<typeof createAttendanceSummaryStore>;

/**
 * One record for each (course, person), so that a course costs one read a learner, not one a session. Can be rebuilt
 * from attendance records.
 */
export function createAttendanceSummaryStore(connection: Connection) {
  const records = openRecords(connection, attendanceSummaryRecord);
  const findMany = (
    { registrationId, courseId }: SummaryCourse,
    personIds: readonly string[],
  ): Promise<AttendanceSummary[]> => records.list({ registrationId, courseId, personId: { $in: personIds } });

  return {
    findMany,
    listAfter: (
      { registrationId, courseId }: SummaryCourse,
      personId: string,
      limit: number,
    ): Promise<AttendanceSummary[]> =>
      records.list(
        { registrationId, courseId, personId: { $gt: personId } },
        { sort: { personId: 1 }, limit },
      ),
    /** Below a rate, or with this many absences. */
    listBySums: (
      { registrationId, courseId }: SummaryCourse,
      sought: { below: number } | { absent: number },
    ): Promise<AttendanceSummary[]> =>
      records.list({
        ...{ registrationId, courseId },
        ...("below" in sought ? { percent: { $lt: sought.below } } : { absent: { $gte: sought.absent } }),
      }),
    count: ({ registrationId, courseId }: SummaryCourse): Promise<number> =>
      records.count({ registrationId, courseId }),
    /** @returns people whose summary another process has changed: to be computed again. */
    publish: async (
      { registrationId, courseId }: SummaryCourse,
      summaries: readonly NewSummary[],
      newId: () => string,
    ): Promise<string[]> => {
      if (summaries.length === 0) return [];
      const writes = summaries.map(({ personId, sub, seen, sessions }) => {
        const key = { registrationId, courseId, personId };
        const to = { sessions: [...sessions], revision: seen + 1, ...attendanceSums(sessions) };
        return seen === 0
          ? { insertOne: { document: { _id: newId(), ...key, sub, ...to } } }
          : { updateOne: { filter: { ...key, revision: seen }, update: { $set: to } } };
      });
      try {
        const done = await records.model.bulkWrite(writes, { ordered: false });
        if (done.matchedCount + done.insertedCount === summaries.length) return [];
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
      }
      // A revision further on than this call's was written by another process.
      const now = await findMany(
        { registrationId, courseId },
        summaries.map(({ personId }) => personId),
      );
      const byPerson = new Map(now.map((summary) => [summary.personId, summary]));
      return summaries
        .filter(({ personId, seen, sessions }) => {
          const found = byPerson.get(personId);
          return found?.revision !== seen + 1 || !sameSessions(found.sessions, sessions);
        })
        .map(({ personId }) => personId);
    },
  };
}

function sameSessions(one: readonly CountedSession[], other: readonly CountedSession[]): boolean {
  return (
    one.length === other.length &&
    one.every((session, at) => {
      const twin = other[at];
      return (
        twin?.eventId === session.eventId &&
        twin.status === session.status &&
        String(twin.marks ?? []) === String(session.marks ?? []) &&
        minutesText(twin) === minutesText(session)
      );
    })
  );
}

/** A store may return an object's fields in another order. */
function minutesText({ minutes }: CountedSession): string {
  return minutes === undefined ? "" : `${minutes.present} ${minutes.of} ${minutes.hidden ?? 0}`;
}
