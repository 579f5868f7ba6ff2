import type { Connection } from "mongoose";
import { readerOf } from "../../../domain/record.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { isDuplicateKey } from "../../../storage/duplicate-key.ts";
import { plainReads } from "../../../storage/plain-reads.ts";
import { recordModel } from "../../../storage/record-model.ts";
import { accountRecord, type StoredAccount } from "../rules/records.ts";

export type AccountStore = ReturnType<typeof createAccountStore>;

/** Stored classroom accounts, by id. */
export function createAccountStore(connection: Connection) {
  const model = recordModel(connection, accountRecord);
  const reads = plainReads(model);

  return {
    /** @throws NamedError "account-exists" */
    insert: async ({ id, ...facts }: StoredAccount): Promise<void> => {
      try {
        await model.create({ _id: id, ...facts });
      } catch (thrown) {
        if (!isDuplicateKey(thrown)) throw thrown;
        throw refusal("account-exists", { status: 409, values: { account: id } });
      }
    },
    find: async (id: string): Promise<StoredAccount | null> => {
      const row = await reads.one({ _id: id });
      return row === null ? null : toAccount(row);
    },
    /** Oldest first. */
    list: async (): Promise<StoredAccount[]> =>
      (await reads.all({})).map(toAccount).toSorted((one, other) => one.createdAt - other.createdAt),
    /**
     * Unless somebody else changed it since it was read.
     * @param before As it was read. @throws NamedError "account-changed"
     */
    change: async (
      before: Pick<StoredAccount, "id" | "revision">,
      to: Partial<Omit<StoredAccount, "id" | "revision" | "createdAt">>,
    ): Promise<void> => {
      const written = await model.updateOne(
        { _id: before.id, revision: before.revision },
        { $set: to, $inc: { revision: 1 } },
      );
      if (written.matchedCount === 0)
        throw refusal("account-changed", { status: 409, temporary: true, values: { account: before.id } });
    },
    /** Unless somebody changed it since it was read. @throws NamedError "account-changed" */
    remove: async ({ id, revision }: Pick<StoredAccount, "id" | "revision">): Promise<void> => {
      const gone = await model.deleteOne({ _id: id, revision });
      if (gone.deletedCount === 0)
        throw refusal("account-changed", { status: 409, temporary: true, values: { account: id } });
    },
  };
}

const toAccount = readerOf(accountRecord);
