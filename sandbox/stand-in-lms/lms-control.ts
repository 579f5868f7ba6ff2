// Imitates nothing.
import { readToolJson } from "./canvas-tool-json.ts";
import { type CourseControl, createCourseControl } from "./course-control.ts";
import { type Gradebook, gradebookOf, overrideGrade, teachersTime } from "./gradebook.ts";
import type { Container, Course, Link, LmsWorld, Tool } from "./lms-records.ts";
import { addLink, copyCourseAndNotify, findPerson, installInCourse } from "./lms-world.ts";
import { type Lms, type QuirkChange, quirksSchema } from "./lms.ts";
import type { NoticeDelivery } from "./notices.ts";
import {
  activateTool,
  addToolByHand,
  beginRegistration,
  beginRegistrationUpdate,
  newTool,
  type ToolByHand,
} from "./registration.ts";
import { type Faults, type LoggedRequest, parseJson } from "./services.ts";

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

export type ToolByJson = { tool: Tool; ignored: string[] } | { errors: string[] };

export type ToolControl = {
  /** @returns The tool's address with the parameters the LMS adds. */
  beginRegistration: (toolRegistrationUrl: string) => Promise<string>;
  /** As when Moodle asks "update or new". @returns As above. */
  beginRegistrationUpdate: (toolId: string, toolRegistrationUrl: string) => Promise<string>;
  tools: () => Tool[];
  activateTool: (toolId: string) => Tool;
  /** Its activities stay and cannot be opened. */
  deleteTool: (toolId: string) => void;
  addToolByHand: (form: ToolByHand) => Tool;
  /** JSON of a Canvas developer key, or its address. `ignored`: members without effect. Redirects: `target_link_uri` by default. */
  addToolByJson: (configuration: unknown, options?: { redirectUris?: string[] }) => Promise<ToolByJson>;
  /** Canvas only. @returns The deployment id of that installation. */
  installInCourse: (toolId: string, courseId: string) => string;
};

export function createToolControl(lms: Lms, deps: { fetch: typeof fetch }): ToolControl {
  const { world } = lms;
  return {
    beginRegistration: (url) => beginRegistration(lms, url),
    beginRegistrationUpdate: (toolId, url) => beginRegistrationUpdate(lms, toolId, url),
    tools: () => [...world.tools.values()],
    activateTool: (toolId) => activateTool(world, toolId),
    deleteTool: (toolId) => {
      world.tools.delete(toolId);
    },
    addToolByHand: (form) => addToolByHand(lms, form),
    addToolByJson: (configuration, options = {}) => addToolByJson(lms, deps, configuration, options),
    installInCourse: (toolId, courseId) => {
      const tool = world.tools.get(toolId);
      if (tool === undefined) throw new Error(`The stand-in LMS has no tool ${toolId}.`);
      return installInCourse(tool, courseId);
    },
  };
}

/** As the control's method of this name; also behind the administrator's page. */
export async function addToolByJson(
  lms: Lms,
  deps: { fetch: typeof fetch },
  configuration: unknown,
  options: { redirectUris?: string[] } = {},
): Promise<ToolByJson> {
  const json: unknown =
    typeof configuration === "string" ? await jsonAt(configuration, deps.fetch) : configuration;
  const read = readToolJson(json, options.redirectUris);
  if ("errors" in read) return read;
  const tool = newTool(lms, lms.manners.newClientId(), {
    ...read.words,
    scopes: lms.manners.grantedScopes(read.words.scopes),
  });
  return { tool: activateTool(lms.world, tool.id), ignored: read.ignored };
}

/** Invalid JSON counts as nothing: the rules then say what is missing. */
async function jsonAt(text: string, get: typeof fetch): Promise<unknown> {
  try {
    if (!URL.canParse(text)) return JSON.parse(text);
    return await (await get(text, { signal: AbortSignal.timeout(10_000) })).json();
  } catch {
    return null;
  }
}
