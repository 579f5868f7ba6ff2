import { readDialect } from "../read-dialect.ts";
import { createThrottles } from "../throttles-of-keys.ts";
import type { ClassroomAccount, ClassroomConfig } from "../account.ts";
import { createBudgets } from "../budgets.ts";
import { defaultDialect } from "../default-dialect.ts";
import type { Dialect } from "../dialect.ts";
import { type OperationBasis, operationBases, type OperationMemory } from "../documented.ts";
import { examinePublicUrl } from "./examine-address.ts";
import { type EnvironmentReport, examineEnvironment } from "./examine-environment.ts";
import { advice, type Finding, finding, seen } from "./finding.ts";
import type { OpenExchange } from "../exchange.ts";
import { deepMerge } from "../deep-merge.ts";
import { isDialectName } from "../shipped-dialects.ts";
import type { ThrottleStore } from "../throttle.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { Ids } from "../../kernel/ids.ts";
import { ownAddressTimeoutMs } from "../limits.ts";

export type DoctorReport = {
  /** Milliseconds since the epoch. */
  checkedAt: number;
  well: boolean;
  tool: Finding[];
  /** Documented, assumed, and answered by this service. */
  environments: (EnvironmentReport & { bases: OperationBasis[] })[];
  /** What the dialect file lacks. */
  dialect: unknown;
};

export type DoctorOrder = {
  accounts: readonly ClassroomAccount[];
  create: boolean;
  /** A Space to use instead of making one. */
  spaceId: string | null;
};

/**
 * The tool's settings, then one account after the other. Probes wait with all other calls, so this may run beside a
 * working tool. @throws what the store throws when it cannot be read
 */
export async function examineAll(
  deps: {
    config: ClassroomConfig;
    store: ThrottleStore;
    addresses: OperationMemory;
    open: OpenExchange;
    /** Of an account's service; `open` when left out. */
    openOf?: (account: string) => OpenExchange;
    clock: Clock;
    ids: Ids;
    onAccount: (id: string) => void;
  },
  order: DoctorOrder,
): Promise<DoctorReport> {
  const { config, clock } = deps;
  const { dialect: usual, found } = await dialectOf(config);
  const own = { ...deps, timeoutMs: ownAddressTimeoutMs };
  const tool = [found, ...sharedFindings(order.accounts), ...(await examinePublicUrl(own, config.publicUrl))];
  const throttlesOf = createThrottles(deps);
  const environments: DoctorReport["environments"] = [];
  for (const account of order.accounts) {
    deps.onAccount(account.id);
    const environment = { ...account, name: account.id };
    const dialect = account.dialect ?? usual;
    const { throttle, analyticsThrottle, ...window } = throttlesOf(account.apiKey, dialect, account.limits);
    const budgets = createBudgets({
      general: throttle,
      analytics: analyticsThrottle,
      ...window,
      clock,
    });
    const examined = await examineEnvironment({
      ...{ ...deps, ...order, environment, dialect, budgets },
      open: deps.openOf?.(account.id) ?? deps.open,
    });
    const { baseUrl } = environment;
    environments.push({
      ...examined,
      bases: await operationBases({ baseUrl, dialect, store: deps.addresses }),
    });
  }
  const all = [...tool, ...environments.flatMap(({ findings }) => findings)];
  return {
    checkedAt: clock.now(),
    well: all.every(({ level }) => level !== "wrong"),
    tool,
    environments,
    dialect: all.reduce<unknown>(
      (whole, one) => (one.dialect === null ? whole : deepMerge(whole ?? beginning(config), one.dialect)),
      null,
    ),
  };
}

/** The start of a new file, so that a named dialect is not lost. */
function beginning({ dialectFile }: ClassroomConfig): object {
  return dialectFile !== undefined && isDialectName(dialectFile) ? { extends: dialectFile } : {};
}

/** An unusable dialect is reported, and the examination goes on with the default one. */
async function dialectOf({ dialectFile }: ClassroomConfig): Promise<{ dialect: Dialect; found: Finding }> {
  try {
    const dialect = await readDialect(dialectFile);
    if (dialectFile === undefined)
      return {
        dialect,
        found: finding("fine", "dialect", seen("dialect-usual")),
      };
    if (isDialectName(dialectFile))
      return {
        dialect,
        found: finding("fine", "dialect", seen("dialect-shipped", { name: dialectFile })),
      };
    if (dialect.apiKey.query === null)
      return { dialect, found: finding("fine", "dialect", seen("dialect-valid", { file: dialectFile })) };
    const risk = seen("dialect-shows-key", { file: dialectFile });
    return {
      dialect,
      found: finding("note", "dialect", risk, { todo: advice("key-in-header") }),
    };
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    return {
      dialect: defaultDialect,
      found: finding("wrong", "dialect", thrown.message, {
        todo: advice("fix-dialect"),
      }),
    };
  }
}

/** What should differ between the two built-in accounts. */
function sharedFindings(accounts: readonly ClassroomAccount[]): Finding[] {
  const production = accounts.find(({ id }) => id === "production");
  const staging = accounts.find(({ id }) => id === "staging");
  if (production === undefined || staging === undefined) return [];
  const findings: Finding[] = [];
  if (production.webhookSecrets.some((secret) => staging.webhookSecrets.includes(secret))) {
    findings.push(finding("note", "webhooks", seen("same-secret"), { todo: advice("own-secrets") }));
  }
  if (production.apiKey === staging.apiKey) findings.push(finding("note", "key", seen("same-key")));
  return findings;
}
