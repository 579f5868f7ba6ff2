import type { RowOf } from "../../../domain/record.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { attendanceRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import {
  type AttendanceFacts,
  type AttendanceHistory,
  type AttendanceObservation,
  type Correction,
  withCorrection,
  withObservation,
  withSuggestion,
} from "../../../domain/attendance.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

export type AttendanceKey = { registrationId: string; courseId: string; eventId: string; personId: string };

export type AttendanceRecord = AttendanceKey &
  AttendanceFacts & {
    /** At the first fact; later moves do not change it. */
    sectionIds: readonly string[];
    revision: number;
  };

type AttendanceRow = RowOf<typeof attendanceRecord>;

export type FirstFacts = { id: string; sectionIds: readonly string[] };

export type AttendanceStore = ReturnType<typeof createAttendanceStore>;

/** Facts with their history, one record for each (course, event, person). */
export function createAttendanceStore(connection: Connection) {
  const model = recordModel(connection, attendanceRecord);
  const reads = plainReads(model);

  /** By compare-and-set on the revision, so that no concurrent change is lost. */
  async function change(
    key: AttendanceKey,
    first: FirstFacts,
    next: (facts: AttendanceFacts, revision: number) => AttendanceFacts | null,
  ): Promise<AttendanceFacts> {
    for (;;) {
      const row = await model.findOne({ ...key }).lean();
      const before = row === null ? nothingKnown : factsOf(row);
      const facts = next(before, row?.revision ?? 0);
      if (facts === null) return before;
      const changed = { history: [...facts.history], corrections: [...facts.corrections] };
      if (row === null) {
        try {
          await model.create({
            _id: first.id,
            ...key,
            ...changed,
            sectionIds: [...first.sectionIds],
            revision: 1,
          });
          return facts;
        } catch (thrown) {
          if (!isDuplicateKey(thrown)) throw thrown;
          continue;
        }
      }
      const done = await model.updateOne(
        { _id: row._id, revision: row.revision },
        { $set: { ...changed, revision: row.revision + 1 } },
      );
      if (done.matchedCount === 1) return facts;
    }
  }

  return {
    /** @returns the classroom's whole history. */
    record: async (
      key: AttendanceKey,
      observation: AttendanceObservation,
      first: FirstFacts,
    ): Promise<AttendanceHistory> => {
      const { history } = await change(key, first, ({ history, corrections }) => {
        const longer = withObservation(history, observation);
        return longer === history ? null : { history: longer, corrections };
      });
      return history;
    },
    /** What presence suggests, in place of an earlier suggestion; null takes it back. */
    suggest: async (
      key: AttendanceKey,
      suggestion: AttendanceObservation | null,
      first: FirstFacts,
    ): Promise<void> => {
      await change(key, first, ({ history, corrections }) => {
        const changed = withSuggestion(history, suggestion);
        return changed === history ? null : { history: changed, corrections };
      });
    },
    /** Removes observations of another person. */
    takeBack: async (key: AttendanceKey, observations: readonly AttendanceObservation[]): Promise<void> => {
      await change(key, { id: "", sectionIds: [] }, ({ history, corrections }) => {
        const kept = history.filter((one) => withObservation(observations, one) !== observations);
        return kept.length === history.length ? null : { history: kept, corrections };
      });
    },
    /** Removes all: the session is not the course's. */
    clear: async (key: AttendanceKey): Promise<void> => {
      await change(key, { id: "", sectionIds: [] }, ({ history, corrections }) =>
        history.length + corrections.length === 0 ? null : nothingKnown,
      );
    },
    correct: async (key: AttendanceKey, correction: Correction, first: FirstFacts): Promise<void> => {
      await change(key, first, ({ history, corrections }) => ({
        history,
        corrections: withCorrection(corrections, correction),
      }));
    },
    /**
     * Concurrent corrections are decided one after the other.
     * @param decide From the facts and the revision (0 for none); null adds nothing. May be called repeatedly; the last
     *   answer counts.
     */
    correctIf: async (
      key: AttendanceKey,
      first: FirstFacts,
      decide: (facts: AttendanceFacts, revision: number) => Correction | null,
    ): Promise<void> => {
      await change(key, first, (facts, revision) => {
        const said = decide(facts, revision);
        if (said === null) return null;
        return { history: facts.history, corrections: withCorrection(facts.corrections, said) };
      });
    },
    find: async (key: AttendanceKey): Promise<AttendanceRecord | null> => {
      const row = await model.findOne({ ...key }).lean();
      return row === null ? null : toRecord(row);
    },
    listOfEvent: async (
      registrationId: string,
      courseId: string,
      eventId: string,
    ): Promise<AttendanceRecord[]> =>
      (await model.find({ registrationId, courseId, eventId }).lean()).map(toRecord),
    /** At most a few hundred. */
    listOfPeople: async (
      registrationId: string,
      courseId: string,
      personIds: readonly string[],
    ): Promise<AttendanceRecord[]> =>
      (await model.find({ registrationId, courseId, personId: { $in: [...personIds] } }).lean()).map(
        toRecord,
      ),
    listOfPerson: async (
      registrationId: string,
      courseId: string,
      personId: string,
    ): Promise<AttendanceRecord[]> => (await reads.all({ registrationId, courseId, personId })).map(toRecord),
  };
}

const nothingKnown: AttendanceFacts = { history: [], corrections: [] };

/** Records of earlier versions have no corrections. */
function factsOf({ history, corrections }: AttendanceRow): AttendanceFacts {
  return { history, corrections: corrections ?? [] };
}

function toRecord(row: AttendanceRow): AttendanceRecord {
  const { registrationId, courseId, eventId, personId, sectionIds, revision } = row;
  return {
    registrationId,
    courseId,
    eventId,
    personId,
    ...factsOf(row),
    sectionIds: sectionIds ?? [],
    revision,
  };
}
