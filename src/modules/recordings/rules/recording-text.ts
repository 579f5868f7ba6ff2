/** What of a recording may come as text. */
export const textParts = ["transcript", "summary"] as const;
export type TextPart = (typeof textParts)[number];

/** A transcript or summary as it is kept: plain text, never HTML. */
export type RecordingText = {
  text: string;
  /** Whether the classroom's own is longer. */
  cut: boolean;
};

/** Longer texts are cut (UTF-16 units): ten hours of speech are about so long, and a page must still be readable. */
export const longestText = 500_000;

/** A text as it is kept: with plain line ends, nothing that only controls a terminal, and cut at a whole character. */
export function keptText(told: string): RecordingText {
  const plain = told
    .replace(/\r\n?/g, "\n")
    .replace(/[^\P{C}\n\t\p{Cf}]/gu, "")
    .trim();
  if (plain.length <= longestText) return { text: plain, cut: false };
  return { text: plain.slice(0, longestText).replace(/[\uD800-\uDBFF]$/, ""), cut: true };
}

/** What stands where an erased person was named. */
const takenOut = "…";

/**
 * Takes names out of a text. A name of several words goes wherever it stands; a single word only where it is a word of its own,
 * written as told: "Will" goes, "will" and "Willow" stay.
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
