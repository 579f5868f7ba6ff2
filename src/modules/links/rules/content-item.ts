export type ContentItem = {
  /** In the course; in Moodle also its column's. */
  title: string;
  /** A sentence below it. */
  text: string | null;
  /** They come back with each launch; no tool-level parameter has these names. */
  custom: Readonly<Record<string, string>>;
  /** Null for a link without a column. */
  column: ContentItemColumn | null;
};

export type ContentItemColumn = {
  /** A whole number from 1 to 100: Moodle's form saves nothing else. */
  points: number;
  resourceId: string;
  tag: string;
  /** When a session ends (ms); null for a column of all sessions, and where that is not known. */
  endsAt: number | null;
};
