import type { NamedError } from "../kernel/errors.ts";
import { CostlyJson, parseJson } from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";

export type ReadJson = {
  text: string;
  json: object;
  /** The bytes in base64, where they were not UTF-8. */
  bytes: string | null;
};

/** Lists and objects of one webhook: five hundred webhooks are read together. */
const maxParts = 5_000;

/**
 * Reads a JSON object. Bytes that are not UTF-8 become replacement
 * characters: attendance is not lost for an unreadable note.
 * @throws NamedError unreadable-body, without the body
 */
export function readJson(body: Buffer): ReadJson {
  const text = new TextDecoder("utf-8").decode(body);
  if (text.trim() === "") throw unreadable("is empty; a JSON object is expected");
  const json = parsed(text);
  if (typeof json !== "object" || json === null || Array.isArray(json))
    throw unreadable("is not a JSON object");
  return { text, json, bytes: text.includes("\uFFFD") && !isUtf8(body) ? body.toString("base64") : null };
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

/** @param fault Completes "The body ...". */
function unreadable(fault: string): NamedError {
  return refusal("unreadable-body", { values: { fault }, status: 400 });
}
