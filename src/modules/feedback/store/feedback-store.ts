import type { ItemOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { feedbackTriesRecord, feedbackRecord, feedbackOccasionRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { Occasion } from "../rules/feedback.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

export type StoredFeedback = ItemOf<typeof feedbackRecord>;

export type StoredOccasion = Occasion & { key: string };

export type FeedbackStore = ReturnType<typeof createFeedbackStore>;

/** A school year and a little more (ms). */
const keptMs = 400 * 24 * 3_600_000;

const isText = { $type: "string" } as const;

/** One answer for each (course, class, person). */
export function createFeedbackStore(connection: Connection) {
  const answers = answerModel(connection);
  const occasions = occasionModel(connection);
  const tries = triesModel(connection);

  return {
    /** In place of the person's earlier answer about the same class. */
    keep: async (answer: StoredFeedback, occasion: Occasion): Promise<void> => {
      const { courseId, personId } = answer;
      const key = answer.occasion;
      const forgottenAt = new Date(answer.givenAt + keptMs);
      const _id = `${courseId} ${key} ${personId}`;
      await retriedOnDuplicate(() =>
        answers.replaceOne({ _id }, { _id, ...answer, forgottenAt }, { upsert: true }),
      );
      await retriedOnDuplicate(() =>
        occasions.updateOne(
          { _id: `${courseId} ${key}` },
          { $set: { ...occasion, courseId, key, forgottenAt } },
          { upsert: true },
        ),
      );
    },
    /** Classes of a course with answers, latest first. */
    occasionsOf: async (courseId: string, limit: number): Promise<StoredOccasion[]> =>
      (await occasions.find({ courseId }).sort({ heldAt: -1 }).limit(limit).lean()).map(
        ({ key, spaceId, eventId, heldAt }) => ({ key, spaceId, eventId, heldAt }),
      ),
    /** Without comments and persons. */
    answersTo: async (
      courseId: string,
      occasion: string,
    ): Promise<Pick<StoredFeedback, "rating" | "soundAndPicture">[]> =>
      (await answers.find({ courseId, occasion }, { rating: 1, soundAndPicture: 1 }).lean()).map(
        ({ rating, soundAndPicture }) => ({ rating, soundAndPicture }),
      ),
    /** Latest first, and how many there are. */
    commentsOn: async (
      courseId: string,
      occasion: string,
      limit: number,
    ): Promise<{ comments: string[]; total: number }> => {
      const filter = { courseId, occasion, comment: isText };
      const rows = await answers.find(filter, { comment: 1 }).sort({ givenAt: -1 }).limit(limit).lean();
      return {
        comments: rows.flatMap(({ comment }) => (comment === null ? [] : [comment])),
        total: rows.length < limit ? rows.length : await answers.countDocuments(filter),
      };
    },
    /** Counts a try under a key, which is forgotten at `forgottenAt` (ms). @returns the count, this one included. */
    countTry: async (key: string, forgottenAt: number): Promise<number> => {
      const row = await retriedOnDuplicate(() =>
        tries
          .findOneAndUpdate(
            { _id: key },
            { $inc: { count: 1 }, $setOnInsert: { forgottenAt: new Date(forgottenAt) } },
            { upsert: true, returnDocument: "after" },
          )
          .lean(),
      );
      return row.count;
    },
    uncountTry: async (key: string): Promise<void> => {
      await tries.updateOne({ _id: key, count: { $gt: 0 } }, { $inc: { count: -1 } });
    },
    triesOf: async (key: string): Promise<number> => (await tries.findOne({ _id: key }).lean())?.count ?? 0,
  };
}

function answerModel(connection: Connection) {
  return recordModel(connection, feedbackRecord);
}

function occasionModel(connection: Connection) {
  return recordModel(connection, feedbackOccasionRecord);
}

/** Only limits rates; the reader puts the time into the key. */
function triesModel(connection: Connection) {
  return recordModel(connection, feedbackTriesRecord);
}
