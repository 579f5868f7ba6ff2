// Imitates nothing.
import express, { type Express, type Request, type Response } from "express";
import { z } from "zod";
import { seededRandom } from "../seeded-random.ts";
import type { Column, Course, Tool } from "./lms-records.ts";
import { columnsOf, findLink } from "./lms-world.ts";
import type { Lms } from "./lms.ts";
import { lti } from "./lti-names.ts";
import { pathValue } from "./pages.ts";

const serviceNames = [
  "token",
  "memberships",
  "line-items",
  "line-item",
  "scores",
  "results",
  "registration",
  "groups",
  "notice-handlers",
] as const;
export type ServiceName = (typeof serviceNames)[number];

type LoggedRequest = {
  /** When it was answered (ms). */
  at: number;
  service: ServiceName;
  method: string;
  /** Path and query. */
  url: string;
  status: number;
  /** As sent; left out for a token request, because it contains a credential. */
  body: string;
};

export type RequestLog = ReturnType<typeof createRequestLog>;

/** Oldest first; the oldest are dropped. */
export function createRequestLog(limit = 20_000) {
  let requests: LoggedRequest[] = [];
  return {
    add: (request: LoggedRequest): void => {
      requests.push(request);
      if (requests.length > limit * 1.1) requests = requests.slice(-limit);
    },
    all: (): readonly LoggedRequest[] => requests,
    clear: () => {
      requests = [];
    },
  };
}

const faultSchema = z.object({
  /** "all" is every call that a tool makes. */
  on: z.enum(["all", ...serviceNames]),
  /**
   * answer: `status`, no effect. maintenance: as Moodle's CLI maintenance mode (lib/setup.php: 503, Retry-After 300, HTML). hang-up: closes
   * without a response. slow: waits `delayMs`. lose-answer: takes effect, then closes, so the tool cannot know.
   */
  how: z.enum(["answer", "maintenance", "hang-up", "slow", "lose-answer"]),
  /** Only with "answer". */
  status: z.number().int().min(400).max(599).default(503),
  /**
   * With "answer" of the token endpoint: `error` of OAuth 2 (RFC 6749, 5.2), in Moodle with 400 (mod/lti/token.php); 401 may be
   * invalid_client.
   */
  error: z
    .enum(["invalid_client", "unauthorized_client", "invalid_grant", "invalid_scope", "invalid_request"])
    .optional(),
  /** Retry-After (s). */
  retryAfter: z.number().int().nonnegative().optional(),
  /** Only with "slow". */
  delayMs: z.number().int().nonnegative().max(120_000).default(2000),
  /** Calls until it ends; without it, until switched off. */
  times: z.number().int().positive().optional(),
  /** Share of calls hit (0 to 1), at random but the same in each run. */
  share: z.number().gt(0).max(1).optional(),
});

type Fault = z.output<typeof faultSchema>;

export type Faults = ReturnType<typeof createFaults>;

/** @param random Between 0 and 1; decides which calls a fault with a `share` hits. */
export function createFaults(random: () => number = seededRandom(1)) {
  let faults: Fault[] = [];
  const hits = ({ on, share }: Fault, service: ServiceName) =>
    (on === "all" || on === service) && (share === undefined || random() < share);
  return {
    add: (fault: z.input<typeof faultSchema>): void => {
      faults.push(faultSchema.parse(fault));
    },
    clear: () => {
      faults = [];
    },
    all: (): readonly Fault[] => faults,
    meet: (service: ServiceName): Fault | null => {
      const fault = faults.find((one) => hits(one, service));
      if (fault === undefined) return null;
      if (fault.times !== undefined) {
        fault.times -= 1;
        if (fault.times === 0) faults = faults.filter((other) => other !== fault);
      }
      return fault;
    },
  };
}

/** `reason` is the text of the status line, which Moodle uses a lot. */
export type ServiceAnswer = {
  status: number;
  reason?: string;
  type: string;
  body: string;
  headers?: Record<string, string>;
};

export function jsonAnswer(status: number, body: unknown, more: Partial<ServiceAnswer> = {}): ServiceAnswer {
  return { status, type: "application/json; charset=utf-8", body: JSON.stringify(body), ...more };
}

/** Applies the service's fault, does the work unless the fault prevents it, and logs the call. */
export async function answerService(
  lms: Lms,
  service: ServiceName,
  exchange: { request: Request; response: Response },
  work: () => ServiceAnswer | Promise<ServiceAnswer>,
): Promise<void> {
  const { request, response } = exchange;
  const fault = lms.faults.meet(service);
  if (fault?.how === "slow") await lms.clock.sleep(fault.delayMs);
  const refused = fault === null ? null : refusalOf(fault);
  const answer = refused ?? (await work());
  const hangUp = fault?.how === "hang-up" || fault?.how === "lose-answer";
  lms.log.add({
    at: lms.clock.now(),
    service,
    method: request.method,
    url: request.originalUrl,
    status: hangUp ? 0 : answer.status,
    body: service === "token" ? "" : rawBodyOf(request),
  });
  lms.logger.debug({ service, method: request.method, status: answer.status }, "a tool called a service");
  if (hangUp) {
    request.socket.destroy();
    return;
  }
  send(response, answer);
}

