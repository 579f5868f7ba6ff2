import { settingOf } from "../../domain/account.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Ids } from "../../kernel/ids.ts";
import type { Budgets } from "../budgets.ts";
import type { Dialect } from "../dialect.ts";
import type { OpenExchange } from "../exchange.ts";
import { keyAttempts, maxDoctorPauseMs } from "../limits.ts";
import { createSendRoute, type SendOutcome } from "../send-route.ts";
import { advice, type Finding, finding, seen } from "./finding.ts";

/** Usual ways to send a key, tried when the dialect's way is refused. The document doesn't show how (part 5). */
const keyHeaders: readonly Pick<Dialect["apiKey"], "header" | "scheme">[] = [
  { header: "X-API-Key", scheme: "" },
  { header: "Authorization", scheme: "" },
  { header: "Authorization", scheme: "ApiKey" },
  { header: "Api-Key", scheme: "" },
];

/** Reads an event that doesn't exist. Waits for the tool's throttle, and for a while after a 429. */
export type Ask = (how: { withoutKey?: boolean; apiKey?: Dialect["apiKey"] }) => Promise<SendOutcome>;

export function createAsk(deps: {
  environment: { baseUrl: string; apiKey: string };
  dialect: Dialect;
  budgets: Budgets;
  open: OpenExchange;
  clock: Clock;
  ids: Ids;
  timeoutMs: number;
  signal: AbortSignal;
}): Ask {
  const { dialect, budgets, signal } = deps;
  const values = { eventId: deps.ids.id("spaces-lti-doctor") };
  const [route] = dialect.operations.readEvent.routes;
  return async ({ apiKey = dialect.apiKey, withoutKey }) => {
    if (route === undefined) throw new Error("the dialect has no route for reading an event");
    const send = createSendRoute({ ...deps, dialect: { ...dialect, apiKey } });
    for (let tried = 1; ; tried += 1) {
      const permit = await budgets.acquire("general", { priority: "instructor", signal });
      const outcome = await send(route, values, { permit, signal, withoutKey });
      if (outcome.kind === "failure" || outcome.status !== 429) return outcome;
      const pauseMs = outcome.retryAfterMs ?? 1_000;
      if (tried === keyAttempts || pauseMs > maxDoctorPauseMs) return outcome;
      budgets.refused("general", pauseMs);
    }
  };
}

/** Compares answers with and without the key. If the key is refused, sends it in other usual ways, always in a header. */
export async function examineKey(deps: {
  environment: { name: string };
  dialect: Dialect;
  ask: Ask;
  latest: () => string | null;
}): Promise<{ found: Finding; refused: boolean }> {
  const { environment, dialect, ask, latest } = deps;
  const refusal = (answer: SendOutcome) =>
    answer.kind === "answer" && dialect.statuses.keyRefused.includes(answer.status) ? answer.status : null;
  const without = refusal(await ask({ withoutKey: true }));
  const status = refusal(await ask({}));
  const reply = latest();
  if (status === null) return { found: accepted(without, reply), refused: false };
  if (without !== null && without !== status) {
    const what = seen("key-lacks-right", { without, refused: status });
    return { found: finding("note", "key", what, { todo: advice("ask-rights"), reply }), refused: false };
  }
  for (const header of keyHeaders) {
    if (header.header === dialect.apiKey.header && header.scheme === dialect.apiKey.scheme) continue;
    const answer = await ask({ apiKey: { ...header, query: null } });
    const taken = answer.kind === "answer" && answer.status !== 429 && answer.status < 500;
    if (taken && refusal(answer) === null)
      return { found: takenElsewhere(status, header, reply), refused: false };
  }
  const todo = advice("check-key", { setting: settingOf(environment.name, "API_KEY") });
  return { found: finding("wrong", "key", seen("key-refused", { status }), { todo, reply }), refused: true };
}

function accepted(statusWithout: number | null, reply: string | null): Finding {
  if (statusWithout !== null)
    return finding("fine", "key", seen("key-accepted", { status: statusWithout }), { reply });
  return finding("note", "key", seen("key-unclear"), { todo: advice("create-shows-key"), reply });
}

function takenElsewhere(status: number, header: (typeof keyHeaders)[number], reply: string | null): Finding {
  const way = `${header.header}: ${header.scheme === "" ? "" : `${header.scheme} `}<key>`;
  const lines = JSON.stringify({ apiKey: header });
  return finding("wrong", "key", seen("key-elsewhere", { status, way }), {
    todo: advice("write-lines", { lines }),
    reply,
  });
}

/** Runs work with a signal that aborts when its time is over. */
export async function within<T>(
  clock: Pick<Clock, "sleep">,
  ms: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const [over, done] = [new AbortController(), new AbortController()];
  clock.sleep(ms, done.signal).then(
    () => over.abort(new Error("out of time")),
    () => undefined,
  );
  try {
    return await work(over.signal);
  } finally {
    done.abort();
  }
}

const refusalTimeoutsMs = { ask: 5_000, all: 20_000 };

/** Whether a service refuses a key, even when it is sent in other usual ways. False if the service can't be asked. Changes nothing. */
export async function refusesKey(
  deps: { dialect: Dialect; budgets: Budgets; open: OpenExchange; clock: Clock; ids: Ids },
  environment: { name: string; baseUrl: string; apiKey: string },
): Promise<boolean> {
  return within(deps.clock, refusalTimeoutsMs.all, async (signal) => {
    const ask = createAsk({ ...deps, environment, timeoutMs: refusalTimeoutsMs.ask, signal });
    try {
      return (await examineKey({ ...deps, environment, ask, latest: () => null })).refused;
    } catch (thrown) {
      if (signal.aborted) return false;
      throw thrown;
    }
  });
}
