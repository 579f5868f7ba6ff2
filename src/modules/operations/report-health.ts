import type { App } from "../../app.ts";
import type { Clock } from "../../kernel/clock.ts";
import { messageOf } from "../../kernel/errors.ts";
import type { Logger } from "../../kernel/logger.ts";
import { inTime, remembered } from "../../kernel/async.ts";
import { checkReadiness, type CheckReadinessDeps, type Trouble } from "./check-readiness.ts";
import { checkWarnings, type CheckWarningsDeps, silentAccounts } from "./check-warnings.ts";

export { troubleNames } from "./check-readiness.ts";

export type OperatorReport = {
  ready: boolean;
  problems: readonly Trouble[];
  /** What somebody must see to although it is ready. */
  warnings: readonly Trouble[];
};

export type ReportHealthDeps = CheckReadinessDeps & CheckWarningsDeps & Pick<App, "logger">;

/** A store that is back is used again within seconds. */
const readinessTtlMs = 2_000;
/** Warnings change slowly and cost some reads. */
const warningsTtlMs = 10_000;
/** Missing webhooks are an alarm after hours, and there may be hundreds of accounts. */
const silenceTtlMs = 15 * 60_000;
const timeoutMs = 3_000;

/** Balancers ask often: simultaneous callers share one look, for at most a twentieth of the time. */
export function reportHealth(deps: ReportHealthDeps): () => Promise<OperatorReport> {
  const { clock, logger } = deps;
  const readiness = remembered({ clock, atMostMs: readinessTtlMs }, () => checkReadiness(deps));
  const silent = remembered({ clock, atLeastMs: silenceTtlMs }, () => silentAccounts(deps));
  /** Those that were silent are looked at anew: their alarm ends with the first webhook. */
  const stillSilent = async () => {
    const accounts = (await silent()).flatMap(({ account }) => account ?? []);
    return accounts.length === 0 ? [] : silentAccounts(deps, accounts);
  };
  const warned = new Set<string>();
  const warnings = remembered({ clock, atLeastMs: warningsTtlMs }, async () => {
    const found = await checkWarnings(deps, stillSilent);
    warnAbout(logger, warned, found);
    return found;
  });
  return async () => {
    const { ready, problems } = await readiness();
    if (problems.some(({ what }) => what === "store")) return { ready, problems, warnings: [] };
    return { ready, problems, warnings: await lookedAt({ clock, logger }, warnings) };
  };
}

/** Failures here make nobody unready. */
async function lookedAt(
  { logger }: { clock: Clock; logger: Logger },
  warnings: () => Promise<Trouble[]>,
): Promise<Trouble[]> {
  try {
    return await inTime(warnings(), timeoutMs);
  } catch (thrown) {
    logger.warn({ error: messageOf(thrown) }, "looking for what an operator must see to failed");
    return [];
  }
}

/** One line in the log when a trouble begins and one when it ends. */
function warnAbout(logger: Logger, warned: Set<string>, found: readonly Trouble[]): void {
  for (const { what, message } of found) {
    if (!warned.has(what)) logger.warn({ what, advice: message }, "an operator must see to something");
    warned.add(what);
  }
  for (const what of [...warned].filter((one) => !found.some((other) => other.what === one))) {
    logger.info({ what }, "what an operator had to see to is over");
    warned.delete(what);
  }
}
