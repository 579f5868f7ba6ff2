import type { Clock } from "../../kernel/clock.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { Budgets } from "../budgets.ts";
import type { Dialect, OperationName } from "../dialect.ts";
import type { OpenExchange } from "../exchange.ts";
import { deepMerge } from "../deep-merge.ts";
import { parseDialect } from "../parse-dialect.ts";
import { createProbe } from "./create-probe.ts";
import { examineApp } from "./examine-address.ts";
import { examineOperations } from "./examine-operations.ts";
import { examineService } from "./examine-service.ts";
import { advice, type Finding, finding, seen } from "./finding.ts";
import { type Made, tryInEarnest } from "./try-in-earnest.ts";

export type EnvironmentReport = {
  environment: string;
  baseUrl: string;
  appUrl: string;
  findings: Finding[];
  made: Made | null;
};

/** For a probe, and for a whole examination (ms). */
const timeoutsMs = { probe: 8_000, run: 90_000, runInEarnest: 150_000 };

/**
 * The service, the key, each operation. Changes nothing unless `create` is set (see `tryInEarnest`). Never throws for
 * what the service does; ends within two and a half minutes.
 */
export async function examineEnvironment(deps: {
  environment: {
    name: string;
    baseUrl: string;
    appUrl: string;
    apiKey: string;
    webhookSecrets: readonly string[];
  };
  dialect: Dialect;
  budgets: Budgets;
  open: OpenExchange;
  clock: Clock;
  ids: Ids;
  create: boolean;
  spaceId: string | null;
  timeoutMs?: number;
}): Promise<EnvironmentReport> {
  const { environment, clock } = deps;
  const timeoutMs = deps.timeoutMs ?? timeoutsMs.probe;
  const over = new AbortController();
  const done = new AbortController();
  clock.sleep(deps.create ? timeoutsMs.runInEarnest : timeoutsMs.run, done.signal).then(
    () => over.abort(new Error("out of time")),
    () => undefined,
  );
  try {
    const app = examineApp({ ...deps, timeoutMs }, environment.appUrl);
    const { findings, made } = await examineApi({ ...deps, timeoutMs, signal: over.signal });
    const { name, baseUrl, appUrl } = environment;
    return {
      environment: name,
      baseUrl,
      appUrl,
      findings: [webhookSecret(environment.webhookSecrets.length), await app, ...findings],
      made,
    };
  } finally {
    done.abort();
  }
}

async function examineApi(
  deps: Parameters<typeof examineEnvironment>[0] & { timeoutMs: number; signal: AbortSignal },
): Promise<{ findings: Finding[]; made: Made | null }> {
  const nobody = deps.ids.id("spaces-lti-doctor");
  const first = createProbe(deps);
  const service = await examineService({ ...deps, probe: first.probe, nobody });
  const findings = [...service.findings];
  let made: Made | null = null;
  // With what was found out about the key.
  const dialect = findings.reduce(
    (sofar, one) => (one.dialect === null ? sofar : parseDialect(deepMerge(sofar, one.dialect))),
    deps.dialect,
  );
  const { probe, limited } = dialect === deps.dialect ? first : createProbe({ ...deps, dialect });
  if (service.unknown !== null && service.goOn) {
    let except: readonly OperationName[] = [];
    if (deps.create) {
      const earnest = await tryInEarnest({ ...deps, dialect, probe, reference: nobody });
      findings.push(...earnest.findings);
      ({ made, tried: except } = earnest);
    }
    const unknown = service.unknown;
    const onceUsed = deps.create
      ? "It could not be tried, because something before it failed: mend that and run --create again."
      : advice("create-uses-it");
    const rest = { ...deps, dialect, probe, unknown, nobody, onceUsed, except: new Set(except) };
    findings.push(...(await examineOperations(rest)));
  }
  if (limited.times > 0) {
    const { times, retryAfterMs } = limited;
    const what =
      retryAfterMs === 0
        ? seen("limited", { times })
        : seen("limited-for", { times, seconds: Math.ceil(retryAfterMs / 1_000) });
    findings.push(finding("note", "limit", what, { todo: advice("own-key") }));
  }
  return { findings, made };
}

function webhookSecret(count: number): Finding {
  return finding("fine", "webhooks", seen(count > 1 ? "secrets-set" : "secret-set"));
}
