import type { App } from "../../app.ts";
import type { ClassroomAccount, KnownAccounts } from "../../classroom/account.ts";
import type { Dialect } from "../../classroom/dialect.ts";
import { type AccountId, builtInAccounts, isAccountId, isBuiltIn } from "../../domain/account.ts";
import type { Registration } from "../../domain/registration.ts";
import { messageOf } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { isIncomplete, sealPurpose, type StoredAccount } from "./rules/account-input.ts";
import type { AccountStore } from "./store/account-store.ts";

export type OwnAccountApp = Pick<App, "classroomAccounts" | "registrations" | "deployments" | "courses">;

/**
 * Returns the account of an LMS's new courses, or of one deployment's if it has its own, provided nobody else uses it: it's stored, nothing
 * else is bound to it, and no course of another LMS or deployment was made with it. Only then may the LMS's administrators change it.
 * @param deploymentId The deployment from which the administrator came. Null: the whole LMS.
 * @param bindings The bindings of all LMSs, if the caller has read them.
 */
export async function ownAccountOf(
  app: OwnAccountApp,
  registration: Registration,
  deploymentId: string | null,
  bindings?: AllBindings,
) {
  const bound =
    deploymentId === null ? undefined : (await app.deployments.find(registration.id, deploymentId))?.account;
  const id = bound ?? accountOfLms(registration);
  const only = bound === undefined ? null : deploymentId;
  if (isBuiltIn(id)) return null;
  const stored = await app.classroomAccounts.find(id);
  if (stored === null) return null;
  const all = bindings ?? (await bindingsOf(app, await app.registrations.list()));
  const isTheirs = (one: Binding) =>
    one.registrationId === registration.id && (only === null || one.deploymentId === only);
  const shared = all.some((one) => one.account === id && !isTheirs(one));
  if (shared || (await app.courses.isUsedElsewhere(id, registration.id, only))) return null;
  return {
    ...withoutSecrets(stored),
    /** The deployment that it's bound to. Null: the whole LMS. */
    deploymentId: only,
    /** Whether addresses and key are set. */
    complete: !isIncomplete(stored),
    hasKey: stored.sealedKey !== null,
    /** How many webhook secrets are accepted: two during a rotation. */
    secrets: stored.sealedWebhookSecrets.length,
  };
}

/** @throws NamedError "account-not-own" */
export async function requireOwnAccount(
  app: OwnAccountApp,
  registration: Registration,
  deploymentId: string | null,
) {
  const own = await ownAccountOf(app, registration, deploymentId);
  if (own === null) throw refusal("account-not-own", { status: 403 });
  return own;
}

/**
 * The account of new courses: the deployment's, or the registration's, or the one the registration was made for. A course keeps the account it
 * was made with, because its Space, users and sessions are there.
 */
export async function accountOf(
  { deployments }: Pick<App, "deployments">,
  registration: Registration,
  deploymentId: string,
): Promise<AccountId> {
  const deployment = await deployments.find(registration.id, deploymentId);
  return deployment?.account ?? accountOfLms(registration);
}

/** The account of an LMS's new courses if the deployment has none. */
export function accountOfLms({
  account,
  environment,
}: Pick<Registration, "account" | "environment">): AccountId {
  return account ?? environment;
}

/** The account to use if none is named: production, staging, or the first one. */
export function usualAccount(known: readonly AccountId[]): AccountId | undefined {
  return builtInAccounts.find((id) => known.includes(id)) ?? known[0];
}

/** An LMS whose new courses use an account. `deploymentId`: only those of this deployment. */
export type Binding = { registrationId: string; name: string; deploymentId: string | null };

export type AllBindings = readonly (Binding & { account: AccountId })[];

/** Which LMS and which deployment uses which account for new courses. */
export async function bindingsOf(
  { deployments }: Pick<App, "deployments">,
  registrations: readonly Registration[],
): Promise<AllBindings> {
  const each = await Promise.all(
    registrations.map(async (registration) => {
      const { id: registrationId, name } = registration;
      return [
        { registrationId, name, deploymentId: null, account: accountOfLms(registration) },
        ...(await deployments.listOf(registrationId)).flatMap(({ deploymentId, account }) =>
          account === undefined ? [] : [{ registrationId, name, deploymentId, account }],
        ),
      ];
    }),
  );
  return each.flat();
}

type ListAccountsApp = Pick<
  App,
  "accounts" | "classroomAccounts" | "registrations" | "deployments" | "webhookArrivals"
>;

export type Accounts = KnownAccounts & {
  /** Reads what has changed. */
  refresh: () => Promise<void>;
  /** Like `find`, but reads again if the data is older than a few seconds or this process doesn't know the account. */
  lookUp: (id: AccountId) => Promise<ClassroomAccount | undefined>;
};

type KnownAccountsApp = Pick<App, "sealer" | "clock" | "logger"> & {
  builtIn: readonly ClassroomAccount[];
  classroomAccounts: Pick<AccountStore, "list" | "find">;
  /** @throws NamedError if it isn't a dialect */
  parseDialect: (json: unknown) => Dialect;
};

