import type { CourseRights } from "./course-rights.ts";

/** A verified LTI launch in our own words; nothing outside `lms/` sees a claim. */
export type Launch = {
  registrationId: string;
  deploymentId: string;
  kind: "resource-link" | "deep-linking" | "submission-review";
  /** Null when the LMS sent no `sub`: an anonymous launch. */
  person: LaunchPerson | null;
  rights: CourseRights;
  /** Listed as a learner of the course: a mentor, a guest or an unknown role takes part, but is never graded. */
  student: boolean;
  /** Whether the LMS calls this person its administrator; gives no rights in the course. No when left out. */
  administrator?: boolean;
  /** Null when the launch carries no context. */
  course: { id: string; title: string; label: string } | null;
  link: { id: string; title: string } | null;
  /** Assignment and Grade Services as this launch granted them. */
  grades: GradeService | null;
  /** Names and Roles service: its address, query included. */
  membershipsUrl: string | null;
  /** Course Groups service, where the LMS has one (Blackboard, Sakai). */
  groups: GroupService | null;
  /** Platform Notification service, where the LMS has one. */
  notices: NoticeService | null;
  /** What the LMS calls its own product (`product_family_code`); null when it does not say. */
  product?: string | null;
  /** Custom parameters; an unsubstituted `$Variable` is left out. */
  custom: Readonly<Record<string, string>>;
  presentation: {
    /** Where the LMS says it shows us; it may be wrong, so pages also look for themselves. */
    target: "frame" | "iframe" | "window" | "unknown";
    locale: string | null;
    returnUrl: string | null;
    /** The course's page in the LMS, with nothing of one person's session in it. */
    courseUrl: string | null;
  };
  /** The other person of a submission review. */
  forUser: string | null;
  /** Ids of the people whose mentor this person is; empty for everybody else. */
  mentorOf: readonly string[];
  deepLinking: DeepLinkingRequest | null;
};

/** Who launches. Everything but `sub` may be withheld by the LMS. */
export type LaunchPerson = {
  /** Stable within the registration; at most 255 characters. */
  sub: string;
  name: string | null;
  givenName: string | null;
  familyName: string | null;
  email: string | null;
};

/** What a launch says about the gradebook. Addresses keep their query (Moodle needs it). */
export type GradeService = {
  lineItemsUrl: string | null;
  /** The column coupled to this very link. */
  lineItemUrl: string | null;
  /** Granted scopes as full URIs. */
  scopes: readonly string[];
};

/** Where the LMS lists the groups of the course (Course Groups Service 1.0). */
export type GroupService = { groupsUrl: string; setsUrl: string | null; scopes: readonly string[] };

/** Where a tool says which notices it wants (Platform Notification Service 1.0). */
export type NoticeService = { url: string; types: readonly string[]; scopes: readonly string[] };

/** What the LMS accepts back from a deep linking dialog. */
export type DeepLinkingRequest = {
  returnUrl: string;
  acceptTypes: readonly string[];
  /** `accept_presentation_document_targets`: iframe, window, embed; empty when not told. */
  acceptTargets: readonly string[];
  acceptMultiple: boolean;
  /** Whether an item may bring a gradebook column; null when the LMS does not say (Moodle, which takes them). */
  acceptLineItem: boolean | null;
  /** What the LMS would call the new link. */
  title: string | null;
  text: string | null;
  /** To be sent back byte for byte. */
  data: string | null;
  /**
   * Digest of the key of our frame in the LMS's dialog, when the browser kept no cookie there and the dialog goes on in a window
   * of its own: that frame must send the answer, the LMS expects it there. Null, or left out, when the dialog is in its frame.
   */
  answerTo?: string | null | undefined;
};

/** Names under which the tool asks an LMS for facts about every launch; keys of `Launch.custom`. */
export const customParameter = {
  /** Comma list of the ids of the courses this one was copied from, newest first; empty for an original. */
  contextHistory: "spaces_context_history",
  linkHistory: "spaces_link_history",
  /** IANA name. */
  timeZone: "spaces_time_zone",
  /** Moodle: comma list of the person's group ids. */
  moodleGroups: "spaces_moodle_groups",
  /** Canvas: comma list of the person's section ids. */
  sectionIds: "spaces_section_ids",
  /** Canvas: JSON array of names, one an enrolment, so it may be longer than the ids. */
  sectionNames: "spaces_section_names",
  /** Canvas: comma list, sorted by itself: not in the order of the ids. */
  sectionSisIds: "spaces_section_sis_ids",
  /** Canvas: "true" when the person may see their own sections only. */
  sectionRestricted: "spaces_section_restricted",
  /** Canvas: comma list of the person's groups. */
  canvasGroups: "spaces_canvas_groups",
  /** On a link of ours: the id of what an instructor chose for it in a deep linking dialog. */
  choice: "spaces_choice",
} as const;
