import type { CourseRights } from "./course-rights.ts";

/** A verified LTI launch in our own words; nothing outside `lms/` sees a claim. */
export type Launch = {
  registrationId: string;
  deploymentId: string;
  kind: "resource-link" | "deep-linking" | "submission-review";
  /** Null for an anonymous launch (no `sub`). */
  person: LaunchPerson | null;
  rights: CourseRights;
  /** Listed as a learner: mentors, guests and unknown roles take part but are never graded. */
  student: boolean;
  /** An administrator of the LMS; gives no rights in the course. No when left out. */
  administrator?: boolean;
  /** Null without a context claim. */
  course: { id: string; title: string; label: string } | null;
  link: { id: string; title: string } | null;
  /** Assignment and Grade Services as granted by this launch. */
  grades: GradeService | null;
  /** Names and Roles service: its address, query included. */
  membershipsUrl: string | null;
  /** Course Groups service, where the LMS has one (Blackboard, Sakai). */
  groups: GroupService | null;
  /** Platform Notification service, where the LMS has one. */
  notices: NoticeService | null;
  /** `product_family_code`; null when not sent. */
  product?: string | null;
  /** Custom parameters; an unsubstituted `$Variable` is left out. */
  custom: Readonly<Record<string, string>>;
  presentation: {
    /** Where the LMS says it shows us; it may be wrong, so pages also look for themselves. */
    target: "frame" | "iframe" | "window" | "unknown";
    locale: string | null;
    returnUrl: string | null;
    /** The course's page in the LMS, without anything of one person's session. */
    courseUrl: string | null;
  };
  /** The other person of a submission review. */
  forUser: string | null;
  /** Ids of the people whose mentor this person is; empty for others. */
  mentorOf: readonly string[];
  deepLinking: DeepLinkingRequest | null;
};

/** The LMS may withhold everything but `sub`. */
export type LaunchPerson = {
  /** Stable within the registration; at most 255 characters. */
  sub: string;
  name: string | null;
  givenName: string | null;
  familyName: string | null;
  email: string | null;
};

/** Addresses keep their query (Moodle needs it). */
type GradeService = {
  lineItemsUrl: string | null;
  /** The column coupled to this link. */
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
  /** Whether an item may bring a gradebook column; null when the LMS does not say (Moodle, which takes them). */
  acceptLineItem: boolean | null;
  /** The LMS's title for the new link. */
  title: string | null;
  text: string | null;
  /** To be returned byte for byte. */
  data: string | null;
  /** Digest of the key of our frame in the LMS's dialog, from which the LMS expects the answer; null or left out inside that frame. */
  answerTo?: string | null | undefined;
};

/** Names under which the tool asks an LMS for facts about every launch; keys of `Launch.custom`. */
export const customParameter = {
  /** Comma list of the ids of the courses this one was copied from, newest first; empty for an original. */
  contextHistory: "spaces_context_history",
  linkHistory: "spaces_link_history",
  timeZone: "spaces_time_zone",
  /** Moodle: comma list of the person's group ids. */
  moodleGroups: "spaces_moodle_groups",
  /** Canvas: comma list of the person's section ids. */
  sectionIds: "spaces_section_ids",
  /** Canvas: JSON array of names, one an enrolment, so it may be longer than the ids. */
  sectionNames: "spaces_section_names",
  /** Canvas: comma list, sorted alone: not in the order of the ids. */
  sectionSisIds: "spaces_section_sis_ids",
  /** Canvas: "true" when the person may see their own sections only. */
  sectionRestricted: "spaces_section_restricted",
  /** Canvas: comma list of the person's groups. */
  canvasGroups: "spaces_canvas_groups",
  /** On our links: the id of the instructor's deep linking choice. */
  choice: "spaces_choice",
} as const;
