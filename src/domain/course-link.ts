import { describeRecord, unique, index, type ItemOf } from "./record.ts";
import { text, json, number } from "./record-fields.ts";
import type { EntryWindow } from "./entry-window.ts";
import type { IgnoredParameter } from "./join-settings-custom.ts";
import type { JoinSettings } from "./join-url.ts";
import type { SpaceAccess } from "./space-access.ts";

/**
 * A link of a course to the tool, and what an instructor chose for it. Kept under the link's own id, which a copy
 * does not share: a copied link falls back to its own course's Space.
 */
export const courseLinkRecord = describeRecord("CourseLink", {
  fields: {
    registrationId: text,
    deploymentId: text,
    courseId: text,
    /** `resource_link.id` of the LMS: unique within the deployment only. */
    linkId: text,
    choice: json<LinkChoice>(),
    /** The choice from a deep linking dialog that was taken last; null when the link brought none. */
    choiceId: text.orNull,
    /** Settings that an instructor chose for this link on our page; they win over everything. Empty for most. */
    settings: json<Partial<JoinSettings>>().or({}),
    /** What the link's custom parameters in the LMS said at the latest launch; wins over the course's settings. */
    customSettings: json<Partial<JoinSettings>>().or({}),
    /** Custom parameters of that launch that were not understood. */
    ignoredParameters: json<readonly IgnoredParameter[]>().or([]),
    /** What is different from the course's door; empty for most. */
    door: json<Partial<EntryWindow>>().or({}),
    /** What an instructor says about the Space that the link opens instead of the course's; null when nothing. */
    spaceAccess: json<{ spaceId: string; access: SpaceAccess }>().orNull,
    /** Grows with every change an instructor makes, so that nobody overwrites what they have not seen. */
    settingsRevision: number.or(0),
  },
  indexes: [unique("registrationId", "courseId", "linkId"), index("choice.spaceId")],
  held: { key: "links", holds: "settings of a link in a course; no person", kept: "with the course" },
});
export type CourseLink = ItemOf<typeof courseLinkRecord>;

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
  /**
   * One session, with a gradebook column of its own when the link has one. `inSpace`: the Space it takes place in; left out
   * where that is the course's own.
   */
  | { kind: "session"; eventId: string; inSpace?: string };
