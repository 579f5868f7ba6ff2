/** A title is at most this long. */
export const longestTitle = 200;

/** What may stand in a title, each in braces. */
export const titlePlaceholders = ["number", "of", "date", "course"] as const;

/** What a title's placeholders stand for. */
export type TitleValues = Readonly<Record<(typeof titlePlaceholders)[number], string>>;

/**
 * A title with its placeholders filled in: "Lesson {number} of {of}" becomes "Lesson 3 of 12". What is in braces and no
 * placeholder stays as it is. @returns at most {@link longestTitle} characters, without line breaks.
 */
export function titleOf(template: string, values: TitleValues): string {
  const filled = template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const known = titlePlaceholders.find((each) => each === name);
    return known === undefined ? whole : values[known];
  });
  return filled.replace(/\s+/g, " ").trim().slice(0, longestTitle);
}
