import { readdir } from "node:fs/promises";
import { createServer } from "node:http";
import express from "express";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listen } from "../../sandbox/listen.ts";
import { type RunningTool, startTool } from "../../src/compose.ts";
import { readConfig } from "../../src/config.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { refusal } from "../../src/kernel/refusal.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { freePort, startToolProcess } from "../../sandbox/tool-process.ts";
import { openDatabase } from "../../src/storage/open-database.ts";
import { openStores } from "../../src/open-stores.ts";
import { webhookRoutes } from "../../src/inbox/webhook-routes.ts";
import { folderForAll, folderForTest } from "../support/folders.ts";

const secrets = {
  production: "production-secret-now",
  previous: "production-secret-before",
  staging: "staging-secret-now",
};
const silent = createLogger("silent");

/** The environment of a tool without a running classroom. */
function variablesFor(folder: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    PUBLIC_URL: "http://127.0.0.1:3000",
    PORT: "0",
    SECRET_KEY: "a-secret-key-of-at-least-thirty-two-bytes",
    DATABASE_URL: `file:${folder}`,
    ALLOW_PRIVATE_PLATFORMS: "1",
    CLASSROOM_BASE_URL: "http://127.0.0.1:9",
    CLASSROOM_APP_URL: "http://127.0.0.1:9",
    CLASSROOM_API_KEY: "api-key-of-production",
    CLASSROOM_WEBHOOK_SECRET: secrets.production,
    CLASSROOM_WEBHOOK_SECRET_PREVIOUS: secrets.previous,
    ...more,
  };
}

const staging = {
  CLASSROOM_STAGING_BASE_URL: "http://127.0.0.1:9",
  CLASSROOM_STAGING_APP_URL: "http://127.0.0.1:9",
  CLASSROOM_STAGING_API_KEY: "api-key-of-staging",
  CLASSROOM_STAGING_WEBHOOK_SECRET: secrets.staging,
};

function post(
  url: string,
  body: string,
  headers: Record<string, string> = { Authorization: `Bearer ${secrets.production}` },
): Promise<Response> {
  return fetch(url, { method: "POST", body, headers: { "Content-Type": "application/json", ...headers } });
}

/** A webhook of a family that is only stored, so that no worker calls the classroom. */
let count = 0;
function freshBody(): string {
  count += 1;
  return JSON.stringify({ _type: "SPACE_USER", number: count });
}

/** How many receipts a closed database folder holds. */
async function receiptsIn(folder: string): Promise<number> {
  const database = await openDatabase({ url: `file:${folder}`, logger: silent });
  try {
    const counts = await (await openStores(database.connection)).receipts.countByState();
    return Object.values(counts).reduce((sum, one) => sum + one, 0);
  } finally {
    await database.close();
  }
}

const ofReceivers = await folderForAll();

