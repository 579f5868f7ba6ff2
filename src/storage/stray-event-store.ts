import { type Connection, Schema } from "mongoose";
import type { EnvironmentName } from "../domain/registration.ts";
import type { StrayEvent } from "../domain/unmatched.ts";
import { isDuplicateKey, retriedOnDuplicate } from "./duplicate-key.ts";
import { type LeaseFields, leaseFields, released } from "./lease.ts";

type StrayRow = Omit<StrayEvent, "id" | "dueAt"> & LeaseFields & { _id: string; dueAt: number };

export type StrayEventKey = Pick<StrayEvent, "registrationId" | "courseId" | "environment" | "eventId">;
export type StrayEventStore = ReturnType<typeof createStrayEventStore>;

/** Far beyond any clock: applied. */
const never = Number.MAX_SAFE_INTEGER;

/** Events of no course whose attendance names members of courses, one record for each (course, event). */
export function createStrayEventStore(connection: Connection) {
  const schema = new Schema<StrayRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      environment: { type: String, required: true },
      eventId: { type: String, required: true },
      answer: { type: String, required: true },
      by: { type: String, default: null },
      at: { type: Number, default: null },
      dueAt: { type: Number, required: true },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1, answer: 1 });
  schema.index({ dueAt: 1 });
  // An event is one course's.
  schema.index(
    { environment: 1, eventId: 1 },
    { unique: true, partialFilterExpression: { answer: "ours" }, name: "one_course" },
  );
  const model = connection.model<StrayRow>("StrayEvent", schema);
  const idOf = ({ courseId, environment, eventId }: StrayEventKey) => `${courseId}:${environment}:${eventId}`;

  return {
    /** Somebody of the course is named by the event; noting it again changes nothing. */
    note: async (key: StrayEventKey): Promise<void> => {
      const _id = idOf(key);
      if ((await model.findOne({ _id }).lean()) !== null) return;
      await retriedOnDuplicate(() =>
        model.updateOne(
          { _id },
          {
            $setOnInsert: { _id, ...key, answer: "open", by: null, at: null, dueAt: never, ...released },
          },
          { upsert: true },
        ),
      );
    },
    find: async (key: StrayEventKey): Promise<StrayEvent | null> => {
      const row = await model.findOne({ _id: idOf(key) }).lean();
      return row === null ? null : toStray(row);
    },
    listOfCourse: async (
      registrationId: string,
      courseId: string,
      answer: StrayEvent["answer"],
      limit: number,
    ): Promise<StrayEvent[]> =>
      (await model.find({ registrationId, courseId, answer }).sort({ _id: 1 }).limit(limit).lean()).map(
        toStray,
      ),
    /** The course whose session an instructor said it is; null when nobody did. */
    courseOf: async (environment: EnvironmentName, eventId: string): Promise<string | null> =>
      (await model.findOne({ environment, eventId, answer: "ours" }).lean())?.courseId ?? null,
    /** Keeps an answer. @returns false when it is another course's already, or there is no such event. */
    answer: async (
      key: StrayEventKey,
      answer: StrayEvent["answer"],
      said: { by: string; at: number },
    ): Promise<boolean> => {
      const dueAt = answer === "ours" ? said.at : never;
      try {
        const done = await model.updateOne(
          { _id: idOf(key), answer: { $ne: "ours" } },
          { $set: { answer, ...said, dueAt } },
        );
        return done.matchedCount === 1;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** Answers of a course that are still to be applied. */
    countToApply: (registrationId: string, courseId: string): Promise<number> =>
      model.countDocuments({ registrationId, courseId, dueAt: { $lt: never } }).exec(),
    /** Takes an answer that is to be applied. */
    claimDue: async (holder: string, now: number, until: number): Promise<StrayEvent | null> => {
      const row = await model
        .findOneAndUpdate(
          { dueAt: { $lte: now }, leaseUntil: { $lte: now } },
          { $set: { leaseHolder: holder, leaseUntil: until } },
          { sort: { dueAt: 1 }, returnDocument: "after" },
        )
        .lean();
      return row === null ? null : toStray(row);
    },
    extend: async (id: string, holder: string, until: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } });
    },
    /** Applied, or (with a time) to be tried again then. */
    settle: async (id: string, holder: string, dueAt: number | null): Promise<void> => {
      await model.updateOne(
        { _id: id, leaseHolder: holder },
        { $set: { dueAt: dueAt ?? never, ...released } },
      );
    },
  };
}

function toStray({ _id, leaseHolder: _holder, leaseUntil: _until, dueAt, ...stray }: StrayRow): StrayEvent {
  return { id: _id, ...stray, dueAt: dueAt === never ? null : dueAt };
}
