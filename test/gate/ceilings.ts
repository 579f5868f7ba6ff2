import { z } from "zod";

/** The figures that have a ceiling, and their names in a sentence. */
const names = {
  sourceFiles: "files of src",
  sourceLines: "lines of src",
  sandboxLines: "lines of sandbox",
  testLines: "lines of test",
  languageFiles: "files of one language (views/locales/en)",
  languageLines: "lines of one language (views/locales/en)",
  docsWords: "words of docs",
};

const count = z.int().min(0);

export const ceilingsSchema = z.strictObject({
  sourceFiles: count,
  sourceLines: count,
  sandboxLines: count,
  testLines: count,
  languageFiles: count,
  languageLines: count,
  docsWords: count,
});
export type Counts = z.output<typeof ceilingsSchema>;

const kinds = ceilingsSchema.keyof().options;

/** A sentence for each figure that is over its ceiling. */
export function overCeilings(counts: Counts, ceilings: Counts): string[] {
  return kinds
    .filter((kind) => counts[kind] > ceilings[kind])
    .map(
      (kind) =>
        `${String(counts[kind])} ${names[kind]}: ${String(counts[kind] - ceilings[kind])} over the ceiling of ` +
        `${String(ceilings[kind])} (test/gate/ceilings.json). Take something out, or raise it and say in the commit what for.`,
    );
}

/** The ceilings lowered to the current figures, with room up to the next 10 files or 100 lines; never raised. */
export function loweredCeilings(counts: Counts, ceilings: Counts): Counts {
  const lowered = { ...ceilings };
  for (const kind of kinds) {
    const step = kind.endsWith("Files") ? 10 : 100;
    lowered[kind] = Math.min(ceilings[kind], Math.ceil(counts[kind] / step) * step);
  }
  return lowered;
}
