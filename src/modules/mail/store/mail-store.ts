import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import {
  type Mail,
  type MailedAlarm,
  mailedAlarmRecord,
  mailRateRecord,
  mailRecord,
  type MailState,
  type MailStop,
  mailStopRecord,
} from "../rules/records.ts";
import type { MailChange } from "../rules/sending.ts";
import { isDuplicateKey, retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { latestFirst, type PageCursor } from "../../../storage/latest-first.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type MailFilter = { registrationId: string | null; state: MailState | null };
export type MailStore = ReturnType<typeof createMailStore>;

const rateId = "all";

/** Mails, one record each. */
export function createMailStore(connection: Connection) {
  const model = recordModel(connection, mailRecord);
  const rates = recordModel(connection, mailRateRecord);

  return {
    /** Known ones stay as they are. At most a few hundred. @returns how many are new. */
    add: async (mails: readonly Mail[]): Promise<number> => {
      if (mails.length === 0) return 0;
      const writes = mails.map(({ id, ...facts }) => ({
        updateOne: { filter: { _id: id }, update: { $setOnInsert: facts }, upsert: true },
      }));
      const done = await retriedOnDuplicate(() => model.bulkWrite(writes, { ordered: false }));
      return done.upsertedCount;
    },
    find: async (id: string): Promise<Mail | null> => {
      const row = await model.findById(id).lean();
      return row === null ? null : toMail(row);
    },
    /** Of an LMS, or of operators (null), by when they are to be sent. */
    listWaiting: async (registrationId: string | null, limit: number): Promise<Mail[]> =>
      (await model.find({ registrationId, state: "waiting" }).sort({ nextAt: 1 }).limit(limit).lean()).map(
        toMail,
      ),
    /** @returns false when it is not waiting any more. */
    begin: async (id: string, now: number): Promise<boolean> =>
      (await model.updateOne({ _id: id, state: "waiting" }, { $set: { state: "sending", changedAt: now } }))
        .matchedCount === 1,
    /** Has an effect only while it has one of these states. */
    change: async (id: string, from: readonly MailState[], change: MailChange): Promise<void> => {
      await model.updateOne({ _id: id, state: { $in: [...from] } }, { $set: { ...change } });
    },
    /** What a process that was killed left behind. @returns how many. */
    giveUpSending: async (registrationId: string | null, change: MailChange): Promise<number> =>
      (await model.updateMany({ registrationId, state: "sending" }, { $set: { ...change } })).matchedCount,
    countOfCourse: (courseId: string, since: number): Promise<number> =>
      model.countDocuments({ courseId, createdAt: { $gte: since } }).exec(),
    /** Who of a course had a mail of this kind since a moment (ms), whatever became of it. */
    hadSince: async (courseId: string, kind: Mail["kind"], since: number): Promise<Set<string>> => {
      const rows = await model.find({ courseId, createdAt: { $gte: since }, kind }, { personId: 1 }).lean();
      return new Set(rows.flatMap(({ personId }) => personId ?? []));
    },
    /** Of everybody in a course whose matter begins so. */
    listAbout: async (courseId: string, beginning: string): Promise<Mail[]> => {
      const about = { $gte: beginning, $lt: `${beginning}\uffff` };
      return (await model.find({ courseId, about }).lean()).map(toMail);
    },
    listOfPerson: async (registrationId: string, personId: string): Promise<Mail[]> =>
      (await model.find({ registrationId, personId }).lean()).map(toMail),
    /** Latest first. */
    list: async (
      { registrationId, state }: MailFilter,
      after: PageCursor | null,
      limit: number,
    ): Promise<Mail[]> => {
      const filter = {
        ...(registrationId === null ? {} : { registrationId }),
        ...(state === null ? {} : { state }),
      };
      const read = async (range: { at: number; after: string | null } | { before: number }, most: number) =>
        "before" in range
          ? model
              .find({ ...filter, createdAt: { $lt: range.before } })
              .sort({ createdAt: -1 })
              .limit(most)
              .lean()
          : model
              .find({ ...filter, createdAt: range.at, _id: { $gt: range.after ?? "" } })
              .sort({ _id: 1 })
              .limit(most)
              .lean();
      return (await latestFirst(read, ({ createdAt }) => createdAt, after, limit)).map(toMail);
    },
    /** One more mail in this minute. @returns false when there have been as many as allowed. */
    takeTurn: async (minute: number, perMinute: number): Promise<boolean> => {
      const more = { $inc: { count: 1 } };
      const took = async () =>
        (await rates.updateOne({ _id: rateId, minute, count: { $lt: perMinute } }, more)).matchedCount === 1;
      if (await took()) return true;
      await retriedOnDuplicate(() =>
        rates.updateOne({ _id: rateId }, { $setOnInsert: { minute: 0, count: 0 } }, { upsert: true }),
      );
      // The first of a new minute; a clock that is behind does not go back.
      const next = { $set: { minute, count: 1 } };
      if ((await rates.updateOne({ _id: rateId, minute: { $lt: minute } }, next)).matchedCount === 1)
        return true;
      return took();
    },
  };
}

const toMail = readerOf(mailRecord);

export type StopKey = Pick<MailStop, "registrationId" | "personId" | "kind">;

/** Who wants no mails of a kind, one record each. */
export function createMailStopStore(connection: Connection) {
  const model = recordModel(connection, mailStopRecord);

  return {
    has: async ({ registrationId, personId, kind }: StopKey): Promise<boolean> =>
      (await model.findOne({ registrationId, personId, kind }).lean()) !== null,
    /** Those of at most a few hundred people. */
    amongMany: async (
      { registrationId, kind }: Omit<StopKey, "personId">,
      personIds: readonly string[],
    ): Promise<Set<string>> => {
      const rows = await model.find({ registrationId, kind, personId: { $in: [...personIds] } }).lean();
      return new Set(rows.map(({ personId }) => personId));
    },
    stop: async ({ id, at, ...key }: MailStop): Promise<void> => {
      try {
        await model.updateOne({ ...key }, { $setOnInsert: { _id: id, at } }, { upsert: true });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown; // stopped just now
      }
    },
    start: async ({ registrationId, personId, kind }: StopKey): Promise<void> => {
      await model.deleteMany({ registrationId, personId, kind });
    },
  };
}

/** Alarms that operators were told of, one record each. */
export function createMailedAlarmStore(connection: Connection) {
  const model = recordModel(connection, mailedAlarmRecord);

  return {
    list: async (): Promise<MailedAlarm[]> => (await model.find({}).limit(1_000).lean()).map(toAlarm),
    find: async (id: string): Promise<MailedAlarm | null> => {
      const row = await model.findById(id).lean();
      return row === null ? null : toAlarm(row);
    },
    /** It is on, for the first time or again. */
    open: async ({ id, ...facts }: MailedAlarm): Promise<void> => {
      await retriedOnDuplicate(() => model.updateOne({ _id: id }, { $set: facts }, { upsert: true }));
    },
    end: async (id: string, now: number): Promise<void> => {
      await model.updateOne({ _id: id, endedAt: null }, { $set: { endedAt: now } });
    },
  };
}

const toAlarm = readerOf(mailedAlarmRecord);
