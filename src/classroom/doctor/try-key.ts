import type { Clock } from "../../kernel/clock.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { Budgets } from "../budgets.ts";
import type { Dialect } from "../dialect.ts";
import type { OpenExchange } from "../exchange.ts";
import { createProbe } from "./create-probe.ts";
import { examineKey } from "./examine-key.ts";

const timeoutsMs = { probe: 5_000, all: 20_000 };

/** Whether a service refuses a key, also as it is usually sent elsewhere. A service that cannot be asked refuses nothing. Changes nothing. */
export async function refusesKey(
  deps: { dialect: Dialect; budgets: Budgets; open: OpenExchange; clock: Clock; ids: Ids },
  { name, baseUrl, apiKey }: { name: string; baseUrl: string; apiKey: string },
): Promise<boolean> {
  const { clock, ids, dialect } = deps;
  const [over, done] = [new AbortController(), new AbortController()];
  clock.sleep(timeoutsMs.all, done.signal).then(
    () => over.abort(new Error("out of time")),
    () => undefined,
  );
  try {
    const environment = { name, baseUrl, apiKey };
    const { probe } = createProbe({
      ...{ ...deps, environment, timeoutMs: timeoutsMs.probe, signal: over.signal },
    });
    const nobody = ids.id("spaces-lti-doctor");
    const found = await examineKey({ environment, dialect, probe, nobody });
    return found.level === "wrong" && found.dialect === null;
  } finally {
    done.abort();
  }
}
