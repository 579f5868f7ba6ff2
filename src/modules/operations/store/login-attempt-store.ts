import { recordModel } from "../../../storage/record-model.ts";
import { loginAttemptRecord } from "../rules/records.ts";
import type { Connection } from "mongoose";
import type { PasswordGuesses } from "../rules/password-guesses.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";

export type LoginAttemptStore = ReturnType<typeof createLoginAttemptStore>;

/** Shared by all processes: one record a browser or all unknown ones, replaced by compare-and-set. */
export function createLoginAttemptStore(connection: Connection) {
  const model = recordModel(connection, loginAttemptRecord);

  return {
    read: async (counter: string): Promise<{ revision: number; guesses: PasswordGuesses } | null> => {
      const row = await model.findOne({ _id: counter }).lean();
      if (row === null) return null;
      const { count, blockedUntil, forgottenAt, revision } = row;
      return { revision, guesses: { count, blockedUntil, forgottenAt: forgottenAt.getTime() } };
    },
    /** With the given revision (null: none yet). @returns false when another process was faster. */
    replace: async (counter: string, revision: number | null, guesses: PasswordGuesses): Promise<boolean> => {
      const facts = { ...guesses, forgottenAt: new Date(guesses.forgottenAt) };
      if (revision !== null) {
        const replaced = await model.updateOne(
          { _id: counter, revision },
          { $set: { ...facts, revision: revision + 1 } },
        );
        return replaced.matchedCount === 1;
      }
      try {
        await model.create({ _id: counter, revision: 1, ...facts });
        return true;
      } catch (thrown) {
        if (isDuplicateKey(thrown)) return false;
        throw thrown;
      }
    },
    clear: async (counter: string): Promise<void> => {
      await model.deleteOne({ _id: counter });
    },
  };
}
