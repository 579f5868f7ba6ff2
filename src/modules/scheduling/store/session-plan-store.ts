import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { type ItemOf, readerOf, type RowOf } from "../../../domain/record.ts";
import { type PlannedSession, plannedSessionRecord } from "../rules/course-session.ts";
import { seriesChangeRecord } from "../rules/records.ts";
import { dueHeadsOf, type DueRange, everything } from "../../../storage/due-heads.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { longerLease, released } from "../../../storage/lease.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";

/** The outcome of a step; `dueAt` null: no further step. */
export type PlanOutcome = Partial<
  Pick<PlannedSession, "state" | "task" | "eventId" | "askedAt" | "attempts" | "problem" | "problemCode">
> & { dueAt: number | null };

/** A person's change; `dueAt` null: no step follows. */
export type PlanChange = Partial<
  Pick<
    PlannedSession,
    | "title"
    | "startsAt"
    | "endsAt"
    | "shownTitle"
    | "sectionIds"
    | "counts"
    | "keepsMarks"
    | "shortened"
    | "state"
    | "task"
    | "askedAt"
    | "attempts"
    | "problem"
  >
> & { dueAt?: number | null };

/** An unknown event may exist. */
const lost: PlannedSession["state"][] = ["unknown", "assumed"];
/** The largest Date. */
const neverMs = 8_640_000_000_000_000;

