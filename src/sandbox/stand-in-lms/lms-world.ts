import type { LmsRole, LmsSeed } from "./lms-seed.ts";

/** Anybody with an account. */
export type Person = {
  id: string;
  username: string;
  given: string;
  family: string;
  email: string;
  /** Site administrator: may open every course, is enrolled in none. */
  admin: boolean;
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
  /** Whole seconds since the epoch: the time later scores must exceed. */
  modifiedAt: number;
  /** Submissions a tool made for it (only Canvas counts them). */
  attempts: number;
  /** Whether the results service lists it although it has no value. */
  listedWhenEmpty: boolean;
};

/** A registered tool: one client id, one deployment. */
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
};

/** An access token's meaning. */
type AccessToken = { toolId: string; scopes: string[]; expiresAt: number };

/** Everything the stand-in remembers, in memory and gone with the process. */
export type LmsWorld = {
  name: string;
  sharing: { names: boolean; email: boolean };
  people: Map<string, Person>;
  courses: Map<string, Course>;
  columns: Map<string, Column>;
  grades: Map<string, Grade>;
  tools: Map<string, Tool>;
  accessTokens: Map<string, AccessToken>;
  /** The next free number for ids of courses, links, columns or tools. */
  nextId: (kind: "course" | "link" | "column" | "tool" | "person") => string;
};

/** The administrator every stand-in has, beside the people of the seed. */
const siteAdmin: Person = {
  id: "2",
  username: "admin",
  given: "Admin",
  family: "User",
  email: "admin@example.test",
  admin: true,
};

/** A world as the seed describes it; a graded link has its column at once, as Moodle makes it on saving. */
export function createLmsWorld(seed: LmsSeed): LmsWorld {
  const world = emptyWorld(seed);
  for (const course of seed.courses) {
    for (const person of course.people) {
      const { id, username, given, family, email } = person;
      world.people.set(id, { id, username, given, family, email, admin: false });
    }
    world.courses.set(course.id, {
      id: course.id,
      shortname: course.shortname,
      title: course.title,
      sections: course.sections.map((section) => ({ ...section })),
      enrolments: course.people.map((person) => ({
        personId: person.id,
        role: person.role,
        sections: [...person.sections],
        suspended: person.suspended ?? false,
      })),
      links: [],
      history: [],
    });
  }
  for (const course of seed.courses) {
    for (const link of course.links) {
      addLink(world, course.id, { ...link, container: "embed", toolId: null });
    }
  }
  return world;
}

function emptyWorld(seed: LmsSeed): LmsWorld {
  const world: LmsWorld = {
    name: seed.name,
    sharing: { ...seed.sharing },
    people: new Map([[siteAdmin.id, { ...siteAdmin }]]),
    courses: new Map(),
    columns: new Map(),
    grades: new Map(),
    tools: new Map(),
    accessTokens: new Map(),
    nextId: (kind) => {
      const taken = {
        course: [...world.courses.keys()],
        link: [...world.courses.values()].flatMap((course) => course.links.map((link) => link.id)),
        column: [...world.columns.keys()],
        tool: [...world.tools.keys()],
        person: [...world.people.keys()],
      }[kind];
      const numbers = taken.map(Number).filter(Number.isFinite);
      last[kind] = Math.max(last[kind], ...numbers) + 1;
      return String(last[kind]);
    },
  };
  // Moodle's own objects take the first numbers: the front page is course 1, the course total column 1.
  const last = { course: 1, link: 0, column: 1, tool: 0, person: 2 };
  return world;
}

/** Puts an activity into a course, with its own column when it is graded. */
export function addLink(
  world: LmsWorld,
  courseId: string,
  link: Omit<Link, "id" | "courseId"> & { id?: string; graded: boolean; scoreMaximum?: number },
): Link {
  const { graded, scoreMaximum, id, title, url, custom, container, toolId } = link;
  const added = { id: id ?? world.nextId("link"), courseId, title, url, custom, container, toolId };
  courseOf(world, courseId).links.push(added);
  if (graded) {
    addColumn(world, courseId, {
      label: title,
      scoreMaximum: scoreMaximum ?? 100,
      resourceLinkId: added.id,
      coupledLinkId: added.id,
    });
  }
  return added;
}

/** Puts a column into a course's gradebook; what is left out is empty. */
export function addColumn(
  world: LmsWorld,
  courseId: string,
  column: Pick<Column, "label" | "scoreMaximum"> & Partial<Column>,
): Column {
  const added: Column = {
    resourceId: "",
    tag: "",
    resourceLinkId: null,
    submissionReview: undefined,
    coupledLinkId: null,
    toolId: null,
    locked: false,
    hidden: false,
    ...column,
    id: world.nextId("column"),
    courseId,
  };
  world.columns.set(added.id, added);
  return added;
}

/** The course, or an error for a test that named a wrong one. */
export function courseOf(world: LmsWorld, courseId: string): Course {
  const course = world.courses.get(courseId);
  if (course === undefined) throw new Error(`The stand-in LMS has no course ${courseId}.`);
  return course;
}

/** The columns of a course, oldest first. */
export function columnsOf(world: LmsWorld, courseId: string): Column[] {
  return [...world.columns.values()].filter((column) => column.courseId === courseId);
}

/** Finds an activity by its id, whatever its course. */
export function findLink(world: LmsWorld, linkId: string): Link | undefined {
  return [...world.courses.values()].flatMap((course) => course.links).find((link) => link.id === linkId);
}

/** Finds an account by id or by username. */
export function findPerson(world: LmsWorld, idOrUsername: string): Person | undefined {
  return (
    world.people.get(idOrUsername) ??
    [...world.people.values()].find((person) => person.username === idOrUsername)
  );
}

/** A person's place in a course, suspended ones included. */
export function enrolmentOf(course: Course, personId: string): Enrolment | undefined {
  return course.enrolments.find((enrolment) => enrolment.personId === personId);
}

/** Whether the person runs the course: sees the roster and the gradebook. */
export function teaches(course: Course, person: Person): boolean {
  const enrolment = enrolmentOf(course, person.id);
  return person.admin || (enrolment !== undefined && !enrolment.suspended && enrolment.role !== "student");
}

/** Whether the person gets to the course's activities at all. */
export function mayOpen(course: Course, person: Person): boolean {
  const enrolment = enrolmentOf(course, person.id);
  return person.admin || (enrolment !== undefined && !enrolment.suspended);
}

/** Removes a column with everything in it. */
export function deleteColumn(world: LmsWorld, columnId: string): void {
  world.columns.delete(columnId);
  for (const [key, grade] of world.grades) if (grade.columnId === columnId) world.grades.delete(key);
}
