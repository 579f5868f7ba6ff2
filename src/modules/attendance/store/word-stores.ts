import type { Connection } from "mongoose";
import { openRecords } from "../../../storage/records.ts";
import { type Excuse, excuseRecord, type LearnerWord, learnerWordRecord } from "../rules/records.ts";

type WordKey = Pick<LearnerWord, "registrationId" | "courseId" | "eventId" | "personId">;
type CourseKey = Pick<LearnerWord, "registrationId" | "courseId">;

/** `answerMark`: the id of the mark that goes with it. */
type WordAnswered = Pick<LearnerWord, "answer" | "answeredBy" | "answeredAt"> & { answerMark: string };

export function createLearnerWordStore(connection: Connection) {
  const records = openRecords(connection, learnerWordRecord);

  return {
    /** In place of one that says otherwise, or is not answered. @returns false when the same was answered already. */
    say: async ({
      id,
      registrationId,
      courseId,
      eventId,
      personId,
      ...word
    }: LearnerWord): Promise<boolean> => {
      const key: WordKey = { registrationId, courseId, eventId, personId };
      const open = { ...key, $or: [{ answer: null }, { says: { $ne: word.says } }] };
      if (await records.change(open, { $set: word })) return true;
      return records.insert({ _id: id, ...key, ...word });
    },
    /** The first of concurrent answers counts; repeatable by its mark. @param at When the learner sent the message (ms). */
    answer: (key: WordKey, at: number, answer: WordAnswered) => {
      const ours = { $or: [{ answer: null }, { answerMark: answer.answerMark }] };
      return records.change({ ...key, at, ...ours }, { $set: answer });
    },
    /** Takes an answer back whose mark could not be made. */
    reopen: async (key: WordKey, answerMark: string): Promise<void> => {
      await records.change(
        { ...key, answerMark },
        { $set: { answer: null, answeredBy: null, answeredAt: null, answerMark: null } },
      );
    },
    remove: (id: string) => records.remove({ _id: id }),
    find: (key: WordKey) => records.find({ ...key }),
    countOfPerson: (key: CourseKey, personId: string, since: number) =>
      records.count({ ...key, personId, at: { $gt: since } }),
    listOfPerson: (key: CourseKey, personId: string) => records.list({ ...key, personId }),
    listOfEvent: (key: CourseKey, eventId: string) => records.list({ ...key, eventId }),
    listOpen: (key: CourseKey, limit: number) =>
      records.list({ ...key, answer: null }, { sort: { at: 1 }, limit }),
  };
}

/** One record for each excuse; one that was taken back stays. */
export function createExcuseStore(connection: Connection) {
  const records = openRecords(connection, excuseRecord);

  return {
    add: ({ id, ...excuse }: Excuse) => records.add({ _id: id, ...excuse }),
    /** Those that hold. */
    listOfPeople: (registrationId: string, personIds: readonly string[]) =>
      records.list({ registrationId, personId: { $in: personIds }, takenBackAt: null }),
    /** Those that hold and reach these days, such as "2026-11-21". */
    listReaching: (registrationId: string, from: string, to: string) =>
      records.list({ registrationId, to: { $gte: from }, from: { $lte: to }, takenBackAt: null }),
    /** Newest first, with those taken back. */
    listAll: (registrationId: string, personId: string) =>
      records.list({ registrationId, personId }, { sort: { at: -1 } }),
    /** @returns false when it was taken back before. */
    takeBack: (id: string, personId: string, takenBackAt: number) =>
      records.change({ _id: id, personId, takenBackAt: null }, { $set: { takenBackAt } }),
  };
}
