import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { NamedError } from "../kernel/errors.ts";
import { CostlyJson, parseJson } from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";

export type BodyLimits = {
  /** The most bytes of a body, as sent and when unpacked. */
  largest: number;
  /** The most time from the head to the end of the body (ms). */
  deadlineMs: number;
  /** Limits for all unfinished bodies, and for those of one account, so that others have room. */
  atOnce: Unfinished;
  ofAccount: Unfinished;
};

type Unfinished = { bodies: number; bytes: number };

/** Webhooks have a few hundred bytes. All limits together fit a small machine. */
export const usualLimits: BodyLimits = {
  largest: 256 * 1024,
  deadlineMs: 10_000,
  atOnce: { bodies: 1_000, bytes: 64 * 1024 * 1024 },
  ofAccount: { bodies: 200, bytes: 16 * 1024 * 1024 },
};

/**
 * Reads the body of a webhook. @param account The account whose secret the request carried.
 * @throws NamedError too-large (413), too-slow (408), account-busy (429), busy (503), unknown-encoding (415), unreadable-body (400)
 */
export type ReadBody = (request: IncomingMessage, account: string) => Promise<Buffer>;

type Unpack = (body: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

/** By content encoding; null if there is nothing to unpack. */
const unpackers = new Map<string, Unpack | null>([
  ["identity", null],
  ["gzip", promisify(gunzip)],
  ["x-gzip", promisify(gunzip)],
  ["deflate", promisify(inflate)],
  ["br", promisify(brotliDecompress)],
]);

/** The limits apply to all bodies of this process together. */
export function createReadBody(limits: BodyLimits): ReadBody {
  const all: BodyCount = { bodies: 0, bytes: 0, limit: limits.atOnce, full: busy };
  const accounts = new Map<string, BodyCount>();
  return async (request, account) => {
    const unpack = unpackerOf(request);
    if (Number(request.headers["content-length"] ?? 0) > limits.largest) throw tooLarge(limits);
    const full = () => refusal("account-busy", { status: 429, temporary: true });
    const own = accounts.get(account) ?? { bodies: 0, bytes: 0, limit: limits.ofAccount, full };
    const counts = [own, all];
    for (const one of counts) if (one.bodies >= one.limit.bodies) throw one.full();
    accounts.set(account, own);
    for (const one of counts) one.bodies += 1;
    try {
      return await unpacked(unpack, await collected(request, limits, counts), limits);
    } finally {
      for (const one of counts) one.bodies -= 1;
      if (own.bodies === 0) accounts.delete(account);
    }
  };
}

function unpackerOf({ headers }: IncomingMessage): Unpack | null {
  const unpack = unpackers.get((headers["content-encoding"] ?? "identity").trim().toLowerCase());
  if (unpack === undefined) throw refusal("unknown-encoding", { status: 415 });
  return unpack;
}

type BodyCount = Unfinished & { limit: Unfinished; full: () => NamedError };

function collected(
  request: IncomingMessage,
  limits: BodyLimits,
  counts: readonly BodyCount[],
): Promise<Buffer> {
  // The sender left while we looked up the account's secret, so no event will report it.
  if (request.destroyed) return Promise.reject(unreadable("broke off"));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const timer = setTimeout(() => {
      finish(() => {
        const values = { seconds: limits.deadlineMs / 1000 };
        reject(refusal("too-slow", { values, status: 408, temporary: true }));
      });
    }, limits.deadlineMs);
    const onChunk = (chunk: Buffer) => {
      size += chunk.length;
      for (const one of counts) one.bytes += chunk.length;
      chunks.push(chunk);
      const full = counts.find(({ bytes, limit }) => bytes > limit.bytes);
      if (size > limits.largest) finish(() => reject(tooLarge(limits)));
      else if (full !== undefined) finish(() => reject(full.full()));
    };
    const onEnd = () => finish(() => resolve(Buffer.concat(chunks, size)));
    const onBroken = () => finish(() => reject(unreadable("broke off")));
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      request.off("data", onChunk).off("end", onEnd).off("close", onBroken);
      for (const one of counts) one.bytes -= size;
      settle();
    };
    request.on("data", onChunk).on("end", onEnd).on("close", onBroken);
    // The connection may still break after we refused the body.
    request.on("error", () => undefined);
  });
}

async function unpacked(unpack: Unpack | null, body: Buffer, limits: BodyLimits): Promise<Buffer> {
  if (unpack === null) return body;
  try {
    return await unpack(body, { maxOutputLength: limits.largest });
  } catch (thrown) {
    const bomb = thrown instanceof Error && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE";
    throw bomb ? tooLarge(limits) : unreadable("could not be unpacked");
  }
}

function tooLarge({ largest }: BodyLimits): NamedError {
  return refusal("too-large", { values: { kilobytes: Math.round(largest / 1024) }, status: 413 });
}

function busy(): NamedError {
  return refusal("busy", { status: 503, temporary: true });
}

/** @param fault Completes the sentence "The body ...". */
function unreadable(fault: string): NamedError {
  return refusal("unreadable-body", { values: { fault }, status: 400 });
}

export type ReadJson = ReturnType<typeof readJson>;

/** Most lists and objects in one webhook. A batch reads five hundred webhooks together. */
const maxParts = 5_000;

/**
 * Reads a JSON object. Bytes that aren't UTF-8 become replacement characters, so an unreadable note doesn't cost the attendance.
 * @throws NamedError unreadable-body, which doesn't quote the body
 */
export function readJson(body: Buffer) {
  const text = new TextDecoder("utf-8").decode(body);
  if (text.trim() === "") throw unreadable("is empty; a JSON object is expected");
  const json = parsed(text);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw unreadable("is not a JSON object");
  /** The bytes in base64, if they aren't UTF-8. */
  const bytes = text.includes("\uFFFD") && !isUtf8(body) ? body.toString("base64") : null;
  return { text, json, bytes };
}

function parsed(text: string): unknown {
  try {
    return parseJson(text, maxParts);
  } catch (thrown) {
    throw unreadable(thrown instanceof CostlyJson ? `is JSON ${thrown.message}` : "is not JSON");
  }
}

function isUtf8(body: Buffer): boolean {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(body);
    return true;
  } catch {
    return false;
  }
}
