import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect, type Socket } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import express from "express";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { z } from "zod";
import { listen } from "../../sandbox/listen.ts";
import { closed } from "../support/stand-ins/local-server.ts";
import type { Receipt } from "../../src/inbox/rules/receipt.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { randomIds } from "../../src/kernel/ids.ts";
import { createLogger } from "../../src/kernel/logger.ts";
import { webhookRoutes } from "../../src/inbox/webhook-routes.ts";
import { patience } from "../support/patience.ts";

const secret = "a-webhook-secret";
const webhook = '{"_type":"SPACE_USER","userId":"u1"}';

let stored: Receipt[] = [];
let told: string[] = [];
let secretsAreRead: Promise<unknown> = Promise.resolve();
let server: Server;
let port: number;

beforeAll(async () => {
  const app = express().use(
    webhookRoutes({
      receipts: {
        insert: (receipt) => {
          const isNew = !stored.some(({ digest }) => digest === receipt.digest);
          if (isNew) stored.push(receipt);
          return Promise.resolve(isNew);
        },
      },
      secretsOf: async () => {
        await secretsAreRead;
        return [secret];
      },
      onReceived: () => undefined,
      onAnswer: (_environment, answer) => told.push(answer),
      limits: {
        deadlineMs: 300,
        atOnce: { bodies: 4, bytes: 900_000 },
        ofAccount: { bodies: 3, bytes: 500_000 },
      },
      checkAllowance: () => Promise.resolve(),
      clock: systemClock,
      ids: randomIds,
      logger: createLogger("silent"),
    }),
  );
  server = createServer(app);
  port = await listen(server);
});
afterAll(() => closed(server));
beforeEach(() => {
  stored = [];
  told = [];
  secretsAreRead = Promise.resolve();
});

async function post(body: Uint8Array | string, headers: Record<string, string> = {}, account = "production") {
  const response = await fetch(`http://127.0.0.1:${port}/${account}`, {
    method: "POST",
    body: Buffer.from(body),
    headers: { Authorization: `Bearer ${secret}`, ...headers },
  });
  const answer = z.record(z.string(), z.unknown()).parse(await response.json());
  return { status: response.status, ...answer };
}

/** A sender who writes anything at any time. */
function openSocket(head: readonly string[]): { socket: Socket; heard: () => string; ended: Promise<void> } {
  const socket = connect(port, "127.0.0.1");
  let text = "";
  socket.setEncoding("utf8").on("data", (more: string) => (text += more));
  socket.on("error", () => undefined);
  socket.write([...head, "", ""].join("\r\n"));
  const ended = new Promise<void>((resolve) => socket.once("close", () => resolve()));
  return { socket, heard: () => text, ended };
}

const headOf = (length: number, bearer = secret, account = "production") => [
  `POST /${account} HTTP/1.1`,
  "Host: tool",
  `Authorization: Bearer ${bearer}`,
  `Content-Length: ${length}`,
];

/** Sends a byte now and then, as long as the connection lasts. */
function drip(socket: Socket): void {
  const timer = setInterval(() => socket.write(" "), 20);
  socket.once("close", () => {
    clearInterval(timer);
  });
}

test("a sender who drips bytes gets an error with an explanation, and the connection ends", async () => {
  const slow = openSocket(headOf(100_000));
  drip(slow.socket);
  await vi.waitFor(() => expect(slow.heard()).toContain("408"), patience);
  expect(slow.heard()).toContain("too-slow");
  expect(slow.heard()).toContain("Please send it again.");
  await slow.ended;
  expect(told).toEqual(["too-slow"]);
  expect(stored).toEqual([]);
});

test("a sender who leaves while the secret is looked up is not waited for", async () => {
  const looking = Promise.withResolvers<undefined>();
  secretsAreRead = looking.promise;
  const closed = new Promise((resolve) => {
    server.once("connection", (connection) => connection.once("close", resolve));
  });
  const left = openSocket(headOf(100_000));
  await once(left.socket, "connect");
  left.socket.end();
  await closed;
  looking.resolve(undefined);
  await vi.waitFor(() => expect(told).not.toEqual([]), patience);
  expect(told).toEqual(["refused"]);
});

