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
};

/** What a link opens. */
export type LinkChoice =
  | { kind: "course-space" }
  /** Another Space, for this link only. */
  | { kind: "space"; spaceId: string }
  /** One session: the course's Space, and a gradebook column of its own when the link has one. */
  | { kind: "session"; eventId: string };
