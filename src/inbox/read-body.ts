import type { IncomingMessage } from "node:http";
import { promisify } from "node:util";
import { brotliDecompress, gunzip, inflate } from "node:zlib";
import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";

export type BodyLimits = {
  /** Bytes of a body, as sent and unpacked. */
  largest: number;
  /** From head to end (ms). */
  deadlineMs: number;
  /** Unfinished bodies at once. */
  mostAtOnce: number;
  /** Bytes of all unfinished bodies. */
  mostBytes: number;
};

/** Webhooks are a few hundred bytes. All limits together fit a small machine. */
export const usualLimits: BodyLimits = {
  largest: 256 * 1024,
  deadlineMs: 10_000,
  mostAtOnce: 1_000,
  mostBytes: 64 * 1024 * 1024,
};

/** @throws NamedError too-large (413), too-slow (408), busy (503), unknown-encoding (415), unreadable-body (400) */
export type ReadBody = (request: IncomingMessage) => Promise<Buffer>;

const unpackers = {
  gzip: promisify<Buffer, { maxOutputLength: number }, Buffer>(gunzip),
  deflate: promisify<Buffer, { maxOutputLength: number }, Buffer>(inflate),
  br: promisify<Buffer, { maxOutputLength: number }, Buffer>(brotliDecompress),
};

/** The limits hold over all bodies of this process. */
export function createReadBody(limits: BodyLimits): ReadBody {
  const held = { bodies: 0, bytes: 0 };
  return async (request) => {
    const encoding = (request.headers["content-encoding"] ?? "identity").trim().toLowerCase();
    if (encoding !== "identity" && encoding !== "x-gzip" && !Object.hasOwn(unpackers, encoding))
      throw refusal("unknown-encoding", { status: 415 });
    if (Number(request.headers["content-length"] ?? 0) > limits.largest) throw tooLarge(limits);
    if (held.bodies >= limits.mostAtOnce) throw busy();
    held.bodies += 1;
    try {
      return await unpacked(encoding, await collected(request, limits, held), limits);
    } finally {
      held.bodies -= 1;
    }
  };
}

/** Discards the rest of a refused body for a moment, so that the sender reads the answer, then closes the connection. */
export function leaveUnread(request: IncomingMessage, lingerMs = 2_000): void {
  if (request.complete) return;
  const ending = setTimeout(() => request.socket.destroy(), lingerMs);
  request.once("close", () => {
    clearTimeout(ending);
  });
  request.resume();
}

function collected(request: IncomingMessage, limits: BodyLimits, held: { bytes: number }): Promise<Buffer> {
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
      held.bytes += chunk.length;
      chunks.push(chunk);
      if (size > limits.largest) finish(() => reject(tooLarge(limits)));
      else if (held.bytes > limits.mostBytes) finish(() => reject(busy()));
    };
    const onEnd = () => finish(() => resolve(Buffer.concat(chunks, size)));
    const onBroken = () => finish(() => reject(unreadable("broke off")));
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      request.off("data", onChunk).off("end", onEnd).off("close", onBroken);
      held.bytes -= size;
      settle();
    };
    request.on("data", onChunk).on("end", onEnd).on("close", onBroken);
    // It may still break off after it was refused.
    request.on("error", () => undefined);
  });
}

async function unpacked(encoding: string, body: Buffer, { largest, ...limits }: BodyLimits): Promise<Buffer> {
  const unpack = unpackerOf(encoding);
  if (unpack === null) return body;
  try {
    return await unpack(body, { maxOutputLength: largest });
  } catch (thrown) {
    const bomb = thrown instanceof Error && "code" in thrown && thrown.code === "ERR_BUFFER_TOO_LARGE";
    throw bomb ? tooLarge({ largest, ...limits }) : unreadable("could not be unpacked");
  }
}

function unpackerOf(encoding: string) {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return unpackers.gzip;
    case "deflate":
      return unpackers.deflate;
    case "br":
      return unpackers.br;
    default:
      return null;
  }
}

function tooLarge({ largest }: BodyLimits): NamedError {
  return refusal("too-large", { values: { kilobytes: Math.round(largest / 1024) }, status: 413 });
}

function busy(): NamedError {
  return refusal("busy", { status: 503, temporary: true });
}

/** @param fault Completes "The body ...". */
function unreadable(fault: string): NamedError {
  return refusal("unreadable-body", { values: { fault }, status: 400 });
}
