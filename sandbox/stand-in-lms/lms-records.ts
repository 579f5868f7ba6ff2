// Imitates nothing.

/** Moodle's four roles, then Canvas's: a designer does not teach, an observer is a parent, the test user is "Student View". */
export type LmsRole =
  | "teacher"
  | "non-editing-teacher"
  | "manager"
  | "student"
  | "designer"
  | "observer"
  | "test-user";

/** Staff see the roster and the gradebook. */
export function isStaff(role: LmsRole): boolean {
  return role !== "student" && role !== "observer" && role !== "test-user";
}

/** The test user has its own row in the gradebook. */
export function isGradable(role: LmsRole): boolean {
  return role === "student" || role === "test-user";
}

/** The same `id` in two courses is the same person. */
export type SeedPerson = {
  /** Becomes `sub`; Moodle's ids are decimal numbers, and its grade service fails on anything else. */
  id: string;
  username: string;
  given: string;
  family: string;
  email: string;
  role: LmsRole;
  /** Ids of sections (Moodle: groups) of this course. */
  sections: string[];
};

type SeedLink = {
  /** Becomes `resource_link.id`. */
  id: string;
  title: string;
  /** True if the link has its own grade column from the start ("accept grades"). */
  graded: boolean;
  /** `target_link_uri`; null uses the tool's default. */
  url: string | null;
  /** Link-level custom parameters; a value may be a `$Variable`. */
  custom: Record<string, string>;
  /** 100 by default. */
  scoreMaximum?: number;
};

type SeedCourse = {
  id: string;
  shortname: string;
  title: string;
  sections: { id: string; name: string }[];
  people: SeedPerson[];
  links: SeedLink[];
};

export type LmsSeed = {
  /** The institution's name, shown on pages and in `tool_platform`. */
  name: string;
  /** What the administrator lets tools see, beyond what a tool asks for. */
  sharing: { names: boolean; email: boolean };
  courses: SeedCourse[];
};

export type Person = {
  id: string;
  username: string;
  given: string;
  family: string;
  email: string;
  /** Site administrator: may open every course, but is enrolled in none. */
  admin: boolean;
};

export type Enrolment = { personId: string; role: LmsRole; sections: string[] };

/** Framed in the course page, in a window, or in place of the page. */
export type Container = "embed" | "window" | "existing";

export type Link = {
  id: string;
  courseId: string;
  title: string;
  /** Null uses the tool's default address. */
  url: string | null;
  custom: Record<string, string>;
  container: Container;
  /** Null until a tool exists; the first activated one takes over such links. */
  toolId: string | null;
  /** False if learners do not see it yet, and Canvas takes no scores for it. */
  published: boolean;
  /** Copied from these links, nearest first. */
  history: string[];
  /** Moodle: its row in the grade service refers to a deleted column, until a daily task has run. */
  staleColumn?: boolean;
};

export type Course = {
  id: string;
  shortname: string;
  title: string;
  sections: { id: string; name: string }[];
  enrolments: Enrolment[];
  links: Link[];
  /** Copied from these courses, nearest first. */
  history: string[];
  /** A concluded Canvas course accepts no grades. */
  concluded: boolean;
  /** An unpublished Canvas course is open to its staff only. */
  published: boolean;
};

export type Column = {
  id: string;
  courseId: string;
  label: string;
  scoreMaximum: number;
  resourceId: string;
  tag: string;
  resourceLinkId: string | null;
  submissionReview: unknown;
  /** Null for a column that a tool created. */
  coupledLinkId: string | null;
  /** Null for a coupled column. */
  toolId: string | null;
  locked: boolean;
  hidden: boolean;
  /** False for a Canvas assignment that accepts no scores yet. */
  published: boolean;
  /** A Canvas assignment whose grading period is closed. */
  periodClosed?: boolean;
  /** When it is due (Canvas), as the tool wrote it. */
  dueAt?: string;
  /** A Canvas assignment that a teacher deleted, whose line item still exists. */
  deleted?: boolean;
  /** The assignment's column that it only joins (Canvas), without its own place in the gradebook. */
  joinedTo: string | null;
};

export type Grade = {
  columnId: string;
  personId: string;
  /** The tool's score, in the column's scale. */
  raw: number | null;
  /** The teacher's value if there is one, otherwise `raw`. */
  final: number | null;
  feedback: string | null;
  overridden: boolean;
  /** The column's maximum when the grade was last written (Moodle); if left out, the present one. */
  rawMaximum?: number;
  /** In s since the epoch: later scores must exceed it. */
  modifiedAt: number;
  /** Submissions made by a tool (Canvas only). */
  attempts: number;
  /** Excused by a teacher (Canvas); a score ends that. */
  excused?: boolean;
  /** The tool's score, in its own scale (Canvas stores it like that). */
  sent?: { given: number; maximum: number };
  /** Listed by the results service although empty. */
  listedWhenEmpty: boolean;
};

/** One client id, one deployment, and in Canvas one more for each course it is installed in. */
export type Tool = {
  id: string;
  clientId: string;
  deploymentId: string;
  name: string;
  description: string;
  loginUrl: string;
  launchUrl: string;
  redirectUrls: string[];
  jwksUrl: string;
  deepLinkingUrl: string | null;
  domain: string;
  logoUrl: string | null;
  scopes: string[];
  /** They override a link's parameters of the same name. */
  custom: Record<string, string>;
  shares: { names: boolean; email: boolean };
  /** By course id; in all other courses, the tool's own deployment applies. */
  courseDeployments: Map<string, string>;
  noticeHandlers: Map<string, string>;
  /** Where it appears in Canvas, such as course_navigation. */
  placements: string[];
  /** Custom fields of Canvas's course menu only (LTI_MESSAGE_SCHEMA of lti_tool_configuration.rb: a message's own). */
  menuCustom: Record<string, string>;
  /** The registration as the tool sent it; null for one added by hand. */
  sent: unknown;
  /** A change that the tool has sent and nobody has accepted yet (Canvas). */
  proposed?: unknown;
};

type AccessToken = { toolId: string; scopes: string[]; expiresAt: number };

export type LmsWorld = {
  name: string;
  sharing: { names: boolean; email: boolean };
  /** With the administrator. */
  people: Map<string, Person>;
  courses: Map<string, Course>;
  columns: Map<string, Column>;
  grades: Map<string, Grade>;
  tools: Map<string, Tool>;
  accessTokens: Map<string, AccessToken>;
  /** Used `jti` of assertions, if they work only once. */
  usedAssertions: Set<string>;
  nextId: (kind: IdKind) => string;
};

export type IdKind = "course" | "link" | "column" | "tool" | "person";
