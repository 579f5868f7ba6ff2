/** What an expected failure says besides its code and sentence; see the properties of {@link NamedError}. */
export type NamedErrorOptions = {
  values?: Readonly<Record<string, string | number>>;
  status?: number;
  temporary?: boolean;
  details?: Record<string, unknown>;
  cause?: unknown;
};

/**
 * An expected failure, made by `refusal`: it has a stable code for machines, a sentence for the person who sees it, and says
 * whether trying again later can help. Anything that is not one of these is a defect and is shown only as a
 * reference number.
 */
export class NamedError extends Error {
  readonly code: string;
  /** HTTP status when a door shows it. */
  readonly status: number;
  /** True when the same call may succeed later without anybody changing anything. */
  readonly temporary: boolean;
  /** What its sentence names, for pages that say it in another language. */
  readonly values: Readonly<Record<string, string | number>>;
  /** Facts for the log and the console; never a secret, a token or a person's name. */
  readonly details: Readonly<Record<string, unknown>>;

  /** @param message A plain sentence that says what happened and what to do. */
  constructor(code: string, message: string, options: NamedErrorOptions = {}) {
    super(message, options.cause === undefined ? {} : { cause: options.cause });
    this.name = "NamedError";
    this.code = code;
    this.status = options.status ?? 500;
    this.temporary = options.temporary ?? false;
    this.values = options.values ?? {};
    this.details = options.details ?? {};
  }
}

/** The message of anything that was thrown. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}