describe("the webhook receivers", () => {
  const lines: string[] = [];
  const answers: string[] = [];
  let tool: RunningTool;
  let base: string;

  beforeAll(async () => {
    tool = await startTool(readConfig(variablesFor(ofReceivers, staging)), {
      logger: createLogger("trace", { write: (line) => lines.push(line) }),
    });
    base = `http://127.0.0.1:${tool.port}/webhooks`;
  });
  afterAll(async () => {
    await tool.stop();
  });

  /** The status and error code of an answer; whole answers are kept to search them for secrets. */
  async function outcome(answered: Promise<Response>): Promise<[number, unknown]> {
    const response = await answered;
    const text = await response.text();
    answers.push(text, JSON.stringify([...response.headers]));
    const json: unknown = JSON.parse(text);
    return [
      response.status,
      typeof json === "object" && json !== null && "error" in json ? json.error : json,
    ];
  }

  const stored = [202, { received: true, duplicate: false }];

  test.each<[string, string, Record<string, string>]>([
    ["the secret", "production", { Authorization: `Bearer ${secrets.production}` }],
    ["the scheme in small letters", "production", { authorization: `bearer ${secrets.production}` }],
    ["the document's literal header", "production", { Authentication: `Bearer ${secrets.production}` }],
    [
      "the literal header beside an Authorization of some proxy",
      "production",
      { Authorization: "Bearer of-the-proxy", Authentication: `Bearer ${secrets.production}` },
    ],
    ["the previous secret, during a rotation", "production", { Authorization: `Bearer ${secrets.previous}` }],
    ["staging's own secret", "staging", { Authorization: `Bearer ${secrets.staging}` }],
  ])("accept %s", async (_what, environment, headers) => {
    expect(await outcome(post(`${base}/${environment}`, freshBody(), headers))).toEqual(stored);
  });

  test.each<[string, string, Record<string, string>]>([
    ["no secret", "production", {}],
    ["an empty secret", "production", { Authorization: "Bearer " }],
    ["a wrong secret", "production", { Authorization: "Bearer production-secret-nov" }],
    ["the beginning of the secret", "production", { Authorization: "Bearer production-secret" }],
    ["the secret and more", "production", { Authorization: `Bearer ${secrets.production}x` }],
    ["the secret in capitals", "production", { Authorization: `Bearer ${secrets.production.toUpperCase()}` }],
    ["the secret without a scheme", "production", { Authorization: secrets.production }],
    ["the secret under another scheme", "production", { Authorization: `Basic ${secrets.production}` }],
    ["a secret twice", "production", { Authorization: `Bearer ${secrets.production} ${secrets.production}` }],
    ["the API key", "production", { Authorization: "Bearer api-key-of-production" }],
    ["staging's secret", "production", { Authorization: `Bearer ${secrets.staging}` }],
    ["production's secret", "staging", { Authorization: `Bearer ${secrets.production}` }],
    ["production's previous secret", "staging", { Authorization: `Bearer ${secrets.previous}` }],
  ])("refuse %s at %s", async (_what, environment, headers) => {
    const body = freshBody();
    expect(await outcome(post(`${base}/${environment}`, body, headers))).toEqual([401, "wrong-secret"]);
    // Had it been stored anyway, it would now be a duplicate.
    const right = environment === "staging" ? secrets.staging : secrets.production;
    expect(await outcome(post(`${base}/${environment}`, body, { Authorization: `Bearer ${right}` }))).toEqual(
      stored,
    );
  });

  test("do not accept the secret in the address", async () => {
    expect(await outcome(post(`${base}/production?token=${secrets.production}`, freshBody(), {}))).toEqual([
      401,
      "wrong-secret",
    ]);
  });

  test.each([
    ["text", "hello"],
    ["half a JSON object", '{"_type":'],
    ["a list", "[]"],
    ["a list of webhooks", '[{"_type":"SPACE_USER"}]'],
    ["null", "null"],
    ["a number", "7"],
    ["nothing", ""],
    ["only spaces", "  \n"],
    ["a form", "a=1&b=2"],
    ["JSON 40 levels deep", `{"a":${"[".repeat(40)}${"]".repeat(40)}}`],
    ["JSON 100,000 levels deep", `{"a":${"[".repeat(100_000)}${"]".repeat(100_000)}}`],
  ])("refuse %s", async (_what, body) => {
    expect(await outcome(post(`${base}/production`, body))).toEqual([400, "unreadable-body"]);
  });

  test("accept JSON that is deep, but not too deep", async () => {
    const body = `{"a":${"[".repeat(31)}${"]".repeat(31)}}`;
    expect(await outcome(post(`${base}/production`, body))).toEqual(stored);
  });

  test("refuse a body of one byte over 256 kB, and accept one of exactly that", async () => {
    const sized = (bytes: number) => JSON.stringify({ _type: "SPACE_USER" }).padEnd(bytes, " ");
    const refusals = async () => {
      const metrics = await (await fetch(base.replace("/webhooks", "/metrics"))).text();
      return Number(
        /webhooks_total\{environment="production",answer="too-large"\} (\d+)/.exec(metrics)?.[1] ?? 0,
      );
    };
    const before = await refusals();
    expect(await outcome(post(`${base}/production`, sized(262_145)))).toEqual([413, "too-large"]);
    expect(await refusals()).toBe(before + 1);
    expect(await outcome(post(`${base}/production`, sized(262_144)))).toEqual(stored);
  });

  test("refuse a stranger before reading what they sent", async () => {
    expect(await outcome(post(`${base}/production`, "x".repeat(300_000), {}))).toEqual([401, "wrong-secret"]);
  });

  test.each(["GET", "DELETE", "PATCH"])("refuse %s, and name POST and PUT", async (method) => {
    const response = await fetch(`${base}/production`, {
      method,
      headers: { Authorization: `Bearer ${secrets.production}` },
    });
    expect(response.status).toBe(405);
    expect(response.headers.get("allow")).toBe("POST, PUT");
  });

  test("accept PUT like POST, as the document names no method", async () => {
    const headers = { Authorization: `Bearer ${secrets.production}` };
    const body = freshBody();
    expect((await fetch(`${base}/production`, { method: "PUT", headers, body })).status).toBe(202);
    expect((await fetch(`${base}/production`, { method: "PUT", headers, body: "{" })).status).toBe(400);
  });

  test("store the same body once, even when it arrives twenty times together", async () => {
    const body = freshBody();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => outcome(post(`${base}/production`, body))),
    );
    expect(outcomes.filter(([status]) => status === 202)).toHaveLength(1);
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(19);
  });

  test("treat the same body for production and staging as two webhooks", async () => {
    const body = freshBody();
    expect(await outcome(post(`${base}/production`, body))).toEqual(stored);
    expect(
      await outcome(post(`${base}/staging`, body, { Authorization: `Bearer ${secrets.staging}` })),
    ).toEqual(stored);
  });

  test("never show a secret in an answer or in the log, after all of the above", () => {
    expect(lines.length).toBeGreaterThan(20);
    expect(answers.length).toBeGreaterThan(40);
    const written = [...lines, ...answers].join("\n");
    const hidden = [
      ...Object.values(secrets),
      "api-key-of-production",
      "api-key-of-staging",
      "secret-key-of",
    ];
    expect(hidden.filter((secret) => written.includes(secret))).toEqual([]);
  });
});

