import { textAt, valueAt } from "./read-reply.ts";

/** Where each entry of a list of what was said has its words, and whose they are. */
type SegmentPlaces = { text: readonly string[]; speaker: readonly string[] };

/**
 * A transcript or summary that stands in a reply itself, as a text or as a list of what was said one after another; null where
 * there is none. An address or an id is none.
 */
export function spokenTextAt(
  reply: unknown,
  places: readonly string[],
  segment: SegmentPlaces,
): string | null {
  for (const place of places) {
    const value = valueAt(reply, [place]);
    const text = typeof value === "string" ? value : Array.isArray(value) ? linesOf(value, segment) : "";
    if (isProse(text)) return text;
  }
  return null;
}

/** A line for each entry; whoever goes on speaking is not named again. */
function linesOf(entries: readonly unknown[], { text, speaker }: SegmentPlaces): string {
  let before: string | null = null;
  const lines = entries.flatMap((entry) => {
    const words = textAt(entry, ["", ...text])?.trim() ?? "";
    if (words === "") return [];
    const who = textAt(entry, speaker);
    const line = who === null || who === before ? words : `${who}: ${words}`;
    before = who;
    return [line];
  });
  return lines.join("\n");
}

/** Words, rather than an address, an id or a status: one run of plain letters and signs is none of what people say. */
function isProse(text: string): boolean {
  return text.trim() !== "" && !/^[\x21-\x7e]+$/.test(text.trim()) && !/^[a-z][a-z+.-]*:\/\//i.test(text);
}
