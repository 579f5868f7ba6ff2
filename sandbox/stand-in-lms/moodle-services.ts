// From: services.php, measured.
import type { Express, Request } from "express";
import express from "express";
import type { Lms } from "./lms.ts";
import { lti } from "./lti-names.ts";
import { anyMedia, moodleError } from "./moodle-call.ts";
import type { MoodleCall } from "./moodle-call.ts";
import { answerLineItem, answerLineItems } from "./moodle-line-items.ts";
import { answerMemberships } from "./moodle-memberships.ts";
import { answerResults } from "./moodle-results.ts";
import { answerScores } from "./moodle-scores.ts";
import type { ServiceName } from "./request-log.ts";
import { contentTypeOf, toolOfToken } from "./service-access.ts";
import { answerService, rawBodyOf } from "./service-answer.ts";
import type { ServiceAnswer } from "./service-answer.ts";

type Template = {
  service: ServiceName;
  path: RegExp;
  methods: string[];
  /** Moodle finds the handler by them. */
  formats: string[];
  scopes: (method: string) => string[];
  answer: (call: MoodleCall) => ServiceAnswer;
};

const { scope, media } = lti;
const ags = (path: string) => new RegExp(`^/(?<course>\\d+)/lineitems${path}$`);

const templates: Template[] = [
  {
    service: "memberships",
    path: /^\/CourseSection\/(?<course>\d+)\/bindings\/\w+\/memberships$/,
    methods: ["GET"],
    formats: [media.roster],
    scopes: () => [scope.roster],
    answer: answerMemberships,
  },
  {
    service: "line-items",
    path: ags(""),
    methods: ["GET", "POST"],
    formats: [media.lineItems, media.lineItem],
    scopes: (method) => (method === "GET" ? [scope.lineItem, scope.lineItemReadOnly] : [scope.lineItem]),
    answer: answerLineItems,
  },
  {
    service: "line-item",
    path: ags("/(?<column>\\d+)/lineitem"),
    methods: ["GET", "PUT", "DELETE"],
    formats: [media.lineItem],
    scopes: (method) => (method === "GET" ? [scope.lineItem, scope.lineItemReadOnly] : [scope.lineItem]),
    answer: answerLineItem,
  },
  {
    service: "scores",
    path: ags("/(?<column>\\d+)/lineitem/scores"),
    methods: ["GET", "POST"],
    formats: ["application/vnd.ims.lis.v1.scorecontainer+json", media.score],
    scopes: () => [scope.score],
    answer: answerScores,
  },
  {
    service: "results",
    path: ags("/(?<column>\\d+)/lineitem/results"),
    methods: ["GET"],
    formats: [media.results],
    scopes: () => [scope.result],
    answer: answerResults,
  },
];

export function mountMoodleServices(app: Express, lms: Lms): void {
  const readBody = express.text({ type: () => true, limit: "2mb" });
  app.use("/mod/lti/services.php", readBody, async (request, response) => {
    const template = templates.find(({ path }) => path.test(request.path));
    await answerService(lms, template?.service ?? "line-items", { request, response }, () =>
      template === undefined
        ? serviceError(request, 400, noHandler(request))
        : answerTemplate(lms, template, request),
    );
  });
}

/** Moodle's order: the handler by media type, then the token, then the course, then the service itself. */
function answerTemplate(lms: Lms, template: Template, request: Request): ServiceAnswer {
  if (!takesMediaOf(template, request)) return serviceError(request, 400, noHandler(request));
  const tool = toolOfToken(lms, request, template.scopes(request.method));
  if (tool === null) return serviceError(request, 401, "Unauthorized");
  const groups = template.path.exec(request.path)?.groups ?? {};
  const course = lms.world.courses.get(groups["course"] ?? "");
  if (course === undefined) {
    return serviceError(request, 404, `Not Found: Course ${groups["course"] ?? ""} doesn't exist`);
  }
  return template.answer({
    lms,
    method: request.method,
    path: request.path,
    url: request.originalUrl,
    query: new URL(request.originalUrl, lms.url).searchParams,
    accept: acceptOf(request),
    contentType: contentTypeOf(request),
    body: rawBodyOf(request),
    tool,
    course,
    columnId: groups["column"] ?? "",
  });
}

function takesMediaOf(template: Template, request: Request): boolean {
  if (!template.methods.includes(request.method)) return false;
  const accept = acceptOf(request);
  if (request.method === "GET") return anyMedia(accept) || template.formats.includes(accept);
  return request.method === "DELETE" || template.formats.includes(contentTypeOf(request));
}

function acceptOf(request: Request): string {
  return request.headers.accept ?? "";
}

function noHandler(request: Request): string {
  const accept = anyMedia(acceptOf(request)) ? "" : acceptOf(request);
  return `No handler found for ${request.path} ${accept} ${contentTypeOf(request)}`;
}

function serviceError(request: Request, status: number, reason: string): ServiceAnswer {
  return moodleError(
    {
      method: request.method,
      url: request.originalUrl,
      accept: acceptOf(request),
      contentType: contentTypeOf(request),
    },
    status,
    reason,
  );
}
