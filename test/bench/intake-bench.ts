import { randomBytes } from "node:crypto";
import { inLanes } from "../../src/kernel/async.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { until } from "../support/until.ts";
import type { BenchRow } from "./bench-row.ts";
import { type QueueWorld, startQueueWorld } from "./queue-world.ts";
import { openSpareSender, type SpareSender } from "./spare-sender.ts";

const people = 300;
const sideBySide = 64;
const atFullSpeed = 5_000;
const wantedPerSecond = 500;
const wantedP99 = 50;
const evenlyFor = 10_000;

/**
 * How many webhooks one process stores and acknowledges in a second, how many of them it also processes meanwhile, and how long each waits
 * for its response when half as many arrive: about people in a course's Space, and about an unknown Space. Webhooks beyond what it can
 * process are stored anyway, and processed later. On the embedded engine, and on a MongoDB when MONGODB_URL is set. Sender, classroom and
 * tool share the machine.
 */
export async function benchIntake(): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  for (const kind of ["of a course", "of nobody"] as const) rows.push(...(await intake("embedded", kind)));
  const server = process.env["MONGODB_URL"];
  if (server === undefined) return rows;
  const url = new URL(server);
  url.pathname = `/intake_${randomBytes(6).toString("hex")}`;
  rows.push(...(await intake("MongoDB", "of a course", url.href)));
  const database = await openDatabase({ url: url.href, logger: createLogger("silent") });
  await database.connection.dropDatabase();
  await database.close();
  return rows;
}

async function intake(engine: string, kind: "of a course" | "of nobody", databaseUrl?: string) {
  const world = await startQueueWorld({ people, processes: 1, databaseUrl });
  const [tool] = world.tools;
  const { spaceId, userIds, secret } = world.webhooks;
  const to = { url: `${tool?.url ?? ""}/webhooks/production`, secret };
  const sender = await openSpareSender(to, sideBySide);
  const bodies = (count: number) =>
    Array.from({ length: count }, (_none, number) =>
      kind === "of a course"
        ? bodyOf(spaceId, userIds[number % people] ?? "", number)
        : bodyOf("space_bench", randomIds.id("user"), number),
    );
  try {
    // The first thousand let the tool's code be compiled.
    await sendAll(sender, bodies(1_000));
    await allProcessed(world);
    const began = performance.now();
    const acknowledged = await sendAll(sender, bodies(atFullSpeed));
    await allProcessed(world);
    const perSecond = (ms: number) => (atFullSpeed / ms) * 1_000;
    const rates = { acknowledged: perSecond(acknowledged), processed: perSecond(performance.now() - began) };
    const title = `intake, ${engine}, ${kind}`;
    const rows: BenchRow[] = [];
    for (const [what, rate] of Object.entries(rates)) {
      const answers = await sendEvenly(sender, rate / 2, bodies(Math.round((rate * evenlyFor) / 2_000)));
      rows.push(rateRow(title, what, rate), answerRow(title, rate / 2, answers));
      await allProcessed(world);
    }
    return rows;
  } finally {
    sender.close();
    await world.close();
  }
}

/** Resolves when everything that has arrived so far is processed. */
function allProcessed({ stores }: QueueWorld): Promise<void> {
  const now = Date.now();
  return until(
    120_000,
    "the webhooks were processed",
    async () => (await stores.receipts.countLeft(now)) === 0,
    50,
  );
}

function rateRow(title: string, what: string, rate: number): BenchRow {
  return {
    measure: `${title}: webhooks ${what}`,
    value: `${rate.toFixed(0)}/s`,
    limit: `${wantedPerSecond}/s`,
    ratio: `${((rate / wantedPerSecond) * 100).toFixed(0)}%`,
  };
}

function answerRow(title: string, rate: number, answers: readonly number[]): BenchRow {
  const p99 = answers[Math.floor(answers.length * 0.99)] ?? NaN;
  return {
    measure: `${title}: answer at ${rate.toFixed(0)}/s, p99 (p50)`,
    value: `${p99.toFixed(0)} (${(answers[Math.floor(answers.length / 2)] ?? NaN).toFixed(0)}) ms`,
    limit: `${wantedP99} ms`,
    ratio: `${((p99 / wantedP99) * 100).toFixed(0)}%`,
  };
}

/** Sends one after the other on each connection. @returns ms until the last one is acknowledged. */
async function sendAll(sender: SpareSender, bodies: readonly string[]): Promise<number> {
  const began = performance.now();
  await inLanes(sideBySide, bodies, (body) => acknowledged(sender, body));
  return performance.now() - began;
}

/** Sends at a fixed rate, whatever happens to earlier ones. @returns ms that each response took, counted from its due time. */
async function sendEvenly(sender: SpareSender, perSecond: number, bodies: readonly string[]) {
  const began = performance.now();
  const answers: Promise<number>[] = [];
  for (const [number, body] of bodies.entries()) {
    const due = began + (number * 1_000) / perSecond;
    while (performance.now() < due) await new Promise((resolve) => setTimeout(resolve, 1));
    answers.push(acknowledged(sender, body).then(() => performance.now() - due));
  }
  return (await Promise.all(answers)).sort((one, other) => one - other);
}

async function acknowledged(sender: SpareSender, body: string): Promise<void> {
  const status = await sender.post(body);
  if (status !== 202) throw new Error(`a webhook was answered with ${status}`);
}

/** People who come and go. */
function bodyOf(spaceId: string, userId: string, number: number): string {
  return JSON.stringify({
    _type: "SPACE_USER",
    spaceId,
    sessionId: "session_bench",
    timestamp: new Date().toISOString(),
    eventType: Math.floor(number / people) % 2 === 0 ? "joinSpace" : "leaveSpace",
    userId,
    roomId: "room_bench",
    userTabId: randomIds.id("tab"),
  });
}
