/** A secret address under which a calendar program reads sessions: of a course, or of a person in all their courses. */
export type CalendarAddress = {
  registrationId: string;
  scope: "course" | "person";
  /** Our id of the course or the person. */
  ownerId: string;
  /** SHA-256 of the token in the address; the token itself is not kept. */
  digest: string;
  createdAt: number;
  /** How its maker reads dates and words, such as "de"; calendars are written so. Earlier records lack it. */
  locale?: string | null;
};
