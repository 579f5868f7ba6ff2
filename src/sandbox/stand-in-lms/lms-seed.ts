/** What a person is in one course; in Moodle's words, since it knows the most of them. */
export type LmsRole = "teacher" | "non-editing-teacher" | "manager" | "student";

/** One enrolment to begin with. The same `id` in two courses is the same person. */
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

/** One activity that opens the tool. */
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
  /** Maximum of the coupled column, 100 when left out. */
  scoreMaximum?: number;
};

/** One course to begin with. */
type SeedCourse = {
  id: string;
  shortname: string;
  title: string;
  sections: { id: string; name: string }[];
  people: SeedPerson[];
  links: SeedLink[];
};

/** Everything a stand-in LMS starts with. */
export type LmsSeed = {
  /** The institution's name, shown on pages and in `tool_platform`. */
  name: string;
  /** What the administrator lets tools see, on top of what a tool asked for. */
  sharing: { names: boolean; email: boolean };
  courses: SeedCourse[];
};