function refusalOf(fault: Fault): ServiceAnswer | null {
  if (fault.how === "slow" || fault.how === "lose-answer") return null;
  if (fault.how === "maintenance") {
    return {
      status: 503,
      reason: "Moodle under maintenance",
      type: "text/html; charset=utf-8",
      body: "<!doctype html><title>Maintenance</title><p>This site is undergoing maintenance.</p>",
      headers: { "retry-after": "300" },
    };
  }
  const { status, error, retryAfter } = fault;
  if (error !== undefined) return jsonAnswer(status, { error });
  const headers = retryAfter === undefined ? {} : { headers: { "retry-after": String(retryAfter) } };
  return jsonAnswer(status, { status, reason: "A fault is switched on in the stand-in LMS" }, headers);
}

function send(response: Response, answer: ServiceAnswer): void {
  response.status(answer.status);
  if (answer.reason !== undefined) {
    // PHP writes the UTF-8 bytes unchanged; Node accepts such bytes one by one, but no control characters.
    response.statusMessage = rawHeader(answer.reason);
  }
  for (const [name, value] of Object.entries(answer.headers ?? {}))
    response.setHeader(name, rawHeader(value));
  response.setHeader("content-type", answer.type);
  // As bytes: given a string, Node would encode the headers in UTF-8 again.
  response.end(Buffer.from(answer.body));
}

function rawHeader(text: string): string {
  const bytes = Buffer.from(text, "utf8").map((byte) => (byte < 0x20 || byte === 0x7f ? 0x20 : byte));
  return Buffer.from(bytes).toString("latin1");
}

/** Empty when there was none. */
export function rawBodyOf(request: Request): string {
  const body: unknown = request.body;
  return typeof body === "string" ? body : "";
}

/** Undefined when it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text);
    return parsed;
  } catch {
    return undefined;
  }
}

/** The tool whose token covers one of the scopes; otherwise null. */
export function toolOfToken(lms: Lms, request: Request, scopes: string[]): Tool | null {
  const given = /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1] ?? "";
  const token = lms.world.accessTokens.get(given);
  if (token === undefined || token.expiresAt <= lms.clock.now()) return null;
  if (!token.scopes.some((granted) => scopes.includes(granted))) return null;
  return lms.world.tools.get(token.toolId) ?? null;
}

/** Without parameters; empty when absent. */
export function contentTypeOf(request: Request): string {
  return (request.headers["content-type"] ?? "").split(";")[0]?.trim() ?? "";
}

/** A tool's call of a course's service. */
export type ServiceCall = {
  lms: Lms;
  method: string;
  query: URLSearchParams;
  body: string;
  tool: Tool;
  course: Course;
  /** Empty if the path has none. */
  columnId: string;
};

export function serviceCall(lms: Lms, request: Request, tool: Tool, course: Course): ServiceCall {
  const { method, originalUrl } = request;
  const { searchParams: query } = new URL(originalUrl, lms.url);
  return {
    lms,
    method,
    query,
    body: rawBodyOf(request),
    tool,
    course,
    columnId: pathValue(request, "column"),
  };
}

/** @returns what mounts a service below a course's path and checks the token, then the course. @param around Runs each call of a tool. */
export function courseServices(
  app: Express,
  lms: Lms,
  product: {
    root: string;
    refuse: (status: 401 | 404) => ServiceAnswer;
    around?: (tool: Tool, work: () => ServiceAnswer) => ServiceAnswer | Promise<ServiceAnswer>;
  },
) {
  const { root, refuse, around = (_tool: Tool, work: () => ServiceAnswer) => work() } = product;
  const readBody = express.text({ type: () => true, limit: "2mb" });
  return (
    service: ServiceName,
    path: string,
    scopes: (method: string) => string[],
    answer: (call: ServiceCall) => ServiceAnswer,
  ): void => {
    app.all(`${root}/:course${path}`, readBody, async (request: Request, response: Response) => {
      await answerService(lms, service, { request, response }, () => {
        const tool = toolOfToken(lms, request, scopes(request.method));
        if (tool === null) return refuse(401);
        return around(tool, () => {
          const course = lms.world.courses.get(pathValue(request, "course"));
          return course === undefined ? refuse(404) : answer(serviceCall(lms, request, tool, course));
        });
      });
    });
  };
}

/** For line items: reading needs one of two scopes. */
export function lineItemScopes(method: string): string[] {
  const { lineItem, lineItemReadOnly } = lti.scope;
  return method === "GET" ? [lineItem, lineItemReadOnly] : [lineItem];
}

/** What a tool asked for, unless the administrator refuses. */
export function sharingWith(lms: Lms, tool: Tool): { names: boolean; email: boolean } {
  const { sharing } = lms.world;
  return { names: sharing.names && tool.shares.names, email: sharing.email && tool.shares.email };
}

/** Those that the tool created and those of its links, filtered by the query. @param nameOf A link's id as the product names it. */
export function columnsOfCall(
  { lms, course, tool, query }: ServiceCall,
  nameOf: (linkId: string) => string,
): Column[] {
  const fits = (name: string, value: string | null) => !query.has(name) || query.get(name) === value;
  return columnsOf(lms.world, course.id).filter(
    (column) =>
      ownerOf(lms, column) === tool.id &&
      fits("resource_id", column.resourceId) &&
      fits("tag", column.tag) &&
      fits("resource_link_id", column.resourceLinkId === null ? null : nameOf(column.resourceLinkId)),
  );
}

/** A coupled column belongs to the tool of its link. */
export function ownerOf(lms: Lms, column: Column): string | null {
  if (column.coupledLinkId === null) return column.toolId;
  return findLink(lms.world, column.coupledLinkId)?.toolId ?? null;
}
