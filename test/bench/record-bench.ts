import { DatabaseSync } from "node:sqlite";
import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { createLogger } from "../../src/kernel/logger.ts";
import { holdDemoClass } from "../../sandbox/demo-class.ts";
import { startDemoWorld } from "../../sandbox/demo-world.ts";
import { until } from "../support/until.ts";
import type { BenchRow } from "./bench-row.ts";

const patienceMs = 120_000;
/** Kinds with fewer records than this are left out: their number does not grow with people or sessions. */
const fewest = 1;

/**
 * Bytes of a record, including its share of the indexes, in the embedded database after the demo's class (30 learners, 5 sessions): for
 * docs/operate/scale.md. About half a minute.
 */
export async function benchRecords(): Promise<BenchRow[]> {
  const world = await startDemoWorld({ logger: createLogger("silent") });
  const demoClass = holdDemoClass(world);
  try {
    await until(patienceMs, "everybody has their attendance", () => {
      const { learners, of } = demoClass.progress();
      return learners === of;
    });
    const folder = (world.variables["DATABASE_URL"] ?? "").replace(/^file:/, "");
    const name = (await readdir(folder)).find((one) => one.endsWith(".sqlite")) ?? "";
    return sizesIn(join(folder, name));
  } finally {
    demoClass.stop();
    await world.close();
  }
}

const stat = z.array(z.object({ name: z.string(), payload: z.number(), cells: z.number() }));

function sizesIn(file: string): BenchRow[] {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const sql = "SELECT name, sum(payload) AS payload, sum(ncell) AS cells FROM dbstat GROUP BY name";
    const found = stat.parse(database.prepare(sql).all());
    const tables = found.filter(({ name }) => name.startsWith("c:"));
    return tables
      .map(({ name, payload }) => {
        const own = name.slice(2);
        const indexes = found.filter((one) => one.name.startsWith(`i:${own}:`));
        const count = Number(database.prepare(`SELECT count(*) AS n FROM "${name}"`).get()?.["n"] ?? 0);
        const sum = indexes.reduce((total, one) => total + one.payload, 0);
        return { own, count, payload, indexes: indexes.length, sum };
      })
      .filter(({ count }) => count >= fewest)
      .toSorted((one, other) => other.payload + other.sum - one.payload - one.sum)
      .map(({ own, count, payload, indexes, sum }) => ({
        measure: `${own}: ${String(count)} records`,
        value: `${String(Math.round(payload / count))} B + ${String(Math.round(sum / count))} B in ${String(indexes)} indexes`,
        limit: "",
        ratio: "",
      }));
  } finally {
    database.close();
  }
}
