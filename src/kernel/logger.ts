import { setTimeout } from "node:timers/promises";
import { pino, type Logger as PinoLogger } from "pino";
import { currentActing, currentRequest } from "./request-scope.ts";

/** Each call takes an object of facts first, then a fixed sentence. */
export type Logger = {
  debug: (facts: object, message: string) => void;
  info: (facts: object, message: string) => void;
  warn: (facts: object, message: string) => void;
  /** A person must act now. */
  error: (facts: object, message: string) => void;
  child: (facts: object) => Logger;
};

/**
 * A request's lines carry its id, and the client's address and actor if the operator wants them.
 * @param level A pino level; "silent" for tests.
 */
export function createLogger(level: string, destination?: { write: (line: string) => void }): Logger {
  const options = {
    level,
    base: null,
    timestamp: () => `,"time":"${new Date().toISOString()}"`,
    mixin: () => {
      const request = currentRequest();
      return request === null ? {} : { request, ...currentActing() };
    },
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return keepingSecrets(pino(options, destination ?? standardOutput()));
}

/** How many bytes of unread lines are kept in memory. Later lines are left out and counted until those are read. */
const mostUnreadBytes = 4 * 1_048_576;
/** How long a process that ends waits for its reader (ms). */
const lastLinesMs = 1_000;

/** If nobody reads the log, or a full disk refuses it, the process still runs and ends. Pino's own output would stop it. */
function standardOutput(): { write: (line: string) => void } {
  const { stdout } = process;
  if (stdout.listenerCount("error") === 0) stdout.on("error", () => undefined);
  let leftOut = 0;
  const tell = () => {
    const facts = { level: "warn", time: new Date().toISOString(), lines: leftOut };
    leftOut = 0;
    stdout.write(`${JSON.stringify({ ...facts, msg: "nobody read the log, so lines were left out" })}\n`);
  };
  return {
    write: (line) => {
      if (leftOut === 0 && stdout.writableLength < mostUnreadBytes) stdout.write(line);
      else if ((leftOut += 1) === 1) stdout.once("drain", tell);
    },
  };
}

/** Call it before a process ends. Resolves when what was logged is read, or the reader has had its time. */
export async function lastLinesRead(): Promise<void> {
  const written = new Promise<void>((resolve) => process.stdout.write("", () => resolve()));
  await Promise.race([written, setTimeout(lastLinesMs)]);
}

/** Replaces pino's own `redact`, which checks every path of every line and takes a twelfth of a webhook's cost. */
function keepingSecrets(inner: PinoLogger): Logger {
  const at = (level: "debug" | "info" | "warn" | "error") => (facts: object, message: string) => {
    if (inner.isLevelEnabled(level)) inner[level](withoutSecrets(facts), message);
  };
  return {
    debug: at("debug"),
    info: at("info"),
    warn: at("warn"),
    error: at("error"),
    child: (facts) => keepingSecrets(inner.child(withoutSecrets(facts))),
  };
}

/** Keys whose values are never logged. */
const secretKeys = new Set([
  "authorization",
  "cookie",
  "id_token",
  "access_token",
  "client_assertion",
  "registration_token",
  "token",
  "secret",
  "password",
  "apiKey",
  "name",
  "givenName",
  "familyName",
  "email",
  "idNumber",
  "body",
]);
const struckOut = "[redacted]";
/** Deeper facts are left out: nobody reads them in a log, and a circular reference has no end. */
const maxDepth = 6;

/** A copy without secret values, found by key at any depth. Values with their own JSON form (dates) stay. */
function withoutSecrets(facts: object): object {
  return strikeOut(facts, 0);
}

function strikeOut(facts: object, depth: number): object {
  const written: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(facts))
    written[key] = secretKeys.has(key) && value !== undefined ? struckOut : cleaned(value, depth + 1);
  return written;
}

function cleaned(value: unknown, depth: number): unknown {
  if (typeof value !== "object" || value === null || "toJSON" in value) return value;
  if (depth > maxDepth) return "[deeper]";
  return Array.isArray(value) ? value.map((each) => cleaned(each, depth + 1)) : strikeOut(value, depth);
}
