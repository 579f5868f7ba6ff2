// Imitates nothing: the stand-in's remote control for tests.
import { createCourseControl } from "./course-control.ts";
import { gradebookOf, overrideGrade, teachersTime } from "./gradebook.ts";
import type { Container, Link, LmsWorld, Tool } from "./lms-records.ts";
import { addLink, copyCourseAndNotify, findPerson, installInCourse } from "./lms-world.ts";
import { type Lms, type QuirkChange, quirksSchema } from "./lms.ts";
import {
  acceptProposed,
  addToolByHand,
  beginRegistration,
  beginRegistrationUpdate,
  type ToolByHand,
} from "./registration.ts";
import { parseJson } from "./services.ts";

type NewLink = {
  title: string;
  graded?: boolean;
  url?: string | null;
  custom?: Record<string, string>;
  container?: Container;
  /** By default, the first tool. */
  toolId?: string;
  scoreMaximum?: number;
  published?: boolean;
};

export function createLmsControl(lms: Lms) {
  const { world } = lms;
  return {
    ...createCourseControl(lms),
    ...createToolControl(lms),
    /** For changes without a method below. */
    world,
    faults: lms.faults,
    /** Omitted fields are unchanged. */
    setQuirks: (change: QuirkChange): void => {
      Object.assign(lms.quirks, quirksSchema.parse({ ...lms.quirks, ...change }));
    },
    /** Logs a person in. @returns The Cookie header. @throws for an unknown person. */
    cookieFor: (idOrUsername: string): string => {
      const person = findPerson(world, idOrUsername);
      if (person === undefined) throw new Error(`The stand-in LMS knows no ${idOrUsername}.`);
      return `${lms.sessions.cookieName}=${lms.sessions.begin(person.id)}`;
    },
    /** GET it, logged in, for the login initiation form. */
    launchPath: (linkId: string, container?: Container): string =>
      `/link/${linkId}/launch${container === undefined ? "" : `?container=${container}`}`,
    gradebook: (courseId: string) => gradebookOf(world, courseId, lms.quirks),
    /** With null, the tool's score counts again. */
    overrideGrade: (columnId: string, personId: string, value: number | null, comment?: string): void => {
      overrideGrade(world, { columnId, personId, value, comment: comment ?? null }, teachersTime(lms));
    },
    addLink: (courseId: string, link: NewLink) => addNewLink(world, courseId, link),
    copyCourse: (courseId: string, options?: { people?: "all" | "teachers" }) =>
      copyCourseAndNotify(lms, courseId, options),
    setSharing: (sharing: { names: boolean; email: boolean }): void => {
      world.sharing = { ...sharing };
    },
    revokeTokens: (): void => {
      world.accessTokens.clear();
    },
    log: () => lms.log.all(),
    refusedSignatures: () => lms.keysets.refused(),
    clearLog: (): void => {
      lms.log.clear();
    },
    /** From the log, including refused ones. */
    scores: () =>
      lms.log
        .all()
        .filter(({ service, method }) => service === "scores" && method === "POST")
        .map(({ at, url, status, body }) => ({ at, url, status, body: parseJson(body) })),
    noticesSettled: lms.notices.settled,
  };
}

function addNewLink(world: LmsWorld, courseId: string, link: NewLink): Link {
  const [only] = world.tools.values();
  const usual = { graded: false, url: null, custom: {}, container: "embed" as const, published: true };
  const { toolId = only?.id ?? null, ...given } = link;
  return addLink(world, courseId, { ...usual, ...given, toolId });
}

function createToolControl(lms: Lms) {
  const { world } = lms;
  return {
    /** @returns The tool's address with the parameters that the LMS adds. */
    beginRegistration: (toolRegistrationUrl: string): Promise<string> =>
      beginRegistration(lms, toolRegistrationUrl),
    /** As when Moodle asks "update or new". @returns the same. */
    beginRegistrationUpdate: (toolId: string, toolRegistrationUrl: string): Promise<string> =>
      beginRegistrationUpdate(lms, toolId, toolRegistrationUrl),
    tools: (): Tool[] => [...world.tools.values()],
    /** Canvas only: an administrator accepts a change that the tool has sent. */
    acceptUpdate: (toolId: string): void => {
      const tool = world.tools.get(toolId);
      if (tool?.proposed === undefined) throw new Error(`The stand-in LMS has no change of ${toolId}.`);
      acceptProposed(lms, tool);
    },
    addToolByHand: (form: ToolByHand): Tool => addToolByHand(lms, form),
    /** Canvas only. @returns The deployment id of that installation. */
    installInCourse: (toolId: string, courseId: string): string => {
      const tool = world.tools.get(toolId);
      if (tool === undefined) throw new Error(`The stand-in LMS has no tool ${toolId}.`);
      return installInCourse(tool, courseId);
    },
  };
}