/** Older accounts are read again when they are used (ms), so an idle process reads nothing. */
const freshMs = 5_000;

/**
 * The built-in accounts and the stored ones, opened once. After each change, an account is a new object. An account whose secrets can't be
 * opened, or whose dialect can't be read, is paused and logged, and the others continue.
 */
export async function createKnownAccounts(app: KnownAccountsApp): Promise<Accounts> {
  const { builtIn, classroomAccounts, logger } = app;
  const opened = new Map<
    AccountId,
    Pick<StoredAccount, "revision" | "createdAt"> & { account: ClassroomAccount }
  >();
  let all: readonly ClassroomAccount[] = builtIn;
  let byId = new Map(all.map((one) => [one.id, one]));

  const take = (stored: StoredAccount): ClassroomAccount => {
    const known = opened.get(stored.id);
    const { revision, createdAt } = stored;
    // An account that was removed may have been added again under its id.
    if (known?.revision === revision && known.createdAt === createdAt) return known.account;
    const account = openAccount(app, stored);
    opened.set(stored.id, { revision, createdAt, account });
    return account;
  };
  let readAt = -Infinity;
  let [begun, shown] = [0, 0];
  const refresh = async (): Promise<void> => {
    readAt = app.clock.now();
    const reading = (begun += 1);
    const rows = await classroomAccounts.list();
    // A reading that began later may have ended first, and knows more.
    if (reading < shown) return;
    shown = reading;
    const stored = rows.map(take);
    // Variables take precedence, because an operator who sets them means this account.
    all = [...builtIn, ...stored.filter(({ id }) => !builtIn.some((one) => one.id === id))];
    byId = new Map(all.map((one) => [one.id, one]));
  };
  const isOld = () => Math.abs(app.clock.now() - readAt) >= freshMs;
  /** What is used now may be seconds old. The next use sees the change. */
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

/** The address of an account whose institution has given none yet. Nobody can register it (RFC 6761). */
const nowhere = "https://not-set-up.invalid";

function openAccount(
  { sealer, parseDialect, logger }: KnownAccountsApp,
  stored: StoredAccount,
): ClassroomAccount {
  const { id, name, stage, sealedKey, sealedWebhookSecrets, dialect, paused } = stored;
  const lacksConnection = isIncomplete(stored);
  const account = {
    id,
    name,
    stage,
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
      ...account,
      apiKey: "",
      webhookSecrets: [],
      dialect: null,
      paused: true,
      lacks: "readable-secrets",
    };
  }
}

/** How an account is: no addresses and key yet · its secrets can't be read · paused · in use. */
type AccountState = "incomplete" | "unreadable" | "paused" | "on";

/** An account as operators see it, without its secrets. */
export type AccountSummary = Awaited<ReturnType<typeof summaryOf>>;

/** Built-in accounts first, then by age. */
export async function listAccounts(app: ListAccountsApp) {
  await app.accounts.refresh();
  const bindings = bindingsOf(app, await app.registrations.list());
  return Promise.all(app.accounts.list().map((account) => summaryOf(app, account, bindings)));
}

/** @throws NamedError "account-unknown" */
export async function showAccount(app: ListAccountsApp, id: AccountId) {
  await app.accounts.refresh();
  const account = app.accounts.find(id);
  if (account === undefined) throw refusal("account-unknown", { status: 404, values: { account: id } });
  return summaryOf(app, account, bindingsOf(app, await app.registrations.list()));
}

async function summaryOf(
  { classroomAccounts, webhookArrivals }: ListAccountsApp,
  account: ClassroomAccount,
  bindings: Promise<AllBindings>,
) {
  const { id, name, stage, limits, apiKey, webhookSecrets } = account;
  const row = isBuiltIn(id) ? null : await classroomAccounts.find(id);
  return {
    id,
    name,
    stage,
    limits,
    /** Null: environment variables define it. */
    stored: row === null ? null : withoutSecrets(row),
    baseUrl: row?.baseUrl ?? account.baseUrl,
    appUrl: row?.appUrl ?? account.appUrl,
    /** The last four characters of the API key. Empty without a key. */
    keyEnd: apiKey.slice(-4),
    /** How many webhook secrets are accepted: two during a rotation. */
    secrets: row?.sealedWebhookSecrets.length ?? webhookSecrets.length,
    state: stateOf(account),
    bindings: (await bindings).filter((one) => one.account === id),
    lastWebhookAt: await webhookArrivals.lastAt(id),
  };
}

function withoutSecrets({ sealedKey: _key, sealedWebhookSecrets: _secrets, ...rest }: StoredAccount) {
  return rest;
}

function stateOf({ lacks, paused }: ClassroomAccount): AccountState {
  if (lacks === "connection") return "incomplete";
  if (lacks === "readable-secrets") return "unreadable";
  return paused ? "paused" : "on";
}
