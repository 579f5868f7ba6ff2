import type { Connection } from "mongoose";
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
import { type PageCursor, openRecords } from "../../../storage/records.ts";

export type MailFilter = { registrationId: string | null; state: MailState | null };
export type MailStore = ReturnType<typeof createMailStore>;

const rateId = "all";

export function createMailStore(connection: Connection) {
  const records = openRecords(connection, mailRecord);
  const rates = openRecords(connection, mailRateRecord);

  return {
    /** Known mails stay as they are. At most a few hundred. */
    add: async (mails: readonly Mail[]): Promise<void> => {
      const writes = mails.map(({ id, ...facts }) => ({
        filter: { _id: id },
        update: { $setOnInsert: facts },
        upsert: true,
      }));
      await records.changeEach(writes);
    },
    find: (id: string) => records.find({ _id: id }),
    /** Mails of an LMS, or of operators (null), by when they are to be sent. */
    listWaiting: (registrationId: string | null, limit: number) =>
      records.list({ registrationId, state: "waiting" }, { sort: { nextAt: 1 }, limit }),
    /** @returns false if it isn't waiting any more. */
    begin: (id: string, now: number) =>
      records.change({ _id: id, state: "waiting" }, { $set: { state: "sending", changedAt: now } }),
    /** Has an effect only while the mail has one of these states. */
    change: async (id: string, from: readonly MailState[], change: MailChange): Promise<void> => {
      await records.change({ _id: id, state: { $in: from } }, { $set: { ...change } });
    },
    /** Gives up mails that a killed process left behind. @returns how many. */
    giveUpSending: (registrationId: string | null, change: MailChange) =>
      records.changeAll({ registrationId, state: "sending" }, { $set: { ...change } }),
    countOfCourse: (courseId: string, since: number) =>
      records.count({ courseId, createdAt: { $gte: since } }),
    /** People of a course who had a mail since a moment (ms) whose matter begins with this text, whether it was sent or not. */
    hadSince: async (of: Pick<Mail, "courseId" | "kind">, beginning: string, since: number) => {
      const which = { ...of, createdAt: { $gte: since }, about: beginningWith(beginning) };
      const rows = await records.some(["personId"], which);
      return new Set(rows.flatMap(({ personId }) => personId ?? []));
    },
    /** Mails to all people in a course whose matter begins with this text. */
    listAbout: async (courseId: string, beginning: string): Promise<Mail[]> => {
      return await records.list({ courseId, about: beginningWith(beginning) });
    },
    listOfPerson: (registrationId: string, personId: string) => records.list({ registrationId, personId }),
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
      return (await records.latest("createdAt", filter, after, limit)).map(records.read);
    },
    /** Counts one more mail in this minute. @returns false if there were already as many as allowed. */
    takeTurn: async (minute: number, perMinute: number): Promise<boolean> => {
      const more = { $inc: { count: 1 } };
      const took = () => rates.change({ _id: rateId, minute, count: { $lt: perMinute } }, more);
      if (await took()) return true;
      await rates.ensure({ _id: rateId }, { minute: 0, count: 0 });
      // The first mail of a new minute. A clock that is behind doesn't go back.
      const next = { $set: { minute, count: 1 } };
      if (await rates.change({ _id: rateId, minute: { $lt: minute } }, next)) return true;
      return took();
    },
  };
}

function beginningWith(text: string) {
  return { $gte: text, $lt: `${text}\uffff` };
}

export type StopKey = Pick<MailStop, "registrationId" | "personId" | "kind">;

/** People who want no mails of a kind, one record each. */
export function createMailStopStore(connection: Connection) {
  const records = openRecords(connection, mailStopRecord);

  return {
    has: ({ registrationId, personId, kind }: StopKey) => records.exists({ registrationId, personId, kind }),
    /** Which of at most a few hundred people have stopped them. */
    amongMany: async (
      { registrationId, kind }: Omit<StopKey, "personId">,
      personIds: readonly string[],
    ): Promise<Set<string>> => {
      const rows = await records.rows({ registrationId, kind, personId: { $in: personIds } });
      return new Set(rows.map(({ personId }) => personId));
    },
    stop: async ({ id, at, ...key }: MailStop): Promise<void> => {
      await records.ensure({ ...key }, { _id: id, at });
    },
    start: async ({ registrationId, personId, kind }: StopKey): Promise<void> => {
      await records.remove({ registrationId, personId, kind });
    },
  };
}

/** Alarms that operators were told about, one record each. */
export function createMailedAlarmStore(connection: Connection) {
  const records = openRecords(connection, mailedAlarmRecord);

  return {
    list: () => records.list({}, { limit: 1_000 }),
    find: (id: string) => records.find({ _id: id }),
    /** The alarm is on, for the first time or again. */
    open: async ({ id, ...facts }: MailedAlarm): Promise<void> => {
      await records.save({ _id: id }, { $set: facts });
    },
    end: async (id: string, now: number): Promise<void> => {
      await records.change({ _id: id, endedAt: null }, { $set: { endedAt: now } });
    },
  };
}
