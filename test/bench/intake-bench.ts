import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { Agent } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { randomIds } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { freePort, startToolProcess } from "../../src/sandbox/tool-process.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { isAcknowledged, sendBurst } from "../support/burst-sender.ts";
import type { BenchRow } from "./bench-row.ts";

const atFullSpeed = 5_000;
const wantedPerSecond = 500;
const wantedP99 = 50;
const atHalfSpeedFor = 10_000;

/**
 * Webhooks that one process stores and acknowledges in a second, and how long each waits for its answer when half as many
 * come, and when half of what is wanted come, while those from before are still processed; on the embedded engine, and on a MongoDB when MONGODB_URL is set. Sender and tool share the machine.
 */
export async function benchIntake(): Promise<BenchRow[]> {
  const folder = await mkdtemp(join(tmpdir(), "spaces-bench-intake-"));
  const rows = await intake("embedded", `file:${folder}`);
  await rm(folder, { recursive: true, force: true });
  const server = process.env["MONGODB_URL"];
  if (server === undefined) return rows;
  const url = new URL(server);
  url.pathname = `/intake_${randomBytes(6).toString("hex")}`;
  rows.push(...(await intake("MongoDB", url.href)));
  const database = await openDatabase({ url: url.href, logger: createLogger("silent") });
  await database.connection.dropDatabase();
  await database.close();
  return rows;
}

async function intake(engine: string, databaseUrl: string): Promise<BenchRow[]> {
  const port = await freePort();
  const secret = randomIds.secret();
  const tool = await startToolProcess({
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    PORT: String(port),
    SECRET_KEY: randomIds.secret(48),
    DATABASE_URL: databaseUrl,
    CLASSROOM_BASE_URL: "http://127.0.0.1:9",
    CLASSROOM_APP_URL: "http://127.0.0.1:9",
    CLASSROOM_API_KEY: randomIds.secret(),
    CLASSROOM_WEBHOOK_SECRET: secret,
    ALLOW_PRIVATE_PLATFORMS: "1",
  });
  const to = { url: `http://127.0.0.1:${port}/webhooks/production`, secret };
  try {
    // The first thousand are for the tool's code to be compiled.
    await sendBurst(to, bodies(1_000), { patience: 120_000 });
    const { took } = await sendBurst(to, bodies(atFullSpeed), { patience: 120_000 });
    const perSecond = (atFullSpeed / took) * 1_000;
    const rates = [perSecond / 2, wantedPerSecond / 2];
    const answered: BenchRow[] = [];
    for (const rate of rates) answered.push(answerRow(engine, rate, await sendEvenly(to, rate)));
    return [
      {
        measure: `intake, ${engine}: webhooks stored and acknowledged`,
        value: `${perSecond.toFixed(0)}/s`,
        limit: `${wantedPerSecond}/s`,
        ratio: `${((perSecond / wantedPerSecond) * 100).toFixed(0)}%`,
      },
      ...answered,
    ];
  } finally {
    await tool.end("SIGTERM");
  }
}

function answerRow(engine: string, rate: number, answers: readonly number[]): BenchRow {
  const p99 = answers[Math.floor(answers.length * 0.99)] ?? NaN;
  return {
    measure: `intake, ${engine}: answer at ${rate.toFixed(0)}/s, p99 (p50)`,
    value: `${p99.toFixed(0)} (${(answers[Math.floor(answers.length / 2)] ?? NaN).toFixed(0)}) ms`,
    limit: `${wantedP99} ms`,
    ratio: `${((p99 / wantedP99) * 100).toFixed(0)}%`,
  };
}

/** Sends at a rate whatever becomes of those before. @returns ms each one's answer took, counted from its moment. */
async function sendEvenly(to: { url: string; secret: string }, perSecond: number): Promise<number[]> {
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const all = bodies(Math.round((perSecond * atHalfSpeedFor) / 1_000));
  const began = performance.now();
  const answers: Promise<number>[] = [];
  for (const [number, body] of all.entries()) {
    const due = began + (number * 1_000) / perSecond;
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1));
    answers.push(
      isAcknowledged(agent, to, body).then((acknowledged) => {
        if (!acknowledged) throw new Error("a webhook was not acknowledged");
        return performance.now() - due;
      }),
    );
  }
  try {
    return (await Promise.all(answers)).sort((one, other) => one - other);
  } finally {
    agent.destroy();
  }
}

function bodies(count: number): string[] {
  return Array.from({ length: count }, () =>
    JSON.stringify({
      _type: "SPACE_USER",
      spaceId: "space_bench",
      sessionId: "session_bench",
      timestamp: new Date().toISOString(),
      eventType: "joinSpace",
      userId: randomIds.id("user"),
      roomId: "room_bench",
      userTabId: randomIds.id("tab"),
    }),
  );
}
