import type { Connection } from "mongoose";
import { readerOf, type RowOf } from "../../../domain/record.ts";
import type { AccountId } from "../../../domain/account.ts";
import { type UnassignedEvent, unassignedEventRecord } from "../rules/unmatched.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { dueClaim, dueOf, longerLease, never, released, stillDue } from "../../../storage/lease.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type UnassignedEventKey = Pick<
  UnassignedEvent,
  "registrationId" | "courseId" | "environment" | "eventId"
>;
export type UnassignedEventStore = ReturnType<typeof createUnassignedEventStore>;

const dayMs = 24 * 3_600_000;

/** One record for each (course, event) whose attendance names members of the course. */
export function createUnassignedEventStore(connection: Connection) {
  const model = recordModel(connection, unassignedEventRecord);
  const firstDue = (_scope: string, dueAt: DueRange) =>
    model.findOne({ dueAt }).sort({ dueAt: 1 }).lean().exec();
  const queue = dueHeadsOf(connection).queue("claimed-sessions", firstDue);
  const idOf = ({ courseId, environment, eventId }: Omit<UnassignedEventKey, "registrationId">) =>
    `${courseId}:${environment}:${eventId}`;

  return {
    /** A member is named by the event; a repetition within a day changes nothing. */
    note: async (key: UnassignedEventKey, now: number): Promise<void> => {
      const _id = idOf(key);
      const row = await model.findOne({ _id }).lean();
      if (row !== null && row.notedAt > now - dayMs) return;
      const first = { _id, ...key, answer: "open", by: null, at: null, dueAt: never, ...released } as const;
      await retriedOnDuplicate(() =>
        model.updateOne({ _id }, { $set: { notedAt: now }, $setOnInsert: first }, { upsert: true }),
      );
    },
    find: async (key: UnassignedEventKey): Promise<UnassignedEvent | null> => {
      const row = await model.findOne({ _id: idOf(key) }).lean();
      return row === null ? null : toUnassigned(row);
    },
    listOfCourse: async (
      registrationId: string,
      courseId: string,
      answer: UnassignedEvent["answer"],
      limit: number,
    ): Promise<UnassignedEvent[]> =>
      (await model.find({ registrationId, courseId, answer }).sort({ _id: 1 }).limit(limit).lean()).map(
        toUnassigned,
      ),
    /** The course that answered "ours"; null for none. */
    courseOf: async (environment: AccountId, eventId: string): Promise<string | null> =>
      (await model.findOne({ environment, eventId, answer: "ours" }).lean())?.courseId ?? null,
    /** @returns false when it is another course's already, or there is no such event. */
    answer: async (
      key: UnassignedEventKey,
      answer: UnassignedEvent["answer"],
      said: { by: string; at: number },
    ): Promise<boolean> => {
      // An earlier "ours" may still have to be taken back.
      const due: { dueAt?: number } = answer === "ours" ? { dueAt: said.at } : {};
      try {
        const done = await queue.announced(everything, due.dueAt ?? never, () =>
          model.updateOne({ _id: idOf(key), answer: { $ne: "ours" } }, { $set: { answer, ...said, ...due } }),
        );
        return done.matchedCount === 1;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    /** @returns false when nobody answered "ours", or another caller has undone it. */
    undo: async (key: UnassignedEventKey, said: { by: string; at: number }): Promise<boolean> =>
      (
        await queue.announced(everything, said.at, () =>
          model.updateOne(
            { _id: idOf(key), answer: "ours" },
            { $set: { answer: "open", ...said, dueAt: said.at } },
          ),
        )
      ).matchedCount === 1,
    /**
     * A process that read the answer before may have stored the event as the course's since. No effect while it is.
     */
    takeBackAgain: async (key: Omit<UnassignedEventKey, "registrationId">, now: number): Promise<void> => {
      await queue.announced(everything, now, () =>
        model.updateOne(
          { _id: idOf(key), answer: { $ne: "ours" } },
          // A process that takes it back right now has to see that there is more to do.
          { $set: { dueAt: now }, $inc: { at: 1 } },
        ),
      );
    },
    /** Answers that are still to be applied. */
    countToApply: (registrationId: string, courseId: string): Promise<number> =>
      model.countDocuments(stillDue(registrationId, courseId)).exec(),
    claimDue: async (holder: string, now: number, until: number): Promise<UnassignedEvent | null> => {
      const take = () => model.findOneAndUpdate(...dueClaim(holder, now, until)).lean();
      const row = await queue.claim(now, { take });
      return row === null ? null : toUnassigned(row);
    },
    extend: async (id: string, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(id, holder, until))).matchedCount === 1,
    /** Applied, unless another answer came; or, with a time, to be tried again then. */
    settle: async (
      { id, at }: Pick<UnassignedEvent, "id" | "at">,
      holder: string,
      dueAt: number | null,
    ): Promise<void> => {
      const held = { _id: id, leaseHolder: holder };
      await model.updateOne({ ...held, at }, { $set: { dueAt: dueAt ?? never } });
      const row = await model.findOneAndUpdate(held, { $set: released }).lean();
      if (row !== null) await queue.givenBack(everything, row.dueAt);
    },
    /** Deletes events of no course last noted before a moment (ms), at most so many. @returns how many. */
    purge: async (before: number, limit: number): Promise<number> => {
      const old = { answer: { $in: ["open", "not-ours"] as const }, notedAt: { $lt: before }, dueAt: never };
      const some = await model.find(old, { _id: 1 }).limit(limit).lean();
      if (some.length > 0) await model.deleteMany({ ...old, _id: { $in: some.map(({ _id }) => _id) } });
      return some.length;
    },
  };
}

const readEvent = readerOf(unassignedEventRecord);

function toUnassigned(row: RowOf<typeof unassignedEventRecord>): UnassignedEvent {
  return { ...readEvent(row), dueAt: dueOf(row) };
}
