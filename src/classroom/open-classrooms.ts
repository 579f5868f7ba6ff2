import type { LookupFunction } from "node:net";
import { type ClassroomAccount, type ClassroomConfig, isSpaceOrigin, type KnownAccounts } from "./account.ts";
import { rolesAdded } from "./people.ts";
import { type BackgroundRest, createBackgroundRest } from "./background-rest.ts";
import type { ClassroomCallSeen } from "./classroom-call.ts";
import { type ClassroomClient, createClassroomClient } from "./client.ts";
import { examineAll } from "./doctor/examine-all.ts";
import {
  type AddressStore,
  operationBases,
  type OperationBasis,
  type OperationMemory,
} from "./known-addresses.ts";
import { createBudgets, createThrottles, type ThrottleState, throttleState } from "./budgets.ts";
import { refusesKey } from "./doctor/examine-key.ts";
import { exchangesOf } from "./exchange.ts";
import { readDialect } from "./parse-dialect.ts";
import { pausedCheckMs } from "./limits.ts";
import type { ThrottleStore } from "./throttle.ts";
import type { Priority } from "./permits.ts";
import type { ClassroomRole } from "../domain/person.ts";
import type { AccountId } from "../domain/account.ts";
import type { Clock } from "../kernel/clock.ts";
import { type NamedError, nothingTried } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import type { Ids } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import type { Metrics } from "../kernel/metrics.ts";

/** An account as operators see it, without its secrets. */
export type ClassroomOverview = {
  /** The account's id. */
  environment: AccountId;
  name: string;
  baseUrl: string;
  appUrl: string;
  paused: boolean;
  /** The last four characters of the API key. */
  keyEnd: string;
  /** How many webhook secrets are accepted: two during a rotation. */
  secrets: number;
  throttle: () => Promise<ThrottleState>;
  waiting: () => Readonly<Record<Priority, number>>;
  /** Whether the latest calls of this process have failed. */
  fails: () => boolean;
  /** Roles in which the dialect can add a user to an existing Space. */
  addsToSpace: readonly ClassroomRole[];
  /** For each operation, what is documented, what is assumed, and when the service last answered. */
  addresses: () => Promise<OperationBasis[]>;
};

export type Classrooms = Awaited<ReturnType<typeof openClassrooms>>;

