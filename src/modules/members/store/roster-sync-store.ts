import { type Connection, Schema } from "mongoose";
import { never, type RosterSync } from "../rules/roster-sync.ts";
import { type DueRange, dueHeadsOf } from "../../../storage/due-heads.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { type LeaseFields, leaseFields, released } from "../../../storage/lease.ts";

type RosterSyncRow = Omit<RosterSync, "id"> & LeaseFields & { _id: string };

export type RosterSyncKey = Pick<RosterSync, "registrationId" | "courseId">;
/** How far a reading has come. */
export type RosterProgress = Pick<RosterSync, "listed" | "written" | "total">;
/** What a reading ends with. */
export type RosterOutcome = Partial<
  Pick<
    RosterSync,
    "state" | "dueAt" | "attempts" | "finishedAt" | "doneAt" | "problem" | "problemCode" | "listed"
  >
>;
export type RosterSyncStore = ReturnType<typeof createRosterSyncStore>;

/** Readings of rosters, one record for each course; read by one process at a time. */
export function createRosterSyncStore(connection: Connection) {
  const schema = new Schema<RosterSyncRow>(
    {
      _id: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      state: { type: String, required: true },
      dueAt: { type: Number, required: true },
      urgency: { type: String, required: true },
      attempts: { type: Number, required: true },
      listed: { type: Number, required: true },
      written: { type: Number, required: true },
      total: { type: Number, default: null },
      startedAt: { type: Number, default: null },
      finishedAt: { type: Number, required: true },
      doneAt: { type: Number, default: null },
      problem: { type: String, default: null },
      problemCode: { type: String, default: null },
      activeAt: { type: Number, required: true },
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, courseId: 1 }, { unique: true });
  schema.index({ registrationId: 1, urgency: 1, dueAt: 1 });
  schema.index({ dueAt: 1 });
  schema.index({ activeAt: 1 });
  schema.index({ state: 1, finishedAt: 1 });
  const model = connection.model<RosterSyncRow>("RosterSync", schema);
  const queueOf = (kind: "wanted-rosters" | "rosters", urgency: RosterSync["urgency"]) =>
    dueHeadsOf(connection).queue(kind, (registrationId: string, dueAt: DueRange) =>
      model.findOne({ registrationId, urgency, dueAt }).sort({ dueAt: 1 }).lean().exec(),
    );
  /** Those that somebody waits for come before those of every LMS's round. */
  const queues = { person: queueOf("wanted-rosters", "person"), round: queueOf("rosters", "round") };
  /** Fields of a request. One that is under way serves the one who asks meanwhile. */
  const request = (urgency: RosterSync["urgency"], dueAt: number) => ({
    $set: { state: "waiting", urgency, dueAt, attempts: 0 },
  });

  return {
    /** The record of a course, made when there is none; notes that the course is in use. */
    open: async (key: RosterSyncKey, now: number, id: string): Promise<RosterSync> => {
      const row = await retriedOnDuplicate(() =>
        model
          .findOneAndUpdate(
            { ...key },
            { $max: { activeAt: now }, $setOnInsert: { _id: id, ...untouched, ...released } },
            { upsert: true, returnDocument: "after" },
          )
          .lean(),
      );
      return toRosterSync(row);
    },
    find: async (registrationId: string, courseId: string): Promise<RosterSync | null> => {
      const row = await model.findOne({ registrationId, courseId }).lean();
      return row === null ? null : toRosterSync(row);
    },
    /** Asks for a reading now, unless one is under way. The record must exist. */
    request: async (key: RosterSyncKey, now: number): Promise<void> => {
      await queues.person.announced(key.registrationId, now, () =>
        model.updateOne({ ...key, leaseUntil: { $lte: now } }, request("person", now)),
      );
    },
    /** Some courses opened since `activeSince` whose latest reading ended before `finishedBefore` and is not to come. */
    listStale: async (filter: {
      activeSince: number;
      finishedBefore: number;
      limit: number;
    }): Promise<RosterSync[]> => {
      const rows = await model
        .find({
          activeAt: { $gte: filter.activeSince },
          finishedAt: { $lt: filter.finishedBefore },
          state: { $in: ["idle", "done", "failed"] },
        })
        .limit(filter.limit)
        .lean();
      return rows.map(toRosterSync);
    },
    /** Puts readings on the timetable, each at its time; those that were asked for meanwhile are left alone. */
    schedule: async (readings: readonly { id: string; dueAt: number }[]): Promise<void> => {
      if (readings.length === 0) return;
      const ids = readings.map(({ id }) => id);
      const rows = await model.find({ _id: { $in: ids } }, { registrationId: 1 }).lean();
      const registrationOf = new Map(rows.map((row) => [row._id, row.registrationId]));
      for (const registrationId of new Set(registrationOf.values())) {
        const own = readings.filter(({ id }) => registrationOf.get(id) === registrationId);
        const writes = own.map(({ id, dueAt }) => ({
          updateOne: {
            filter: { _id: id, state: { $in: ["idle" as const, "done" as const, "failed" as const] } },
            update: request("round", dueAt),
          },
        }));
        const first = Math.min(...own.map(({ dueAt }) => dueAt));
        await queues.round.announced(registrationId, first, () =>
          model.bulkWrite(writes, { ordered: false }),
        );
      }
    },
    /** Takes the reading that is due longest, those that somebody waits for first; null when none is due. */
    claimDue: async (holder: string, now: number, until: number): Promise<RosterSync | null> => {
      for (const urgency of ["person", "round"] as const) {
        const take = (registrationId: string) =>
          model
            .findOneAndUpdate(
              { registrationId, urgency, dueAt: { $lte: now }, leaseUntil: { $lte: now } },
              {
                $set: {
                  leaseHolder: holder,
                  leaseUntil: until,
                  state: "running",
                  startedAt: now,
                  listed: 0,
                  written: 0,
                  total: null,
                },
                // Counted here, so that a reading that ends the process is not tried for ever.
                $inc: { attempts: 1 },
              },
              { sort: { dueAt: 1 }, returnDocument: "after" },
            )
            .lean();
        const row = await queues[urgency].claim(now, { take });
        if (row !== null) return toRosterSync(row);
      }
      return null;
    },
    /** Lengthens a claim; without effect when it was lost. */
    extend: async (id: string, holder: string, until: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } });
    },
    /** Notes how far a claimed reading has come. @returns false when the claim was lost. */
    progress: async (id: string, holder: string, progress: RosterProgress): Promise<boolean> =>
      (await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { ...progress } })).matchedCount === 1,
    /** Writes down what became of a claimed reading and gives the claim back; without effect when it was lost. */
    settle: async (id: string, holder: string, outcome: RosterOutcome): Promise<void> => {
      const row = await model
        .findOneAndUpdate(
          { _id: id, leaseHolder: holder },
          { $set: { ...outcome, ...released } },
          { returnDocument: "after" },
        )
        .lean();
      if (row !== null) await queues[row.urgency].givenBack(row.registrationId, row.dueAt);
    },
    /** The LMS can be asked again: readings that waited for that are due now. @param codes Of what they waited for. */
    retryPaused: async (registrationId: string, codes: readonly string[], now: number): Promise<void> => {
      const failed = { registrationId, state: "failed", dueAt: { $gt: now, $lt: never } } as const;
      const waiting = { ...failed, problemCode: { $in: [...codes] } };
      const makeDue = () => model.updateMany(waiting, { $set: { dueAt: now } });
      await queues.person.announced(registrationId, now, () =>
        queues.round.announced(registrationId, now, makeDue),
      );
    },
    /** How many are due, those under way among them. */
    countDue: (at: number): Promise<number> => model.countDocuments({ dueAt: { $lte: at } }).exec(),
    /** How many are waited for or under way; those that failed and are to be tried again are left out. */
    countLeft: (): Promise<number> => model.countDocuments({ state: { $in: ["waiting", "running"] } }).exec(),
    /** How many courses' latest reading has ended since a moment (ms), by how. */
    countSince: async (since: number): Promise<{ done: number; failed: number }> => ({
      done: await model.countDocuments({ state: "done", finishedAt: { $gte: since } }),
      failed: await model.countDocuments({ state: "failed", finishedAt: { $gte: since } }),
    }),
  };
}

const untouched = {
  state: "idle",
  dueAt: never,
  urgency: "round",
  attempts: 0,
  listed: 0,
  written: 0,
  total: null,
  startedAt: null,
  finishedAt: 0,
  doneAt: null,
  problem: null,
};

function toRosterSync({ _id, leaseHolder: _h, leaseUntil: _u, ...sync }: RosterSyncRow): RosterSync {
  return { id: _id, ...sync };
}
