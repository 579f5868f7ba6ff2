import type { ClassroomAccount, ClassroomConfig } from "../account.ts";
import { createBudgets, createThrottles } from "../budgets.ts";
import { createClassroomClient } from "../client.ts";
import { defaultDialect } from "../default-dialect.ts";
import {
  type AddressStore,
  operationBases,
  type OperationBasis,
  type OperationMemory,
} from "../known-addresses.ts";
import type { OpenExchange } from "../exchange.ts";
import { ownAddressTimeoutMs } from "../limits.ts";
import { readDialect } from "../parse-dialect.ts";
import type { ThrottleStore } from "../throttle.ts";
import type { Clock } from "../../kernel/clock.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { Ids } from "../../kernel/ids.ts";
import { createLogger } from "../../kernel/logger.ts";
import { type AccountReport, examineAccount, examinePublicUrl } from "./examine-account.ts";
import { advice, type Finding, finding, seen } from "./finding.ts";

export type DoctorReport = {
  /** Milliseconds since the epoch. */
  checkedAt: number;
  well: boolean;
  tool: Finding[];
  /** What is documented, what is assumed, and what this service answered. */
  environments: (AccountReport & { bases: OperationBasis[] })[];
};

export type DoctorOrder = {
  accounts: readonly ClassroomAccount[];
  create: boolean;
  /** A Space to use instead of making one. */
  spaceId: string | null;
};

/**
 * Checks the tool's settings, then each account in turn. Its calls wait like all others, so it may run while the tool works.
 * @throws what the store throws when it can't be read
 */
export async function examineAll(
  deps: {
    config: ClassroomConfig;
    store: ThrottleStore;
    addresses: AddressStore & OperationMemory;
    open: OpenExchange;
    /** An account's own connection; default: `open`. */
    openOf?: (account: string) => OpenExchange;
    clock: Clock;
    ids: Ids;
    onAccount: (id: string) => void;
  },
  order: DoctorOrder,
): Promise<DoctorReport> {
  const { config, clock, addresses } = deps;
  const { dialect: usual, found } = await dialectOf(config);
  const own = { ...deps, timeoutMs: ownAddressTimeoutMs };
  const tool = [found, ...sharedSecret(order.accounts), ...(await examinePublicUrl(own, config.publicUrl))];
  const throttlesOf = createThrottles(deps);
  // Silent, because everything that goes wrong becomes a finding.
  const logger = createLogger("silent");
  const environments: DoctorReport["environments"] = [];
  for (const account of order.accounts) {
    deps.onAccount(account.id);
    const environment = { ...account, name: account.id };
    const dialect = account.dialect ?? usual;
    const throttles = throttlesOf(account.apiKey, dialect, account.limits);
    const bases = () => operationBases({ baseUrl: account.baseUrl, dialect, store: addresses });
    const examined = await examineAccount({
      ...deps,
      ...order,
      environment,
      dialect,
      bases,
      budgets: createBudgets({ ...throttles, clock }),
      open: deps.openOf?.(account.id) ?? deps.open,
      clientOver: (open) =>
        createClassroomClient({ environment, dialect, ...throttles, addresses, open, clock, logger }),
    });
    environments.push({ ...examined, bases: await bases() });
  }
  const all = [...tool, ...environments.flatMap(({ findings }) => findings)];
  const well = all.every(({ level }) => level !== "wrong");
  return { checkedAt: clock.now(), well, tool, environments };
}

/** Reports an unusable dialect, and continues with the default one. */
async function dialectOf({ dialectFile: file }: ClassroomConfig) {
  try {
    const what = file === undefined ? seen("dialect-usual") : seen("dialect-valid", { file });
    return { dialect: await readDialect(file), found: finding("fine", "dialect", what) };
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    const found = finding("wrong", "dialect", thrown.message, { todo: advice("fix-dialect") });
    return { dialect: defaultDialect, found };
  }
}

/** Reports a secret that both built-in accounts share; they should differ. */
function sharedSecret(accounts: readonly ClassroomAccount[]): Finding[] {
  const secretsOf = (account: string) => accounts.find(({ id }) => id === account)?.webhookSecrets ?? [];
  const staging = secretsOf("staging");
  if (!secretsOf("production").some((secret) => staging.includes(secret))) return [];
  return [finding("note", "webhook", seen("same-secret"), { todo: advice("own-secrets") })];
}
