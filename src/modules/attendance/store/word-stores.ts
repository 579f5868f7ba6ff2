import type { Connection } from "mongoose";
import { openRecords } from "../../../storage/records.ts";
import { type Excuse, excuseRecord, type LearnerWord, learnerWordRecord } from "../rules/records.ts";

type WordKey = Pick<LearnerWord, "registrationId" | "courseId" | "eventId" | "personId">;
type CourseKey = Pick<LearnerWord, "registrationId" | "courseId">;

/** `answerMark`: the id of the mark made with the answer. */
type WordAnswered = Pick<LearnerWord, "answer" | "answeredBy" | "answeredAt"> & { answerMark: string };

export function createLearnerWordStore(connection: Connection) {
  const records = openRecords(connection, learnerWordRecord);

  return {
    /** Replaces a message that says something else, or isn't answered. @returns false if the same message was answered already. */
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
    /** Of concurrent answers, the first one counts; its mark may repeat it. @param at When the learner sent the message (ms). */
    answer: (key: WordKey, at: number, answer: WordAnswered) => {
      const ours = { $or: [{ answer: null }, { answerMark: answer.answerMark }] };
      return records.change({ ...key, at, ...ours }, { $set: answer });
    },
    /** Takes back an answer whose mark couldn't be made. */
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

/** One record for each excuse. Those that were taken back stay stored. */
export function createExcuseStore(connection: Connection) {
  const records = openRecords(connection, excuseRecord);

  return {
    add: ({ id, ...excuse }: Excuse) => records.add({ _id: id, ...excuse }),
    /** Excuses that hold. */
    listOfPeople: (registrationId: string, personIds: readonly string[]) =>
      records.list({ registrationId, personId: { $in: personIds }, takenBackAt: null }),
    hasAny: (registrationId: string) => records.exists({ registrationId }),
    /** Newest first, including those taken back. */
    listAll: (registrationId: string, personId: string) =>
      records.list({ registrationId, personId }, { sort: { at: -1 } }),
    /** @returns false if it was taken back before. */
    takeBack: (id: string, personId: string, takenBackAt: number) =>
      records.change({ _id: id, personId, takenBackAt: null }, { $set: { takenBackAt } }),
  };
}
