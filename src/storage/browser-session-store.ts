import type { RowOf } from "../domain/record.ts";
import { openRecords } from "./records.ts";
import type { Connection } from "mongoose";
import {
  type BrowserSession,
  type EndReason,
  sessionIdleMs,
  browserSessionRecord,
} from "../domain/browser-session.ts";

/** Selects sessions by LMS, deployment, course, people, link, or several of these. */
export type SessionsOf = {
  registrationId: string;
  deploymentId?: string;
  courseId?: string;
  personIds?: readonly string[];
  courseLinkId?: string | null;
  role?: BrowserSession["role"];
  staffRole?: BrowserSession["staffRole"];
  consoleUntil?: null;
  /** Only sessions whose launch was before this moment (ms). */
  launchedBefore?: number;
};
export type BrowserSessionStore = ReturnType<typeof createBrowserSessionStore>;

/** Sessions of course pages. A launch inserts one; each request finds it by its id. */
export function createBrowserSessionStore(connection: Connection) {
  const records = openRecords(connection, browserSessionRecord);
  const rows = connection.collection<RowOf<typeof browserSessionRecord>>(records.collection);

  return {
    /** Without a mongoose document, because every launch inserts one. */
    insert: async ({ id, ...facts }: BrowserSession): Promise<void> => {
      await rows.insertOne({ _id: id, ...facts });
    },
    /** Also finds a session that has ended. */
    find: (id: string): Promise<BrowserSession | null> => records.find({ _id: id }),
    /** Has no effect on a session that has ended. */
    seen: async (id: string, at: number): Promise<void> => {
      await records.change({ _id: id, endedAt: null }, { $max: { lastSeenAt: at } });
    },
    /** @returns false if the field has changed since. */
    changeField: (id: string, field: "news" | "typed", before: string | null, after: string | null) =>
      records.change({ _id: id, [field]: before }, { $set: { [field]: after } }),
    /** If it was ended before, the first reason stays. */
    end: async (id: string, at: number, why: EndReason): Promise<void> => {
      await records.change({ _id: id, endedAt: null }, { $set: { endedAt: at, endedBecause: why } });
    },
    /** @returns how many ended. */
    endAll: async (of: SessionsOf, at: number, why: EndReason) =>
      records.changeAll(live(of, at), { $set: { endedAt: at, endedBecause: why } }),
    countLive: (of: SessionsOf, now: number): Promise<number> => records.count(live(of, now)),
    /** Ends all live sessions but the `limit` that were used last. */
    endOldest: async (of: SessionsOf, limit: number, at: number, why: EndReason): Promise<void> => {
      const old = await records.some(["_id"], live(of, at), {
        sort: { lastSeenAt: -1, _id: 1 },
        skip: limit,
      });
      if (old.length === 0) return;
      await records.changeAll(
        { _id: { $in: old.map(({ _id }) => _id) }, endedAt: null },
        { $set: { endedAt: at, endedBecause: why } },
      );
    },
  };
}

function live({ registrationId, personIds, launchedBefore, ...rest }: SessionsOf, now: number) {
  return {
    registrationId,
    ...rest,
    ...(personIds === undefined ? {} : { personId: { $in: personIds } }),
    ...(launchedBefore === undefined ? {} : { launchedAt: { $lt: launchedBefore } }),
    endedAt: null,
    lastSeenAt: { $gt: now - sessionIdleMs },
    endsAt: { $gt: now },
  };
}
