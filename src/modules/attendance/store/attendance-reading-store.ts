import { type Connection, Schema } from "mongoose";
import type { AttendanceReading } from "../rules/attendance-reading.ts";
import { gapSettles } from "../rules/attendance-gap.ts";
import type { EnvironmentName } from "../../../domain/registration.ts";
import { type DueRange, dueHeadsOf } from "../../../storage/due-heads.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";
import { unfinishedField } from "../../../storage/unfinished-field.ts";
import { type LeaseFields, leaseFields, released } from "../../../storage/lease.ts";

/** `triedAt`: when an attempt last ended (ms), however it did; 0 before the first. */
type ReadingRow = Omit<AttendanceReading, "id" | "dueAt"> &
  LeaseFields & { _id: string; dueAt: number; triedAt: number };

/** What a reading ends with. */
export type ReadingOutcome = Pick<AttendanceReading, "dueAt"> &
  Partial<
    Pick<AttendanceReading, "attempts" | "runs" | "readAt" | "listed" | "news" | "problem" | "unfinished">
  > & {
    /** When the attempt ended (ms); left out when it was given up for another process. */
    triedAt?: number;
    /** Whether the gap it was claimed with is looked into. */
    lookedIntoGap?: boolean;
  };
type ClaimedReading = Pick<AttendanceReading, "id" | "dueAt" | "gapSeenAt" | "registrationId">;
export type AttendanceReadingStore = ReturnType<typeof createAttendanceReadingStore>;

/** Far beyond any clock: nothing is planned. Kept as a number so that one index serves. */
const never = Number.MAX_SAFE_INTEGER;

