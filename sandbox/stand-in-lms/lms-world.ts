// Imitates nothing.
import { isStaff } from "./lms-seed.ts";
import type { LmsSeed } from "./lms-seed.ts";

import type { Person, Enrolment, Link, Course, Column, Tool, LmsWorld } from "./lms-records.ts";

/** By which a course reaches a tool. */
export function deploymentIn(tool: Tool, courseId: string): string {
  return tool.courseDeployments.get(courseId) ?? tool.deploymentId;
}

/** Added to the people of the seed. */
const siteAdmin: Person = {
  id: "2",
  username: "admin",
  given: "Admin",
  family: "User",
  email: "admin@example.test",
  admin: true,
};

const guest: Person = {
  id: "1",
  username: "guest",
  given: "Guest",
  family: "Visitor",
  email: "",
  admin: false,
  anonymous: true,
};

/** A graded link has its column at once, as Moodle makes it on saving. */
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
      ...newCourseState(),
    });
  }
  for (const course of seed.courses) {
    for (const link of course.links) {
      addLink(world, course.id, { ...link, container: "embed", toolId: null });
    }
  }
  return world;
}

/** Published, running, for members only, without groups. */
export function newCourseState(): Pick<
  Course,
  "history" | "groupSets" | "groups" | "public" | "concluded" | "published"
> {
  return { history: [], groupSets: [], groups: [], public: false, concluded: false, published: true };
}

function emptyWorld(seed: LmsSeed): LmsWorld {
  const world: LmsWorld = {
    name: seed.name,
    sharing: { ...seed.sharing },
    people: new Map([siteAdmin, guest].map((person) => [person.id, { ...person }])),
    courses: new Map(),
    columns: new Map(),
    grades: new Map(),
    tools: new Map(),
    accessTokens: new Map(),
    usedAssertions: new Set(),
    nextId: (kind) => {
      for (const id of takenIds(world, kind)) if (Number(id) > last[kind]) last[kind] = Number(id);
      last[kind] += 1;
      return String(last[kind]);
    },
  };
  // Moodle's own objects take the first numbers: the front page is course 1, the course total column 1.
  const last = { course: 1, link: 0, column: 1, tool: 0, person: 2 };
  return world;
}

function takenIds(world: LmsWorld, kind: "course" | "link" | "column" | "tool" | "person"): Iterable<string> {
  switch (kind) {
    case "course":
      return world.courses.keys();
    case "column":
      return world.columns.keys();
    case "tool":
      return world.tools.keys();
    case "person":
      return world.people.keys();
    case "link":
      return [...world.courses.values()].flatMap((course) => course.links.map((link) => link.id));
  }
}

export function addLink(
  world: LmsWorld,
  courseId: string,
  link: Omit<Link, "id" | "courseId" | "published" | "allowedAttempts" | "history"> & {
    id?: string;
    graded: boolean;
    scoreMaximum?: number;
    published?: boolean;
  },
): Link {
  const { graded, scoreMaximum, id, title, url, custom, container, toolId, published = true } = link;
  const own = { id: id ?? world.nextId("link"), courseId, title, url, custom, container, toolId };
  const added: Link = { ...own, published, allowedAttempts: null, history: [] };
  courseOf(world, courseId).links.push(added);
  if (graded) {
    addColumn(world, courseId, {
      label: title,
      scoreMaximum: scoreMaximum ?? 100,
      resourceLinkId: added.id,
      coupledLinkId: added.id,
      published,
    });
  }
  return added;
}

/** What is left out is empty. */
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
    published: true,
    joinedTo: null,
    ...column,
    id: world.nextId("column"),
    courseId,
  };
  world.columns.set(added.id, added);
  return added;
}

/** @throws for an unknown course */
export function courseOf(world: LmsWorld, courseId: string): Course {
  const course = world.courses.get(courseId);
  if (course === undefined) throw new Error(`The stand-in LMS has no course ${courseId}.`);
  return course;
}

/** Oldest first. */
export function columnsOf(world: LmsWorld, courseId: string): Column[] {
  return [...world.columns.values()].filter((column) => column.courseId === courseId);
}

export function findLink(world: LmsWorld, linkId: string): Link | undefined {
  return [...world.courses.values()].flatMap((course) => course.links).find((link) => link.id === linkId);
}

export function findPerson(world: LmsWorld, idOrUsername: string): Person | undefined {
  return (
    world.people.get(idOrUsername) ??
    [...world.people.values()].find((person) => person.username === idOrUsername)
  );
}

/** Suspended ones included. */
export function enrolmentOf(course: Course, personId: string): Enrolment | undefined {
  return course.enrolments.find((enrolment) => enrolment.personId === personId);
}

export function teaches(course: Course, person: Person): boolean {
  const enrolment = enrolmentOf(course, person.id);
  return person.admin || (enrolment !== undefined && !enrolment.suspended && isStaff(enrolment.role));
}

export function mayOpen(course: Course, person: Person): boolean {
  const enrolment = enrolmentOf(course, person.id);
  if (person.admin) return true;
  if (enrolment === undefined) return course.public && person.anonymous === true;
  return !enrolment.suspended && (course.published || isStaff(enrolment.role));
}

export function publishLink(world: LmsWorld, link: Link, published: boolean): void {
  link.published = published;
  for (const column of columnsOf(world, link.courseId)) {
    if (column.resourceLinkId === link.id) column.published = published;
  }
}

export function deleteColumn(world: LmsWorld, columnId: string): void {
  world.columns.delete(columnId);
  for (const [key, grade] of world.grades) if (grade.columnId === columnId) world.grades.delete(key);
}
