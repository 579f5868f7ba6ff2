import type { Connection } from "mongoose";
import type { AccountId } from "../../../domain/account.ts";
import { type ClassroomEvent, classroomEventRecord } from "../../../domain/classroom-event.ts";
import { askedEventRecord } from "../rules/records.ts";
import { onDuplicate, openRecords } from "../../../storage/records.ts";
import { hourMs, minuteMs } from "../../../kernel/clock.ts";

/** `remindAt`: its value when the event was read (ms). Null before the first check. */
export type EventToRemind = ClassroomEvent & { remindAt: number | null };

export type EventStore = ReturnType<typeof createEventStore>;

export function createEventStore(connection: Connection) {
  const records = openRecords(connection, classroomEventRecord);
  const rowsOf = records.once(({ courseId, limit }: { courseId: string; limit: number }) =>
    records.rows({ courseId }, { sort: { startsAt: -1 }, limit }),
  );
  const earliest = (filter: Parameters<typeof records.list>[0], limit: number) =>
    records.list(filter, { sort: { startsAt: 1 }, limit });

  return {
    find: (environment: AccountId, eventId: string) => records.find({ environment, eventId }),
    /** Latest first. Events without a time come last. */
    listOfCourse: async (courseId: string, limit: number) =>
      (await rowsOf({ courseId, limit })).map(records.read),
    /** Events that aren't cancelled: those that end after `since` and begin until `until` (ms), the next ones, and one without a time. */
    listForEntryWindow: async (
      courseId: string,
      { since, until }: { since: number; until: number },
      spaceId: string | null,
    ): Promise<ClassroomEvent[]> => {
      const open = { courseId, cancelled: false, ...(spaceId === null ? {} : { spaceId }) };
      const found = await Promise.all([
        earliest({ ...open, endsAt: { $gt: since }, startsAt: { $lte: until } }, 500),
        earliest({ ...open, endsAt: null, startsAt: { $gt: since, $lte: until } }, 500),
        earliest({ ...open, startsAt: { $gt: until } }, 50),
        earliest({ ...open, endsAt: null, startsAt: null }, 1),
      ]);
      return found.flat();
    },
    /** Events by their start (ms). */
    listBetween: (courseId: string, from: number, to: number) =>
      earliest({ courseId, startsAt: { $gte: from, $lte: to } }, 2_000),
    /** Events of any course with exactly these times. */
    listAt: (
      environment: AccountId,
      spaceId: string,
      { startsAt, endsAt }: { startsAt: number; endsAt: number },
    ) => records.list({ environment, spaceId, startsAt, endsAt }, { limit: 20 }),
    /** Events of any course that start after a moment (ms), earliest first. */
    listInSpace: (environment: AccountId, spaceId: string, after: number) =>
      earliest({ environment, spaceId, startsAt: { $gt: after } }, 2_000),
    /** Like `listInSpace`, but only events without a course. */
    listUnassignedInSpace: (environment: AccountId, spaceId: string, after: number) =>
      earliest({ environment, spaceId, startsAt: { $gt: after }, courseId: null }, 2_000),
    /** Events that start at or after a moment (ms), earliest first. */
    listSince: (courseId: string, since: number, limit: number) =>
      earliest({ courseId, startsAt: { $gte: since } }, limit),
    assignCourse: async (environment: AccountId, eventId: string, courseId: string | null): Promise<void> => {
      await records.change({ environment, eventId }, { $set: { courseId, readingPlanned: false } });
    },
    setSections: async (environment: AccountId, eventId: string, sectionIds: readonly string[]) => {
      await records.change({ environment, eventId }, { $set: { sectionIds: [...sectionIds] } });
    },
    findMany: async (environment: AccountId, eventIds: readonly string[]) =>
      eventIds.length === 0 ? [] : await records.list({ environment, eventId: { $in: eventIds } }),
    /** Which of these accounts have events for `listUnplanned`. */
    accountsUnplanned: (environments: readonly AccountId[], within: { from: number; to: number }) =>
      records.distinct("environment", {
        environment: { $in: environments },
        planned: false,
        startsAt: { $gte: within.from, $lte: within.to },
      }),
    /** Events that start between two moments and have changed since logins were planned for them. */
    listUnplanned: (environment: AccountId, within: { from: number; to: number; limit: number }) =>
      records.list(
        { environment, planned: false, startsAt: { $gte: within.from, $lte: within.to } },
        { limit: within.limit },
      ),
    /** Events of courses that are over and have changed since readings were planned, earliest end first. Without an end, the start counts. */
    listUnread: async (
      over: { endedBy: number; startedBy: number },
      limit: number,
    ): Promise<ClassroomEvent[]> => {
      const open = { readingPlanned: false, courseId: { $ne: null }, cancelled: false };
      const ended = { ...open, endsAt: { $lte: over.endedBy } };
      const endless = { ...open, endsAt: null, startsAt: { $lte: over.startedBy } };
      return [
        ...(await records.list(ended, { sort: { endsAt: 1 }, limit })),
        ...(await earliest(endless, limit)),
      ];
    },
    /** An account's events of courses that began at or after the first moment (ms) and before the second. */
    listStarted: async (environment: AccountId, from: number, before: number): Promise<ClassroomEvent[]> => {
      const began = { startsAt: { $gte: from, $lt: before }, courseId: { $ne: null }, cancelled: false };
      const rows = [];
      for (const planned of [true, false])
        rows.push(...(await records.rows({ environment, planned, ...began })));
      return rows.filter(({ deleted }) => deleted !== true).map(records.read);
    },
    endedBetween: async (environment: AccountId, after: number, until: number, limit: number) => {
      const over = { readingPlanned: true, endsAt: { $gt: after, $lte: until } };
      const rows = await records.some(
        ["endsAt"],
        { ...over, environment, courseId: { $ne: null }, cancelled: false },
        { sort: { endsAt: 1 }, limit },
      );
      return rows.flatMap(({ endsAt }) => endsAt ?? []);
    },
    /** Stores a session that the classroom doesn't know. It opens no entry window, and nothing is read about it. Leaves a known one unchanged. */
    keepOwn: async (event: Omit<ClassroomEvent, "id" | "ours">): Promise<void> => {
      const { environment, eventId } = event;
      const row = { ...event, ours: true, planned: true, readingPlanned: true };
      await records.ensure({ _id: `${environment}:${eventId}` }, row);
    },
    /** Only removes a session that the classroom doesn't know. */
    removeOwn: async (environment: AccountId, eventId: string): Promise<void> => {
      await records.remove({ environment, eventId, ours: true });
    },
    /** Has no effect if the event has been read again. */
    markReadingPlanned: async ({ id, readAt }: Pick<ClassroomEvent, "id" | "readAt">): Promise<void> => {
      await records.change({ _id: id, readAt }, { $set: { readingPlanned: true } });
    },
    /** @returns false if it's already cancelled. */
    cancelHere: (environment: AccountId, eventId: string, at: number): Promise<boolean> =>
      records.change(
        { environment, eventId, cancelled: false },
        {
          $set: { ...changedHere(at), cancelled: true, cancelledHere: true, cancelledAt: at },
          $inc: { revision: 1 },
        },
      ),
    /** @returns false if it isn't cancelled, or the classroom cancelled it. */
    restoreHere: (environment: AccountId, eventId: string, at: number): Promise<boolean> =>
      records.change(
        { environment, eventId, cancelled: true, cancelledHere: true, deleted: { $ne: true } },
        {
          $set: { ...changedHere(at), cancelled: false, cancelledHere: false, cancelledAt: null },
          $inc: { revision: 1 },
        },
      ),
    /** Events that instructors cancelled here. */
    listCancelledHere: async (courseId: string) =>
      (await records.some(["eventId"], { courseId, cancelledHere: true })).map(({ eventId }) => eventId),
    /** Sessions of courses that begin after a moment (ms) and whose reminders are due for a check, earliest first. Includes cancelled ones. */
    listToRemind: async (now: number, after: number, limit: number): Promise<EventToRemind[]> =>
      (
        await records.rows(
          {
            startsAt: { $gt: after },
            courseId: { $ne: null },
            $or: [{ remindAt: null }, { remindAt: { $lte: now } }],
          },
          { sort: { startsAt: 1 }, limit },
        )
      ).map((row) => ({ ...records.read(row), remindAt: row.remindAt ?? null })),
    /** Courses with a session that began between two moments (ms). */
    coursesBetween: async (from: number, to: number): Promise<string[]> => {
      const notCancelled = { startsAt: { $gte: from, $lt: to }, courseId: { $ne: null }, cancelled: false };
      return (await records.distinct("courseId", notCancelled)).flatMap((id) => id ?? []);
    },
    /** Has no effect if the event has been read again, or its course's reminders have changed. */
    remindNextAt: async (
      { id, readAt, remindAt }: Pick<EventToRemind, "id" | "readAt" | "remindAt">,
      at: number,
    ): Promise<void> => {
      await records.change({ _id: id, readAt, remindAt }, { $set: { remindAt: at } });
    },
    /** After the course's reminders have changed, its future sessions are due for a check. */
    remindAgain: async (courseId: string, now: number): Promise<void> => {
      await records.changeAll({ courseId, startsAt: { $gt: now } }, { $set: { remindAt: now } });
    },
    markPlanned: async ({ id, readAt }: Pick<ClassroomEvent, "id" | "readAt">): Promise<void> => {
      await records.change({ _id: id, readAt }, { $set: { planned: true } });
    },
    /**
     * Saves an event unless a later reading is stored. @param before The course and revision it had when it was read, if they matter.
     * @returns false, without effect, if one of them has changed since.
     */
    saveNewer: async (
      event: Omit<ClassroomEvent, "id">,
      before?: Pick<ClassroomEvent, "courseId" | "revision">,
    ) => {
      const id = `${event.environment}:${event.eventId}`;
      const row = { _id: id, ...event, planned: false, readingPlanned: false };
      const older = { _id: id, readAt: { $lte: event.readAt }, ...before };
      const done = await records.model.replaceOne(older, row, { upsert: true }).catch(onDuplicate(null));
      return done !== null || before === undefined || (await records.exists({ _id: id, ...before }));
    },
    /** The id is derived from the key, so two readers write the same document. */
    save: async (event: Omit<ClassroomEvent, "id">): Promise<ClassroomEvent> => {
      const id = `${event.environment}:${event.eventId}`;
      await records.replace({ _id: id }, { _id: id, ...event, planned: false, readingPlanned: false });
      return { id, ...event };
    },
  };
}

