import { type Connection, Schema } from "mongoose";
import { type RecordingDecision, type RecordingDefault, undecided } from "../rules/recording.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

type DecisionRow = RecordingDecision & { _id: string };
type RuleRow = RecordingRule & { _id: string; registrationId: string };

/** What happens to new recordings of a course by itself. */
export type RecordingRule = {
  choice: RecordingDefault;
  /** Since when that holds (ms): it is about recordings that we hear of from then on. */
  since: number;
  /** Grows with every change. */
  revision: number;
};

/** Which recording, in which course. */
export type DecisionKey = Pick<
  RecordingDecision,
  "registrationId" | "courseId" | "environment" | "recordingId"
>;
/** What may be decided about a recording. */
export type DecisionChange = Partial<Pick<RecordingDecision, "shown" | "title" | "placed" | "eventId">>;

export type RecordingDecisionStore = ReturnType<typeof createRecordingDecisionStore>;

/** What was decided about recordings, one record for each (course, recording), and what happens to new ones by itself. */
export function createRecordingDecisionStore(connection: Connection) {
  const schema = new Schema<DecisionRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      environment: { type: String, required: true },
      recordingId: { type: String, required: true },
      shown: { type: String, default: null },
      title: { type: String, default: null },
      placed: { type: Boolean, default: false },
      eventId: { type: String, default: null },
      revision: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1, environment: 1, recordingId: 1 }, { unique: true });
  const model = connection.model<DecisionRow>("RecordingDecision", schema);
  const ruleSchema = new Schema<RuleRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      choice: { type: String, required: true },
      since: { type: Number, required: true },
      revision: { type: Number, required: true },
    },
    { versionKey: false, minimize: false },
  );
  const rules = connection.model<RuleRow>("RecordingRule", ruleSchema);
  const idOf = ({ courseId, environment, recordingId }: DecisionKey) =>
    `${courseId}:${environment}:${recordingId}`;

  return {
    find: async (key: DecisionKey): Promise<RecordingDecision> => {
      const row = await model.findOne({ _id: idOf(key) }).lean();
      return row === null ? { ...key, ...undecided } : toDecision(row);
    },
    listOfCourse: async (
      registrationId: string,
      courseId: string,
      environment: EnvironmentName,
    ): Promise<RecordingDecision[]> =>
      (await model.find({ registrationId, courseId, environment }).limit(5_000).lean()).map(toDecision),
    /** Publishes what nobody has decided about yet; repeated, or after a decision, it changes nothing. */
    publishAtOnce: async (key: DecisionKey): Promise<void> => {
      const _id = idOf(key);
      const first = { _id, ...key, ...undecided, shown: "published" as const, revision: 1 };
      await retriedOnDuplicate(() => model.updateOne({ _id }, { $setOnInsert: first }, { upsert: true }));
    },
    /**
     * Keeps what an instructor decided.
     * @param revision The one they saw; 0 for nothing.
     * @returns false when somebody has decided something else since.
     */
    change: async (key: DecisionKey, revision: number, to: DecisionChange): Promise<boolean> => {
      const _id = idOf(key);
      if (revision > 0) {
        const done = await model.updateOne({ _id, revision }, { $set: to, $inc: { revision: 1 } });
        return done.matchedCount === 1;
      }
      try {
        await model.create({ _id, ...key, ...undecided, ...to, revision: 1 });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** What happens to new recordings of a course by itself. */
    ruleOf: async (courseId: string): Promise<RecordingRule> => {
      const row = await rules.findOne({ _id: courseId }).lean();
      if (row === null) return { choice: "hidden", since: 0, revision: 0 };
      const { choice, since, revision } = row;
      return { choice, since, revision };
    },
    /** As `change`, for what happens by itself. */
    changeRule: async (
      { registrationId, courseId }: Pick<DecisionKey, "registrationId" | "courseId">,
      revision: number,
      to: Pick<RecordingRule, "choice" | "since">,
    ): Promise<boolean> => {
      if (revision > 0) {
        const seen = { _id: courseId, revision };
        const done = await rules.updateOne(seen, { $set: to, $inc: { revision: 1 } });
        return done.matchedCount === 1;
      }
      try {
        await rules.create({ _id: courseId, registrationId, ...to, revision: 1 });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
  };
}

function toDecision({ _id, ...decision }: DecisionRow): RecordingDecision {
  return decision;
}
