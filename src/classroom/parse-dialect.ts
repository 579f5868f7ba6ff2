import { readFile } from "node:fs/promises";
import { z } from "zod";
import { messageOf, type NamedError } from "../kernel/errors.ts";
import { parseJson } from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";
import { defaultDialect } from "./default-dialect.ts";
import {
  type Dialect,
  listValues,
  type OperationDialect,
  type OperationName,
  operationNames,
  operationValues,
  optionalOperations,
} from "./dialect.ts";
import { templateMistakes } from "./fill-template.ts";
import { addingMistakes } from "./people.ts";

/** Reads the named file, or returns the default dialect. @throws NamedError "dialect-unreadable"; "classroom-dialect-invalid" */
export async function readDialect(file: string | undefined): Promise<Dialect> {
  if (file === undefined) return defaultDialect;
  let json: unknown;
  try {
    json = parseJson(await readFile(file, "utf8"));
  } catch (thrown) {
    throw refusal("dialect-unreadable", { values: { file, reason: messageOf(thrown) } });
  }
  return parseDialect(json);
}

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "is not a header name");
const headerText = z.string().regex(/^[\x20-\x7e]*$/, "must be ASCII without line breaks");
const texts = z.array(z.string());
const parameterNames = z.array(z.string().min(1).max(100));
const status = z
  .int()
  .min(300)
  .max(499)
  .refine((code) => code !== 429, "is the service's limit");
