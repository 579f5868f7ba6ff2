import { cutTo } from "../../../kernel/text.ts";

/** UTF-16 units. */
export const maxTitleLength = 200;

export const titlePlaceholders = ["number", "of", "date", "course"] as const;

export type TitleValues = Readonly<Record<(typeof titlePlaceholders)[number], string>>;

/**
 * "Lecture {number} of {of}" becomes "Lecture 3 of 12". Unknown placeholders stay. @returns at most {@link maxTitleLength}
 * characters, without line breaks.
 */
export function titleOf(template: string, values: TitleValues): string {
  const filled = template.replace(/\{(\w+)\}/g, (whole, name: string) => {
    const known = titlePlaceholders.find((each) => each === name);
    return known === undefined ? whole : values[known];
  });
  return cutTo(filled.replace(/\s+/g, " ").trim(), maxTitleLength);
}