/** When attendance of sessions is read from the classroom, one record for each (environment, event). */
export function createAttendanceReadingStore(connection: Connection) {
  const schema = new Schema<ReadingRow>(
    {
      _id: { type: String, required: true },
      environment: { type: String, required: true },
      eventId: { type: String, required: true },
      registrationId: { type: String, required: true },
      courseId: { type: String, required: true },
      endedAt: { type: Number, required: true },
      urgency: { type: String, required: true },
      dueAt: { type: Number, required: true },
      attempts: { type: Number, required: true },
      runs: { type: Number, required: true },
      readAt: { type: Number, default: null },
      listed: { type: Number, required: true },
      news: { type: Number, required: true },
      problem: { type: String, default: null },
      triedAt: { type: Number, default: 0 },
      gapSeenAt: { type: Number, default: null },
      unfinished: unfinishedField,
      ...leaseFields,
    },
    { versionKey: false, minimize: false },
  );
  schema.index({ registrationId: 1, urgency: 1, dueAt: 1 });
  schema.index({ dueAt: 1 });
  schema.index({ triedAt: 1 });
  const model = connection.model<ReadingRow>("AttendanceReading", schema);
  const queueOf = (kind: "wanted-readings" | "readings", urgency: AttendanceReading["urgency"]) =>
    dueHeadsOf(connection).queue(kind, (registrationId: string, dueAt: DueRange) =>
      model.findOne({ registrationId, urgency, dueAt }).sort({ dueAt: 1 }).lean().exec(),
    );
  /** Those that somebody waits for come before those of every LMS's timetable. */
  const queues = {
    person: queueOf("wanted-readings", "person"),
    timetable: queueOf("readings", "timetable"),
  };
  const idOf = (environment: EnvironmentName, eventId: string) => `${environment}:${eventId}`;

  return {
    find: async (environment: EnvironmentName, eventId: string): Promise<AttendanceReading | null> => {
      const row = await model.findOne({ _id: idOf(environment, eventId) }).lean();
      return row === null ? null : toReading(row);
    },
    /**
     * Plans the next reading of a session; what an instructor waits for stays as it is.
     * @param next Its time (ms), from when it was last read; null for none.
     */
    plan: async (
      of: Pick<AttendanceReading, "environment" | "eventId" | "registrationId" | "courseId" | "endedAt">,
      next: (readAt: number | null) => number | null,
    ): Promise<void> => {
      const _id = idOf(of.environment, of.eventId);
      const first = {
        _id,
        ...of,
        urgency: "timetable",
        dueAt: next(null) ?? never,
        ...untouched,
        ...released,
      };
      const { registrationId, courseId, endedAt } = of;
      if ((await model.findOne({ _id }, { _id: 1 }).lean()) === null)
        await queues.timetable.announced(registrationId, first.dueAt, () =>
          retriedOnDuplicate(() => model.updateOne({ _id }, { $setOnInsert: first }, { upsert: true })),
        );
      const row = await model.findOne({ _id }).lean();
      if (row === null) return;
      const same = { registrationId, courseId, endedAt };
      if (row.endedAt === endedAt && row.courseId === courseId) return;
      const dueAt = next(row.readAt) ?? never;
      await queues.timetable.announced(registrationId, Math.min(dueAt, row.dueAt), async () => {
        await model.updateOne({ _id }, { $set: same });
        await model.updateOne({ _id, urgency: "timetable", readAt: row.readAt }, { $set: { dueAt } });
      });
    },
    /** An instructor wants it read now. */
    request: async (
      of: Pick<AttendanceReading, "environment" | "eventId" | "registrationId" | "courseId" | "endedAt">,
      now: number,
    ): Promise<void> => {
      const _id = idOf(of.environment, of.eventId);
      const wish = () =>
        model.updateOne(
          { _id },
          {
            // Attempts stay: after one that was cut short everybody is looked at, also who is known and lacks a grade.
            $set: { urgency: "person", dueAt: now },
            $setOnInsert: {
              _id,
              ...of,
              ...untouched,
              ...released,
            },
          },
          { upsert: true },
        );
      // The session may have been another LMS's when it was planned.
      const known = await model.findOne({ _id }).lean();
      const { registrationId } = known ?? of;
      await queues.person.announced(registrationId, now, () => retriedOnDuplicate(wish));
    },
    /** A message left a gap: it is looked into when no other has come for a while, however many there are. */
    wantForGap: async (
      of: Pick<AttendanceReading, "environment" | "eventId" | "registrationId" | "courseId" | "endedAt">,
      now: number,
    ): Promise<void> => {
      const _id = idOf(of.environment, of.eventId);
      const known = await model.findOne({ _id }, { gapSeenAt: 1, dueAt: 1, registrationId: 1 }).lean();
      const seenAt = known?.gapSeenAt ?? null;
      // One that is due may have asked the classroom already.
      if (seenAt !== null && now - seenAt < gapsApart && (known?.dueAt ?? now) > now) return;
      const dueAt = now + gapSettles;
      const first = { _id, ...of, urgency: "timetable", ...unread, ...released };
      await queues.timetable.announced(known?.registrationId ?? of.registrationId, dueAt, () =>
        retriedOnDuplicate(() =>
          model.updateOne(
            { _id },
            { $set: { gapSeenAt: now }, $min: { dueAt }, $setOnInsert: first },
            { upsert: true },
          ),
        ),
      );
    },
    /** Sessions of an LMS that ended since a moment (ms) are read now and not only at their next time. */
    readSince: async (registrationId: string, endedSince: number, now: number): Promise<number> => {
      const later = { registrationId, urgency: "timetable", dueAt: { $gt: now } } as const;
      const wanted = { ...later, endedAt: { $gte: endedSince } };
      if ((await model.findOne(wanted, { _id: 1 }).lean()) === null) return 0;
      const done = await queues.timetable.announced(registrationId, now, () =>
        model.updateMany(wanted, { $set: { dueAt: now } }),
      );
      return done.matchedCount;
    },
    /** Takes the reading that is due longest, those that somebody waits for first; null when none is due. */
    claimDue: async (holder: string, now: number, until: number): Promise<AttendanceReading | null> => {
      for (const urgency of ["person", "timetable"] as const) {
        const take = (registrationId: string) =>
          model
            .findOneAndUpdate(
              { registrationId, urgency, dueAt: { $lte: now }, leaseUntil: { $lte: now } },
              // Counted here, so that a reading that ends the process is not tried for ever.
              { $set: { leaseHolder: holder, leaseUntil: until }, $inc: { attempts: 1 } },
              { sort: { dueAt: 1 }, returnDocument: "after" },
            )
            .lean();
        const row = await queues[urgency].claim(now, { take });
        if (row !== null) return toReading(row);
      }
      return null;
    },
    /** Lengthens a claim; without effect when it was lost. */
    extend: async (id: string, holder: string, until: number): Promise<void> => {
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { leaseUntil: until } });
    },
    /**
     * Writes down what became of a claimed reading; without effect when the claim was lost. One that was asked for
     * since the claim stays due, and a gap that was left since is looked into.
     */
    settle: async (
      { id, dueAt: claimedFor, gapSeenAt, registrationId }: ClaimedReading,
      holder: string,
      { dueAt, lookedIntoGap = false, ...facts }: ReadingOutcome,
    ): Promise<void> => {
      const held = { _id: id, leaseHolder: holder };
      await model.updateOne(
        { ...held, dueAt: claimedFor ?? never },
        // Together: whoever waits would take what was wrong before for what came of this.
        { $set: { dueAt: dueAt ?? never, urgency: "timetable", ...facts } },
      );
      if (lookedIntoGap) {
        await model.updateOne({ ...held, gapSeenAt }, { $set: { gapSeenAt: null } });
        const left = (await model.findOne(held, { gapSeenAt: 1 }).lean())?.gapSeenAt ?? null;
        if (left !== null) {
          const again = left + gapSettles;
          await queues.timetable.announced(registrationId, again, () =>
            model.updateOne(held, { $min: { dueAt: again } }),
          );
        }
      }
      const row = await model.findOneAndUpdate(held, { $set: { ...facts, ...released } }).lean();
      if (row !== null) await queues[row.urgency].givenBack(row.registrationId, row.dueAt);
    },
    /** How many are due, and since when the one that waits longest is (ms). */
    due: async (now: number): Promise<{ number: number; since: number | null }> => {
      const oldest = await model
        .findOne({ dueAt: { $lte: now } })
        .sort({ dueAt: 1 })
        .lean();
      return { number: await model.countDocuments({ dueAt: { $lte: now } }), since: oldest?.dueAt ?? null };
    },
    countDue: (at: number): Promise<number> => model.countDocuments({ dueAt: { $lte: at } }).exec(),
    /** How many sessions' latest attempt has ended since a moment (ms), by how. */
    countSince: async (since: number): Promise<{ done: number; failed: number }> => ({
      done: await model.countDocuments({ triedAt: { $gte: since }, problem: null }),
      failed: await model.countDocuments({ triedAt: { $gte: since }, problem: { $ne: null } }),
    }),
  };
}

const unread = { attempts: 0, runs: 0, readAt: null, listed: 0, news: 0, problem: null, triedAt: 0 };
const untouched = { ...unread, gapSeenAt: null };
/** Messages that leave gaps one after the other are written down once in so long (ms). */
const gapsApart = 3_000;

function toReading({
  _id,
  leaseHolder: _h,
  leaseUntil: _u,
  triedAt: _t,
  dueAt,
  gapSeenAt,
  ...reading
}: Omit<ReadingRow, "gapSeenAt"> & { gapSeenAt?: number | null }): AttendanceReading {
  // Records of earlier versions know no gaps.
  return { id: _id, ...reading, dueAt: dueAt === never ? null : dueAt, gapSeenAt: gapSeenAt ?? null };
}
