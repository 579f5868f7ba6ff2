import type { Connection } from "mongoose";
import { refusal } from "../../../kernel/refusal.ts";
import { openRecords } from "../../../storage/records.ts";
import { accountRecord, type StoredAccount } from "../rules/account-input.ts";

export type AccountStore = ReturnType<typeof createAccountStore>;

/** Stored classroom accounts, by id. */
export function createAccountStore(connection: Connection) {
  const records = openRecords(connection, accountRecord);

  return {
    /** @throws NamedError "account-exists" */
    insert: async ({ id, ...facts }: StoredAccount): Promise<void> => {
      if (!(await records.insert({ _id: id, ...facts })))
        throw refusal("account-exists", { status: 409, values: { account: id } });
    },
    find: (id: string): Promise<StoredAccount | null> => records.find({ _id: id }),
    /** Oldest first. */
    list: async (): Promise<StoredAccount[]> =>
      (await records.list({})).toSorted((one, other) => one.createdAt - other.createdAt),
    /** Has no effect if the account has changed since. @param before As it was read. @throws NamedError "account-changed" */
    change: async (
      before: Pick<StoredAccount, "id" | "revision">,
      to: Partial<Omit<StoredAccount, "id" | "revision" | "createdAt">>,
    ): Promise<void> => {
      const written = await records.change(
        { _id: before.id, revision: before.revision },
        { $set: to, $inc: { revision: 1 } },
      );
      if (!written)
        throw refusal("account-changed", { status: 409, temporary: true, values: { account: before.id } });
    },
    /** Has no effect if the account has changed since it was read. @throws NamedError "account-changed" */
    remove: async ({ id, revision }: Pick<StoredAccount, "id" | "revision">): Promise<void> => {
      if ((await records.remove({ _id: id, revision })) === 0)
        throw refusal("account-changed", { status: 409, temporary: true, values: { account: id } });
    },
  };
}
