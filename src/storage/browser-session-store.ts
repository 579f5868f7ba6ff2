import { type Connection, Schema } from "mongoose";
import { type BrowserSession, type EndReason, sessionIdles } from "../domain/browser-session.ts";

type BrowserSessionRow = Omit<BrowserSession, "id"> & { _id: string };

/** Sessions of an LMS, of a deployment, of a course, of people, of a link, or of several of these at once. */
export type SessionsOf = {
  registrationId: string;
  deploymentId?: string;
  courseId?: string;
  personIds?: readonly string[];
  courseLinkId?: string | null;
  role?: BrowserSession["role"];
  staffRole?: BrowserSession["staffRole"];
  consoleUntil?: null;
  /** Only those whose launch is older than this (ms). */
  launchedBefore?: number;
};
export type BrowserSessionStore = ReturnType<typeof createBrowserSessionStore>;

/** Sessions of course pages. Inserted by a launch, found by their id at each request. */
export function createBrowserSessionStore(connection: Connection) {
  const schema = new Schema<BrowserSessionRow>(
    {
      _id: { type: String, required: true },
      secret: { type: String, required: true },
      registrationId: { type: String, required: true },
      deploymentId: { type: String, default: null },
      courseId: { type: String, required: true },
      personId: { type: String, required: true },
      courseLinkId: { type: String, default: null },
      role: { type: String, required: true },
      staffRole: { type: String, default: null },
      framedBy: { type: String, default: null },
      locale: { type: String, default: null },
      consoleUntil: { type: Number, default: null },
      only: { type: String, default: null },
      launchedAt: { type: Number, required: true },
      lastSeenAt: { type: Number, required: true },
      endsAt: { type: Number, required: true },
      endedAt: { type: Number, default: null },
      endedBecause: { type: String, default: null },
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1, personId: 1, endedAt: 1 });
  schema.index({ registrationId: 1, personId: 1 });
  // Counted in the index alone.
  schema.index({ registrationId: 1, endedAt: 1, lastSeenAt: 1, endsAt: 1 });
  schema.index({ endsAt: 1 });
  const model = connection.model<BrowserSessionRow>("BrowserSession", schema);
  const rows = connection.collection<BrowserSessionRow>(model.collection.collectionName);

  return {
    /** Without a mongoose document in between, as for nonces: every launch inserts one. */
    insert: async (session: BrowserSession): Promise<void> => {
      await rows.insertOne(toRow(session));
    },
    /** Also one that has ended. */
    find: async (id: string): Promise<BrowserSession | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toSession(row);
    },
    /** Notes a request; without effect on a session that has ended. */
    seen: async (id: string, at: number): Promise<void> => {
      await model.updateOne({ _id: id, endedAt: null }, { $max: { lastSeenAt: at } });
    },
    /** Ends one session; the first reason stays. */
    end: async (id: string, at: number, why: EndReason): Promise<void> => {
      await model.updateOne({ _id: id, endedAt: null }, { $set: { endedAt: at, endedBecause: why } });
    },
    /** Ends all that are not over yet. @returns how many. */
    endAll: async (of: SessionsOf, at: number, why: EndReason): Promise<number> =>
      (await model.updateMany(live(of, at), { $set: { endedAt: at, endedBecause: why } })).modifiedCount,
    /** How many live. */
    countLive: (of: SessionsOf, now: number): Promise<number> => model.countDocuments(live(of, now)),
    /** Of those that live, ends all but the `most` that were seen last. */
    endOldest: async (of: SessionsOf, most: number, at: number, why: EndReason): Promise<void> => {
      const old = await model
        .find(live(of, at), { _id: 1 })
        .sort({ lastSeenAt: -1, _id: 1 })
        .skip(most)
        .lean();
      if (old.length === 0) return;
      await model.updateMany(
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
    ...(personIds === undefined ? {} : { personId: { $in: [...personIds] } }),
    ...(launchedBefore === undefined ? {} : { launchedAt: { $lt: launchedBefore } }),
    endedAt: null,
    lastSeenAt: { $gt: now - sessionIdles },
    endsAt: { $gt: now },
  };
}

/** Field by field: what else an object carries is not stored. */
function toRow(session: BrowserSession): BrowserSessionRow {
  const { id, secret, registrationId, deploymentId, courseId, personId, courseLinkId } = session;
  const { role, staffRole, framedBy, locale, consoleUntil, only } = session;
  const { launchedAt, lastSeenAt, endsAt, endedAt, endedBecause } = session;
  return {
    ...{ _id: id, secret, registrationId, deploymentId, courseId, personId, courseLinkId },
    ...{ role, staffRole, framedBy, locale, consoleUntil, only },
    ...{ launchedAt, lastSeenAt, endsAt, endedAt, endedBecause },
  };
}

function toSession({ _id, ...row }: BrowserSessionRow): BrowserSession {
  return { id: _id, ...row };
}
