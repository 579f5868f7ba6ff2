import { dayMs } from "../../../kernel/clock.ts";
import type { ItemOf } from "../../../domain/record.ts";
import { openRecords } from "../../../storage/records.ts";
import {
  feedbackOccasionRecord,
  feedbackRecord,
  feedbackTriesRecord,
  type Occasion,
} from "../rules/feedback.ts";
import type { Connection } from "mongoose";

export type StoredFeedback = ItemOf<typeof feedbackRecord>;

/** A school year and a little more (ms). */
const retentionMs = 400 * dayMs;

const isText = { $type: "string" } as const;

/** One answer per course, class and person. */
export function createFeedbackStore(connection: Connection) {
  const answers = openRecords(connection, feedbackRecord);
  const occasions = openRecords(connection, feedbackOccasionRecord);
  /** Only limits rates. The caller puts the time into the key. */
  const tries = openRecords(connection, feedbackTriesRecord);

  return {
    /** Replaces the person's earlier answer about the same class. */
    keep: async (answer: StoredFeedback, occasion: Occasion): Promise<void> => {
      const { courseId, personId } = answer;
      const key = answer.occasion;
      const forgottenAt = new Date(answer.givenAt + retentionMs);
      const _id = `${courseId} ${key} ${personId}`;
      await answers.replace({ _id }, { _id, ...answer, forgottenAt });
      await occasions.save(
        { _id: `${courseId} ${key}` },
        { $set: { ...occasion, courseId, key, forgottenAt } },
      );
    },
    /** Classes of a course with answers, latest first. */
    occasionsOf: async (courseId: string, limit: number): Promise<(Occasion & { key: string })[]> =>
      (await occasions.rows({ courseId }, { sort: { heldAt: -1 }, limit })).map(
        ({ key, spaceId, eventId, heldAt }) => ({ key, spaceId, eventId, heldAt }),
      ),
    /** Without comments and persons. */
    answersTo: async (
      courseId: string,
      occasion: string,
    ): Promise<Pick<StoredFeedback, "rating" | "soundAndPicture">[]> =>
      (await answers.some(["rating", "soundAndPicture"], { courseId, occasion })).map(
        ({ rating, soundAndPicture }) => ({ rating, soundAndPicture }),
      ),
    /** The latest comments first, and how many there are. */
    commentsOn: async (courseId: string, occasion: string, limit: number) => {
      const filter = { courseId, occasion, comment: isText };
      const rows = await answers.some(["comment"], filter, { sort: { givenAt: -1 }, limit });
      return {
        comments: rows.flatMap(({ comment }) => (comment === null ? [] : [comment])),
        total: rows.length < limit ? rows.length : await answers.count(filter),
      };
    },
    /** Counts an attempt under a key, which is forgotten at `forgottenAt` (ms). @returns the count, including this attempt. */
    countTry: async (key: string, forgottenAt: number): Promise<number> => {
      const row = await tries.saved(
        { _id: key },
        { $inc: { count: 1 }, $setOnInsert: { forgottenAt: new Date(forgottenAt) } },
      );
      return row.count;
    },
    uncountTry: async (key: string): Promise<void> => {
      await tries.change({ _id: key, count: { $gt: 0 } }, { $inc: { count: -1 } });
    },
    triesOf: async (key: string): Promise<number> => (await tries.row({ _id: key }))?.count ?? 0,
  };
}
