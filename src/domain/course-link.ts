import type { Course } from "./course.ts";
import type { EntryWindow } from "./entry.ts";
import type { IgnoredParameter } from "../settings/in-effect.ts";
import type { JoinSettings } from "../settings/options.ts";
import { describeRecord, field, index, type ItemOf } from "./record.ts";

/** Stored under the link's own id. A copied link has another id, so it falls back to its own course's Space. */
export const courseLinkRecord = describeRecord("CourseLink", {
  readOnce: "found",
  fields: {
    registrationId: field.text,
    deploymentId: field.text,
    courseId: field.text,
    /** `resource_link.id` of the LMS: unique within the deployment only. */
    linkId: field.text,
    choice: field.json<LinkChoice>(),
    /** The deep linking choice used last; null when the link brought none. */
    choiceId: field.text.orNull,
    /** Set by an instructor on our page; these win over everything but locks. */
    settings: field.json<Partial<JoinSettings>>().or({}),
    /** From the link's custom parameters at the latest launch; these win over the course's settings. */
    customSettings: field.json<Partial<JoinSettings>>().or({}),
    ignoredParameters: field.json<readonly IgnoredParameter[]>().or([]),
    /** Where the link's entry window differs from the course's. */
    door: field.json<Partial<EntryWindow>>().or({}),
    /** What an instructor says about access to the link's other Space; null if nothing. */
    spaceAccess: field.json<{ spaceId: string; access: SpaceAccess }>().orNull,
    /** Grows with every change by an instructor, so nobody overwrites a change they haven't seen. */
    settingsRevision: field.number.or(0),
  },
  indexes: [index.unique("registrationId", "courseId", "linkId"), index("choice.spaceId")],
  personalData: {
    key: "links",
    holds: "settings of a link in a course; no person",
    stored: "with the course",
  },
});
export type CourseLink = ItemOf<typeof courseLinkRecord>;

/** An instructor's deep linking choice, stored until the link exists. The link carries its id, which is valid in this course only. */
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

/** As an instructor says it, because the interface can't read or change it (part 4). "unknown" for a Space we made: Public, no waiting room. */
export const spaceAccesses = ["unknown", "waiting-room", "invited-only"] as const;
export type SpaceAccess = (typeof spaceAccesses)[number];

/** The interface can't change it later. A Private Space admits only the users named when it was made, if the service accepts that list. */
export type NewSpace = { access: "Public" | "Private"; waitingRoom: boolean };

export const openSpace: NewSpace = { access: "Public", waitingRoom: false };

export function accessOfNew({ access, waitingRoom }: NewSpace): SpaceAccess {
  if (access === "Private") return "invited-only";
  return waitingRoom ? "waiting-room" : "unknown";
}

/** The access of the Space that an entry leads to. A link's statement counts only for the Space it was made about. */
export function spaceAccessOf(
  course: Pick<Course, "spaceAccess"> & Partial<Pick<Course, "spaceId" | "newSpace">>,
  link: Pick<CourseLink, "choice" | "spaceAccess"> | null,
): SpaceAccess {
  const other = link === null ? null : otherSpaceOf(link.choice);
  if (link === null || other === null) {
    const { spaceAccess, spaceId, newSpace = openSpace } = course;
    return spaceId === null && spaceAccess === "unknown" ? accessOfNew(newSpace) : spaceAccess;
  }
  return link.spaceAccess?.spaceId === other ? link.spaceAccess.access : "unknown";
}

type Opens =
  | { kind: "course-space" }
  | { kind: "space"; spaceId: string }
  | { kind: "session"; inSpace?: string };

/** The Space that a link opens instead of its course's; null if it opens the course's own. */
export function otherSpaceOf(choice: Opens): string | null {
  switch (choice.kind) {
    case "course-space":
      return null;
    case "space":
      return choice.spaceId;
    case "session":
      return choice.inSpace ?? null;
  }
}
