import { parseDialect } from "../classroom/parse-dialect.ts";
import type { Config } from "../config.ts";
import { systemClock } from "../kernel/clock.ts";
import { createLogger } from "../kernel/logger.ts";
import { createSealer } from "../kernel/sealer.ts";
import { type Accounts, createKnownAccounts } from "../modules/accounts/known-accounts.ts";
import type { Stores } from "../open-stores.ts";

/** The classroom accounts, stored ones included. */
export function openAccounts(
  { builtInAccounts: builtIn, secretKey, secretKeyPrevious }: Config,
  { classroomAccounts }: Pick<Stores, "classroomAccounts">,
): Promise<Accounts> {
  const sealer = createSealer(secretKey, secretKeyPrevious);
  const logger = createLogger("silent");
  return createKnownAccounts({
    builtIn,
    classroomAccounts,
    sealer,
    parseDialect,
    clock: systemClock,
    logger,
  });
}
