import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { NamedError } from "../../../src/kernel/errors.ts";
import { type ClassroomClient } from "../../../src/classroom/client.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import type { Throttle } from "../../../src/classroom/throttle.ts";
import type { AddressStore } from "../../../src/classroom/known-addresses.ts";
import { classroomClient } from "../../support/stand-ins/classroom-client.ts";
import { closed, listening } from "../../support/stand-ins/local-server.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

export const entering = { priority: "entry" } as const;
export const ada = {
  reference: "per_1",
  name: "Ada Lovelace",
  givenName: "Ada",
  familyName: "Lovelace",
  email: "ada@example.org",
} as const;

/** The named error with which some work failed. */
export async function failureOf(work: Promise<unknown>): Promise<NamedError> {
  const thrown: unknown = await work.then(
    () => null,
    (reason: unknown) => reason,
  );
  if (thrown instanceof NamedError) return thrown;
  throw new Error(`it did not fail with a named error: ${String(thrown)}`);
}

/** Addresses that two clients may share. */
export function memoryAddresses(): AddressStore & { kept: Map<string, number> } {
  const kept = new Map<string, number>();
  return {
    kept,
    find: (key) => Promise.resolve(kept.get(key) ?? null),
    remember: (key, position) => {
      kept.set(key, position);
      return Promise.resolve();
    },
  };
}

/** A request as it came. */
export type Asked = { method: string; url: string; headers: IncomingMessage["headers"]; body: string };

/** A service that answers as the test says, and a way to make clients of it. */
export async function service(answer: (asked: Asked, response: ServerResponse) => void) {
  const asked: Asked[] = [];
  const server = createServer((request, response) => {
    let body = "";
    request.setEncoding("utf8").on("data", (text: string) => (body += text));
    request.on("end", () => {
      const one = { method: request.method ?? "", url: request.url ?? "", headers: request.headers, body };
      asked.push(one);
      answer(one, response);
    });
  });
  const baseUrl = await listening(server);
  closedAfterTest({ close: () => closed(server) });
  const client = (
    dialect: object = {},
    addresses?: AddressStore,
    log: string[] = [],
    more: { throttle?: Throttle; clock?: Clock; timeoutMs?: number } = {},
  ): ClassroomClient =>
    classroomClient(
      { apiUrl: baseUrl },
      { apiKey: "the-key", dialect, log, ...(addresses === undefined ? {} : { addresses }), ...more },
    );
  return { url: baseUrl, asked, client };
}

/** Answers in JSON. */
export const json = (
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
) => response.writeHead(status, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));
/** Answers with a web page. */
export const page = (response: ServerResponse, status: number) =>
  response.writeHead(status, { "content-type": "text/html" }).end("<!doctype html><h1>Not Found</h1>");
