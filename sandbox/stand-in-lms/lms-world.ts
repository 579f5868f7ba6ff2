// From: measured; Context.id.history as the LTI custom variables have it.
import { createHash } from "node:crypto";
import {
  type Column,
  type Course,
  type Enrolment,
  type IdKind,
  isStaff,
  type Link,
  type LmsSeed,
  type LmsWorld,
  type Person,
  type Tool,
} from "./lms-records.ts";
import type { Lms } from "./lms.ts";

/** How a course reaches a tool. */
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

/** A graded link has its column immediately, as Moodle creates it on saving. */
export function createLmsWorld(seed: LmsSeed): LmsWorld {
  const world = emptyWorld(seed);
  for (const course of seed.courses) {
    for (const person of course.people) {
      const { id, username, given, family, email } = person;
      world.people.set(id, { id, username, given, family, email, admin: false });
    }
    const { id, shortname, title } = course;
    const sections = course.sections.map((section) => ({ ...section }));
    const enrolments = course.people.map((one) => ({
      personId: one.id,
      role: one.role,
      sections: [...one.sections],
    }));
    world.courses.set(id, { id, shortname, title, sections, enrolments, links: [], ...newCourseState() });
  }
  for (const course of seed.courses) {
    for (const link of course.links) {
      addLink(world, course.id, { ...link, container: "embed", toolId: null });
    }
  }
  return world;
}

/** Published and running. */
export function newCourseState(): Pick<Course, "history" | "concluded" | "published"> {
  return { history: [], concluded: false, published: true };
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

function takenIds({ courses, columns, tools, people }: LmsWorld, kind: IdKind): Iterable<string> {
  if (kind === "link") return [...courses.values()].flatMap(({ links }) => links.map(({ id }) => id));
  return { course: courses, column: columns, tool: tools, person: people }[kind].keys();
}

export function addLink(
  world: LmsWorld,
  courseId: string,
  link: Omit<Link, "id" | "courseId" | "published" | "history"> & {
    id?: string;
    graded: boolean;
    scoreMaximum?: number;
    published?: boolean;
  },
): Link {
  const { graded, scoreMaximum, id, title, url, custom, container, toolId, published = true } = link;
  const own = { id: id ?? world.nextId("link"), courseId, title, url, custom, container, toolId };
  const added: Link = { ...own, published, history: [] };
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

/** Omitted fields are empty. */
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

export function enrolmentOf(course: Course, personId: string): Enrolment | undefined {
  return course.enrolments.find((enrolment) => enrolment.personId === personId);
}

/** People of a course with their enrolments. */
export function membersOf(world: LmsWorld, course: Course): { person: Person; enrolment: Enrolment }[] {
  return course.enrolments.flatMap((enrolment) => {
    const person = world.people.get(enrolment.personId);
    return person === undefined ? [] : [{ person, enrolment }];
  });
}

export function teaches(course: Course, person: Person): boolean {
  const enrolment = enrolmentOf(course, person.id);
  return person.admin || (enrolment !== undefined && isStaff(enrolment.role));
}

export function mayOpen(course: Course, person: Person): boolean {
  const enrolment = enrolmentOf(course, person.id);
  if (person.admin) return true;
  return enrolment !== undefined && (course.published || isStaff(enrolment.role));
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

/** Canvas only. @returns The new deployment's name. */
export function installInCourse(tool: Tool, courseId: string): string {
  const name = `${tool.id}0${courseId}:${createHash("sha256").update(`${tool.clientId} ${courseId}`).digest("hex").slice(0, 40)}`;
  tool.courseDeployments.set(courseId, name);
  return name;
}

/** Also notifies the tools that asked for it. */
export function copyCourseAndNotify(
  lms: Lms,
  courseId: string,
  options: { people?: "all" | "teachers" } = {},
): Course {
  const copy = copyCourse(lms.world, courseId, options);
  lms.notices.courseCopied(lms, copy, courseOf(lms.world, courseId));
  return copy;
}

/**
 * As a teacher does for the next term: links, custom values and columns are copied (with `resourceId` and `tag`), grades are not; ids are
 * new. Only `Context.id.history` names the original, as in Moodle. @param options.people "all" enrols all of them again, "teachers" (the
 * default) only the staff.
 */
function copyCourse(
  world: LmsWorld,
  courseId: string,
  options: { people?: "all" | "teachers" } = {},
): Course {
  const source = courseOf(world, courseId);
  const copies = [...world.courses.values()].filter((course) => course.history[0] === courseId).length + 1;
  const id = world.nextId("course");
  const sectionIds = new Map(source.sections.map((section) => [section.id, `${id}0${section.id}`]));
  const copy: Course = {
    ...newCourseState(),
    id,
    shortname: `${source.shortname}_${copies}`,
    title: `${source.title} copy ${copies}`,
    sections: source.sections.map(({ id: old, name }) => ({ id: sectionIds.get(old) ?? old, name })),
    enrolments: source.enrolments
      .filter((enrolment) => options.people === "all" || isStaff(enrolment.role))
      .map((enrolment) => ({
        ...enrolment,
        sections: enrolment.sections.map((section) => sectionIds.get(section) ?? section),
      })),
    links: [],
    history: [courseId, ...source.history],
  };
  world.courses.set(id, copy);
  const linkIds = new Map<string, string>();
  for (const link of source.links) {
    const own = { id: world.nextId("link"), courseId: id, custom: { ...link.custom } };
    linkIds.set(link.id, own.id);
    copy.links.push({ ...link, ...own, history: [link.id, ...link.history] });
  }
  const moved = (old: string | null) => (old === null ? null : (linkIds.get(old) ?? null));
  // A column that only joins an assignment has no column that could be copied with it.
  for (const column of columnsOf(world, courseId).filter(({ joinedTo }) => joinedTo === null)) {
    addColumn(world, id, {
      ...column,
      coupledLinkId: moved(column.coupledLinkId),
      resourceLinkId: moved(column.resourceLinkId),
    });
  }
  for (const tool of world.tools.values()) {
    // A tool installed in a course is installed in its copy as another deployment.
    if (tool.courseDeployments.has(courseId)) installInCourse(tool, id);
  }
  return copy;
}
