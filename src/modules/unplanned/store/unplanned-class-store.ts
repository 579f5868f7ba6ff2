import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { openRecords } from "../../../storage/records.ts";
import type { FoundClass } from "../rules/found-class.ts";
import { type UnplannedClass, unplannedClassRecord, type UnplannedState } from "../rules/compare-classes.ts";

/** What is known before the answer. */
export type FirstFacts = Pick<
  UnplannedClass,
  "id" | "registrationId" | "courseId" | "environment" | "spaceId"
> &
  FoundClass;

/** `startsAt` and `endsAt` only if a person changed them. */
export type UnplannedAnswerGiven = Pick<UnplannedClass, "by" | "answeredAt" | "rule" | "eventId"> &
  Partial<Pick<UnplannedClass, "startsAt" | "endsAt" | "title">>;

/** Unplanned classes, one record each. Only answers change an answered class. */
export function createUnplannedClassStore(connection: Connection) {
  const records = openRecords(connection, unplannedClassRecord);

  return {
    find: (id: string): Promise<UnplannedClass | null> => records.find({ _id: id }),
    /** Classes that began between two moments (ms), of any course. */
    listOfSpace: (environment: AccountId, spaceId: string, { from, to }: { from: number; to: number }) =>
      records.list(
        { environment, spaceId, startsAt: { $gte: from, $lte: to } },
        { sort: { startsAt: 1 }, limit: 1_000 },
      ),
    /** Latest first. */
    listOfCourse: (courseId: string, since: number, limit: number): Promise<UnplannedClass[]> =>
      records.list({ courseId, startsAt: { $gte: since } }, { sort: { startsAt: -1 }, limit }),
    /** Has no effect on a class that is already stored. */
    add: async ({ id, ...facts }: FirstFacts): Promise<void> => {
      const unanswered = { state: "waiting", settled: null, rule: null, by: null } as const;
      const nothing = { answeredAt: null, eventId: null };
      await records.ensure({ _id: id }, { ...facts, ...unanswered, ...nothing });
    },
    /** Has no effect once the class was answered. */
    change: async (id: string, { startsAt, endsAt, learners, led }: FoundClass): Promise<void> => {
      await records.change({ _id: id, state: "waiting" }, { $set: { startsAt, endsAt, learners, led } });
    },
    /** Has no effect once the class was answered. */
    remove: async (id: string): Promise<void> => {
      await records.remove({ _id: id, state: "waiting" });
    },
    /** Of concurrent answers, one gets true. @param seen As it was read: times that changed since must be checked again. */
    answer: (
      { id, state, startsAt, endsAt }: Pick<UnplannedClass, "id" | "state" | "startsAt" | "endsAt">,
      to: UnplannedState,
      given: UnplannedAnswerGiven,
    ) => records.change({ _id: id, state, startsAt, endsAt }, { $set: { state: to, ...given } }),
    /** Marks the answer as carried out, unless the class has another answer by now. */
    settle: async ({ id, state }: Pick<UnplannedClass, "id" | "state">): Promise<void> => {
      await records.change({ _id: id, state }, { $set: { settled: state } });
    },
  };
}