/** Logins, readings and reminders follow what an instructor changed. */
function changedHere(at: number) {
  return { changedAt: at, planned: false, readingPlanned: false, remindAt: at };
}

/** Pauses after calls without result (ms). The last one repeats. */
const pauses = [5_000, 30_000, 5 * minuteMs, 30 * minuteMs, 6 * hourMs];
/** Pause after news of an event (ms). */
const newsAfter = minuteMs;

/** Limits calls about events that are unknown or have no course: once for all processes, less and less often. */
export function createAskedEventStore(connection: Connection) {
  const records = openRecords(connection, askedEventRecord);
  const idOf = (environment: AccountId, eventId: string) => `${environment}:${eventId}`;

  return {
    /** @returns whether the caller must ask now. True for one caller at most. */
    take: async (environment: AccountId, eventId: string, now: number): Promise<boolean> => {
      const _id = idOf(environment, eventId);
      const row = await records.row({ _id });
      if (row !== null && row.nextAskAt > now) return false;
      const times = row?.times ?? 0;
      const asked = { times: times + 1, askedAt: now, nextAskAt: now + pauseAfter(times) };
      if (row !== null) return await records.change({ _id, times }, { $set: asked });
      return records.insert({ _id, ...asked });
    },
    /** The classroom didn't answer, so the call doesn't count. */
    giveBack: async (environment: AccountId, eventId: string): Promise<void> => {
      await records.change(
        { _id: idOf(environment, eventId) },
        { $set: { nextAskAt: 0 }, $inc: { times: -1 } },
      );
    },
    /** Ends the pause after news, unless the event was asked about within the last minute. */
    hasten: async (environment: AccountId, eventId: string, now: number): Promise<void> => {
      const _id = idOf(environment, eventId);
      // Usually there is no pause, and a read is cheaper than a write.
      if ((await records.row({ _id })) === null) return;
      const early = { _id, askedAt: { $lte: now - newsAfter }, nextAskAt: { $gt: now } };
      await records.change(early, { $set: { nextAskAt: now } });
    },
    /** Call it when the event has a course. */
    forget: async (environment: AccountId, eventId: string): Promise<void> => {
      await records.remove({ _id: idOf(environment, eventId) });
    },
  };
}

function pauseAfter(times: number): number {
  return pauses[Math.min(Math.max(times, 0), pauses.length - 1)] ?? minuteMs;
}
