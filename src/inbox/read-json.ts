import type { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";

export type ReadJson = {
  text: string;
  json: object;
  /** The bytes in base64, where they were not UTF-8. */
  bytes: string | null;
};

const maxDepth = 32;

/**
 * Reads a JSON object of at most 32 levels; depth is checked before parsing. Bytes that are not UTF-8 become replacement
 * characters: attendance is not lost for an unreadable note.
 * @throws NamedError unreadable-body, without the body
 */
export function readJson(body: Buffer): ReadJson {
  const text = new TextDecoder("utf-8").decode(body);
  if (text.trim() === "") throw unreadable("is empty; a JSON object is expected");
  if (isDeeperThan(text, maxDepth)) throw unreadable(`is JSON nested deeper than ${maxDepth} levels`);
  const json = parsed(text);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw unreadable("is not a JSON object");
  return { text, json, bytes: text.includes("\uFFFD") && !isUtf8(body) ? body.toString("base64") : null };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw unreadable("is not JSON");
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

const [quote, backslash] = ['"'.charCodeAt(0), "\\".charCodeAt(0)];
const opening: ReadonlySet<number> = new Set(["{".charCodeAt(0), "[".charCodeAt(0)]);
const closing: ReadonlySet<number> = new Set(["}".charCodeAt(0), "]".charCodeAt(0)]);

/** Counts brackets outside of strings. */
function isDeeperThan(text: string, levels: number): boolean {
  let depth = 0;
  let quoted = false;
  for (let at = 0; at < text.length; at += 1) {
    const sign = text.charCodeAt(at);
    if (quoted) {
      if (sign === backslash) at += 1;
      else if (sign === quote) quoted = false;
    } else if (sign === quote) quoted = true;
    else if (opening.has(sign)) depth += 1;
    else if (closing.has(sign)) depth -= 1;
    if (depth > levels) return true;
  }
  return false;
}

/** @param fault Completes "The body ...". */
function unreadable(fault: string): NamedError {
  return refusal("unreadable-body", { values: { fault }, status: 400 });
}
