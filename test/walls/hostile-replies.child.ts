import { createExchanges } from "../../src/classroom/exchange.ts";
import { sendOnce } from "../../src/classroom/send-route.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { messageOf } from "../../src/kernel/errors.ts";
import { boundedFetch } from "../../src/kernel/outside-reply.ts";
import { createRequester, jsonOf } from "../../src/lms/requester.ts";
import { freePermit } from "../support/stand-ins/free-throttle.ts";

/** Calls a hostile server as the walls do, many times at once, and prints the outcome of each kind. */
const [from = ""] = process.argv.slice(2);
const at = (path: string) => new URL(path, from).href;
const atOnce = 12;

async function classroom(path: string): Promise<string> {
  const deps = { open: createExchanges(), clock: systemClock, timeoutMs: 20_000 };
  const request = { method: "GET", url: at(path), headers: {}, body: null };
  const outcome = await sendOnce(deps, request, freePermit, undefined);
  return outcome.kind === "failure" ? `${outcome.reason}, ${outcome.beyondBounds}` : "an answer";
}

async function lms(path: string): Promise<string> {
  const limits = { timeoutMs: 20_000, maxBytes: 2 * 1024 * 1024 };
  jsonOf(await createRequester(fetch, limits)({ method: "GET", url: at(path) }));
  return "an answer";
}

async function provider(path: string): Promise<string> {
  await (await boundedFetch(fetch)(at(path))).json();
  return "an answer";
}

for (const path of ["/deep", "/wrapped", "/many", "/long", "/short"]) {
  for (const [name, ask] of Object.entries({ classroom, lms, provider })) {
    const asked = Array.from({ length: atOnce }, () => ask(path).catch(messageOf));
    const said = new Set(await Promise.all(asked));
    console.log(JSON.stringify([path, name, [...said]]));
  }
}
