import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import type { BenchRow } from "./bench-row.ts";
import { type QueueWorld, startQueueWorld } from "./queue-world.ts";

type Asked = { method?: string; path: string; headers?: Record<string, string>; body?: string | Buffer };

/** A stranger's request may cost the tool this many times a health check. */
const limit = 3;
/** Requests of a kind that count, after as many that warm up; fewer if they are long. */
const times = 400;
const timesOfLong = 200;
const longBytes = 10_000;
const afterAnswerMs = 50;

/** CPU of the tool's process for requests that anybody can send without credentials, relative to a health check. Half a minute. */
export async function benchStrangers(): Promise<BenchRow[]> {
  const world = await startQueueWorld({ people: 1, processes: 1 });
  try {
    const url = world.tools[0]?.url ?? "";
    // By then the compiler is done with what all requests share.
    for (let n = 0; n < 5; n += 1) await cpuOf(url, { path: "/healthz" });
    const health = await cpuOf(url, { path: "/healthz" });
    const rows: BenchRow[] = [];
    for (const [measure, asked] of await strangers(world, url)) {
      const ms = await cpuOf(url, asked);
      rows.push({
        measure: `strangers: ${measure}`,
        value: `${ms.toFixed(2)} ms`,
        limit: `${limit} x ${health.toFixed(2)} ms`,
        ratio: `${(ms / health).toFixed(1)} times`,
      });
    }
    return rows;
  } finally {
    await world.close();
  }
}

async function strangers({ registration }: QueueWorld, url: string): Promise<[string, Asked][]> {
  const { issuer, clientId } = registration;
  const address = `/c/${"a".repeat(16)}`;
  const token = (first: string) => `${"a".repeat(16)}.${first}${"b".repeat(42)}`;
  const planted = Array.from(
    { length: 180 },
    (_none, n) => `v_${"a".repeat(16)}=${token(String(n % 10))}${n}`,
  );
  const login = `/lti/login?${new URLSearchParams({ iss: issuer, client_id: clientId, login_hint: "1", target_link_uri: `${url}/lti/launch` }).toString()}`;
  const begun = await fetch(url + login, { redirect: "manual" });
  const state = new URL(begun.headers.get("location") ?? "").searchParams.get("state") ?? "";
  const pluses = Array.from({ length: 900 }, (_none, n) => `f${n}=${"+".repeat(5_400)}`).join("&");
  const form = (path: string, body: string | Buffer, headers: Record<string, string> = {}): Asked => ({
    method: "POST",
    path,
    body,
    headers: {
      "content-type": "application/x-www-form-urlencoded",
      "sec-fetch-site": "same-origin",
      ...headers,
    },
  });
  const token64 = Buffer.from(JSON.stringify({ alg: "RS256", kid: "platform-key-1" })).toString("base64url");
  return [
    ["a page that is none", { path: "/no-such-page" }],
    ["a scanned address", { path: "/.env.production.bak" }],
    ["login", { path: login }],
    [
      "launch of 90 KB",
      form("/lti/launch", `state=${state}&id_token=${token64}.${"a".repeat(90_000)}.${"b".repeat(300)}`),
    ],
    ["launch of 90 KB of plus signs", form("/lti/launch", `state=${state}&id_token=${"+".repeat(90_000)}`)],
    [
      "packed form, 4.9 MB unpacked",
      form("/course/grid/import/difference", gzipSync(pluses), { "content-encoding": "gzip" }),
    ],
    ["plain form, 4.9 MB", form("/course/grid/import/difference", pluses)],
    ["plain form, 60 KB of plus signs", form("/course/grid/import/difference", pluses.slice(0, 60_000))],
    ["plain form, 60 KB, of another page", form("/course/home", pluses.slice(0, 60_000))],
    ["choosing, 500 KB of plus signs", form("/choose", pluses.slice(0, 500_000))],
    ["console form, 120 KB of plus signs", form("/admin/accounts", pluses.slice(0, 120_000))],
    ["survey, 60 KB of plus signs", form("/ended/feedback", pluses.slice(0, 60_000))],
    ["a page with 180 planted cookies", { path: `${address}/home`, headers: { cookie: planted.join("; ") } }],
    ["a page without its session", { path: `${address}/home` }],
    ["webhook without the secret", { method: "POST", path: "/webhooks/production", body: "{}" }],
  ];
}

/** CPU of one such request (ms): user and system time, of all threads of the process. */
async function cpuOf(url: string, asked: Asked): Promise<number> {
  const count = (asked.body?.length ?? 0) > longBytes ? timesOfLong : times;
  for (let n = 0; n < count; n += 1) await ask(url, asked);
  const before = await processCpu(url);
  for (let n = 0; n < count; n += 1) await ask(url, asked);
  return ((await processCpu(url)) - before) / count;
}

async function processCpu(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return 1_000 * Number(/^process_cpu_seconds_total (\S+)$/m.exec(text)?.[1]);
}

/** On its own connection, as balancers check the health; it keeps sending after the response for as long as the tool reads. */
async function ask(url: string, { method = "GET", path, headers = {}, body = "" }: Asked): Promise<void> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  socket.on("error", () => undefined);
  const said = { host: "tool", ...headers, "content-length": Buffer.byteLength(body) };
  const lines = Object.entries(said).map(([name, value]) => `${name}: ${value}`);
  socket.write([`${method} ${path} HTTP/1.1`, ...lines, "", ""].join("\r\n"));
  const written = new Promise<void>((resolve) => socket.write(body, () => resolve()));
  await new Promise((resolve) => socket.once("data", resolve).once("close", resolve));
  await Promise.race([written, setTimeout(afterAnswerMs)]);
  socket.destroy();
}
