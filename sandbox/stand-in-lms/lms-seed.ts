// Imitates nothing.
/** Moodle's four roles, then Canvas's: a designer does not teach, an observer is a parent, the test user is "Student View". */
export type LmsRole =
  "teacher" | "non-editing-teacher" | "manager" | "student" | "designer" | "observer" | "test-user";

/** Staff see the roster and the gradebook. */
export function isStaff(role: LmsRole): boolean {
  return role !== "student" && role !== "observer" && role !== "test-user";
}

/** The test user has a row of the gradebook of its own. */
export function isGradable(role: LmsRole): boolean {
  return role === "student" || role === "test-user";
}

/** The same `id` in two courses is the same person. */
export type SeedPerson = {
  /** Becomes `sub`; Moodle's ids are decimal numbers, and its grade service chokes on anything else. */
  id: string;
  username: string;
  given: string;
  family: string;
  email: string;
  role: LmsRole;
  /** Ids of sections (Moodle: groups) of this course. */
  sections: string[];
  /** A suspended person can neither launch nor be seen in the roster, yet Moodle still takes scores for them. */
  suspended?: boolean;
};

type SeedLink = {
  /** Becomes `resource_link.id`. */
  id: string;
  title: string;
  /** True: the link has its own grade column from the start ("accept grades"). */
  graded: boolean;
  /** `target_link_uri`; null takes the tool's default. */
  url: string | null;
  /** Link-level custom parameters; a value may be a `$Variable`. */
  custom: Record<string, string>;
  /** 100 when left out. */
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
