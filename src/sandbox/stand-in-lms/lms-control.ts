import { copyCourse } from "./copy-course.ts";
import type { Faults } from "./faults.ts";
import { gradebookOf, overrideGrade } from "./gradebook.ts";
import type { Gradebook } from "./gradebook.ts";
import type { Lms } from "./lms.ts";
import type { LmsRole } from "./lms-seed.ts";
import { addLink, courseOf, enrolmentOf, findPerson } from "./lms-world.ts";
import type { Column, Container, Course, Link, LmsWorld, Tool } from "./lms-world.ts";
import { parseJson } from "./service-answer.ts";
import { beginRegistration } from "./registration-endpoint.ts";
import type { LoggedRequest } from "./request-log.ts";
import { activateTool, addToolByHand } from "./tools.ts";
import type { ToolByHand } from "./tools.ts";

/** A score a tool posted, as the log has it. */
type ReceivedScore = { at: number; url: string; status: number; body: unknown };

/** The remote control of a running stand-in, for tests, the demo and measurements. */
export type LmsControl = {
  /** Everything it remembers; change it when no method below does. */
  world: LmsWorld;
  faults: Faults;
  /** Logs somebody in. @returns The Cookie header to send. @throws when there is no such person. */
  cookieFor: (idOrUsername: string) => string;
  /** The path of an activity's launch for somebody logged in: GET it to receive the login initiation form. */
  launchPath: (linkId: string, container?: Container) => string;
  /** Starts a dynamic registration. @returns The tool's address with the parameters the LMS adds. */
  beginRegistration: (toolRegistrationUrl: string) => Promise<string>;
  tools: () => Tool[];
  /** Sets a pending tool to work. */
  activateTool: (toolId: string) => Tool;
  addToolByHand: (form: ToolByHand) => Tool;
  gradebook: (courseId: string) => Gradebook;
  /** A teacher types in a grade; null gives the cell back to the tool. */
  overrideGrade: (columnId: string, personId: string, value: number | null, comment?: string) => void;
  /** Locks, unlocks, hides or shows a column. */
  setColumn: (columnId: string, change: Partial<Pick<Column, "locked" | "hidden">>) => void;
  addLink: (courseId: string, link: NewLink) => Link;
  copyCourse: (courseId: string, options?: { people?: "all" | "teachers" }) => Course;
  /** Enrols somebody, making the account when the id is new; an existing enrolment is replaced. */
  enrol: (courseId: string, person: NewEnrolment) => void;
  /** Takes somebody out of a course altogether. */
  unenrol: (courseId: string, personId: string) => void;
  /** Suspends somebody in a course, or ends that. */
  suspend: (courseId: string, personId: string, suspended?: boolean) => void;
  setSharing: (sharing: { names: boolean; email: boolean }) => void;
  /** Makes every access token invalid, as a platform restart does. */
  revokeTokens: () => void;
  log: () => readonly LoggedRequest[];
  clearLog: () => void;
  /** The scores in the log with parsed bodies, refused ones included. */
  scores: () => ReceivedScore[];
};

/** A link to add; everything but its title may be left out. */
type NewLink = {
  title: string;
  graded?: boolean;
  url?: string | null;
  custom?: Record<string, string>;
  container?: Container;
  /** The only active tool when left out. */
  toolId?: string;
  scoreMaximum?: number;
};

/** Somebody to enrol. */
type NewEnrolment = {
  id: string;
  role: LmsRole;
  sections?: string[];
  given?: string;
  family?: string;
  username?: string;
  email?: string;
};

/** The remote control over one running stand-in. */
export function createLmsControl(lms: Lms): LmsControl {
  const { world } = lms;
  return {
    world,
    faults: lms.faults,
    cookieFor: (idOrUsername) => {
      const person = findPerson(world, idOrUsername);
      if (person === undefined) throw new Error(`The stand-in LMS knows no ${idOrUsername}.`);
      return `${lms.sessions.cookieName}=${lms.sessions.begin(person.id)}`;
    },
    launchPath: (linkId, container) =>
      `/link/${linkId}/launch${container === undefined ? "" : `?container=${container}`}`,
    beginRegistration: (url) => beginRegistration(lms, url),
    tools: () => [...world.tools.values()],
    activateTool: (toolId) => activateTool(world, toolId),
    addToolByHand: (form) => addToolByHand(lms, form),
    gradebook: (courseId) => gradebookOf(world, courseId),
    overrideGrade: (columnId, personId, value, comment) => {
      overrideGrade(world, { columnId, personId, value, comment: comment ?? null }, lms.clock.now());
    },
    setColumn: (columnId, change) => {
      const column = world.columns.get(columnId);
      if (column === undefined) throw new Error(`The stand-in LMS has no column ${columnId}.`);
      Object.assign(column, change);
    },
    addLink: (courseId, link) => addNewLink(world, courseId, link),
    copyCourse: (courseId, options) => copyCourse(world, courseId, options),
    ...enrolmentControl(world),
    setSharing: (sharing) => {
      world.sharing = { ...sharing };
    },
    revokeTokens: () => {
      world.accessTokens.clear();
    },
    log: () => lms.log.all(),
    clearLog: () => {
      lms.log.clear();
    },
    scores: () =>
      lms.log
        .all()
        .filter(({ service, method }) => service === "scores" && method === "POST")
        .map(({ at, url, status, body }) => ({ at, url, status, body: parseJson(body) })),
  };
}

function addNewLink(world: LmsWorld, courseId: string, link: NewLink): Link {
  const active = [...world.tools.values()].find((tool) => tool.state === "active");
  const added = addLink(world, courseId, {
    title: link.title,
    graded: link.graded ?? false,
    url: link.url ?? null,
    custom: link.custom ?? {},
    container: link.container ?? "embed",
    toolId: link.toolId ?? active?.id ?? null,
    ...(link.scoreMaximum === undefined ? {} : { scoreMaximum: link.scoreMaximum }),
  });
  return added;
}

function enrolmentControl(world: LmsWorld): Pick<LmsControl, "enrol" | "unenrol" | "suspend"> {
  const without = (courseId: string, personId: string) => {
    const course = courseOf(world, courseId);
    course.enrolments = course.enrolments.filter((enrolment) => enrolment.personId !== personId);
    return course;
  };
  return {
    enrol: (courseId, person) => {
      const { id, role, sections = [], given = "New", family = `Person ${id}` } = person;
      const { username = `user${id}`, email = `${username}@example.test` } = person;
      if (!world.people.has(id)) world.people.set(id, { id, username, given, family, email, admin: false });
      without(courseId, id).enrolments.push({ personId: id, role, sections, suspended: false });
    },
    unenrol: (courseId, personId) => {
      without(courseId, personId);
    },
    suspend: (courseId, personId, suspended = true) => {
      const enrolment = enrolmentOf(courseOf(world, courseId), personId);
      if (enrolment === undefined) throw new Error(`Nobody with id ${personId} is in course ${courseId}.`);
      enrolment.suspended = suspended;
    },
  };
}