/** Opens one client for each account. @throws NamedError as `readDialect` */
export async function openClassrooms(deps: {
  config: ClassroomConfig;
  accounts: KnownAccounts;
  throttleStore: ThrottleStore;
  addresses: AddressStore & OperationMemory;
  clock: Clock;
  ids: Ids;
  logger: Logger;
  metrics?: Metrics;
  outsideLookup?: LookupFunction | undefined;
}) {
  const { accounts, throttleStore, addresses, clock, ids, logger } = deps;
  const usual = await readDialect(deps.config.dialectFile);
  if (usual.apiKey.query !== null) {
    logger.warn(
      { parameter: usual.apiKey.query },
      "CLASSROOM_DIALECT puts the API key into addresses; proxies and the service's own logs may keep it. Prefer a header.",
    );
  }
  const throttlesOf = createThrottles({ store: throttleStore, clock, ids });
  const { open, openOf } = exchangesOf(deps.config, deps.outsideLookup);
  const common = { addresses, clock, logger, onCall: watchCalls(deps) };
  const shares = () => accounts.ids().length > 1;
  const dialectOf = (account: ClassroomAccount | undefined) => account?.dialect ?? usual;
  const throttleOf = (account: ClassroomAccount) =>
    throttlesOf(account.apiKey, dialectOf(account), account.limits);
  /** Made again when the account has changed, which then is another object. */
  const clients = new Map<
    AccountId,
    { account: ClassroomAccount; client: ClassroomClient; rest: BackgroundRest }
  >();
  const clientOf = (account: ClassroomAccount): ClassroomClient => {
    const known = clients.get(account.id);
    if (known?.account === account) return known.client;
    const environment = { ...account, name: account.id };
    const rest = createBackgroundRest({ clock, shares });
    const client = createClassroomClient({
      ...common,
      open: openOf(account.id),
      dialect: dialectOf(account),
      environment,
      rest,
      ...throttleOf(account),
    });
    clients.set(account.id, { account, client, rest });
    return client;
  };
  const known = (id: AccountId) => accounts.find(id) ?? unknown(id);
  const spaceOriginsOf = (id: AccountId) => {
    const account = accounts.find(id);
    if (account === undefined) return [];
    return [...new Set([new URL(account.appUrl).origin, ...dialectOf(account).loginOrigins])];
  };
  return {
    /** @throws NamedError "environment-off" for an unknown account, "account-paused" (temporary) for a paused one. */
    classroomOf: (id: AccountId) => {
      const account = known(id);
      if (account.paused) throw paused(account);
      return clientOf(account);
    },
    /** Works for a paused account, too. @throws NamedError "environment-off" */
    appUrlOf: (id: AccountId) => known(id).appUrl,
    /** Whether the classroom may use an origin for a Space. */
    isSpaceOrigin: (id: AccountId, origin: string) => {
      const account = known(id);
      return isSpaceOrigin(origin, { appUrl: account.appUrl, dialect: dialectOf(account) });
    },
    /** Whether API users can be created and renamed there; both false for an unknown or paused account. */
    provisionsOf: (id: AccountId) => {
      const account = accounts.find(id);
      const makes = account !== undefined && !account.paused;
      return { makes, renames: makes && clientOf(account).updateApiUser !== null };
    },
    /** Origins of an account's Spaces and logins; empty for an unknown account. */
    spaceOriginsOf,
    /** Where a form that enters a Space may finally lead: origins and schemes. */
    entryTargetsOf: (id: AccountId) =>
      dialectOf(accounts.find(id)).afterLogin === "anywhere"
        ? [...spaceOriginsOf(id), "https:"]
        : spaceOriginsOf(id),
    attributionNamesOf: (id: AccountId) => dialectOf(accounts.find(id)).feedbackRedirect,
    recordingSettingsOf: (id: AccountId) => dialectOf(accounts.find(id)).recordings,
    /** Undefined for an unknown account. */
    classroomOverview: (id: AccountId): ClassroomOverview | undefined => {
      const account = accounts.find(id);
      if (account === undefined) return undefined;
      const { name, baseUrl, appUrl, apiKey, webhookSecrets } = account;
      const dialect = dialectOf(account);
      return {
        environment: id,
        name,
        baseUrl,
        appUrl,
        paused: account.paused,
        keyEnd: apiKey.slice(-4),
        secrets: webhookSecrets.length,
        throttle: () => throttleState({ store: throttleStore }, apiKey, clock.now()),
        waiting: () => throttleOf(account).throttle.waiting(),
        fails: () => clients.get(id)?.rest.fails() ?? false,
        addsToSpace: rolesAdded(dialect),
        addresses: () => operationBases({ baseUrl, dialect, store: addresses }),
      };
    },
    /** Whether the service at an address refuses a key that is to become the account's. @throws NamedError "environment-off" */
    refusesKey: async (id: AccountId, { baseUrl, apiKey }: { baseUrl: string; apiKey: string }) => {
      const account = known(id);
      const dialect = dialectOf(account);
      // If the key is in use, its own limit counts. A key that is only tried out gets no record.
      const counted = accounts.list().some((one) => one.apiKey === apiKey) ? apiKey : account.apiKey || id;
      const budgets = createBudgets({ ...throttlesOf(counted, dialect, account.limits), clock });
      return refusesKey({ dialect, budgets, open: openOf(id), clock, ids }, { name: id, baseUrl, apiKey });
    },
    /** Examines one account, or all that aren't paused. Creates nothing. */
    examineClassrooms: (only?: AccountId) =>
      examineAll(
        {
          config: deps.config,
          store: throttleStore,
          addresses,
          clock,
          ids,
          open,
          openOf,
          onAccount: () => undefined,
        },
        {
          accounts: accounts
            .list()
            .filter(({ id, paused }) => !paused && (only === undefined || id === only)),
          create: false,
          spaceId: null,
        },
      ),
  };
}

function unknown(account: AccountId): never {
  throw refusal("environment-off", { values: { environment: account } });
}

function paused({ id, name }: ClassroomAccount): NamedError {
  return refusal("account-paused", {
    status: 503,
    temporary: true,
    values: { account: name },
    details: { account: id, ...nothingTried(pausedCheckMs) },
  });
}

function watchCalls({
  metrics,
}: Pick<Parameters<typeof openClassrooms>[0], "metrics">): ((call: ClassroomCallSeen) => void) | undefined {
  if (metrics === undefined) return undefined;
  const calls = metrics.counter(
    "classroom_calls_total",
    "Requests to the classroom by operation and status; 429 is its limit, none is no answer",
    ["environment", "operation", "status"],
  );
  const seconds = metrics.histogram("classroom_call_seconds", "Time the classroom took to answer", [
    "operation",
  ]);
  const throttleSeconds = metrics.histogram(
    "classroom_throttle_wait_seconds",
    "Time requests to the classroom waited for their turn",
    ["environment", "priority"],
  );
  return ({ environment, operation, priority, status, waitedMs, tookMs }) => {
    calls.inc({ environment, operation, status: String(status ?? "none") });
    seconds.observe({ operation }, tookMs / 1000);
    throttleSeconds.observe({ environment, priority }, waitedMs / 1000);
  };
}
