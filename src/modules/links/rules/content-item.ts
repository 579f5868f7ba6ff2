/** A link that a deep linking dialog hands to the LMS. */
export type ContentItem = {
  /** What the link is called in the course; in Moodle its column, too. */
  title: string;
  /** A sentence below it; null for none. */
  text: string | null;
  /** Parameters of our own that come back with each launch of the link, under names no tool-level one has. */
  custom: Readonly<Record<string, string>>;
  /** Null for a link without a column. */
  column: ContentItemColumn | null;
};

/** The gradebook column that a link brings along. */
export type ContentItemColumn = {
  /** A whole number, 1 to 100: Moodle's form does not save anything else. */
  points: number;
  resourceId: string;
  tag: string;
};
