import type { ClassroomAccount } from "../classroom/account.ts";
import { usualAccount } from "../modules/accounts/account-of.ts";
import type { Accounts } from "../modules/accounts/known-accounts.ts";
import { type CommandLine, UsageError } from "./command.ts";

/** `--account`, also called `--environment` as before there were several; left out: the usual one. @throws UsageError for an unknown one */
export function accountNamed(
  { account: given, environment }: CommandLine["values"],
  accounts: Pick<Accounts, "ids" | "find">,
): ClassroomAccount {
  const id = given ?? environment ?? usualAccount(accounts.ids());
  if (id === undefined) throw new UsageError("There is no classroom account. Make one with: account add");
  const account = accounts.find(id);
  if (account === undefined)
    throw new UsageError(`There is no classroom account ${id}. There are: ${accounts.ids().join(", ")}.`);
  return account;
}
