import { NamedError } from "../kernel/errors.ts";
import { type RefusalCode, refusalSentence } from "../kernel/refusal.ts";

type Statuses = Partial<Record<RefusalCode, number>>;

/** A stranger can cause them, so they raise no alarm for the LMS that they name. */
const anybodys = {
  "request-malformed": 400,
  "not-a-launch": 400,
  "login-incomplete": 400,
  "platform-unknown": 403,
  "client-id-missing": 400,
  "platform-inactive": 403,
  "target-foreign": 400,
  "launch-expired": 401,
  "token-malformed": 401,
  "token-algorithm": 401,
  "token-key-unknown": 401,
  "token-signature": 401,
  "platform-login-required": 401,
  "platform-login-hidden": 401,
  "platform-launch-expired": 401,
  "platform-refused": 403,
  "launches-many": 503,
} as const satisfies Statuses;

/** The LMS's own: its signature was right, or its keys couldn't be read. */
const ofLms = {
  "registration-replaced": 403,
  "target-changed": 401,
  "launch-used": 401,
  "login-unknown": 401,
  "browser-unknown": 401,
  "token-issuer": 401,
  "token-audience": 401,
  "token-expired": 401,
  "token-times": 401,
  "token-nonce": 401,
  "message-unsupported": 400,
  "launch-incomplete": 400,
  "launch-without-login": 400,
  "id-unusable": 400,
  "deployment-refused": 403,
  "platform-keys-unreachable": 503,
} as const satisfies Statuses;

const statuses = { ...anybodys, ...ofLms };

/** Whether a launch with this refusal came from the LMS that it names, as far as we can know. */
export function provesLms(code: string): boolean {
  return Object.hasOwn(ofLms, code);
}

/** Codes of refusals; they never change. */
export type LaunchRefusalCode = keyof typeof statuses;

/** A refused launch: a code for programs, an HTTP status (400, 401, 403, 503) and a sentence that doesn't help attackers. */
export class LaunchRefusal extends NamedError {
  readonly refusal: LaunchRefusalCode;
  /** The course's page in the LMS, for a launch that is genuine but refused. */
  readonly courseUrl: string | null;

  /** @param details Facts for the log, without tokens and names. `registration`, or `issuer` and `clientId`, say for which LMS it counts. */
  constructor(
    code: LaunchRefusalCode,
    details: Record<string, unknown> = {},
    cause?: unknown,
    courseUrl: string | null = null,
  ) {
    const status = statuses[code];
    super(code, refusalSentence(code), { status, temporary: status === 503, details, cause });
    this.name = "LaunchRefusal";
    this.refusal = code;
    this.courseUrl = courseUrl;
  }
}
