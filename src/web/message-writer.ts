import type { Catalogue } from "./catalogues.ts";

/** A message cut at its values: text, name of a value, text, ..., text. */
type Cut = readonly string[];

/** What a message's `{{names}}` stand for; `count` is a number, which chooses the plural form. */
export type MessageValues = Readonly<Record<string, string | number | null | undefined>>;

/** Null where the language has no message with this key. */
export type MessageWriter = (key: string, values: MessageValues) => string | null;

/**
 * Writes messages as i18next v4 has them: `{{names}}` are filled in, and `count` chooses a form (`people_one`).
 * Messages are cut once, since a page of hundreds of lines asks for thousands.
 * @param language Such as "pt", for its plural forms.
 */
export function createMessageWriter(language: string, catalogue: Catalogue): MessageWriter {
  const messages = new Map<string, Cut>();
  for (const [key, message] of catalogue) messages.set(key, message.split(/\{\{(\w+)\}\}/));
  const plurals = new Intl.PluralRules(language);
  const cutOf = (key: string, count: unknown): Cut | undefined => {
    if (typeof count !== "number") return messages.get(key);
    // Every language may have a form for zero.
    const none = count === 0 ? messages.get(`${key}_zero`) : undefined;
    return none ?? messages.get(`${key}_${plurals.select(count)}`) ?? messages.get(key);
  };
  return (key, values) => {
    const cut = cutOf(key, values.count);
    return cut === undefined ? null : filled(cut, values);
  };
}

/** A value that nobody gave stays as its name, so that it is seen. */
function filled(cut: Cut, values: MessageValues): string {
  let text = cut[0] ?? "";
  for (let at = 1; at < cut.length; at += 2) {
    const name = cut[at] ?? "";
    const value = values[name] ?? (Object.hasOwn(values, name) ? "" : `{{${name}}}`);
    text += String(value) + (cut[at + 1] ?? "");
  }
  return text;
}