test("a stranger who drips bytes is refused immediately and cannot stay", async () => {
  const slow = openSocket(headOf(100_000, "guessed"));
  drip(slow.socket);
  await slow.ended;
  expect(slow.heard()).toContain("401");
  expect(told).toEqual(["refused"]);
});

test("holds only a few unfinished bodies of one account, and then refuses this account but no other", async () => {
  const slow: ReturnType<typeof openSocket>[] = [];
  await vi.waitFor(async () => {
    // Again at each try: on a slow machine the first ones may end before this one comes.
    slow.push(...Array.from({ length: 3 }, () => openSocket(headOf(100, secret, "northside"))));
    expect(await post(webhook, {}, "northside")).toMatchObject({ status: 429, error: "account-busy" });
  }, patience);
  expect(await post('{"_type":"OF_OTHERS"}')).toMatchObject({ status: 202 });
  await Promise.all(slow.map(({ ended }) => ended));
  expect(await post('{"_type":"LATER"}', {}, "northside")).toMatchObject({ status: 202 });
  expect(told).toContain("limited");
});

test("only a few unfinished bodies of all accounts together are held", async () => {
  const slow: ReturnType<typeof openSocket>[] = [];
  await vi.waitFor(async () => {
    const accounts = ["northside", "northside", "southside", "southside"];
    slow.push(...accounts.map((account) => openSocket(headOf(100, secret, account))));
    expect(await post(webhook)).toMatchObject({ status: 503, error: "busy" });
  }, patience);
  await Promise.all(slow.map(({ ended }) => ended));
  expect(await post('{"_type":"LATER"}')).toMatchObject({ status: 202 });
});

test.each([
  ["of one account", ["northside", "northside", "northside"], "429"],
  ["of all accounts", ["northside", "northside", "southside", "southside"], "503"],
])("only a limited number of bytes %s is held for partial bodies", async (_whose, accounts, status) => {
  const slow = accounts.map((account) => openSocket(headOf(260_000, secret, account)));
  for (const { socket } of slow) socket.write(Buffer.alloc(249_000, " "));
  await vi.waitFor(() => expect(slow.map(({ heard }) => heard()).join("")).toContain(` ${status} `), {
    timeout: 30_000,
  });
  expect(await post(webhook)).toMatchObject({ status: 202 });
  await Promise.all(slow.map(({ ended }) => ended));
});

test("an incomplete body is not stored, and the next one is", async () => {
  const broken = openSocket(headOf(100));
  await new Promise((resolve) => broken.socket.write('{"_type":', resolve));
  broken.socket.destroy();
  await vi.waitFor(() => expect(told).toEqual(["refused"]), patience);
  expect(await post(webhook)).toMatchObject({ status: 202 });
  expect(stored).toHaveLength(1);
});

test("a body declared as too large is refused before it is sent", async () => {
  const large = openSocket(headOf(10_000_000));
  await vi.waitFor(() => expect(large.heard()).toContain("413"), patience);
  large.socket.destroy();
  expect(told).toEqual(["too-large"]);
});

test("a body without a length that grows too large is refused, too", async () => {
  const chunked = openSocket([
    "POST /production HTTP/1.1",
    "Host: tool",
    `Authorization: Bearer ${secret}`,
    "Transfer-Encoding: chunked",
  ]);
  for (let sent = 0; sent < 6; sent += 1) chunked.socket.write(`c800\r\n${" ".repeat(0xc800)}\r\n`);
  await vi.waitFor(() => expect(chunked.heard()).toContain("413"), patience);
  chunked.socket.destroy();
});

test.each([
  ["gzip", gzipSync],
  ["deflate", deflateSync],
  ["br", brotliCompressSync],
])("a compressed body (%s) is unpacked and stored", async (encoding, pack) => {
  expect(await post(pack(webhook), { "Content-Encoding": encoding })).toMatchObject({ status: 202 });
  expect(stored[0]?.body).toBe(webhook);
  // The same body uncompressed is the same webhook.
  expect(await post(webhook)).toMatchObject({ status: 200, duplicate: true });
});

