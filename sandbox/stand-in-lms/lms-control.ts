// Imitates nothing.
import { copyCourseAndNotify } from "./copy-course.ts";
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

type ReceivedScore = { at: number; url: string; status: number; body: unknown };

export type LmsControl = CourseControl &
  ToolControl & {
    /** For changes without a method below. */
    world: LmsWorld;
    faults: Faults;
    /** What is left out stays. */
    setQuirks: (change: QuirkChange) => void;
    /** Logs a person in; "guest" is nobody in particular. @returns The Cookie header. @throws for an unknown person. */
    cookieFor: (idOrUsername: string) => string;
    /** GET it, logged in, for the login initiation form. */
    launchPath: (linkId: string, container?: Container) => string;
    /** From a course's navigation (Canvas), which belongs to no activity. */
    navigationPath: (courseId: string, toolId: string) => string;
    gradebook: (courseId: string) => Gradebook;
    /** Null gives the cell back to the tool. */
    overrideGrade: (columnId: string, personId: string, value: number | null, comment?: string) => void;
    addLink: (courseId: string, link: NewLink) => Link;
    copyCourse: (courseId: string, options?: { people?: "all" | "teachers" }) => Course;
    setSharing: (sharing: { names: boolean; email: boolean }) => void;
    revokeTokens: () => void;
    log: () => readonly LoggedRequest[];
    clearLog: () => void;
    /** From the log, refused ones included. */
    scores: () => ReceivedScore[];
    /** Oldest first. */
    noticeDeliveries: () => readonly NoticeDelivery[];
    noticesSettled: () => Promise<void>;
  };

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

/** @param deps.fetch Reads a developer key's JSON. */
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
    copyCourse: (courseId, options) => copyCourseAndNotify(lms, courseId, options),
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
