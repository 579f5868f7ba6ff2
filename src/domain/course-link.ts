/**
 * A link of a course to the tool, and what an instructor chose for it. Kept under the link's own id, which a copy
 * does not share: a copied link falls back to its own course's Space.
 */
export type CourseLink = {
  id: string;
  registrationId: string;
  deploymentId: string;
  courseId: string;
  /** `resource_link.id` of the LMS: unique within the deployment only. */
  linkId: string;
  choice: LinkChoice;
  /** The choice from a deep linking dialog that was taken last; null when the link brought none. */
  choiceId: string | null;
};

/**
 * What an instructor chose in a deep linking dialog, kept until the LMS has made the link. The link carries only
 * the id; it counts in this course alone, so a copied link chooses nothing.
 */
export type StoredChoice = {
  id: string;
  registrationId: string;
  deploymentId: string;
  courseId: string;
  choice: LinkChoice;
  createdAt: number;
};

/** What a link opens. */
export type LinkChoice =
  | { kind: "course-space" }
  /** Another Space, for this link only. */
  | { kind: "space"; spaceId: string }
  /** One session: the course's Space, and a gradebook column of its own when the link has one. */
  | { kind: "session"; eventId: string };
