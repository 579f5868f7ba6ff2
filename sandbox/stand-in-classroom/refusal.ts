// From: assumed; document 7 shows no error body.
import { z } from "zod";

/** An error response; its shape `{ error: { code, message } }` is invented. */
export class Refusal extends Error {
  readonly status: number;
  readonly code: string;

  constructor(status: number, code: string, message: string) {
    super(message);
    this.name = "Refusal";
    this.status = status;
    this.code = code;
  }
}

/** Assumption `errorsHaveCodes`. */
export function errorBody(code: string, message: string) {
  return { error: { code, message } };
}

/** The record, or a 404. */
export function found<T>(record: T | undefined, what: string): T {
  if (record === undefined) throw new Refusal(404, "NOT_FOUND", `No such ${what}.`);
  return record;
}

/** The parsed value, or a 400 that names the field. */
export function parseOrRefuse<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw new Refusal(400, "BAD_REQUEST", z.prettifyError(parsed.error));
}

/** A function, and how programs and forms pass its input. */
export function action<Schema extends z.ZodObject, Result>(
  schema: Schema,
  act: (input: z.output<Schema>) => Result,
) {
  const run = (input: unknown): Result => act(parseOrRefuse(schema, input));
  return Object.assign((input: z.input<Schema>): Result => run(input), { schema, run });
}
