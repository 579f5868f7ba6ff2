import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { connect } from "node:net";
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import express, { type NextFunction, type Request, type Response } from "express";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { listen } from "../../sandbox/listen.ts";
import { closed } from "../support/stand-ins/local-server.ts";
import { NamedError } from "../../src/kernel/errors.ts";
import { fieldsOf, readForm } from "../../src/kernel/read-form.ts";

const maxBytes = 300_000;
const form = "application/x-www-form-urlencoded";
let server: Server;
let port: number;
/** First fields that were shown as proof. */
let shown: string[] = [];

beforeAll(async () => {
  const prove = (first: string) => {
    shown.push(first);
    return first === "session=right"
      ? Promise.resolve()
      : Promise.reject(new NamedError("session-over", "is over", { status: 401 }));
  };
  const app = express();
  app.post("/", readForm({ maxBytes, maxFields: 3, prove }), (request, response) => {
    response.json(request.body ?? "unread");
  });
  app.use((thrown: { status: number }, _request: Request, response: Response, _next: NextFunction) => {
    response.status(thrown.status).end();
  });
  server = createServer(app);
  port = await listen(server);
});
afterAll(() => closed(server));
beforeEach(() => {
  shown = [];
});

const send = (body: string | Buffer, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port}/`, {
    method: "POST",
    body: Buffer.from(body),
    headers: { "content-type": form, ...headers },
  });

describe("a form is refused", () => {
  test.each([
    ["gzip", gzipSync("a=1")],
    ["deflate", deflateSync("a=1")],
    ["br", brotliCompressSync("a=1")],
    ["gzip, gzip", gzipSync(gzipSync("a=1"))],
  ])("compressed by %s", async (encoding, body) => {
    expect((await send(body, { "content-encoding": encoding })).status).toBe(415);
  });

  test.each([
    ["too long", `session=right&a=${"+".repeat(maxBytes)}`, 413],
    ["with too many fields", "a=1&b=2&c=3&d=4", 413],
    ["long, without a session", "+".repeat(70_000), 401],
    ["long, with a made-up session", `session=wrong&a=${"+".repeat(70_000)}`, 401],
    ["long, with its session behind other fields", `a=1&session=right&b=${"+".repeat(70_000)}`, 401],
    ["long, with an endless first field", `session=${"x".repeat(70_000)}`, 401],
  ])("%s", async (_what, body, status) => expect((await send(body)).status).toBe(status));

  test("that is long and from a stranger, before more than 64 KB have arrived", async () => {
    const socket = connect(port, "127.0.0.1");
    socket.write(`POST / HTTP/1.1\r\nHost: tool\r\nContent-Type: ${form}\r\nContent-Length: 250000\r\n\r\n`);
    socket.write(`session=wrong&a=${"+".repeat(66_000)}`);
    const [answer] = z.tuple([z.instanceof(Buffer)]).parse(await once(socket, "data"));
    socket.destroy();
    expect(answer.toString("latin1")).toMatch(/^HTTP\/1\.1 401 /);
  });
});

describe("a form is read", () => {
  test("up to 64 KB without a proven session", async () => {
    expect((await send(`a=${"+".repeat(60_000)}`)).status).toBe(200);
    expect(shown).toEqual([]);
  });

  test("that is longer, with a proven session", async () => {
    const answer = await send(`session=right&a=${"+".repeat(200_000)}`);
    expect(await answer.json()).toEqual({ session: "right", a: " ".repeat(200_000) });
    expect(shown).toEqual(["session=right"]);
  });

  test("in chunks, with a charset, and without a body; another type stays unread", async () => {
    expect(await (await send("a=1", { "content-type": `${form}; charset=utf-8` })).json()).toEqual({
      a: "1",
    });
    expect(await (await send("")).json()).toEqual({});
    expect(await (await send("{}", { "content-type": "application/json" })).json()).toBe("unread");
  });

  test.each([
    ["a=1&b=%C3%A4+%2B", { a: "1", b: "ä +" }],
    ["a=1&a=2&a=3", { a: ["1", "2", "3"] }],
    ["a&b=&=c&&d=e=f", { a: "", b: "", "": "c", d: "e=f" }],
    ["a=%zz&b=%4&c=%", { a: "%zz", b: "%4", c: "%" }],
    ["a=%FF", { a: "�" }],
    ["a%5B%5D=%F0%9F%99%82", { "a[]": "🙂" }],
  ])("%s", (text, fields) => expect(fieldsOf(Buffer.from(text), 100)).toEqual(fields));

  test("with a field named __proto__ as a field", () => {
    const fields = fieldsOf(Buffer.from("__proto__=1"), 100);
    expect(Object.entries(fields)).toEqual([["__proto__", "1"]]);
  });
});
