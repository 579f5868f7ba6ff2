import type { ClassroomAccount, KnownAccounts } from "../../classroom/account.ts";
import type { Dialect } from "../../classroom/dialect.ts";
import { type AccountId, isAccountId } from "../../domain/account.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import type { Sealer } from "../../kernel/sealer.ts";
import { isIncomplete, sealPurpose, type StoredAccount } from "./rules/account-record.ts";
import type { AccountStore } from "./store/account-store.ts";

export type Accounts = KnownAccounts & {
  /** Reads what was changed. */
  refresh: () => Promise<void>;
  /** As `find`, as other processes have it: of the last seconds, and read at once when this process does not know the account. */
  lookUp: (id: AccountId) => Promise<ClassroomAccount | undefined>;
};

export type KnownAccountsDeps = {
  builtIn: readonly ClassroomAccount[];
  classroomAccounts: Pick<AccountStore, "list" | "find">;
  sealer: Sealer;
  /** @throws NamedError for what is no dialect */
  parseDialect: (json: unknown) => Dialect;
  clock: Clock;
  logger: Logger;
};

/** What is older is read again when it is used (ms): an idle process asks its store nothing. */
const freshMs = 5_000;

/**
 * The built-in accounts and the stored ones, opened once. An account is another object after each change. One whose
 * secrets cannot be opened, or whose dialect cannot be read, is paused and logged: the others go on.
 */
export async function createKnownAccounts(deps: KnownAccountsDeps): Promise<Accounts> {
  const { builtIn, classroomAccounts, logger } = deps;
  const opened = new Map<
    AccountId,
    Pick<StoredAccount, "revision" | "createdAt"> & { account: ClassroomAccount }
  >();
  let all: readonly ClassroomAccount[] = builtIn;
  let byId = new Map(all.map((one) => [one.id, one]));

  const take = (stored: StoredAccount): ClassroomAccount => {
    const known = opened.get(stored.id);
    const { revision, createdAt } = stored;
    // One that was removed may have been added again under its id.
    if (known?.revision === revision && known.createdAt === createdAt) return known.account;
    const account = openAccount(deps, stored);
    opened.set(stored.id, { revision, createdAt, account });
    return account;
  };
  let readAt = -Infinity;
  const refresh = async (): Promise<void> => {
    readAt = deps.clock.now();
    const stored = (await classroomAccounts.list()).map(take);
    // Variables go first: an operator who sets them means this account.
    all = [...builtIn, ...stored.filter(({ id }) => !builtIn.some((one) => one.id === id))];
    byId = new Map(all.map((one) => [one.id, one]));
  };
  const isOld = () => Math.abs(deps.clock.now() - readAt) >= freshMs;
  /** What is used now may be seconds old; the next use sees the change. */
  const refreshSoon = () => {
    if (!isOld()) return;
    refresh().catch((thrown: unknown) => {
      logger.warn({ error: messageOf(thrown) }, "the classroom accounts could not be read again");
    });
  };
  await refresh();
  return {
    ids: () => all.map(({ id }) => id),
    list: () => all,
    find: (id) => {
      refreshSoon();
      return byId.get(id);
    },
    refresh,
    lookUp: async (id) => {
      if (isOld()) await refresh();
      else if (!byId.has(id) && isAccountId(id) && (await classroomAccounts.find(id)) !== null)
        await refresh();
      return byId.get(id);
    },
  };
}

/** Where an account leads whose institution has given no address yet: nobody can own it (RFC 6761). */
const nowhere = "https://not-set-up.invalid";

function openAccount(
  { sealer, parseDialect, logger }: KnownAccountsDeps,
  stored: StoredAccount,
): ClassroomAccount {
  const { id, name, stage, sealedKey, sealedWebhookSecrets, dialect, paused } = stored;
  const lacksConnection = isIncomplete(stored);
  const account = {
    ...{ id, name, stage },
    baseUrl: lacksConnection ? nowhere : stored.baseUrl,
    appUrl: lacksConnection ? nowhere : stored.appUrl,
    limits: { callsPerSecond: stored.callsPerSecond, analyticsSeconds: stored.analyticsSeconds },
  };
  try {
    return {
      ...account,
      apiKey: sealedKey === null ? "" : sealer.open(sealPurpose(id, "key"), sealedKey),
      webhookSecrets: sealedWebhookSecrets.map((one) => sealer.open(sealPurpose(id, "webhook-secret"), one)),
      dialect: dialect === null ? null : parseDialect(dialect),
      paused: paused || lacksConnection,
      ...(lacksConnection ? { lacks: "connection" as const } : {}),
    };
  } catch (thrown) {
    logger.error(
      { account: id, error: messageOf(thrown) },
      "a classroom account cannot be used and counts as paused",
    );
    return {
      ...{ ...account, apiKey: "", webhookSecrets: [], dialect: null, paused: true },
      lacks: "readable-secrets",
    };
  }
}
