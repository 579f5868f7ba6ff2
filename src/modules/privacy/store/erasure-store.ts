import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { type Erasure, erasureRecord } from "../rules/erasure.ts";
import { EmbeddedClient } from "../../../storage/embedded/embedded-client.ts";
import { type DueRange, dueHeadsOf, everything } from "../../../storage/due-heads.ts";
import { dueClaim, longerLease, never, released } from "../../../storage/lease.ts";
import { recordModel } from "../../../storage/record-model.ts";

export type ErasureProgress = Partial<Pick<Erasure, "state" | "subject" | "rounds" | "doneAt">> &
  Pick<Erasure, "step" | "cursor" | "found" | "erased">;
export type ErasureStore = ReturnType<typeof createErasureStore>;

/** Worked off by one process at a time. */
export function createErasureStore(connection: Connection) {
  const model = recordModel(connection, erasureRecord);
  const firstDue = (_scope: string, dueAt: DueRange) =>
    model.findOne({ dueAt }).sort({ dueAt: 1 }).lean().exec();
  const queue = dueHeadsOf(connection).queue("erasures", firstDue);

  return {
    insert: async ({ id, ...erasure }: Erasure): Promise<void> => {
      // What people ask for goes before retention, of which there may be much in one night.
      const dueAt = erasure.who === "retention" ? erasure.askedAt : 0;
      await queue.announced(everything, dueAt, () =>
        model.create({ _id: id, ...erasure, dueAt, ...released }),
      );
    },
    find: async (id: string): Promise<Erasure | null> => {
      const row = await model.findOne({ _id: id }).lean();
      return row === null ? null : toErasure(row);
    },
    /** The latest, of one LMS or of all. */
    latest: async (registrationId: string | null, limit: number): Promise<Erasure[]> =>
      (
        await model
          .find(registrationId === null ? {} : { registrationId })
          .sort({ askedAt: -1 })
          .limit(limit)
          .lean()
      ).map(toErasure),
    /** The latest that somebody asked for, without retention. */
    listAsked: async (limit: number): Promise<Erasure[]> =>
      (
        await model
          .find({ who: { $in: ["console", "command-line"] } })
          .sort({ askedAt: -1 })
          .limit(limit)
          .lean()
      ).map(toErasure),
    /** Those not done that somebody asked for, up to a limit. */
    countAsked: (limit: number): Promise<number> =>
      model
        .countDocuments({ dueAt: { $lt: never }, who: { $in: ["console", "command-line"] } }, { limit })
        .exec(),
    /** Those of an LMS that are not done. */
    underWay: async (registrationId: string): Promise<Erasure[]> =>
      (await model.find({ registrationId, dueAt: { $lt: never } }).lean()).map(toErasure),
    /** Takes the one that is due longest until `until`; null when none is. */
    claimDue: async (holder: string, now: number, until: number): Promise<Erasure | null> => {
      const take = () => model.findOneAndUpdate(...dueClaim(holder, now, until)).lean();
      const row = await queue.claim(now, { take });
      return row === null ? null : toErasure(row);
    },
    /** Takes a given one, when it is due and free. */
    claim: async (id: string, holder: string, now: number, until: number): Promise<Erasure | null> => {
      const [due, ...rest] = dueClaim(holder, now, until);
      const row = await model.findOneAndUpdate({ _id: id, ...due }, ...rest).lean();
      return row === null ? null : toErasure(row);
    },
    /** Those deleted, while the database's files may hold bytes of them. */
    cleaning: async (): Promise<string[]> =>
      (await model.find({ state: "cleaning" }, { _id: 1 }).lean()).map(({ _id }) => _id),
    /**
     * Leaves no byte of what was deleted in the database's files. A MongoDB server sees to its own.
     * @param night Whether writers may wait for as long as it takes; otherwise only where that is short.
     * @returns false when something is left: try again later.
     */
    leaveNoTrace: async ({ night }: { night: boolean }): Promise<boolean> => {
      const client: unknown = connection.getClient();
      return client instanceof EmbeddedClient ? client.scrub(night) : true;
    },
    /** Whether the files may hold what earlier releases deleted without overwriting. */
    owesScrub: (): boolean => {
      const client: unknown = connection.getClient();
      return client instanceof EmbeddedClient && client.owesScrub();
    },
    /** Nothing of them is left anywhere. */
    finish: async (ids: readonly string[], now: number): Promise<void> => {
      await model.updateMany(
        { _id: { $in: [...ids] }, state: "cleaning" },
        { $set: { state: "done", doneAt: now, dueAt: never, ...released } },
      );
    },
    extend: async (id: string, holder: string, until: number): Promise<boolean> =>
      (await model.updateOne(...longerLease(id, holder, until))).matchedCount === 1,
    /** Stores the progress. @returns false when the claim was lost. */
    note: async (id: string, holder: string, progress: ErasureProgress): Promise<boolean> =>
      (await model.updateOne({ _id: id, leaseHolder: holder }, { $set: { ...progress } })).matchedCount === 1,
    /** Ends the claim. @param dueAt When it continues (ms); null when it is done. */
    settle: async (
      id: string,
      holder: string,
      progress: ErasureProgress,
      dueAt: number | null,
    ): Promise<void> => {
      const to = { ...progress, dueAt: dueAt ?? never, ...released };
      await model.updateOne({ _id: id, leaseHolder: holder }, { $set: to });
      await queue.givenBack(everything, to.dueAt);
    },
  };
}

const toErasure = readerOf(erasureRecord);
