import { type Connection, Schema } from "mongoose";
import {
  type AttendanceFacts,
  type AttendanceObservation,
  type Correction,
  withObservation,
} from "../domain/attendance.ts";
import { isDuplicateKey } from "./duplicate-key.ts";

/** Whose attendance, and of which session. */
export type AttendanceKey = { registrationId: string; courseId: string; eventId: string; personId: string };

/** One person's attendance in one event of a course. */
export type AttendanceRecord = AttendanceKey &
  AttendanceFacts & {
    /** The person's sections when the first fact came; they stay, wherever the person moves later. */
    sectionIds: readonly string[];
  };

type AttendanceRow = AttendanceKey & {
  _id: string;
  history: AttendanceObservation[];
  corrections?: Correction[];
  sectionIds?: string[];
  revision: number;
};

/** What a record begins with. */
export type FirstFacts = { id: string; sectionIds: readonly string[] };

export type AttendanceStore = ReturnType<typeof createAttendanceStore>;

/** Attendance facts with their history, one record for each (course, event, person). */
export function createAttendanceStore(connection: Connection) {
  const schema = new Schema<AttendanceRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      eventId: { type: String, required: true },
      personId: { type: String, required: true },
      history: { type: Schema.Types.Mixed, required: true },
      corrections: { type: Schema.Types.Mixed },
      sectionIds: { type: [String], default: undefined },
      revision: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1, eventId: 1, personId: 1 }, { unique: true });
  schema.index({ registrationId: 1, courseId: 1, personId: 1 });
  const model = connection.model<AttendanceRow>("Attendance", schema);

  /** Changes a record by compare-and-set on its revision, so that no concurrent change is lost. */
  async function change(
    key: AttendanceKey,
    first: FirstFacts,
    next: (facts: AttendanceFacts) => AttendanceFacts | null,
  ): Promise<void> {
    for (;;) {
      const row = await model.findOne({ ...key }).lean();
      const facts = next(row === null ? { history: [], corrections: [] } : factsOf(row));
      if (facts === null) return;
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
          return;
        } catch (thrown) {
          if (!isDuplicateKey(thrown)) throw thrown;
          continue;
        }
      }
      const done = await model.updateOne(
        { _id: row._id, revision: row.revision },
        { $set: { ...changed, revision: row.revision + 1 } },
      );
      if (done.matchedCount === 1) return;
    }
  }

  return {
    /** Adds what the classroom told. */
    record: (key: AttendanceKey, observation: AttendanceObservation, first: FirstFacts): Promise<void> =>
      change(key, first, ({ history, corrections }) => {
        const longer = withObservation(history, observation);
        return longer === history ? null : { history: longer, corrections };
      }),
    /** Adds what an instructor said. */
    correct: (key: AttendanceKey, correction: Correction, first: FirstFacts): Promise<void> =>
      change(key, first, ({ history, corrections }) => ({
        history,
        corrections: [correction, ...corrections],
      })),
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
    listOfPerson: async (
      registrationId: string,
      courseId: string,
      personId: string,
    ): Promise<AttendanceRecord[]> =>
      (await model.find({ registrationId, courseId, personId }).lean()).map(toRecord),
  };
}

/** Records of earlier versions have no corrections. */
function factsOf({ history, corrections }: AttendanceRow): AttendanceFacts {
  return { history, corrections: corrections ?? [] };
}

function toRecord(row: AttendanceRow): AttendanceRecord {
  const { registrationId, courseId, eventId, personId, sectionIds } = row;
  return { registrationId, courseId, eventId, personId, ...factsOf(row), sectionIds: sectionIds ?? [] };
}
