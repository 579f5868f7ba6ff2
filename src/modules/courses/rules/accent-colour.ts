/** What the main button has where an institution sets nothing, on light pages: --accent of views/assets/style.css. */
export const ownAccent = "#1d5fbf";

/** WCAG 2.2, 1.4.3. */
const minContrast = 4.5;

/** @returns "#rrggbb" in small letters; null for what is no colour. */
export function colourFrom(typed: string): string | null {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(typed.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
}

/** Whether white words on it can be read: WCAG 2.2, "contrast ratio" and "relative luminance". */
export function carriesWhiteWords(colour: string): boolean {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const share = parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return 1.05 / (luminance + 0.05) >= minContrast;
}
