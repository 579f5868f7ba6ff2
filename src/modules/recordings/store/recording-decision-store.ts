import {
  type RecordingDecision,
  recordingDecisionRecord,
  recordingRuleRecord,
  undecided,
} from "../rules/recording.ts";
import type { ItemOf } from "../../../domain/record.ts";
import { openRecords } from "../../../storage/records.ts";
import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";

export type RecordingRule = ItemOf<typeof recordingRuleRecord>;

export type DecisionKey = Pick<
  RecordingDecision,
  "registrationId" | "courseId" | "environment" | "recordingId"
>;
export type DecisionChange = Partial<Pick<RecordingDecision, "shown" | "title" | "placed" | "eventId">>;

/** Decisions, one record for each (course, recording), and each course's rule for new recordings. */
export function createRecordingDecisionStore(connection: Connection) {
  const records = openRecords(connection, recordingDecisionRecord);

  const rules = openRecords(connection, recordingRuleRecord);
  const idOf = ({ courseId, environment, recordingId }: DecisionKey) =>
    `${courseId}:${environment}:${recordingId}`;

  return {
    find: async (key: DecisionKey): Promise<RecordingDecision> => {
      const row = await records.row({ _id: idOf(key) });
      return row === null ? { ...key, ...undecided } : records.read(row);
    },
    listOfCourse: (registrationId: string, courseId: string, environment: AccountId) =>
      records.list({ registrationId, courseId, environment }, { limit: 5_000 }),
    /** What nobody has decided about; repeatable. */
    publishAtOnce: async (key: DecisionKey): Promise<void> => {
      const _id = idOf(key);
      const first = { _id, ...key, ...undecided, shown: "published" as const, revision: 1 };
      await records.ensure({ _id }, first);
    },
    /** @param revision The one seen; 0 for none. @returns false when it has changed since. */
    change: async (key: DecisionKey, revision: number, to: DecisionChange): Promise<boolean> => {
      const _id = idOf(key);
      if (revision > 0) {
        return records.change({ _id, revision }, { $set: to, $inc: { revision: 1 } });
      }
      return records.insert({ _id, ...key, ...undecided, ...to, revision: 1 });
    },
    ruleOf: async (courseId: string): Promise<RecordingRule> => {
      const row = await rules.row({ _id: courseId });
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
        return rules.change(seen, { $set: to, $inc: { revision: 1 } });
      }
      return rules.insert({ _id: courseId, registrationId, ...to, revision: 1 });
    },
  };
}