test("a bomb of 50 MB in 50 kB is refused as too large", async () => {
  const bomb = gzipSync(Buffer.alloc(50_000_000, " "));
  expect(bomb.length).toBeLessThan(60_000);
  expect(await post(bomb, { "Content-Encoding": "gzip" })).toMatchObject({ status: 413, error: "too-large" });
  expect(told).toEqual(["too-large"]);
});

test("a body that is falsely declared as compressed, or in an unknown way, is refused with an explanation", async () => {
  expect(await post(webhook, { "Content-Encoding": "gzip" })).toMatchObject({
    status: 400,
    message: "The body could not be unpacked.",
  });
  expect(await post(webhook, { "Content-Encoding": "zstd" })).toMatchObject({
    status: 415,
    error: "unknown-encoding",
  });
  expect(told).toEqual(["refused", "refused"]);
});

test("256 kB of nested lists are refused before they are parsed", async () => {
  const parse = vi.spyOn(JSON, "parse");
  const answered = await fetch(`http://127.0.0.1:${port}/production`, {
    method: "POST",
    body: `{"a":${"[".repeat(256_000)}`,
    headers: { Authorization: `Bearer ${secret}` },
  });
  expect(parse).not.toHaveBeenCalled();
  parse.mockRestore();
  expect(answered.status).toBe(400);
  expect(await answered.text()).toContain("nested deeper than 32 levels");
});

test("brackets within texts do not count as nesting", async () => {
  const body = JSON.stringify({ _type: "SPACE_USER", note: `${"[{".repeat(100)}"\\` });
  expect(await post(body)).toMatchObject({ status: 202 });
});

test("a __proto__ in the body is a name like others, and changes no object of ours", async () => {
  const body = '{"__proto__":{"currentStatus":{"status":"PRESENT"},"polluted":true},"_type":"SPACE_USER"}';
  expect(await post(body)).toMatchObject({ status: 202 });
  expect(stored[0]).toMatchObject({ family: "SPACE_USER", body });
  expect("polluted" in {}).toBe(false);
});

test("invalid UTF-8 bytes are stored with the text, and distinguish two webhooks", async () => {
  const withByte = (byte: number) =>
    Buffer.concat([Buffer.from('{"_type":"SPACE_USER","note":"'), Buffer.from([byte]), Buffer.from('"}')]);
  expect(await post(withByte(0xe9))).toMatchObject({ status: 202 });
  expect(await post(withByte(0xe8))).toMatchObject({ status: 202 });
  expect(await post(withByte(0xe9))).toMatchObject({ status: 200 });
  expect(stored.map(({ body }): unknown => JSON.parse(body))).toEqual([
    { _type: "SPACE_USER", note: "\uFFFD" },
    { _type: "SPACE_USER", note: "\uFFFD" },
  ]);
  expect(Buffer.from(stored[0]?.bytes ?? "", "base64")).toEqual(withByte(0xe9));
  // A character that was sent differs from one that we inserted.
  await post('{"_type":"SPACE_USER","note":"\uFFFD"}');
  expect(stored[2]?.bytes).toBeUndefined();
});

test.each(["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/cbor", ""])(
  "JSON is accepted under the content type %j, as the document names none",
  async (type) => {
    expect(await post(webhook, type === "" ? {} : { "Content-Type": type })).toMatchObject({ status: 202 });
  },
);

test("a byte order mark before the JSON does no harm", async () => {
  expect(await post(`\uFEFF${webhook}`)).toMatchObject({ status: 202 });
  expect(stored[0]?.body).toBe(webhook);
});

test("each is stored under its family", async () => {
  const bodies = [
    '{"_type":"SCHEDULE"}',
    '{"currentStatus":{}}',
    '{"_type":7}',
    "{}",
    `{"_type":"${"X".repeat(100)}"}`,
  ];
  for (const body of bodies) await post(body);
  expect(stored.map(({ family }) => family)).toEqual([
    "SCHEDULE",
    "ATTENDANCE",
    "none",
    "none",
    "X".repeat(64),
  ]);
});
