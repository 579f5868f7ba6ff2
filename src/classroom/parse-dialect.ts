import { z } from "zod";
import { NamedError } from "../kernel/errors.ts";
import { defaultDialect, type Dialect, operationNames } from "./dialect.ts";

const headerName = z.string().regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, "is not a header name");
const place = z.string();
const routeSchema = z.strictObject({
  method: z.enum(["GET", "POST", "PUT", "PATCH"]),
  path: z.string().startsWith("/"),
  query: z.record(z.string(), z.string()).default({}),
  body: z.record(z.string(), z.unknown()).nullable().default(null),
});
const operationSchema = z.strictObject({
  routes: z.array(routeSchema).min(1),
  reply: z.record(z.string(), z.array(place).min(1)),
});
const dialectSchema: z.ZodType<Dialect> = z.strictObject({
  apiKey: z.strictObject({ header: headerName, scheme: z.string() }),
  loginOrigins: z.array(
    z
      .url({ protocol: /^https?$/ })
      .refine((url) => new URL(url).origin === url, "must be an origin such as https://app.example"),
  ),
  operations: z.record(z.enum(operationNames), operationSchema),
});

/**
 * The default dialect with a JSON object laid over it: objects are merged, arrays and everything else replaced.
 * A reply field the tool does not know is refused, since it would have no effect.
 * @throws NamedError "classroom-dialect-invalid" that lists every problem with its place.
 */
export function parseDialect(overrides: unknown): Dialect {
  if (!isPlainObject(overrides)) throw invalid("The dialect must be a JSON object.");
  const parsed = dialectSchema.safeParse(laidOver(defaultDialect, overrides));
  if (!parsed.success) throw invalid(z.prettifyError(parsed.error));
  const unknown = operationNames.flatMap((name) =>
    Object.keys(parsed.data.operations[name].reply)
      .filter((field) => !(field in defaultDialect.operations[name].reply))
      .map((field) => `operations.${name}.reply.${field}`),
  );
  if (unknown.length > 0) throw invalid(`Unknown reply fields: ${unknown.join(", ")}.`);
  return parsed.data;
}

function invalid(problems: string): NamedError {
  return new NamedError(
    "classroom-dialect-invalid",
    `The classroom dialect (CLASSROOM_DIALECT) cannot be used:\n${problems}`,
  );
}

function laidOver(base: unknown, over: unknown): unknown {
  if (!isPlainObject(base) || !isPlainObject(over)) return over;
  const merged = new Map(Object.entries(base));
  for (const [key, value] of Object.entries(over)) merged.set(key, laidOver(merged.get(key), value));
  return Object.fromEntries(merged);
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
