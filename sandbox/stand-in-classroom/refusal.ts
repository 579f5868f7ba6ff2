/** An error answer; its shape `{ error: { code, message } }` is invented. */
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

/** The record, or a 404. */
export function found<T>(record: T | undefined, what: string): T {
  if (record === undefined) throw new Refusal(404, "NOT_FOUND", `No such ${what}.`);
  return record;
}
