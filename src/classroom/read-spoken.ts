import { textAt, valueAt } from "./read-reply.ts";

type SegmentPlaces = { text: readonly string[]; speaker: readonly string[] };

/** A text or a list of utterances in the reply itself. Addresses and ids are none. */
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

/** A line for each entry; a speaker who goes on is not named again. */
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

/** Whether a text is words, not an address, id or status: one run of plain letters and signs is not. */
function isProse(text: string): boolean {
  return text.trim() !== "" && !/^[\x21-\x7e]+$/.test(text.trim()) && !/^[a-z][a-z+.-]*:\/\//i.test(text);
}
