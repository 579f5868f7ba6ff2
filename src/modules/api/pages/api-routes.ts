import { STATUS_CODES } from "node:http";
import { type NextFunction, type Request, type RequestHandler, type Response, Router } from "express";
import type { App } from "../../../app.ts";
import { tagOf } from "../../../kernel/ids.ts";
import { isOfStorage, messageOf, NamedError } from "../../../kernel/errors.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { currentRequest } from "../../../kernel/request-scope.ts";
import {
  after,
  type Allowance,
  type Bucket,
  leftOf,
  usedIntervalMs,
  waitFor,
} from "../../operations/rules/console-access.ts";
import { createRateLimit } from "../../../web/rate-limit.ts";
import { noteRefusal, pathToLog } from "../../../web/request-log.ts";
import { provenApiKey, separateDeployments } from "../api-keys.ts";
import { type ReadApp, type Reader, type Resource, resources, type Rows } from "../resources.ts";
import { type ApiKey, readsDeployment, apiScopes } from "../rules/api-key.ts";
import { z } from "zod";

/** How much one key may ask of this process, because the rest of its capacity serves people. */
const perKey: Allowance = { max: 30, perSecond: 5 };

type ApiApp = ReadApp &
  Pick<App, "apiKeys" | "registrations" | "deployments" | "clock" | "background" | "logger" | "publicUrl">;

/** Everything under /api/v1, which an institution's programs read. */
export function apiRoutes(app: ApiApp): Router {
  const router = Router();
  router.use(createRateLimit(app, "api", { max: 300, perSecond: 5 }));
  router.use(onlyReads, (_request, response, next) => {
    // The answer has a tag, so what hasn't changed isn't sent again.
    response.set("Cache-Control", "private, no-cache");
    next();
  });
  const document = openApiDocument(resources, app.publicUrl);
  router.get(documentPath, (_request, response) => {
    response.set("Cache-Control", "public, max-age=300").json(document);
  });
  const proven = createGuard(app);
  for (const resource of resources)
    router.get(resource.path.replace("{course}", ":course"), async (request, response) => {
      const key = await proven(request, response);
      if (!key.scopes.includes(resource.scope))
        throw refusal("api-scope-missing", { values: { scope: resource.scope }, status: 403 });
      const { data, next } = await rowsFor(app, key, resource, request);
      const cursor = next === null ? null : Buffer.from(next).toString("base64url");
      const text = JSON.stringify({ data, next: cursor });
      response.set("ETag", tagOf(text)).type("json").send(text);
    });
  router.use(() => {
    throw notFound();
  });
  router.use((thrown: unknown, request: Request, response: Response, next: NextFunction) => {
    if (response.headersSent) next(thrown);
    // Express throws a URIError for an id that can't be decoded, such as "%E0".
    else sendProblem(app, thrown instanceof URIError ? notFound() : thrown, request, response);
  });
  return router;
}

const onlyReads: RequestHandler = ({ method }, response, next) => {
  if (method === "GET" || method === "HEAD") {
    next();
    return;
  }
  response.set("Allow", "GET, HEAD");
  throw refusal("api-method", { status: 405 });
};

/** Also the answer for another institution's data, so nobody learns that it exists. */
function notFound(): NamedError {
  return refusal("api-not-found", { status: 404 });
}

/** Finds a request's key, notes its use, and limits how often it may ask. */
function createGuard(app: ApiApp) {
  const { clock, apiKeys, background } = app;
  const buckets = new Map<string, Bucket>();
  return async (request: Request, response: Response): Promise<ApiKey> => {
    const key = await provenApiKey(app, request.get("authorization"));
    const now = clock.now();
    const left = leftOf(buckets.get(key.id), perKey, now);
    if (left < 1) {
      response.set("Retry-After", String(Math.ceil(waitFor(left, perKey) / 1000)));
      throw refusal("api-too-many", { status: 429, temporary: true });
    }
    buckets.set(key.id, after(buckets.get(key.id), perKey, 1, now));
    const before = now - usedIntervalMs;
    if ((key.usedAt ?? 0) <= before)
      background.run("api key's use", () => apiKeys.noteUse(key.id, now, before));
    return key;
  };
}

async function rowsFor(app: ApiApp, key: ApiKey, resource: Resource, request: Request): Promise<Rows> {
  const part = partOf(request);
  const { registrationId } = key;
  const [registration, separate] = await Promise.all([
    app.registrations.find(registrationId),
    separateDeployments(app, registrationId),
  ]);
  if (registration === null) throw notFound();
  const reader: Reader = { key, registration, separate };
  if ("read" in resource) return resource.read(app, reader, part);
  const { course: id } = request.params;
  const course = typeof id === "string" ? await app.courses.find(id) : null;
  if (course?.registrationId !== registrationId || !readsDeployment(key, separate, course.deploymentId))
    throw notFound();
  return resource.readCourse(app, course, part);
}

