import type { LmsRole } from "./lms-seed.ts";

/** Anybody with an account. */
export type Person = {
  id: string;
  username: string;
  given: string;
  family: string;
  email: string;
  /** Site administrator: may open every course, is enrolled in none. */
  admin: boolean;
  /** Somebody who is not logged in and looks at a public course; nobody when left out. */
  anonymous?: boolean;
};

/** A person's place in one course. */
export type Enrolment = { personId: string; role: LmsRole; sections: string[]; suspended: boolean };

/** How an activity opens: framed in the course page, in a window of its own, or in place of the page. */
export type Container = "embed" | "window" | "existing";

/** An activity that opens a tool. */
export type Link = {
  id: string;
  courseId: string;
  title: string;
  /** Null takes the tool's default address. */
  url: string | null;
  custom: Record<string, string>;
  container: Container;
  /** Null until a tool exists; the first one activated takes such links over. */
  toolId: string | null;
  /** False: learners do not see it yet, and Canvas takes no scores for it. */
  published: boolean;
  /** How many submissions Canvas takes for it; null is any number. */
  allowedAttempts: number | null;
  /** Ids of the links it was copied from, nearest first. */
  history: string[];
};

/** A group of people that somebody made beside the sections; only the third manners tell tools of them. */
export type CourseGroup = {
  id: string;
  name: string;
  tag: string | null;
  setId: string | null;
  members: string[];
};

/** A course. */
export type Course = {
  id: string;
  shortname: string;
  title: string;
  sections: { id: string; name: string }[];
  enrolments: Enrolment[];
  links: Link[];
  /** Ids of the courses it was copied from, nearest first. */
  history: string[];
  /** Sets of groups, such as "Project teams". */
  groupSets: { id: string; name: string }[];
  groups: CourseGroup[];
  /** Whether people who are not logged in may look. */
  public: boolean;
  /** A concluded Canvas course takes no grades any more. */
  concluded: boolean;
  /** An unpublished Canvas course is open to its staff only. */
  published: boolean;
};

/** A column of the gradebook. */
export type Column = {
  id: string;
  courseId: string;
  label: string;
  scoreMaximum: number;
  resourceId: string;
  tag: string;
  resourceLinkId: string | null;
  submissionReview: unknown;
  /** The link whose own column this is; null for one a tool made. */
  coupledLinkId: string | null;
  /** The tool that made it; a coupled column belongs to the tool of its link. */
  toolId: string | null;
  locked: boolean;
  hidden: boolean;
  /** False: a Canvas assignment that takes no scores yet. */
  published: boolean;
  /** A Canvas assignment whose grading period is closed. */
  periodClosed?: boolean;
  /** When it is due (Canvas), as the tool wrote it. */
  dueAt?: string;
  /** A Canvas assignment that a teacher deleted, whose line item lives on. */
  deleted?: boolean;
  /** The column of the assignment it only joins (Canvas): such a one has no place in the gradebook. */
  joinedTo: string | null;
};

/** One cell of the gradebook. */
export type Grade = {
  columnId: string;
  personId: string;
  /** What the tool sent, in the column's scale. */
  raw: number | null;
  /** What counts: the teacher's value when there is one, else `raw`. */
  final: number | null;
  feedback: string | null;
  overridden: boolean;
  /** The column's maximum when the grade was last written (Moodle); the column's own where it is left out. */
  rawMaximum?: number;
  /** Whole seconds since the epoch: the time later scores must exceed. */
  modifiedAt: number;
  /** Submissions a tool made for it (only Canvas counts them). */
  attempts: number;
  /** A teacher let the learner off (Canvas); a score ends that. */
  excused?: boolean;
  /** What the tool sent, in its own scale (Canvas keeps it so). */
  sent?: { given: number; maximum: number };
  /** Whether the results service lists it although it has no value. */
  listedWhenEmpty: boolean;
};

/** A registered tool: one client id, one deployment, and in Canvas one more for each course it is installed in. */
export type Tool = {
  id: string;
  clientId: string;
  deploymentId: string;
  name: string;
  description: string;
  state: "pending" | "active";
  loginUrl: string;
  launchUrl: string;
  redirectUrls: string[];
  jwksUrl: string;
  deepLinkingUrl: string | null;
  domain: string;
  logoUrl: string | null;
  /** Granted service scopes. */
  scopes: string[];
  /** Tool-level custom parameters; they win over a link's of the same name. */
  custom: Record<string, string>;
  shares: { names: boolean; email: boolean };
  /** Deployments of single courses, by course id; the tool's own deployment holds everywhere else. */
  courseDeployments: Map<string, string>;
  /** Addresses that want notices, by notice type. */
  noticeHandlers: Map<string, string>;
  /** Where in Canvas it appears, such as course_navigation. */
  placements: string[];
};

/** An access token's meaning. */
type AccessToken = { toolId: string; scopes: string[]; expiresAt: number };

/** Everything the stand-in remembers, in memory and gone with the process. */
export type LmsWorld = {
  name: string;
  sharing: { names: boolean; email: boolean };
  /** With the administrator and, as "guest", whoever is not logged in. */
  people: Map<string, Person>;
  courses: Map<string, Course>;
  columns: Map<string, Column>;
  grades: Map<string, Grade>;
  tools: Map<string, Tool>;
  accessTokens: Map<string, AccessToken>;
  /** `jti` of assertions that were used, where they work once. */
  usedAssertions: Set<string>;
  /** The next free number for ids of courses, links, columns or tools. */
  nextId: (kind: "course" | "link" | "column" | "tool" | "person") => string;
};
