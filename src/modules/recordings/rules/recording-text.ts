import { cutTo } from "../../../kernel/text.ts";

export const textParts = ["transcript", "summary"] as const;
export type TextPart = (typeof textParts)[number];

/** Plain text, never HTML. */
export type RecordingText = {
  text: string;
  /** Whether the classroom's own is longer. */
  cut: boolean;
};

/** Longer texts are cut (UTF-16 units): about ten hours of speech. */
export const maxTextLength = 500_000;

/** Plain line ends, no control characters, cut at a whole character. */
export function keptText(text: string): RecordingText {
  const plain = text
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{C}\n\t\p{Cf}]/gu, "")
    .trim();
  if (plain.length <= maxTextLength) return { text: plain, cut: false };
  return { text: cutTo(plain, maxTextLength), cut: true };
}

const takenOut = "…";

/**
 * A name of several words goes everywhere; a single word only as a whole word in the same case: "Will" goes, "will" and
 * "Willow" stay.
 */
export function withoutNames(text: string, names: readonly string[]): string {
  const longestFirst = names.map((name) => name.trim()).sort((one, other) => other.length - one.length);
  return longestFirst
    .filter((name) => name.length > 1)
    .reduce((left, name) => left.replace(asRegExp(name), takenOut), text);
}

function asRegExp(name: string): RegExp {
  const plain = name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  if (/\s/.test(name)) return new RegExp(plain.replace(/\s+/g, "\\s+"), "giu");
  return new RegExp(`(?<![\\p{L}\\p{N}])${plain}(?![\\p{L}\\p{N}])`, "gu");
}
