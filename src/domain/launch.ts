import type { Person } from "./course.ts";
import type { CourseRights } from "./course-rights.ts";

/** A verified LTI launch in our own words. Outside `lms/`, nothing sees a claim. */
export type Launch = {
  registrationId: string;
  deploymentId: string;
  kind: "resource-link" | "deep-linking" | "submission-review";
  /** Null for an anonymous launch (no `sub`). */
  person: LaunchPerson | null;
  rights: CourseRights;
  /** Listed as a learner. Mentors, guests and unknown roles take part, but are never graded. */
  student: boolean;
  /** An administrator of the LMS, which gives no rights in the course. False when left out. */
  administrator?: boolean;
  /** Null without a context claim. */
  course: { id: string; title: string; label: string } | null;
  link: { id: string; title: string } | null;
  /** Assignment and Grade Services as this launch grants them. */
  grades: GradeService | null;
  /** The address of the Names and Roles service, with its query. */
  membershipsUrl: string | null;
  /** Course Groups service, if the LMS has it (Blackboard, Sakai). */
  groups: GroupService | null;
  /** Platform Notification service, if the LMS has it. */
  notices: NoticeService | null;
  /** `product_family_code`; null when not sent. */
  product?: string | null;
  /** Custom parameters, without `$Variable`s that the LMS didn't substitute. */
  custom: Readonly<Record<string, string>>;
  presentation: {
    /** Where the LMS says it shows us. It may be wrong, so pages also check for themselves. */
    target: "frame" | "iframe" | "window" | "unknown";
    locale: string | null;
    returnUrl: string | null;
    /** The address of the course's page in the LMS, without anything from one person's session. */
    courseUrl: string | null;
  };
  /** The LMS's id of the person whose submission is reviewed. */
  forUser: string | null;
  /** Ids of the people that this person mentors; empty for everybody else. */
  mentorOf: readonly string[];
  deepLinking: DeepLinkingRequest | null;
};

/** The LMS may withhold all of it but `sub`, which is stable within the registration and has at most 255 characters. */
export type LaunchPerson = Pick<Person, "sub" | "name" | "givenName" | "familyName" | "email">;

/** Addresses keep their query, which Moodle needs. */
type GradeService = {
  lineItemsUrl: string | null;
  /** The column that belongs to this link. */
  lineItemUrl: string | null;
  scopes: readonly string[];
};

/** Course Groups Service 1.0. */
type GroupService = { groupsUrl: string; setsUrl: string | null };

/** Platform Notification Service 1.0. */
type NoticeService = { url: string; types: readonly string[]; scopes: readonly string[] };

export type DeepLinkingRequest = {
  returnUrl: string;
  acceptTypes: readonly string[];
  /** `accept_presentation_document_targets`: iframe, window, embed; empty when not sent. */
  acceptTargets: readonly string[];
  acceptMultiple: boolean;
  /** Whether an item may come with a gradebook column; null when the LMS doesn't say (Moodle, which accepts them). */
  acceptLineItem: boolean | null;
  /** The LMS's title for the new link. */
  title: string | null;
  text: string | null;
  /** To be returned unchanged, byte for byte. */
  data: string | null;
  /** Digest of the key of our frame in the LMS's dialog, which must send the answer; null or left out inside that frame. */
  answerTo?: string | null | undefined;
};

/** Parameters with which the tool asks an LMS for facts about every launch; keys of `Launch.custom`. */
export const customParameter = {
  /** Ids of the courses that this one was copied from, with commas, newest first; empty for an original. */
  contextHistory: "spaces_context_history",
  linkHistory: "spaces_link_history",
  timeZone: "spaces_time_zone",
  /** Moodle: ids of the person's groups, with commas. */
  moodleGroups: "spaces_moodle_groups",
  /** Canvas: ids of the person's sections, with commas. */
  sectionIds: "spaces_section_ids",
  /** Canvas: JSON array of section names, one for each enrolment, so it may be longer than the list of ids. */
  sectionNames: "spaces_section_names",
  /** Canvas: SIS ids with commas. They are sorted independently, so their order isn't that of the ids. */
  sectionSisIds: "spaces_section_sis_ids",
  /** Canvas: "true" when the person may only see their own sections. */
  sectionRestricted: "spaces_section_restricted",
  /** Canvas: ids of the person's groups, with commas. */
  canvasGroups: "spaces_canvas_groups",
  /** On our links: the id of the instructor's deep linking choice. */
  choice: "spaces_choice",
} as const;
