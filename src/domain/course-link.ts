import { describeRecord, unique, index, type ItemOf } from "./record.ts";
import { text, json, number } from "./record-fields.ts";
import type { EntryWindow } from "./entry-window.ts";
import type { IgnoredParameter } from "./join-settings-custom.ts";
import type { JoinSettings } from "./join-url.ts";
import type { SpaceAccess } from "./space-access.ts";

/** Kept under the link's own id, which a copy does not share: a copied link falls back to its own course's Space. */
export const courseLinkRecord = describeRecord("CourseLink", {
  fields: {
    registrationId: text,
    deploymentId: text,
    courseId: text,
    /** `resource_link.id` of the LMS: unique within the deployment only. */
    linkId: text,
    choice: json<LinkChoice>(),
    /** The deep linking choice taken last; null when the link brought none. */
    choiceId: text.orNull,
    /** Set by an instructor on our page; they win over everything. */
    settings: json<Partial<JoinSettings>>().or({}),
    /** From the link's custom parameters at the latest launch; they win over the course's settings. */
    customSettings: json<Partial<JoinSettings>>().or({}),
    ignoredParameters: json<readonly IgnoredParameter[]>().or([]),
    /** Differences from the course's entry window. */
    door: json<Partial<EntryWindow>>().or({}),
    /** An instructor's statement about the link's other Space; null for none. */
    spaceAccess: json<{ spaceId: string; access: SpaceAccess }>().orNull,
    /** Grows with every instructor's change, against overwriting unseen ones. */
    settingsRevision: number.or(0),
  },
  indexes: [unique("registrationId", "courseId", "linkId"), index("choice.spaceId")],
  held: { key: "links", holds: "settings of a link in a course; no person", kept: "with the course" },
});
export type CourseLink = ItemOf<typeof courseLinkRecord>;

/** An instructor's deep linking choice, kept until the link is made; the link carries its id, which counts in this course alone. */
export type StoredChoice = {
  id: string;
  registrationId: string;
  deploymentId: string;
  courseId: string;
  choice: LinkChoice;
  createdAt: number;
};

export type LinkChoice =
  | { kind: "course-space" }
  /** Another Space, for this link only. */
  | { kind: "space"; spaceId: string }
  /** One session, with its own gradebook column if the link has one. `inSpace`: its Space where it is not the course's. */
  | { kind: "session"; eventId: string; inSpace?: string };
