import { randomBytes } from "node:crypto";
import type { Stores } from "../../src/open-stores.ts";
import { weekOf } from "../../src/modules/usage/rules/usage.ts";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { manyInstitutions } from "../support/builders/many-institutions.ts";
import { logIn } from "../support/tool/console-tool.ts";
import { type BenchRow, consolePage, pageRow, startBenchTool } from "./bench-row.ts";

/** Milliseconds a page may take on the server. */
const limit = 500;

/** Pages of the console that look at every institution, each with an LMS, an account and a year of usage. A minute. */
export async function benchConsole(counts: readonly number[] = [20, 200]): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const count of counts) rows.push(...(await benchCount(count)));
  return rows;
}

async function benchCount(count: number): Promise<BenchRow[]> {
  const opened = await openEmptyStores();
  const secretKey = randomBytes(48).toString("base64");
  await manyInstitutions(opened, { count, now: Date.now(), secretKey, scores: 50 });
  await sums(opened.stores, count);
  const tool = await startBenchTool({ SECRET_KEY: secretKey, DATABASE_URL: opened.databaseUrl });
  try {
    const { cookie } = await logIn(tool.url);
    const rows: BenchRow[] = [];
    for (const [name, path] of pages)
      rows.push(
        await pageRow(`${name}; ${count} LMSs and accounts`, consolePage(tool.url + path, cookie), limit),
      );
    return rows;
  } finally {
    await tool.end("SIGTERM");
    await opened.close();
  }
}

/** A year of every LMS. */
async function sums({ usage }: Stores, count: number): Promise<void> {
  const week = weekOf(Date.now());
  for (let n = 0; n < count * 52; n += 1)
    await usage.setWeek({
      ...{ registrationId: `reg_${n % count}`, account: `school-${n % count}` },
      week: week - Math.floor(n / count) * 7 * 24 * 3_600_000,
      ...{
        courses: 5,
        sessions: 20,
        people: 200,
        minutes: 9_000,
        grades: 150,
        failedLaunches: 1,
        refusedScores: 0,
      },
    });
}

const pages: readonly [string, string][] = [
  ["console: overview", "/admin"],
  ["console: registrations", "/admin/registrations"],
  ["console: accounts", "/admin/accounts"],
  ["console: usage of all, 52 weeks", "/admin/usage?weeks=52"],
  ["console: usage of one LMS, 52 weeks", "/admin/usage?weeks=52&lms=reg_3"],
];

if (import.meta.main) {
  const counts = process.argv.slice(2).map(Number);
  console.table(await benchConsole(counts.length === 0 ? undefined : counts));
}
