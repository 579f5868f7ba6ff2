import type { Translate } from "./translate.ts";

/**
 * A number as the page's language writes it, with at most two decimals: a gradebook may tell more than anybody gave.
 * Not for the value of a form's field, which is read back as it stands.
 */
export function numberText(t: Translate, value: number): string {
  const format = formats.get(t.locale) ?? new Intl.NumberFormat(t.locale, { maximumFractionDigits: 2 });
  // Locales come from outside: a few are kept.
  if (formats.size < 100) formats.set(t.locale, format);
  return format.format(value);
}

/** Making a format takes longer than writing a class's numbers with it, so each is kept. */
const formats = new Map<string, Intl.NumberFormat>();
