import {
  type RecordingDecision,
  recordingDecisionRecord,
  recordingRuleRecord,
  undecided,
} from "../rules/recording.ts";
import { readerOf, type ItemOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

export type RecordingRule = ItemOf<typeof recordingRuleRecord>;

export type DecisionKey = Pick<
  RecordingDecision,
  "registrationId" | "courseId" | "environment" | "recordingId"
>;
export type DecisionChange = Partial<Pick<RecordingDecision, "shown" | "title" | "placed" | "eventId">>;

export type RecordingDecisionStore = ReturnType<typeof createRecordingDecisionStore>;

/** Decisions, one record for each (course, recording), and each course's rule for new recordings. */
export function createRecordingDecisionStore(connection: Connection) {
  const model = recordModel(connection, recordingDecisionRecord);

  const rules = recordModel(connection, recordingRuleRecord);
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
      environment: AccountId,
    ): Promise<RecordingDecision[]> =>
      (await model.find({ registrationId, courseId, environment }).limit(5_000).lean()).map(toDecision),
    /** What nobody has decided about; repeatable. */
    publishAtOnce: async (key: DecisionKey): Promise<void> => {
      const _id = idOf(key);
      const first = { _id, ...key, ...undecided, shown: "published" as const, revision: 1 };
      await retriedOnDuplicate(() => model.updateOne({ _id }, { $setOnInsert: first }, { upsert: true }));
    },
    /** @param revision The one seen; 0 for none. @returns false when it has changed since. */
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
    ruleOf: async (courseId: string): Promise<RecordingRule> => {
      const row = await rules.findOne({ _id: courseId }).lean();
      if (row === null) return { choice: "hidden", since: 0, revision: 0 };
      const { choice, since, revision } = row;
      return { choice, since, revision };
    },
    /** As `change`. */
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

const toDecision = readerOf(recordingDecisionRecord);
