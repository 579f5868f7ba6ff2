import { randomBytes } from "node:crypto";
import { freePort, startToolProcess } from "../../src/sandbox/tool-process.ts";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { manyInstitutions } from "../support/builders/many-institutions.ts";
import { logIn, rightPassword } from "../support/tool/console-tool.ts";
import type { BenchRow } from "./bench-row.ts";

/** Milliseconds a page may take on the server. */
const limit = 500;
/** The first ones compile the templates and do not count. */
const warmUp = 3;
const times = 25;

/** Pages of the console that look at every institution: the overview, registrations, accounts; at so many, each with an LMS and an account. A minute. */
export async function benchConsole(counts: readonly number[] = [20, 200]): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const count of counts) rows.push(...(await benchCount(count)));
  return rows;
}

async function benchCount(count: number): Promise<BenchRow[]> {
  const opened = await openEmptyStores();
  const secretKey = randomBytes(48).toString("base64");
  await manyInstitutions(opened, { count, now: Date.now(), secretKey, scores: 50 });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const tool = await startToolProcess({
    PUBLIC_URL: url,
    PORT: String(port),
    SECRET_KEY: secretKey,
    DATABASE_URL: opened.databaseUrl,
    CLASSROOM_BASE_URL: "http://127.0.0.1:9",
    CLASSROOM_APP_URL: "http://127.0.0.1:9",
    CLASSROOM_API_KEY: "an-api-key-nobody-uses",
    CLASSROOM_WEBHOOK_SECRET: "a-webhook-secret-nobody-uses",
    ADMIN_PASSWORD: rightPassword,
    ALLOW_PRIVATE_PLATFORMS: "1",
    LOG_LEVEL: "error",
  });
  try {
    const { cookie } = await logIn(url);
    const rows: BenchRow[] = [];
    for (const [name, path] of pages)
      rows.push(await measured(`${name}; ${count} LMSs and accounts`, url + path, cookie));
    return rows;
  } finally {
    await tool.end("SIGTERM");
    await opened.close();
  }
}

const pages: readonly [string, string][] = [
  ["console: overview", "/admin"],
  ["console: registrations", "/admin/registrations"],
  ["console: accounts", "/admin/accounts"],
];

async function measured(measure: string, url: string, cookie: string): Promise<BenchRow> {
  const took: number[] = [];
  let bytes = 0;
  for (let n = 0; n < warmUp + times; n += 1) {
    const began = performance.now();
    const response = await fetch(url, { headers: { cookie, accept: "text/html" } });
    bytes = (await response.arrayBuffer()).byteLength;
    if (response.status !== 200) throw new Error(`${measure} answered ${response.status}`);
    if (n >= warmUp) took.push(performance.now() - began);
  }
  const sorted = took.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
  return {
    measure,
    value: `p50 ${at(0.5).toFixed(0)} ms, p95 ${at(0.95).toFixed(0)} ms, ${Math.round(bytes / 1024)} kB`,
    limit: `${limit} ms`,
    ratio: `${((at(0.5) / limit) * 100).toFixed(0)}%`,
  };
}

if (import.meta.main) {
  const counts = process.argv.slice(2).map(Number);
  console.table(await benchConsole(counts.length === 0 ? undefined : counts));
}
