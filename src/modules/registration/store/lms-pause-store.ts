import { readerOf } from "../../../domain/record.ts";
import { recordModel } from "../../../storage/record-model.ts";
import type { Connection } from "mongoose";
import { type LmsPause, lmsPauseRecord } from "../rules/lms-pause.ts";
import { retriedOnDuplicate } from "../../../storage/duplicate-key.ts";

type PauseKey = Pick<LmsPause, "registrationId" | "why">;

export type LmsPauseStore = ReturnType<typeof createLmsPauseStore>;

export function createLmsPauseStore(connection: Connection) {
  const model = recordModel(connection, lmsPauseRecord);

  return {
    /** Two at most. */
    listOf: async (registrationId: string): Promise<LmsPause[]> => {
      const ids = (["refused", "closed"] as const).map((why) => keyOf({ registrationId, why }));
      return (await model.find({ _id: { $in: ids } }).lean()).map(toPause);
    },
    /** Oldest first. */
    list: async (): Promise<LmsPause[]> =>
      (await model.find({}).lean()).map(toPause).sort((one, other) => one.since - other.since),
    /**
     * Takes the next try: one caller of all that saw the same pause gets it.
     * @param until When another one may try, should this process end.
     */
    takeTry: async (seen: LmsPause, now: number, until: number): Promise<boolean> => {
      const { triedAt, nextTryAt } = seen;
      const taken = await model.updateOne(
        { _id: keyOf(seen), triedAt, nextTryAt },
        { $set: { triedAt: now, nextTryAt: until } },
      );
      return taken.matchedCount === 1;
    },
    /** Begins a pause, or adds its scopes to one that has begun. @returns it as it is now */
    begin: async (pause: LmsPause): Promise<LmsPause> => {
      const { refused, grades, ofScopes, status, error, ...facts } = pause;
      const row = await retriedOnDuplicate(() =>
        model
          .findOneAndUpdate(
            { _id: keyOf(pause) },
            {
              $setOnInsert: {
                ...facts,
                ...(grades ? {} : { grades }),
                ...(ofScopes ? { ofScopes, status, error } : {}),
              },
              // A refusal of the tool outweighs one of some scopes.
              $set: { ...(grades ? { grades } : {}), ...(ofScopes ? {} : { ofScopes, status, error }) },
              $addToSet: { refused: { $each: [...refused] } },
            },
            { upsert: true, returnDocument: "after" },
          )
          .lean(),
      );
      return toPause(row);
    },
    /** After the same answer again. @returns it as it is now; null when it has ended */
    prolong: async (
      { registrationId, why }: PauseKey,
      change: Pick<LmsPause, "triedAt" | "nextTryAt" | "status" | "error" | "ofScopes">,
    ): Promise<LmsPause | null> => {
      const row = await model
        .findOneAndUpdate(
          { _id: keyOf({ registrationId, why }) },
          { $set: { ...change }, $inc: { tries: 1 } },
          { returnDocument: "after" },
        )
        .lean();
      return row === null ? null : toPause(row);
    },
    /** Another token was given: the refusal is about its scopes. @param nextTryAt When they are tried. */
    isOfScopes: async ({ registrationId, why }: PauseKey, nextTryAt: number): Promise<void> => {
      await model.updateOne(
        { _id: keyOf({ registrationId, why }) },
        { $set: { ofScopes: true }, $min: { nextTryAt } },
      );
    },
    /** @returns the pause, to the one caller that has ended it */
    end: async (key: PauseKey): Promise<LmsPause | null> => {
      const row = await model.findOneAndDelete({ _id: keyOf(key) }).lean();
      return row === null ? null : toPause(row);
    },
    makeDue: async (registrationId: string, now: number): Promise<void> => {
      for (const why of ["refused", "closed"] as const)
        await model.updateOne({ _id: keyOf({ registrationId, why }) }, { $min: { nextTryAt: now } });
    },
  };
}

function keyOf({ registrationId, why }: PauseKey): string {
  return `${registrationId} ${why}`;
}

const toPause = readerOf(lmsPauseRecord);