/** Planned sessions, one document for each instance; found ones once an instructor said something about them. */
export function createSessionPlanStore(connection: Connection) {
  const model = recordModel(connection, plannedSessionRecord);
  const reads = plainReads(model);
  const firstDue = (_scope: string, dueAt: DueRange) =>
    model.findOne({ dueAt }).sort({ dueAt: 1 }).lean().exec();
  const queue = dueHeadsOf(connection).queue("session-plans", firstDue);
  const withDue = <Change extends { dueAt?: number | null }>({ dueAt, ...change }: Change) =>
    dueAt === undefined ? change : { ...change, dueAt: dueAt ?? neverMs };

  return {
    /** Known ids are left as they are, so this is repeatable. */
    insert: async (plans: readonly PlannedSession[], dueAt: number): Promise<void> => {
      if (plans.length === 0) return;
      const writes = plans.map(({ id, ...plan }) => ({
        updateOne: {
          filter: { _id: id },
          update: { $setOnInsert: { ...plan, ...released, dueAt } },
          upsert: true,
        },
      }));
      await queue.announced(everything, dueAt, () =>
        retriedOnDuplicate(() => model.bulkWrite(writes, { ordered: false })),
      );
    },
    /** An instructor's first statement about a session made in the classroom. @returns the record as it is now. */
    adopt: async (found: PlannedSession & { eventId: string }): Promise<PlannedSession> => {
      const { id, ...plan } = found;
      const row = { ...plan, ...released, dueAt: neverMs };
      await model.updateOne({ _id: id }, { $setOnInsert: row }, { upsert: true }).catch((thrown: unknown) => {
        if (!isDuplicateKey(thrown)) throw thrown; // planned here after all
      });
      const kept = await model.findOne({ environment: found.environment, eventId: found.eventId }).lean();
      return kept === null ? found : toPlan(kept);
    },
    /** What was said about a found session, which is gone. */
    forgetFound: async (environment: AccountId, eventId: string): Promise<void> => {
      await model.deleteOne({ environment, eventId, origin: "found" });
    },
    find: async (id: string): Promise<PlannedSession | null> => orNull(await model.findById(id).lean()),
    findByEvent: async (environment: AccountId, eventId: string): Promise<PlannedSession | null> =>
      orNull(await model.findOne({ environment, eventId }).lean()),
    listOfCourse: async (courseId: string, limit: number): Promise<PlannedSession[]> =>
      (await reads.all({ courseId }, { sort: { startsAt: -1 }, limit })).map(toPlan),
    listUncounted: async (courseId: string): Promise<string[]> =>
      (await model.find({ courseId, counts: false }).limit(2_000).lean()).flatMap(
        ({ eventId }) => eventId ?? [],
      ),
    listSeries: async (courseId: string, seriesId: string): Promise<PlannedSession[]> =>
      (await model.find({ courseId, seriesId }).sort({ number: 1 }).lean()).map(toPlan),
    listLost: async (
      spaceId: string,
      { startsAt, endsAt }: Pick<PlannedSession, "startsAt" | "endsAt">,
    ): Promise<PlannedSession[]> =>
      (
        await model
          .find({ spaceId, state: { $in: lost }, startsAt, endsAt })
          .limit(20)
          .lean()
      ).map(toPlan),
    /** The plan due longest, of a series the next one. */
    claimDue: async (holder: string, now: number, until: number): Promise<PlannedSession | null> => {
      const take = () =>
        model
          .findOneAndUpdate(
            { dueAt: { $lte: now }, leaseUntil: { $lte: now } },
            { $set: { leaseHolder: holder, leaseUntil: until } },
            { sort: { dueAt: 1, startsAt: 1 }, returnDocument: "after" },
          )
          .lean();
      return orNull(await queue.claim(now, { take }));
    },
    extend: async (id: string, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(id, holder, until))).matchedCount === 1,
    /**
     * Notes a request before it is sent. @param revision The claimed one. @param now Null takes it back: the classroom
     * did nothing. @returns false when the claim was lost or the plan changed: then nothing may be requested.
     */
    markAsked: async (id: string, holder: string, revision: number, now: number | null): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, leaseHolder: holder, revision },
        { $set: { askedAt: now } },
      );
      return done.matchedCount === 1;
    },
    /**
     * Writes a step's outcome and releases the claim. @param seen The claimed revision; with another one nothing is
     * written. @returns false when the claim was lost or the plan has changed.
     */
    settle: async (id: string, holder: string, outcome: PlanOutcome, seen?: number): Promise<boolean> => {
      const done = await model.updateOne(
        { _id: id, leaseHolder: holder, ...(seen === undefined ? {} : { revision: seen }) },
        { $set: { ...withDue(outcome), ...released } },
      );
      await queue.givenBack(everything, outcome.dueAt ?? neverMs);
      return done.matchedCount === 1;
    },
    /** The Space that the course got meanwhile. */
    place: async (id: string, holder: string, spaceId: string): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { spaceId } });
    },
    release: async (id: string, holder: string): Promise<void> => {
      const row = await model.findOneAndUpdate({ _id: id, leaseHolder: holder }, { $set: released }).lean();
      if (row !== null) await queue.givenBack(everything, row.dueAt);
    },
    /** @param plan As it was read. @returns false when it changed meanwhile: to be read again. */
    change: async (
      plan: Pick<PlannedSession, "id" | "revision" | "state" | "askedAt" | "eventId">,
      change: PlanChange,
    ): Promise<boolean> => {
      const { id, revision, state, askedAt, eventId } = plan;
      const done = await queue.announced(everything, change.dueAt ?? neverMs, () =>
        model.updateOne(
          { _id: id, revision, state, askedAt, eventId },
          { $set: withDue(change), $inc: { revision: 1 } },
        ),
      );
      return done.matchedCount === 1;
    },
    /** For a plan of unknown outcome. @returns false when it has an event, or another plan has this one. */
    couple: async (id: string, eventId: string): Promise<boolean> => {
      try {
        const done = await model.updateOne(
          { _id: id, state: { $in: lost }, eventId: null },
          { $set: { eventId, state: "made", task: null, problem: null, dueAt: neverMs } },
        );
        return done.matchedCount === 1;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
  };
}

const toPlan = readerOf(plannedSessionRecord);

function orNull(row: RowOf<typeof plannedSessionRecord> | null): PlannedSession | null {
  return row === null ? null : toPlan(row);
}

export type SeriesChange = ItemOf<typeof seriesChangeRecord>;

/** Webhooks of one change are at most this far apart (ms). */
const togetherMs = 60_000;

export function createSeriesChangeStore(connection: Connection) {
  const model = recordModel(connection, seriesChangeRecord);

  return {
    note: async ({ at, ...change }: Omit<SeriesChange, "eventIds">, eventId: string): Promise<void> => {
      const { courseId, eventType, scope, title } = change;
      const _id = JSON.stringify([courseId, eventType, scope, title, Math.floor(at / togetherMs)]);
      await retriedOnDuplicate(() =>
        model.updateOne(
          { _id },
          { $setOnInsert: change, $min: { at }, $addToSet: { eventIds: eventId } },
          { upsert: true },
        ),
      );
    },
    listOfCourse: async (courseId: string, limit: number): Promise<SeriesChange[]> =>
      (await model.find({ courseId }).sort({ at: -1 }).limit(limit).lean()).map(({ _id, by, ...row }) => ({
        ...row,
        by: by ?? null,
      })),
  };
}
