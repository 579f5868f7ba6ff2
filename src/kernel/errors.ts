export type NamedErrorOptions = {
  values?: Readonly<Record<string, string | number>>;
  status?: number;
  temporary?: boolean;
  details?: Record<string, unknown>;
  cause?: unknown;
};

/**
 * An expected failure, made by `refusal`: a stable code for machines, a sentence for people, and whether a later try
 * can help. Anything else that is thrown is a defect and is shown only as a reference number.
 */
export class NamedError extends Error {
  readonly code: string;
  /** HTTP status when a page shows it. */
  readonly status: number;
  /** The same call may succeed later without any change. */
  readonly temporary: boolean;
  /** What its sentence names, for pages in another language. */
  readonly values: Readonly<Record<string, string | number>>;
  /** Facts for the log and the console; never a secret, a token or a person's name. */
  readonly details: Readonly<Record<string, unknown>>;

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

/** Whether a code says that the store did not do what it was asked. */
export function isOfStorage(code: string): boolean {
  return code.startsWith("storage-");
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whether a failed creation may have happened (`details.outcome` of the classroom client): it is not repeated. */
export function isOutcomeUnknown(thrown: unknown): thrown is NamedError {
  return thrown instanceof NamedError && thrown.details.outcome === "unknown";
}

/** The code stored with a classroom failure's sentence; "outcome-unknown" when it may have taken effect. */
export function problemCodeOf(thrown: unknown): string {
  if (isOutcomeUnknown(thrown)) return "outcome-unknown";
  return thrown instanceof NamedError ? thrown.code : "unexpected";
}

/** Details of a failure before anything was tried: it says nothing about the work, and is not counted against it. */
export function nothingTried(waitMs: number): { nothingTried: true; retryAfterMs: number } {
  return { nothingTried: true, retryAfterMs: waitMs };
}

/** How long to wait (ms) after such a failure; null for another one. */
export function waitIfNothingTried(thrown: unknown): number | null {
  if (!(thrown instanceof NamedError) || thrown.details["nothingTried"] !== true) return null;
  const wait = thrown.details["retryAfterMs"];
  return typeof wait === "number" ? wait : 0;
}
