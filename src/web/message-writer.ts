import type { Catalogue } from "./catalogues.ts";

/** A message cut at its values: text, name of a value, text, ..., text. */
type Cut = readonly string[];

/** Writes a message of one language; null for what it leaves to i18next. */
export type MessageWriter = (key: string, values: Readonly<Record<string, unknown>>) => string | null;

/**
 * Writes the messages of a catalogue that need nothing but their values filled in and the plural form chosen: nearly
 * all of them, in a twentieth of i18next's time, which a page of hundreds of lines asks for thousands. What it
 * writes is what i18next writes; what it does not know (a key that is missing, a default, a value that is no text or
 * number) it leaves alone.
 * @param language Such as "pt": whose plural forms are chosen.
 */
export function createMessageWriter(language: string, catalogue: Catalogue): MessageWriter {
  const messages = new Map<string, Cut | null>();
  for (const [key, message] of catalogue) messages.set(key, cutMessage(message));
  const plurals = new Intl.PluralRules(language);
  /** i18next takes a form for zero where there is one, in every language. */
  const cutOf = (key: string, count: unknown): Cut | null | undefined => {
    if (count === undefined) return messages.get(key);
    if (typeof count !== "number") return null;
    const none = count === 0 ? messages.get(`${key}_zero`) : undefined;
    return none ?? messages.get(`${key}_${plurals.select(count)}`) ?? messages.get(key);
  };
  return (key, values) => {
    if (values.defaultValue !== undefined || values.context !== undefined) return null;
    const cut = cutOf(key, values.count);
    return cut == null ? null : filled(cut, values);
  };
}

/** Null when there is more in it than names of values: formats and messages within messages are i18next's. */
function cutMessage(message: string): Cut | null {
  const cut = message.split(/\{\{(\w+)\}\}/);
  return /\$t\(/.test(message) || cut.some((part, at) => at % 2 === 0 && part.includes("{{")) ? null : cut;
}

function filled(cut: Cut, values: Readonly<Record<string, unknown>>): string | null {
  let text = cut[0] ?? "";
  for (let at = 1; at < cut.length; at += 2) {
    const value = values[cut[at] ?? ""];
    if (typeof value !== "string" && typeof value !== "number") return null;
    text += String(value) + (cut[at + 1] ?? "");
  }
  return text;
}
