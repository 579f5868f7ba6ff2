import { z } from "zod";
import type { Resource } from "../resources.ts";
import { apiScopes } from "../rules/api-key.ts";

/** Below /api/v1, without a key. */
export const documentPath = "/openapi.json";
export const problemType = "application/problem+json";
/** Rows of a page. */
export const pageLimits = { usual: 100, most: 200 } as const;

const problem = z.object({
  type: z.string(),
  title: z.string(),
  status: z.int(),
  code: z.string().describe("Stays the same for the same cause."),
  detail: z.string().describe("What is wrong, and what to do."),
  request: z.string().nullable().describe("By which the tool's operator finds it in the log."),
});

const course = {
  ...{ name: "course", in: "path", required: true, schema: { type: "string" } },
  description: "The tool's id of a course (`id`).",
};
const page = [
  {
    ...{ name: "cursor", in: "query", schema: { type: "string" } },
    description: "`next` of the page before. Left out: the first page.",
  },
  {
    ...{ name: "limit", in: "query" },
    schema: { type: "integer", minimum: 1, maximum: pageLimits.most, default: pageLimits.usual },
  },
];

/** OpenAPI 3.1, from the schemas of the resources. */
export function openApiDocument(resources: readonly Resource[], publicUrl: string) {
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
          ...{ type: "http", scheme: "bearer" },
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

/** JSON Schema 2020-12, as OpenAPI 3.1 has it. */
function schemaOf(schema: z.ZodType) {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: "output" });
  return rest;
}
