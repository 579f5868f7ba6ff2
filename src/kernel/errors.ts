export type NamedErrorOptions = {
  values?: Readonly<Record<string, string | number>>;
  status?: number;
  temporary?: boolean;
  details?: Record<string, unknown>;
  cause?: unknown;
};

/**
 * An expected failure, made by `refusal`: a stable code for machines, a sentence for people, and whether a later try
 * can help. Anything else that is thrown is a defect, and pages show only a reference number for it.
 */
export class NamedError extends Error {
  readonly code: string;
  /** The HTTP status of the page that shows it. */
  readonly status: number;
  /** The same call may succeed later without any change. */
  readonly temporary: boolean;
  /** Values that its sentence names, so a page can say it in another language. */
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

/** Whether a code means that the store failed. */
export function isOfStorage(code: string): boolean {
  return code.startsWith("storage-");
}

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Whether a failed creation may have happened anyway (`details.outcome` of the classroom client). Such a call isn't repeated. */
export function isOutcomeUnknown(thrown: unknown): thrown is NamedError {
  return thrown instanceof NamedError && thrown.details.outcome === "unknown";
}

/** The code stored with a classroom failure's sentence; "outcome-unknown" when the call may have taken effect. */
export function problemCodeOf(thrown: unknown): string {
  if (isOutcomeUnknown(thrown)) return "outcome-unknown";
  return thrown instanceof NamedError ? thrown.code : "unexpected";
}

/** Details of a failure before anything was tried. It says nothing about the work, so it doesn't count as an attempt. */
export function nothingTried(waitMs: number): { nothingTried: true; retryAfterMs: number } {
  return { nothingTried: true, retryAfterMs: waitMs };
}

/** How long to wait (ms) after a failure with `nothingTried`; null for any other failure. */
export function waitIfNothingTried(thrown: unknown): number | null {
  if (!(thrown instanceof NamedError) || thrown.details["nothingTried"] !== true) return null;
  const wait = thrown.details["retryAfterMs"];
  return typeof wait === "number" ? wait : 0;
}