/** @throws NamedError "api-cursor-unreadable" or "api-limit-unreadable" */
function partOf({ query }: Request) {
  const { usual, most } = pageLimits;
  const { cursor = "", limit = String(usual) } = query;
  if (typeof limit !== "string" || !/^\d{1,4}$/.test(limit) || Number(limit) < 1 || Number(limit) > most)
    throw refusal("api-limit-unreadable", { values: { most }, status: 400 });
  if (typeof cursor !== "string" || !/^[\w-]{0,1100}$/.test(cursor))
    throw refusal("api-cursor-unreadable", { status: 400 });
  return { after: Buffer.from(cursor, "base64url").toString(), limit: Number(limit) };
}

/** RFC 9457: what went wrong, and what to do. */
function sendProblem(app: ApiApp, thrown: unknown, request: Request, response: Response): void {
  const isExpected = thrown instanceof NamedError;
  const status = isExpected ? thrown.status : 500;
  if (isExpected) noteRefusal(response, { code: thrown.code });
  else app.logger.error({ path: pathToLog(request), error: messageOf(thrown) }, "unexpected failure");
  if (status === 401) response.set("WWW-Authenticate", 'Bearer realm="spaces-lti"');
  if (isExpected && thrown.temporary && response.get("Retry-After") === undefined)
    response.set("Retry-After", "10");
  const showsMessage = isExpected && !isOfStorage(thrown.code);
  response
    .status(status)
    .type(problemType)
    .set("Cache-Control", "no-store")
    .json({
      type: "about:blank",
      title: STATUS_CODES[status] ?? "Problem",
      status,
      code: isExpected ? thrown.code : "unexpected",
      detail: showsMessage
        ? thrown.message
        : "Try again in a minute. If it stays, give the tool's operator `request`.",
      request: currentRequest(),
    });
}

/** Under /api/v1, without a key. */
const documentPath = "/openapi.json";
const problemType = "application/problem+json";
const pageLimits = { usual: 100, most: 200 } as const;

const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string().describe("Stays the same for the same cause."),
  detail: z.string().describe("What is wrong, and what to do."),
  request: z.string().nullable().describe("By which the tool's operator finds it in the log."),
});

const course = {
  name: "course",
  in: "path",
  required: true,
  schema: { type: "string" },
  description: "The tool's id of a course (`id`).",
};
const page = [
  {
    name: "cursor",
    in: "query",
    schema: { type: "string" },
    description: "`next` of the page before. Left out: the first page.",
  },
  {
    name: "limit",
    in: "query",
    schema: { type: "integer", minimum: 1, maximum: pageLimits.most, default: pageLimits.usual },
  },
];

/** OpenAPI 3.1, from the schemas of the resources. */
function openApiDocument(resources: readonly Resource[], publicUrl: string) {
  const schemas = resources.map(({ name, schema }) => [name, schemaOf(schema)] as const);
  return {
    openapi: "3.1.1",
    info: {
      title: "spaces-lti",
      version: "1",
      description:
        "Read courses, sessions, attendance and grades of one LMS. The LMS's administrator or the tool's operator makes a key in the console. Fields may be added; existing ones keep their meaning.",
    },
    servers: [{ url: `${publicUrl}/api/v1` }],
    security: [{ key: [] }],
    paths: Object.fromEntries(resources.map((one) => [one.path, { get: operationOf(one) }])),
    components: {
      securitySchemes: {
        key: {
          type: "http",
          scheme: "bearer",
          description: `A key of the console. Its scopes are some of: ${apiScopes.join(", ")}.`,
        },
      },
      schemas: { ...Object.fromEntries(schemas), Problem: schemaOf(problem) },
    },
  };
}

function operationOf({ path, name, summary, scope }: Resource) {
  const rows = {
    type: "object",
    required: ["data", "next"],
    properties: {
      data: { type: "array", items: { $ref: `#/components/schemas/${name}` } },
      next: { type: ["string", "null"], description: "Cursor of the next page; null on the last one." },
    },
  };
  return {
    operationId: `list${name}`,
    summary,
    description: `Needs the scope \`${scope}\`. A page may have fewer rows than the limit, even none; only \`next\` says whether more follow.`,
    parameters: [...(path.includes("{course}") ? [course] : []), ...page],
    responses: {
      200: { description: "A page.", content: { "application/json": { schema: rows } } },
      304: { description: "Unchanged since the ETag that If-None-Match names." },
      default: {
        description:
          "401: no valid key. 403: a scope is missing. 404: nothing there for this key. 429: wait as long as Retry-After says.",
        content: { [problemType]: { schema: { $ref: "#/components/schemas/Problem" } } },
      },
    },
  };
}

/** JSON Schema 2020-12, as OpenAPI 3.1 requires. */
function schemaOf(schema: z.ZodType) {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "output" });
  return rest;
}
