import { readerOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { attendanceSums } from "../rules/attendance-grid.ts";
import { type CountedSession, type LearnerStanding, standingRecord } from "../rules/learner-standing.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

export type StandingPlace = Pick<LearnerStanding, "registrationId" | "courseId">;
/** `seen` is the revision read before the facts, 0 for none. */
export type NewStanding = Pick<LearnerStanding, "personId" | "sub" | "sessions"> & { seen: number };
export type StandingStore = ReturnType<typeof createStandingStore>;

/**
 * What grades are computed from, one record for each (course, person), so that a course costs one read a learner, not one
 * a session. It can be rebuilt from the attendance records.
 */
export function createStandingStore(connection: Connection) {
  const model = recordModel(connection, standingRecord);
  const findMany = async (
    { registrationId, courseId }: StandingPlace,
    personIds: readonly string[],
  ): Promise<LearnerStanding[]> =>
    (await model.find({ registrationId, courseId, personId: { $in: [...personIds] } }).lean()).map(
      toStanding,
    );

  return {
    findMany,
    /** By person id, for going through all. */
    listAfter: async (
      { registrationId, courseId }: StandingPlace,
      personId: string,
      limit: number,
    ): Promise<LearnerStanding[]> =>
      (
        await model
          .find({ registrationId, courseId, personId: { $gt: personId } })
          .sort({ personId: 1 })
          .limit(limit)
          .lean()
      ).map(toStanding),
    /** With a rate below a percentage, or this many absences; rows of earlier versions get their sums first. */
    listBySums: async (
      { registrationId, courseId }: StandingPlace,
      sought: { below: number } | { absent: number },
    ): Promise<LearnerStanding[]> => {
      const key = { registrationId, courseId };
      for (;;) {
        const earlier = await model
          .find({ ...key, percent: null })
          .limit(500)
          .lean();
        if (earlier.length === 0) break;
        // Concurrent writers of sessions write the sums, too.
        const sums = earlier.map(({ personId, revision, sessions }) => ({
          updateOne: { filter: { ...key, personId, revision }, update: { $set: attendanceSums(sessions) } },
        }));
        await model.bulkWrite(sums, { ordered: false });
      }
      const found = await model
        .find({
          ...key,
          ...("below" in sought ? { percent: { $lt: sought.below } } : { absent: { $gte: sought.absent } }),
        })
        .lean();
      return found.map(toStanding);
    },
    count: ({ registrationId, courseId }: StandingPlace): Promise<number> =>
      model.countDocuments({ registrationId, courseId }).exec(),
    /**
     * Writes standings, each unless it changed since `seen`: its facts may be newer. @returns the people to be read
     * again.
     */
    publish: async (
      { registrationId, courseId }: StandingPlace,
      standings: readonly NewStanding[],
      newId: () => string,
    ): Promise<string[]> => {
      if (standings.length === 0) return [];
      const writes = standings.map(({ personId, sub, seen, sessions }) => {
        const key = { registrationId, courseId, personId };
        const to = { sessions: [...sessions], revision: seen + 1, ...attendanceSums(sessions) };
        return seen === 0
          ? { insertOne: { document: { _id: newId(), ...key, sub, ...to } } }
          : { updateOne: { filter: { ...key, revision: seen }, update: { $set: to } } };
      });
      try {
        const done = await model.bulkWrite(writes, { ordered: false });
        if (done.matchedCount + done.insertedCount === standings.length) return [];
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
      }
      // A revision further on than this call's was written by another process.
      const now = await findMany(
        { registrationId, courseId },
        standings.map(({ personId }) => personId),
      );
      const byPerson = new Map(now.map((standing) => [standing.personId, standing]));
      return standings
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
        String(twin.marks ?? []) === String(session.marks ?? [])
      );
    })
  );
}

const toStanding = readerOf(standingRecord);