const words = z.record(z.string(), z.record(z.string(), z.string()));
const routeSchema = z.strictObject({
  method: z.enum(["GET", "POST", "PUT", "PATCH", "DELETE"]),
  path: z.string().regex(/^\/[^?#\s]*$/, "must begin with / and have no query, fragment or space"),
  query: z.record(z.string(), z.string()).default({}),
  body: z.record(z.string(), z.unknown()).nullable().default(null),
  encoding: z.enum(["json", "form"]).default("json"),
  words: words.default({}),
});
const operationSchema = z.strictObject({
  budget: z.enum(["general", "analytics"]),
  routes: z.array(routeSchema),
  reply: z.record(z.string(), texts.min(1)),
  values: z.record(z.string(), texts),
});
const origin = z
  .url({ protocol: /^https?$/ })
  .refine((url) => new URL(url).origin === url, "must be an origin such as https://app.example");
function filledBeforeAt(address: string, placeholders: RegExp): string {
  const at = address.lastIndexOf("@");
  return `${address.slice(0, at).replace(placeholders, "x")}${address.slice(at)}`;
}
/** Every user needs a separate and complete address. */
const syntheticAddress = z
  .string()
  .refine(
    (text) => /^[\w.+-]+@([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(filledBeforeAt(text, /\{(reference|role)\}/g)),
    'must be an address such as "{reference}@learners.example.edu"; before the @ it may name {reference} and {role}',
  )
  .refine(
    (text) => text.includes("{reference}"),
    "must contain {reference}, or all people would have one address",
  );
/** As `syntheticAddress`, but made from a known address. */
const addressOfRole = z
  .string()
  .refine(
    (text) =>
      /^[\w.+-]+@([a-z0-9-]+\.)+[a-z0-9-]+$/i.test(
        filledBeforeAt(text, /\{(local|reference|role)\}/g).replace(/\{domain\}$/, "x.example"),
      ),
    'must be an address such as "{local}+host@{domain}"; before the @ it may name {local}, {reference} and {role}, behind it {domain}',
  )
  .refine(
    (text) => text.includes("{reference}") || (text.includes("{local}") && text.includes("{domain}")),
    "must contain {local} and {domain}, or {reference}: several people would have one address",
  );
const dialectSchema: z.ZodType<Dialect> = z.strictObject({
  apiKey: z.strictObject({ header: headerName, scheme: headerText, query: z.string().min(1).nullable() }),
  headers: z.record(headerName, headerText),
  statuses: z.strictObject({
    elsewhere: z.array(status),
    refusedBody: z.array(status),
    already: z.array(status),
    gone: z.array(status),
    keyRefused: z.array(status),
  }),
  envelopes: z.array(z.string().min(1)),
  email: z.strictObject({
    synthetic: syntheticAddress.nullable(),
    ofRole: z.strictObject({ host: addressOfRole.nullable(), participant: addressOfRole.nullable() }),
  }),
  lengths: z.strictObject({ name: z.int().min(20), title: z.int().min(20) }),
  words,
  rateLimitCounts: z.enum(["arrivals", "replies"]),
  analytics: z.strictObject({ calls: z.int().min(1).max(100), perSeconds: z.number().positive().max(3_600) }),
  loginOrigins: z.array(origin),
  knownSpaceOrigins: z.array(origin),
  usersHaveRoles: z.boolean(),
  afterLogin: z.enum(["anywhere", "loginOrigins"]),
  feedbackRedirect: z.strictObject({
    spaceId: parameterNames,
    userId: parameterNames,
    eventId: parameterNames,
    sessionId: parameterNames,
  }),
  recordings: z.strictObject({
    events: z.strictObject({ available: texts, transcript: texts, unavailable: texts }),
    expectedMinutes: z.number().min(1).max(10_000),
    givenUpMinutes: z.number().min(1).max(100_000),
    open: z.enum(["plain", "authorize"]),
    origins: z.array(origin),
    listIsOfSpace: z.boolean(),
  }),
  pages: z.strictObject({
    reply: z.strictObject({
      next: texts,
      cursor: texts,
      more: texts,
      pages: texts,
      size: texts,
      total: texts,
    }),
    first: z.int().min(0).max(1),
    size: z.int().min(1).max(10_000),
    mostPages: z.int().min(1).max(1_000),
    mostSeconds: z.number().positive().max(3_600),
  }),
  operations: z.record(z.enum(operationNames), operationSchema),
});

/**
 * Reads a JSON object over the default dialect (see `deepMerge`). Refuses anything without effect, such as an unknown reply field, word
 * or placeholder. @throws NamedError "classroom-dialect-invalid" with every problem and its path
 */
export function parseDialect(overrides: unknown): Dialect {
  if (!isPlainObject(overrides)) throw invalid("The dialect must be a JSON object.");
  const parsed = dialectSchema.safeParse(deepMerge(defaultDialect, overrides));
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  const problems = [
    ...strangeWords(parsed.data.words, "words"),
    ...operationNames.flatMap((name) => problemsOf(name, parsed.data.operations[name])),
  ];
  if (problems.length > 0) throw invalid(problems.join("\n"));
  return parsed.data;
}

function problemsOf(name: OperationName, operation: OperationDialect): string[] {
  const base = defaultDialect.operations[name];
  const addressless = operation.routes.length === 0 && !optionalOperations.has(name);
  return [
    ...(addressless ? [`✖ at least one route is needed\n  → at operations.${name}.routes`] : []),
    ...strangers(operation.reply, base.reply, `operations.${name}.reply`),
    ...strangers(operation.values, base.values, `operations.${name}.values`),
    ...operation.routes.flatMap((route, index) =>
      strangeWords(route.words, `operations.${name}.routes[${index}].words`),
    ),
    ...operation.routes.flatMap((route, index) =>
      [
        ...[route.path, route.query, route.body].flatMap((part) =>
          templateMistakes(part, { values: operationValues[name], lists: listValues }),
        ),
        ...(name === "addToSpace" ? addingMistakes(route) : []),
      ].map((mistake) => `✖ ${mistake}\n  → at operations.${name}.routes[${index}]`),
    ),
  ];
}

function strangeWords(words: Dialect["words"], where: string): string[] {
  return [
    ...strangers(words, defaultDialect.words, where),
    ...Object.entries(words).flatMap(([name, each]) =>
      strangers(each, defaultDialect.words[name] ?? each, `${where}.${name}`),
    ),
  ];
}

function strangers(given: object, known: object, where: string): string[] {
  return Object.keys(given)
    .filter((key) => !Object.hasOwn(known, key))
    .map((key) => `✖ ${key} is not known here\n  → at ${where}.${key}`);
}

function invalid(problems: string): NamedError {
  return refusal("classroom-dialect-invalid", { values: { problems }, details: { problems } });
}

/** Merges one JSON object over another: inner objects are merged, lists and other values replaced. */
export function deepMerge(base: unknown, over: unknown): unknown {
  if (!isPlainObject(base) || !isPlainObject(over)) return over;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) merged.set(key, deepMerge(merged.get(key), value));
  return Object.fromEntries(merged);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
