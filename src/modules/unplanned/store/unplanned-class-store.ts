import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { readerOf } from "../../../domain/record.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { FoundClass } from "../rules/found-class.ts";
import { type UnplannedClass, unplannedClassRecord, type UnplannedState } from "../rules/records.ts";

/** What is known before anybody answered. */
export type FirstFacts = Pick<
  UnplannedClass,
  "id" | "registrationId" | "courseId" | "environment" | "spaceId"
> &
  FoundClass;

/** With times where a person changed them. */
export type UnplannedAnswerGiven = Pick<UnplannedClass, "by" | "answeredAt" | "rule" | "eventId"> &
  Partial<Pick<UnplannedClass, "startsAt" | "endsAt">>;

export type UnplannedClassStore = ReturnType<typeof createUnplannedClassStore>;

/** Classes that nobody planned, one record each; an answered one is changed by answers only. */
export function createUnplannedClassStore(connection: Connection) {
  const model = recordModel(connection, unplannedClassRecord);

  return {
    find: async (id: string): Promise<UnplannedClass | null> => {
      const row = await model.findById(id).lean();
      return row === null ? null : toClass(row);
    },
    /** Begun between two moments (ms), of any course. */
    listOfSpace: async (
      environment: AccountId,
      spaceId: string,
      { from, to }: { from: number; to: number },
    ): Promise<UnplannedClass[]> =>
      (
        await model
          .find({ environment, spaceId, startsAt: { $gte: from, $lte: to } })
          .sort({ startsAt: 1 })
          .limit(1_000)
          .lean()
      ).map(toClass),
    /** Latest first. */
    listOfCourse: async (courseId: string, since: number, limit: number): Promise<UnplannedClass[]> =>
      (
        await model
          .find({ courseId, startsAt: { $gte: since } })
          .sort({ startsAt: -1 })
          .limit(limit)
          .lean()
      ).map(toClass),
    /** A known one stays as it is. */
    add: async ({ id, ...facts }: FirstFacts): Promise<void> => {
      const unanswered = { state: "waiting", settled: null, rule: null, by: null } as const;
      const nothing = { answeredAt: null, eventId: null };
      try {
        await model.updateOne(
          { _id: id },
          { $setOnInsert: { ...facts, ...unanswered, ...nothing } },
          { upsert: true },
        );
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
      }
    },
    /** No effect once it was answered. */
    change: async (id: string, { startsAt, endsAt, learners, led }: FoundClass): Promise<void> => {
      await model.updateOne({ _id: id, state: "waiting" }, { $set: { startsAt, endsAt, learners, led } });
    },
    /** No effect once it was answered. */
    remove: async (id: string): Promise<void> => {
      await model.deleteOne({ _id: id, state: "waiting" });
    },
    /** Of concurrent answers one gets true. @param seen As it was read: times that changed meanwhile are to be looked at again. */
    answer: async (
      { id, state, startsAt, endsAt }: Pick<UnplannedClass, "id" | "state" | "startsAt" | "endsAt">,
      to: UnplannedState,
      given: UnplannedAnswerGiven,
    ): Promise<boolean> =>
      (await model.updateOne({ _id: id, state, startsAt, endsAt }, { $set: { state: to, ...given } }))
        .matchedCount === 1,
    /** It was carried out, unless it was answered otherwise meanwhile. */
    settle: async ({ id, state }: Pick<UnplannedClass, "id" | "state">): Promise<void> => {
      await model.updateOne({ _id: id, state }, { $set: { settled: state } });
    },
  };
}

const toClass = readerOf(unplannedClassRecord);
