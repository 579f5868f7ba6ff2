import type { ItemOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { feedbackTriesRecord, feedbackRecord, feedbackOccasionRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { Occasion } from "../rules/feedback.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

/** An answer with whom and what it is about. */
export type StoredFeedback = ItemOf<typeof feedbackRecord>;

/** A class that was judged by somebody. */
export type StoredOccasion = Occasion & { key: string };

export type FeedbackStore = ReturnType<typeof createFeedbackStore>;

/** Answers are kept this long (ms): a school year and a little more. */
const keptMs = 400 * 24 * 3_600_000;

const isText = { $type: "string" } as const;

/** What people answered after their classes: one answer for each (course, class, person). */
export function createFeedbackStore(connection: Connection) {
  const answers = answerModel(connection);
  const occasions = occasionModel(connection);
  const tries = triesModel(connection);

  return {
    /**
     * Keeps an answer in place of the same person's earlier one about this class. One given by somebody we know
     * is never replaced by one that only an address speaks for.
     * @returns false when the earlier one stays.
     */
    keep: async (answer: StoredFeedback, occasion: Occasion): Promise<boolean> => {
      const { courseId, personId } = answer;
      const { certain } = answer;
      const key = answer.occasion;
      const forgottenAt = new Date(answer.givenAt + keptMs);
      const id = `${courseId} ${key} ${personId}`;
      const replaceable = certain ? { _id: id } : { _id: id, certain: false };
      try {
        await retriedOnDuplicate(() =>
          answers.replaceOne(replaceable, { _id: id, ...answer, forgottenAt }, { upsert: true }),
        );
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false; // the certain one is there
        throw thrown;
      }
      await retriedOnDuplicate(() =>
        occasions.updateOne(
          { _id: `${courseId} ${key}` },
          { $set: { ...occasion, courseId, key, forgottenAt } },
          { upsert: true },
        ),
      );
      return true;
    },
    /** Classes of a course that were judged, latest first. */
    occasionsOf: async (courseId: string, limit: number): Promise<StoredOccasion[]> =>
      (await occasions.find({ courseId }).sort({ heldAt: -1 }).limit(limit).lean()).map(
        ({ key, spaceId, eventId, heldAt }) => ({ key, spaceId, eventId, heldAt }),
      ),
    /** What was answered about a class, without comments and without saying by whom. */
    answersTo: async (
      courseId: string,
      occasion: string,
    ): Promise<Pick<StoredFeedback, "rating" | "soundAndPicture" | "certain">[]> =>
      (await answers.find({ courseId, occasion }, { rating: 1, soundAndPicture: 1, certain: 1 }).lean()).map(
        ({ rating, soundAndPicture, certain }) => ({ rating, soundAndPicture, certain }),
      ),
    /** Comments on a class, latest first, and how many there are. */
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
    /** Counts a try under a key, which is forgotten at `forgottenAt` (ms). @returns how many there were with it. */
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
    /** Takes one try back. */
    uncountTry: async (key: string): Promise<void> => {
      await tries.updateOne({ _id: key, count: { $gt: 0 } }, { $inc: { count: -1 } });
    },
    /** How many tries were counted under a key. */
    triesOf: async (key: string): Promise<number> => (await tries.findOne({ _id: key }).lean())?.count ?? 0,
  };
}

function answerModel(connection: Connection) {
  return recordModel(connection, feedbackRecord);
}

function occasionModel(connection: Connection) {
  return recordModel(connection, feedbackOccasionRecord);
}

/** Only for slowing down whoever sends too much; whoever reads puts the time into the key. */
function triesModel(connection: Connection) {
  return recordModel(connection, feedbackTriesRecord);
}
