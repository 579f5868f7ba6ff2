import type { KnownAccounts } from "../../../classroom/account.ts";
import { type AccountId, isBuiltIn } from "../../../domain/account.ts";
import type { Translate } from "../../../web/translate.ts";

/** A classroom account's name; its id when the account is gone. */
export function nameOfAccount(t: Translate, accounts: Pick<KnownAccounts, "find">, id: AccountId): string {
  return isBuiltIn(id) ? t(`console.environments.${id}`) : (accounts.find(id)?.name ?? id);
}
