import { z } from "zod";
import type { NamedError } from "../kernel/errors.ts";
import { parseJson } from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";
import type { LmsReply } from "./requester.ts";
import { cutTo } from "../kernel/text.ts";

const oauthError = z.object({ error: z.string(), error_description: z.string().optional() });
const anyObject = z.record(z.string(), z.unknown());

/** Members that hold the sentences; others (types, paths, status) are for machines. */
const wordMembers = ["message", "error", "errorMessage", "detail", "title"];
/** Members that only wrap what is wrong. */
const wrappers = ["errors", "error", "base", "message"];
const limits = { depth: 5, sentences: 5, characters: 300 };

/**
 * An LMS's refusal of a registration in its own words: RFC 7591 (section 3.2.2), Canvas's `errors` in every shape, or
 * Moodle's plain text; of an HTML page only the status.
 * @param what Completes "The LMS ...", as in "refused the registration".
 */
export function registrationRefusal(reply: LmsReply, what: string): NamedError {
  const { status } = reply;
  const words = explanationIn(reply.text);
  // The token of a registration lives an hour and, in Moodle, for one use.
  return refusal(status === 401 || status === 403 ? "registration-not-allowed" : "registration-refused", {
    values: { what, status, said: words === "" ? "" : `: ${words}` },
    status: 502,
    temporary: status >= 500 || status === 429,
    details: { status },
  });
}

function explanationIn(text: string): string {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    return /[<>]/.test(text) ? "" : shortened(text);
  }
  const oauth = oauthError.safeParse(body);
  if (oauth.success) {
    const { error, error_description: description } = oauth.data;
    return shortened(description === undefined ? error : `${error}, ${description}`);
  }
  return shortened([...new Set(sentencesOf(body, ""))].slice(0, limits.sentences).join("; "));
}

/** Every sentence in a body, each after the name of its field. */
function sentencesOf(value: unknown, about: string, depth = 0): string[] {
  if (depth > limits.depth) return [];
  if (typeof value === "string") {
    const words = value.trim();
    return words === "" || /[<>]/.test(words) ? [] : [about === "" ? words : `${about}: ${words}`];
  }
  if (Array.isArray(value)) return value.flatMap((entry) => sentencesOf(entry, about, depth + 1));
  const object = anyObject.safeParse(value);
  return object.success ? sentencesOfObject(object.data, about, depth) : [];
}

function sentencesOfObject(object: Record<string, unknown>, about: string, depth: number): string[] {
  const words = wordMembers.find((name) => typeof object[name] === "string");
  if (words !== undefined) {
    const field = object["field"];
    return sentencesOf(object[words], typeof field === "string" ? field : about, depth + 1);
  }
  return Object.entries(object).flatMap(([name, entry]) =>
    sentencesOf(entry, wrappers.includes(name) ? about : name, depth + 1),
  );
}

function shortened(words: string): string {
  const line = words.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return line.length > limits.characters ? `${cutTo(line, limits.characters)}...` : line;
}
