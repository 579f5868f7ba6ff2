import { maxExplanationLength } from "../limits.ts";
import { cutTo } from "../../kernel/text.ts";
const names = /^(message|error|errors|detail|details|description|error_description|reason|title|code|msg)$/i;

/** Of the doctor's own request. Without long words and addresses: a reply may repeat a key or token. */
export function replyText(reply: unknown, secrets: readonly string[]): string | null {
  const texts = textsIn(reply, false, 0).slice(0, 3);
  const said = cutTo(texts.join("; "), 2_000);
  const open = secrets.reduce((rest, secret) => rest.replaceAll(secret, "…"), said);
  const safe = open
    .replace(/(?<!\S)\S+@\S+/g, "…")
    .replace(/[^\s"'()[\]{},;]{24,}/g, "…")
    // A terminal would take these for commands.
    .replace(/[\p{Cc}\p{Cf}]+/gu, " ")
    .trim();
  return cutTo(safe, maxExplanationLength) || null;
}

function textsIn(value: unknown, named: boolean, depth: number): string[] {
  if (typeof value === "string") return named ? [value] : [];
  if (typeof value !== "object" || value === null || depth > 3) return [];
  if (Array.isArray(value)) return value.flatMap((each) => textsIn(each, named, depth + 1));
  return Object.entries(value).flatMap(([name, each]) =>
    names.test(name)
      ? textsIn(each, true, depth + 1)
      : typeof each === "object"
        ? textsIn(each, false, depth + 1)
        : [],
  );
}