test("an environment that is not configured has no receiver", async () => {
  const folder = await folderForTest();
  const tool = await startTool(readConfig(variablesFor(folder)), { logger: silent });
  try {
    const response = await post(`http://127.0.0.1:${tool.port}/webhooks/staging`, freshBody());
    expect(response.status).toBe(404);
    expect(await response.json()).toMatchObject({ error: "environment-off" });
  } finally {
    await tool.stop();
  }
  expect(await receiptsIn(folder)).toBe(0);
});

const storeAway = () =>
  Promise.reject(
    refusal("storage-away", { status: 503, temporary: true, details: { reason: "disk is full" } }),
  );

test.each([
  ["that cannot be stored", { insert: () => Promise.reject(new Error("the disk is full")) }],
  ["whose account's secrets cannot be read", { secretsOf: storeAway }],
  ["whose account's allowance cannot be read", { checkAllowance: storeAway }],
])(
  "a webhook %s is not acknowledged, and the classroom is asked to send it again",
  async (_what, failing) => {
    const folder = await folderForTest();
    const database = await openDatabase({ url: `file:${folder}`, logger: silent });
    const { receipts } = await openStores(database.connection);
    const lines: string[] = [];
    const told: string[] = [];
    const app = express().use(
      webhookRoutes({
        receipts: { ...receipts, ...failing },
        secretsOf: () => [secrets.production],
        checkAllowance: () => Promise.resolve(),
        ...failing,
        onReceived: () => told.push("received"),
        onAnswer: (_environment, answer) => told.push(answer),
        clock: systemClock,
        ids: randomIds,
        logger: createLogger("trace", { write: (line) => lines.push(line) }),
      }),
    );
    const server = createServer(app);
    const port = await listen(server);
    try {
      const response = await post(
        `http://127.0.0.1:${port}/production`,
        '{"_type":"SPACE_USER","who":"Ada"}',
      );
      expect(response.status).toBe(503);
      expect(Number(response.headers.get("retry-after"))).toBeGreaterThan(0);
      const text = await response.text();
      expect(text).toContain("not-stored");
      expect(text).not.toContain("disk");
      expect(told).toEqual(["failed"]);
      expect(lines.join("")).toMatch(/"level":"error".*a webhook could not be stored/);
      expect(lines.join("")).not.toMatch(/Ada|production-secret/);
    } finally {
      server.closeAllConnections();
      server.close();
      await database.close();
    }
  },
);

test("a tool that is asked to stop as soon as it answers finishes its requests", async () => {
  const folder = await folderForTest();
  const port = await freePort();
  const tool = await startToolProcess(variablesFor(folder, { PORT: String(port), LOG_LEVEL: "info" }));
  expect(await tool.end("SIGTERM")).toBe(0);
  expect(tool.output()).toContain("spaces-lti has stopped");
});

test("what was acknowledged is still there when the process is killed right after", async () => {
  const folder = await folderForTest();
  const port = await freePort();
  const variables = variablesFor(folder, { PORT: String(port), LOG_LEVEL: "error" });
  const url = `http://127.0.0.1:${port}/webhooks/production`;
  const bodies = Array.from({ length: 20 }, freshBody);
  const tool = await startToolProcess(variables);
  try {
    const statuses = await Promise.all(bodies.map(async (body) => (await post(url, body)).status));
    expect(await tool.end("SIGKILL")).toBeNull();
    expect(new Set(statuses)).toEqual(new Set([202]));
  } finally {
    await tool.end("SIGKILL");
  }
  const again = await startToolProcess(variables);
  try {
    const statuses = await Promise.all(bodies.map(async (body) => (await post(url, body)).status));
    expect(new Set(statuses)).toEqual(new Set([200]));
  } finally {
    await again.end("SIGTERM");
  }
  expect(await receiptsIn(folder)).toBe(bodies.length);
});

test("a tool that cannot listen closes its database before it exits", async () => {
  const folder = await folderForTest();
  const other = createServer();
  const port = await listen(other, 0, "0.0.0.0");
  const config = readConfig(variablesFor(folder, { PORT: String(port) }));
  await expect(startTool(config, { logger: silent })).rejects.toMatchObject({ code: "EADDRINUSE" });
  // The last connection removes the write-ahead log.
  expect((await readdir(folder)).filter((name) => name.endsWith("-wal"))).toEqual([]);
  other.close();
});
