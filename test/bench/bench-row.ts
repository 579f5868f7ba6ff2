import { randomBytes } from "node:crypto";
import { freePort, startToolProcess, type ToolProcess } from "../../sandbox/tool-process.ts";
import { rightPassword } from "../support/tool/console-tool.ts";

/** One line of the table that `npm run bench` prints. All texts are for human readers. */
export type BenchRow = {
  /** What was measured, with the circumstances that matter. */
  measure: string;
  /** The result, with its unit. */
  value: string;
  /** What it is compared with: a target, or the best that the layer below could do. */
  limit: string;
  /** Ratio of result to limit, such as "52%". */
  ratio: string;
};

/** How long work took (ms). */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const started = performance.now();
  await work();
  return performance.now() - started;
}

/** A time and its limit (ms). */
export function timeRow(measure: string, ms: number, limit: number): BenchRow {
  return {
    measure,
    value: `${ms.toFixed(ms < 10 ? 1 : 0)} ms`,
    limit: `${limit} ms`,
    ratio: `${((ms / limit) * 100).toFixed(0)}%`,
  };
}

/** Requests a page once. @returns the response, and when the request began (ms by performance.now()). */
export type Ask = () => Promise<{ response: Response; began: number }>;

/** The first requests compile the templates and do not count. */
const warmUp = 3;
const times = 25;

/** How long the server takes for a page, and how large the page is. @param limit Milliseconds that half of its responses may take. */
export async function pageRow(measure: string, ask: Ask, limit: number): Promise<BenchRow> {
  const took: number[] = [];
  let bytes = 0;
  for (let n = 0; n < warmUp + times; n += 1) {
    const { response, began } = await ask();
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

/** A page of the console. @param cookie Of an operator who is logged in. */
export function consolePage(address: string, cookie: string): Ask {
  return async () => {
    const began = performance.now();
    return { response: await fetch(address, { headers: { cookie, accept: "text/html" } }), began };
  };
}

/** The tool as operators run it, with a classroom that does not answer. @param variables Replace the usual ones. */
export async function startBenchTool(
  variables: Record<string, string>,
): Promise<ToolProcess & { url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const tool = await startToolProcess({
    PUBLIC_URL: url,
    PORT: String(port),
    SECRET_KEY: randomBytes(48).toString("base64"),
    CLASSROOM_BASE_URL: "http://127.0.0.1:9",
    CLASSROOM_APP_URL: "http://127.0.0.1:9",
    CLASSROOM_API_KEY: "an-api-key-nobody-uses",
    CLASSROOM_WEBHOOK_SECRET: "a-secret-nobody-uses",
    ADMIN_PASSWORD: rightPassword,
    ALLOW_PRIVATE_PLATFORMS: "1",
    LOG_LEVEL: "error",
    ...variables,
  });
  return { ...tool, url };
}
