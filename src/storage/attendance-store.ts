import { type Connection, Schema } from "mongoose";
import { type AttendanceHistory, type AttendanceObservation, withObservation } from "../domain/attendance.ts";
import { isDuplicateKey } from "./duplicate-key.ts";

/** One person's attendance in one event of a course. */
export type AttendanceRecord = {
  registrationId: string;
  courseId: string;
  eventId: string;
  personId: string;
  history: AttendanceHistory;
};

type AttendanceRow = Omit<AttendanceRecord, "history"> & {
  _id: string;
  history: AttendanceObservation[];
  revision: number;
};

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
      revision: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1, eventId: 1, personId: 1 }, { unique: true });
  schema.index({ registrationId: 1, courseId: 1, personId: 1 });
  const model = connection.model<AttendanceRow>("Attendance", schema);

  return {
    /** Adds an observation by compare-and-set on the record's revision, so that no concurrent one is lost. */
    record: async (
      key: Omit<AttendanceRecord, "history">,
      observation: AttendanceObservation,
      id: string,
    ): Promise<void> => {
      for (;;) {
        const row = await model.findOne({ ...key }).lean();
        if (row === null) {
          try {
            await model.create({ _id: id, ...key, history: [observation], revision: 1 });
            return;
          } catch (thrown) {
            if (!isDuplicateKey(thrown)) throw thrown;
            continue;
          }
        }
        const history = withObservation(row.history, observation);
        if (history === row.history) return;
        const done = await model.updateOne(
          { _id: row._id, revision: row.revision },
          { $set: { history: [...history], revision: row.revision + 1 } },
        );
        if (done.matchedCount === 1) return;
      }
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

function toRecord({ _id, revision: _revision, ...record }: AttendanceRow): AttendanceRecord {
  return record;
}
