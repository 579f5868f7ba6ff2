import type { Translate } from "./translate.ts";

/** In the page's language, at most two decimals. Not for form fields, which are read back. */
export function numberText(t: Translate, value: number): string {
  const format = formats.get(t.locale) ?? new Intl.NumberFormat(t.locale, { maximumFractionDigits: 2 });
  if (formats.size < 100) formats.set(t.locale, format);
  return format.format(value);
}

const formats = new Map<string, Intl.NumberFormat>();
