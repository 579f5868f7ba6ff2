import type { IncomingMessage } from "node:http";
import type { Request, RequestHandler } from "express";
import { refusal } from "./refusal.ts";

export type FormLimits = {
  maxBytes: number;
  /** Default: 1,000. */
  maxFields?: number;
  /**
   * Called before more than 64 KB are read, and throws what to answer if the sender isn't known. Left out: a stranger may send `maxBytes`.
   * @param first The form's first field as it was sent, such as "session=...".
   */
  prove?: (first: string) => Promise<unknown>;
  /** Parses a form that sends files, once its sender is known. Left out: such a form isn't read. */
  readFiles?: (body: Buffer, type: string) => Promise<Record<string, unknown>>;
};

const maxUsualFields = 1_000;
/** How much of a form we read before we know its sender. */
const unprovenBytes = 64 * 1024;
const maxProofBytes = 1_024;
const maxDiscardedBytes = 256 * 1024;

export function readForm(limits: FormLimits): RequestHandler {
  return (request, _response, next) => {
    readFormOf(request, limits).then(() => next(), next);
  };
}

const left = new WeakSet<IncomingMessage>();
/** How long the sender of a refused body has to read the answer. */
const lingerMs = 2_000;

/**
 * Discards the rest of a refused body for a moment, so its sender can read the answer, then closes the connection.
 * Stops reading a long body once that would cost much.
 */
export function leaveUnread(request: IncomingMessage): void {
  if (request.complete || left.has(request)) return;
  left.add(request);
  const ending = setTimeout(() => request.socket.destroy(), lingerMs);
  let discarded = 0;
  request.on("data", (chunk: Buffer) => {
    discarded += chunk.length;
    if (discarded > maxDiscardedBytes) request.pause();
  });
  request.once("close", () => {
    clearTimeout(ending);
  });
  request.resume();
}

/**
 * Parses a form into `request.body`, where a repeated field becomes a list. Leaves other bodies unread. Never unpacks a compressed form: no
 * browser compresses one, and a few kilobytes could become megabytes.
 * @throws NamedError "bad-request" (400, 413, 415)
 */
export async function readFormOf(request: Request, limits: FormLimits): Promise<void> {
  const { readFiles } = limits;
  const type = request.get("content-type") ?? "";
  const isForm = /^application\/x-www-form-urlencoded\s*(;|$)/i.test(type);
  const hasFiles = readFiles !== undefined && /^multipart\/form-data\s*;/i.test(type);
  if (!(isForm || hasFiles) || request.readableEnded) return;
  try {
    const body = await bodyOf(request, limits);
    // Parsing a file may cost more than its size suggests.
    if (hasFiles && body.length <= unprovenBytes) await limits.prove?.(firstField([body]));
    request.body = hasFiles
      ? await readFiles(body, type)
      : fieldsOf(body, limits.maxFields ?? maxUsualFields);
  } catch (thrown) {
    leaveUnread(request);
    throw thrown;
  }
}

async function bodyOf(request: Request, { maxBytes, prove }: FormLimits): Promise<Buffer> {
  if (!/^(identity)?$/i.test(request.get("content-encoding") ?? "")) throw unread(415);
  if (Number(request.get("content-length") ?? 0) > maxBytes) throw unread(413);
  const chunks: Buffer[] = [];
  let size = 0;
  let isProven = prove === undefined;
  for await (const chunk of chunksOf(request)) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > maxBytes) throw unread(413);
    if (!isProven && size > unprovenBytes) {
      await prove?.(firstField(chunks));
      isProven = true;
    }
  }
  return Buffer.concat(chunks, size);
}

/** A reader that stops early can still answer, because the connection stays open. */
async function* chunksOf(request: Request): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false }))
      if (Buffer.isBuffer(chunk)) yield chunk;
  } catch (thrown) {
    throw refusal("bad-request", { status: 400, cause: thrown });
  }
}

function firstField(chunks: readonly Buffer[]): string {
  const start = Buffer.concat(chunks).toString("latin1", 0, maxProofBytes);
  const [, name, value] = /name="(\w+)"\r\n\r\n([^\r&]*)\r\n/.exec(start) ?? [];
  return name !== undefined ? `${name}=${value ?? ""}` : start.slice(0, (start + "&").indexOf("&"));
}

const [and, equals, plus, percent, space] = [0x26, 0x3d, 0x2b, 0x25, 0x20];

/**
 * Decodes the bytes in place: parsers that replace plus signs in text take thirty times as long for a body full of them.
 * @throws NamedError "bad-request" (413) for too many fields
 */
export function fieldsOf(body: Buffer, maxFields: number): Record<string, string | string[]> {
  const fields = new Map<string, string | string[]>();
  let count = 0;
  for (let at = 0; at < body.length;) {
    const next = body.indexOf(and, at);
    const end = next < 0 ? body.length : next;
    if (end > at) {
      if ((count += 1) > maxFields) throw unread(413);
      const sign = body.subarray(at, end).indexOf(equals);
      const middle = sign < 0 ? end : at + sign;
      const name = decoded(body, at, middle);
      const value = decoded(body, Math.min(middle + 1, end), end);
      const before = fields.get(name);
      if (Array.isArray(before)) before.push(value);
      else fields.set(name, before === undefined ? value : [before, value]);
    }
    at = end + 1;
  }
  return Object.fromEntries(fields);
}

/** Leaves a percent sign without two hexadecimal digits as it is. Bytes that aren't UTF-8 become a replacement character. */
function decoded(body: Buffer, from: number, to: number): string {
  let write = from;
  const sent = body.subarray(from, to);
  // Most values, such as tokens, have neither.
  if (!sent.includes(plus) && !sent.includes(percent)) return sent.toString("utf8");
  for (let at = from; at < to; at += 1) {
    const byte = body[at] ?? 0;
    if (byte === plus) body[write] = space;
    else if (byte === percent && at + 2 < to && isEscape(body, at)) {
      body[write] = hex(body[at + 1]) * 16 + hex(body[at + 2]);
      at += 2;
    } else body[write] = byte;
    write += 1;
  }
  return body.toString("utf8", from, write);
}

function isEscape(body: Buffer, at: number): boolean {
  return hex(body[at + 1]) >= 0 && hex(body[at + 2]) >= 0;
}

/** The value of a hexadecimal digit; negative for any other character. */
function hex(byte = 0): number {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = byte | 0x20;
  return letter >= 0x61 && letter <= 0x66 ? letter - 0x57 : -1;
}

function unread(status: 413 | 415) {
  return refusal("bad-request", { status });
}

/**
 * Whether our own page sent this form; null if the browser doesn't say. Our `Origin` decides, then `Sec-Fetch-Site` ("none" means the
 * person reloaded or restored a tab). WebKit, Safari's engine, calls a form that opens a tab "cross-site", but sends the right origin.
 * Safari before 16.4, and every browser over plain http to another machine, sends only `Origin`, if the page's referrer policy allows it.
 */
export function isFromOwnPage({ headers }: Pick<IncomingMessage, "headers">, ownAddress: string) {
  const { "sec-fetch-site": site, origin } = headers;
  if (origin === new URL(ownAddress).origin) return true;
  if (site !== undefined) return site === "same-origin" || site === "none";
  return origin === undefined ? null : false;
}
