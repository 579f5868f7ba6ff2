/** Characters without ink: white space, control characters, characters that programs don't draw, the empty Braille cell. */
const unseen = /^[\p{White_Space}\p{Cc}\p{Default_Ignorable_Code_Point}\u2800\uFFF9-\uFFFB]*$/u;

/** Whether readers would see nothing, as with a name of zero-width spaces. Such a text counts as missing. */
export function showsNothing(text: string): boolean {
  return unseen.test(text);
}

/** An address ready for a path behind it. */
export function withoutTrailingSlashes(address: string): string {
  return address.replace(/(?<!\/)\/+$/, "");
}

/** The beginning of a text, never with half a character at its end. @param max In UTF-16 units. */
export function cutTo(text: string, max: number): string {
  return text.length <= max ? text : text.slice(0, max).replace(/[\uD800-\uDBFF]$/, "");
}

/** The end of a text, never with half a character at its start. @param max In UTF-16 units. */
export function endOf(text: string, max: number): string {
  return text.length <= max ? text : text.slice(-max).replace(/^[\uDC00-\uDFFF]/, "");
}

/** A pattern that matches exactly this text. `RegExp.escape` would escape more, and the embedded engine's index couldn't serve it. */
export function literally(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
}

/** Turns the digits of all scripts into 0 to 9: Arabic, Persian, Devanagari, full width. */
export function plainDigits(text: string): string {
  return text.replace(/\p{Nd}/gu, (digit) => {
    const code = digit.codePointAt(0) ?? 0;
    let zero = code;
    while (/\p{Nd}/u.test(String.fromCodePoint(zero - 1))) zero -= 1;
    return String((code - zero) % 10);
  });
}

/** A typed whole number of at most six digits, in any script. NaN, which fails every comparison, for anything else. */
export function wholeNumber(typed: string): number {
  const digits = plainDigits(typed).trim();
  return /^\d{1,6}$/.test(digits) ? Number(digits) : Number.NaN;
}

/** Whether a text is a day that exists, such as "2026-12-20". */
export function isDate(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false;
  const at = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(at) && new Date(at).toISOString().startsWith(text);
}

/** A sentence with each name, such as in "{{seconds}} seconds", replaced by its value. */
export function filledIn(sentence: string, values: Readonly<Record<string, string | number>> = {}): string {
  return sentence.replace(/\{\{(\w+)\}\}/g, (place, name: string) => String(values[name] ?? place));
}
