export type Scheme = "light" | "dark";

/** What accent words stand on: the tokens --page, --card and --sunken of views/assets/style.css, and --accent-soft, this share of the accent over --page. */
export const grounds = {
  light: { page: "#ffffff", others: ["#f4f6f9"], soft: 0.07 },
  dark: { page: "#12171e", others: ["#19202a", "#1e2631"], soft: 0.11 },
} as const;

/** What pages have where an institution sets nothing. */
export const ownAccent = { light: "#1d5fbf", dark: "#8fbaff" } as const;

/** WCAG 2.2, 1.4.3. It is more than the 3:1 that the line below the current tab needs. */
const wordsRatio = 4.5;

const wordColours = ["#ffffff", "#0b1a2f"] as const;

/** Shades between a colour and black or white. */
const shadeCount = 256;

/** @returns "#rrggbb" in small letters; null for what is no colour. */
export function colourFrom(typed: string): string | null {
  const digits = /^#?([\da-f]{3}|[\da-f]{6})$/i.exec(typed.trim())?.[1]?.toLowerCase();
  if (digits === undefined) return null;
  return `#${digits.length === 3 ? digits.replaceAll(/./g, "$&$&") : digits}`;
}

/** The colour of words on a button of this colour. */
export function wordsOn(colour: string): string {
  const [first, other] = wordColours;
  return contrast(first, colour) >= contrast(other, colour) ? first : other;
}

/** Whether words on the button, and words of this colour on every ground, can be read. */
export function isReadable(colour: string, scheme: Scheme): boolean {
  const { page, others, soft } = grounds[scheme];
  const all = [page, ...others, mixed(colour, page, soft), wordsOn(colour)];
  return all.every((one) => contrast(colour, one) >= wordsRatio);
}

/** The colour itself, or the nearest shade that can be read: darker on light pages, lighter on dark ones. */
export function nearestReadable(colour: string, scheme: Scheme): string {
  const end = scheme === "light" ? "#000000" : "#ffffff";
  for (let step = 0; step < shadeCount; step += 1) {
    const shade = mixed(end, colour, step / shadeCount);
    if (isReadable(shade, scheme)) return shade;
  }
  return end;
}

export type AccentColours = { light: string; dark: string };

/** @param dark Null: derived from the light one. */
export function accentColours(light: string, dark: string | null): AccentColours {
  return { light, dark: dark ?? nearestReadable(light, "dark") };
}

/** WCAG 2.2, "contrast ratio": 1 to 21. */
export function contrast(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = partsOf(colour).map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** As `color-mix(in srgb, ...)` mixes them. */
function mixed(colour: string, ground: string, share: number): string {
  const below = partsOf(ground);
  const parts = partsOf(colour).map((part, at) => Math.round(part * share + (below[at] ?? 0) * (1 - share)));
  return `#${parts.map((part) => part.toString(16).padStart(2, "0")).join("")}`;
}

function partsOf(colour: string): number[] {
  return [1, 3, 5].map((at) => parseInt(colour.slice(at, at + 2), 16));
}
