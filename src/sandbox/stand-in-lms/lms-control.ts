import { copyCourseAndTell } from "./copy-course.ts";
import { createCourseControl } from "./course-control.ts";
import type { CourseControl } from "./course-control.ts";
import type { Faults } from "./faults.ts";
import { gradebookOf, overrideGrade } from "./gradebook.ts";
import type { Gradebook } from "./gradebook.ts";
import type { Lms } from "./lms.ts";
import { addLink, findPerson } from "./lms-world.ts";
import type { Container, Course, Link, LmsWorld } from "./lms-records.ts";
import type { NoticeDelivery } from "./notice-delivery.ts";
import { quirksSchema } from "./quirks.ts";
import type { QuirkChange } from "./quirks.ts";
import type { LoggedRequest } from "./request-log.ts";
import { parseJson } from "./service-answer.ts";
import { createToolControl } from "./tool-control.ts";
import { teachersTime } from "./teachers-time.ts";
import type { ToolControl } from "./tool-control.ts";

/** A score a tool posted, as the log has it. */
type ReceivedScore = { at: number; url: string; status: number; body: unknown };

/** The remote control of a running stand-in, for tests, the demo and measurements. */
export type LmsControl = CourseControl &
  ToolControl & {
    /** Everything it remembers; change it when no method below does. */
    world: LmsWorld;
    faults: Faults;
    /** Changes how this LMS differs from the usual; what is left out stays. */
    setQuirks: (change: QuirkChange) => void;
    /** Logs somebody in; "guest" is nobody in particular. @returns The Cookie header to send. @throws when there is no such person. */
    cookieFor: (idOrUsername: string) => string;
    /** The path of an activity's launch for somebody logged in: GET it to receive the login initiation form. */
    launchPath: (linkId: string, container?: Container) => string;
    /** The path of a launch from a course's navigation (Canvas), which belongs to no activity. */
    navigationPath: (courseId: string, toolId: string) => string;
    gradebook: (courseId: string) => Gradebook;
    /** A teacher types in a grade; null gives the cell back to the tool. */
    overrideGrade: (columnId: string, personId: string, value: number | null, comment?: string) => void;
    addLink: (courseId: string, link: NewLink) => Link;
    copyCourse: (courseId: string, options?: { people?: "all" | "teachers" }) => Course;
    setSharing: (sharing: { names: boolean; email: boolean }) => void;
    /** Makes every access token invalid, as a platform restart does. */
    revokeTokens: () => void;
    log: () => readonly LoggedRequest[];
    clearLog: () => void;
    /** The scores in the log with parsed bodies, refused ones included. */
    scores: () => ReceivedScore[];
    /** Attempts to deliver notices, oldest first. */
    noticeDeliveries: () => readonly NoticeDelivery[];
    /** Waits until no notice is on its way any more. */
    noticesSettled: () => Promise<void>;
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
  published?: boolean;
};

/** The remote control over one running stand-in. @param deps.fetch Reads a developer key's JSON. */
export function createLmsControl(lms: Lms, deps: { fetch: typeof fetch }): LmsControl {
  const { world } = lms;
  return {
    ...createCourseControl(lms),
    ...createToolControl(lms, deps),
    world,
    faults: lms.faults,
    setQuirks: (change) => {
      Object.assign(lms.quirks, quirksSchema.parse({ ...lms.quirks, ...change }));
    },
    cookieFor: (idOrUsername) => {
      const person = findPerson(world, idOrUsername);
      if (person === undefined) throw new Error(`The stand-in LMS knows no ${idOrUsername}.`);
      return `${lms.sessions.cookieName}=${lms.sessions.begin(person.id)}`;
    },
    launchPath: (linkId, container) =>
      `/link/${linkId}/launch${container === undefined ? "" : `?container=${container}`}`,
    navigationPath: (courseId, toolId) => `/course/${courseId}/external_tools/${toolId}/launch`,
    gradebook: (courseId) => gradebookOf(world, courseId, lms.quirks),
    overrideGrade: (columnId, personId, value, comment) => {
      overrideGrade(world, { columnId, personId, value, comment: comment ?? null }, teachersTime(lms));
    },
    addLink: (courseId, link) => addNewLink(world, courseId, link),
    copyCourse: (courseId, options) => copyCourseAndTell(lms, courseId, options),
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
    noticeDeliveries: lms.notices.deliveries,
    noticesSettled: lms.notices.settled,
  };
}

function addNewLink(world: LmsWorld, courseId: string, link: NewLink): Link {
  const active = [...world.tools.values()].find((tool) => tool.state === "active");
  return addLink(world, courseId, {
    title: link.title,
    graded: link.graded ?? false,
    url: link.url ?? null,
    custom: link.custom ?? {},
    container: link.container ?? "embed",
    toolId: link.toolId ?? active?.id ?? null,
    published: link.published ?? true,
    ...(link.scoreMaximum === undefined ? {} : { scoreMaximum: link.scoreMaximum }),
  });
}
