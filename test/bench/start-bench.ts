import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { randomIds } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { freePort, ofEveryProcess } from "../../sandbox/tool-process.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openStores, type Stores } from "../../src/open-stores.ts";
import { until } from "../support/until.ts";
import type { BenchRow } from "./bench-row.ts";

const program = fileURLToPath(new URL("../../src/main.ts", import.meta.url));
const wanted = 1_500;
const times = 5;
const fewPeople = 3_000;

/** From the start of the process until /readyz responds with 200: with an empty folder, with data, and with ten times as much. */
export async function benchStart(): Promise<BenchRow[]> {
  const empty = await startsWith(0, {});
  const cached = await startsWith(0, ofEveryProcess());
  const some = await startsWith(fewPeople, {});
  const many = await startsWith(10 * fewPeople, {});
  const row = (measure: string, ms: number): BenchRow => ({
    measure: `start: until /readyz says 200, ${measure}`,
    value: `${ms.toFixed(0)} ms`,
    limit: `${wanted} ms`,
    ratio: `${((ms / wanted) * 100).toFixed(0)}%`,
  });
  const title = `${fewPeople.toLocaleString("en")} people and as many webhooks`;
  return [
    row("empty folder", empty),
    row("empty folder, code compiled before", cached),
    row(title, some),
    {
      ...row(`ten times as many`, many),
      limit: `${some.toFixed(0)} ms (a tenth)`,
      ratio: `${(many / some).toFixed(2)} times`,
    },
  ];
}

/** The median of several starts (ms). */
async function startsWith(people: number, environment: Record<string, string>): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-bench-start-"));
  try {
    const database = await openDatabase({ url: `file:${folder}`, logger: createLogger("silent") });
    await fill(await openStores(database.connection), people);
    await database.close();
    const took: number[] = [];
    for (let number = 0; number < times; number += 1) took.push(await oneStart(folder, environment));
    return took.sort((one, other) => one - other)[Math.floor(times / 2)] ?? NaN;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function oneStart(folder: string, environment: Record<string, string>): Promise<number> {
  const port = await freePort();
  const began = performance.now();
  const child = spawn(process.execPath, [program], {
    cwd: folder,
    stdio: ["ignore", "ignore", "inherit"],
    env: {
      ...environment,
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      PORT: String(port),
      SECRET_KEY: randomIds.secret(48),
      DATABASE_URL: `file:${folder}`,
      CLASSROOM_BASE_URL: "http://127.0.0.1:9",
      CLASSROOM_APP_URL: "http://127.0.0.1:9",
      CLASSROOM_API_KEY: randomIds.secret(),
      CLASSROOM_WEBHOOK_SECRET: randomIds.secret(),
      ADMIN_PASSWORD: randomIds.secret(),
      ALLOW_PRIVATE_PLATFORMS: "1",
    },
  });
  const isReady = () =>
    fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    );
  await until(60_000, "the tool is ready or has ended", async () => child.exitCode !== null || isReady(), 10);
  if (child.exitCode !== null) throw new Error(`the tool ended with ${child.exitCode}`);
  const took = performance.now() - began;
  child.kill("SIGTERM");
  await once(child, "exit");
  return took;
}

async function fill(stores: Stores, people: number): Promise<void> {
  const place = { registrationId: "reg_bench", deploymentId: "1" };
  for (let at = 0; at < people; at += 500) {
    const numbers = Array.from({ length: 500 }, (_none, number) => at + number);
    const listed = numbers.map((number) => ({
      sub: `sub-${number}`,
      name: `Person ${number}`,
      givenName: "Person",
      familyName: String(number),
      email: null,
    }));
    await stores.people.recordMany(place, listed, {
      newId: () => randomIds.id("per"),
      environment: "production",
    });
    await Promise.all(
      numbers.map((number) =>
        stores.receipts.insert({
          id: randomIds.id("rcp"),
          environment: "production",
          digest: randomIds.secret(),
          body: JSON.stringify({ _type: "SPACE_USER", eventType: "joinSpace", number }),
          receivedAt: Date.now(),
          state: "done",
          attempts: 1,
          nextTryAt: 0,
          reason: null,
        }),
      ),
    );
  }
}
