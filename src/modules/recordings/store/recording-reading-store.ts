import { type Connection, Schema } from "mongoose";
import type { RecordingReading } from "../rules/recording-reading.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { unfinishedField } from "../../../storage/unfinished-field.ts";
import { type LeaseFields, leaseFields, released } from "../../../storage/lease.ts";

type ReadingRow = Omit<RecordingReading, "id" | "dueAt"> & LeaseFields & { _id: string; dueAt: number };

/** What a reading ends with. */
export type RecordingReadingOutcome = Pick<RecordingReading, "dueAt"> &
  Partial<
    Pick<
      RecordingReading,
      "attempts" | "readAt" | "offered" | "unplaced" | "problem" | "problemCode" | "unfinished"
    >
  >;
export type RecordingReadingStore = ReturnType<typeof createRecordingReadingStore>;

/** Far beyond any clock: nothing is planned. Kept as a number so that one index serves. */
const never = Number.MAX_SAFE_INTEGER;

/** When the classroom's list of recordings is read, one record for each (environment, Space). */
export function createRecordingReadingStore(connection: Connection) {
  const schema = new Schema<ReadingRow>(
    {
      _id: { type: String, required: true },
      environment: { type: String, required: true },
      spaceId: { type: String, required: true },
      urgency: { type: String, required: true },
      dueAt: { type: Number, required: true },
      attempts: { type: Number, required: true },
      readAt: { type: Number, default: null },
      offered: { type: Boolean, default: null },
      unplaced: { type: Number, required: true },
      problem: { type: String, default: null },
      problemCode: { type: String, default: null },
      wants: { type: Number, required: true },
      unfinished: unfinishedField,
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ urgency: 1, dueAt: 1 });
  schema.index({ dueAt: 1 });
  schema.index({ environment: 1, spaceId: 1 });
  const model = connection.model<ReadingRow>("RecordingReading", schema);
  const firstDue = (_scope: string, dueAt: DueRange) =>
    model.findOne({ dueAt }).sort({ dueAt: 1 }).lean().exec();
  const queue = dueHeadsOf(connection).queue("recordings", firstDue);
  const idOf = (environment: EnvironmentName, spaceId: string) => `${environment}:${spaceId}`;

  return {
    find: async (environment: EnvironmentName, spaceId: string): Promise<RecordingReading | null> => {
      const row = await model.findOne({ _id: idOf(environment, spaceId) }).lean();
      return row === null ? null : toReading(row);
    },
    listOfSpaces: async (
      environment: EnvironmentName,
      spaceIds: readonly string[],
    ): Promise<RecordingReading[]> =>
      spaceIds.length === 0
        ? []
        : (await model.find({ environment, spaceId: { $in: [...spaceIds] } }).lean()).map(toReading),
    /**
     * The list of a Space is to be read at `dueAt` (ms), or earlier when that is planned already.
     * @param urgency "person" when somebody waits for it.
     */
    want: async (
      space: Pick<RecordingReading, "environment" | "spaceId">,
      dueAt: number,
      urgency: RecordingReading["urgency"],
    ): Promise<void> => {
      const _id = idOf(space.environment, space.spaceId);
      const first = { _id, ...space, ...untouched, ...released };
      const wish = () =>
        model.updateOne(
          { _id },
          urgency === "person"
            ? { $setOnInsert: first, $min: { dueAt }, $inc: { wants: 1 }, $set: { urgency, problem: null } }
            : { $setOnInsert: { ...first, urgency, problem: null }, $min: { dueAt }, $inc: { wants: 1 } },
          { upsert: true },
        );
      await queue.announced(everything, dueAt, () => retriedOnDuplicate(wish));
    },
    /** Takes the reading that is due longest, those that somebody waits for first; null when none is due. */
    claimDue: async (holder: string, now: number, until: number): Promise<RecordingReading | null> => {
      const takeOf = (urgency: RecordingReading["urgency"]) =>
        model
          .findOneAndUpdate(
            { urgency, dueAt: { $lte: now }, leaseUntil: { $lte: now } },
            { $set: { leaseHolder: holder, leaseUntil: until }, $inc: { attempts: 1 } },
            { sort: { dueAt: 1 }, returnDocument: "after" },
          )
          .lean();
      const take = async () => (await takeOf("person")) ?? (await takeOf("news"));
      const row = await queue.claim(now, { take });
      return row === null ? null : toReading(row);
    },
    /** Lengthens a claim; without effect when it was lost. */
    extend: async (id: string, holder: string, until: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } });
    },
    /**
     * Writes down what became of a claimed reading; without effect when the claim was lost. One that was wanted anew
     * since the claim stays due.
     */
    settle: async (
      { id, wants }: Pick<RecordingReading, "id" | "wants">,
      holder: string,
      { dueAt, ...facts }: RecordingReadingOutcome,
    ): Promise<void> => {
      const held = { _id: id, leaseHolder: holder };
      await model.updateOne({ ...held, wants }, { $set: { dueAt: dueAt ?? never, urgency: "news" } });
      const row = await model.findOneAndUpdate(held, { $set: { ...facts, ...released } }).lean();
      if (row !== null) await queue.givenBack(everything, row.dueAt);
    },
  };
}

const untouched = { attempts: 0, readAt: null, offered: null, unplaced: 0 };

function toReading({
  _id,
  leaseHolder: _h,
  leaseUntil: _u,
  dueAt,
  ...reading
}: ReadingRow): RecordingReading {
  return { id: _id, ...reading, dueAt: dueAt === never ? null : dueAt };
}
