import type { Browser, Frame } from "playwright-core";
import { z } from "zod";
import { createLogger } from "../../src/kernel/logger.ts";
import { holdDemoClass } from "../../sandbox/demo-class.ts";
import { type DemoWorld, startDemoWorld } from "../../sandbox/demo-world.ts";
import { startBrowser } from "../support/browser/browser.ts";
import { openInFrame } from "../support/browser/open-in-frame.ts";
import { until } from "../support/until.ts";
import type { BenchRow } from "./bench-row.ts";

const patienceMs = 120_000;
/** How often each page is opened; the first time compiles its template and does not count. */
const times = 6;
/** Milliseconds until somebody can use a page, in a frame of the LMS on the same machine. */
const limitMs = 300;

const pages: Readonly<Record<"teacher1" | "student1", readonly (readonly [name: string, path: string])[]>> = {
  teacher1: [
    ["home", "/home"],
    ["sessions", "/sessions"],
    ["schedule sessions", "/sessions/plan"],
    ["attendance", "/grid"],
    ["registers", "/register"],
    ["grades", "/grades"],
    ["attendance grading", "/grading"],
    ["recordings", "/recordings"],
    ["people", "/people"],
    ["settings", "/settings"],
    ["change log", "/audit"],
    ["alerts", "/alerts"],
    ["unmatched attendance", "/unmatched"],
  ],
  student1: [
    ["learner's home", "/home"],
    ["my attendance", "/my-sessions"],
    ["learner's recordings", "/recordings"],
  ],
};

const seen = z.object({
  words: z.number(),
  bytes: z.number(),
  firstByteMs: z.number(),
  interactiveMs: z.number(),
  status: z.number(),
});
type Seen = z.infer<typeof seen>;

/** What a browser says of the page that is open; as text, for it runs in the page. */
const look = `(() => {
  const [visit] = performance.getEntriesByType("navigation");
  const text = document.querySelector("main").innerText;
  return {
    words: text.split(/\\s+/).filter((word) => /[\\p{L}\\p{N}]/u.test(word)).length,
    bytes: visit.decodedBodySize,
    firstByteMs: visit.responseStart - visit.requestStart,
    interactiveMs: visit.domContentLoadedEventEnd,
    status: visit.responseStatus,
  };
})()`;

/**
 * What a browser gets of each page of the demo's class (30 learners, 5 sessions): words to read, bytes of the page, first byte, and
 * when its scripts have run. About a minute.
 */
export async function benchPageWeights(): Promise<BenchRow[]> {
  const world = await startDemoWorld({ logger: createLogger("silent") });
  const demoClass = holdDemoClass(world);
  const browser = await startBrowser();
  try {
    await until(patienceMs, "everybody has their attendance", () => {
      const { learners, of } = demoClass.progress();
      return learners === of;
    });
    const rows: BenchRow[] = [];
    for (const person of ["teacher1", "student1"] as const)
      rows.push(...(await rowsOf(browser, world, person)));
    return rows;
  } finally {
    demoClass.stop();
    await browser.close();
    await world.close();
  }
}

async function rowsOf(browser: Browser, world: DemoWorld, person: keyof typeof pages): Promise<BenchRow[]> {
  const { frame, context } = await openInFrame(browser, world, { username: person, linkId: "1" });
  await frame.locator("nav.areas").waitFor();
  const base = /^.*?\/c\/[^/]+/.exec(frame.url())?.[0] ?? "";
  const rows: BenchRow[] = [];
  for (const [name, path] of pages[person]) rows.push(rowOf(name, await visits(frame, base + path)));
  await context.close();
  return rows;
}

async function visits(frame: Frame, address: string): Promise<Seen[]> {
  const all: Seen[] = [];
  for (let at = 0; at < times; at += 1) {
    await frame.goto(address, { waitUntil: "load" });
    const one = seen.parse(await frame.evaluate(look));
    if (one.status !== 200) throw new Error(`${address} answered ${String(one.status)}`);
    if (at > 0) all.push(one);
  }
  return all;
}

function rowOf(name: string, all: readonly Seen[]): BenchRow {
  const middle = (of: (one: Seen) => number) =>
    all.map(of).toSorted((a, b) => a - b)[Math.floor(all.length / 2)] ?? 0;
  const interactive = middle(({ interactiveMs }) => interactiveMs);
  const first = middle(({ firstByteMs }) => firstByteMs);
  return {
    measure: name,
    value: `${String(middle(({ words }) => words))} words, ${(middle(({ bytes }) => bytes) / 1024).toFixed(0)} kB, first byte ${first.toFixed(0)} ms, usable ${interactive.toFixed(0)} ms`,
    limit: `${String(limitMs)} ms`,
    ratio: `${((100 * interactive) / limitMs).toFixed(0)}%`,
  };
}
