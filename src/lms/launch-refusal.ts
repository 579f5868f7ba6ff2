import { NamedError } from "../kernel/errors.ts";

const refusals = {
  "request-malformed": [
    400,
    "The request is not one an LMS sends. Open the classroom from the link in your course.",
  ],
  "not-a-launch": [
    400,
    "This address is opened by your LMS. Open the classroom from the link in your course.",
  ],
  "login-incomplete": [
    400,
    "Your LMS left out something it must send when a link is opened. Ask your administrator to check the tool's settings.",
  ],
  "platform-unknown": [
    403,
    "This LMS is not registered with the classroom tool. Ask your administrator to register it.",
  ],
  "client-id-missing": [
    400,
    "Several registrations exist for this LMS and it did not say which one is meant. Ask your administrator to set the client id of the tool.",
  ],
  "platform-inactive": [403, "This LMS is switched off in the classroom tool. Ask your administrator."],
  "target-foreign": [
    400,
    "This link leads to another address than the classroom tool. Ask your instructor to add the link again.",
  ],
  "target-changed": [401, "The link changed while it was being opened. Open it in your course again."],
  "launch-expired": [401, "This launch is too old or was used already. Open the link in your course again."],
  "launch-used": [401, "This launch was used already. Open the link in your course again."],
  "browser-unknown": [
    401,
    "Your browser did not keep the cookie that protects this launch. Open the link in a new window, or allow cookies for the classroom, and try again.",
  ],
  "token-malformed": [
    401,
    "Your LMS sent a message that cannot be read. Open the link again; if it happens again, tell your administrator.",
  ],
  "token-algorithm": [
    401,
    "Your LMS signed the launch in a way that is not safe to accept. Ask your administrator to choose RS256.",
  ],
  "token-key-unknown": [
    401,
    "The launch was signed with a key your LMS does not publish. Ask your administrator to check the tool's key set address.",
  ],
  "token-signature": [401, "The launch was not signed by your LMS. Open the link in your course again."],
  "token-issuer": [
    401,
    "The launch names another LMS than the one it started from. Open the link in your course again.",
  ],
  "token-audience": [
    401,
    "The launch was meant for another tool. Ask your administrator to check the client id.",
  ],
  "token-expired": [401, "This launch has expired. Open the link in your course again."],
  "token-times": [
    401,
    "The times in this launch do not fit the present time. Open the link again; if it happens again, the clock of your LMS may be wrong.",
  ],
  "token-nonce": [
    401,
    "This launch does not answer the request that was made. Open the link in your course again.",
  ],
  "message-unsupported": [
    400,
    "The classroom does not know this kind of link. Ask your instructor to add it again as an external tool.",
  ],
  "launch-incomplete": [
    400,
    "Your LMS left out something a launch must say. Ask your administrator to check the tool's settings.",
  ],
  "deployment-refused": [
    403,
    "The tool was installed in a place your administrator has not allowed yet. Ask your administrator to accept it in the classroom's console.",
  ],
  "platform-login-required": [
    401,
    "Your LMS says you are not logged in. Log in to your LMS and open the link again.",
  ],
  "platform-login-hidden": [
    401,
    "Your LMS says you are not logged in. Your browser may hide your login from a page inside another page: open the link in a new window. If that does not help, log in to your LMS and open the link again.",
  ],
  "platform-launch-expired": [
    401,
    "Your LMS says this launch is no longer valid. Reload the course page and open the link again.",
  ],
  "platform-refused": [
    403,
    "Your LMS refused to open the classroom. Try again; if it happens again, tell your administrator.",
  ],
  "launches-many": [
    503,
    "Very many people are opening the classroom at this moment. Wait half a minute and open the link in your course again.",
  ],
  "platform-keys-unreachable": [
    503,
    "Your LMS does not answer with its keys at the moment. Wait a minute and open the link again.",
  ],
} as const satisfies Record<string, readonly [number, string]>;

/** Stable names of everything a launch can be refused for. */
export type LaunchRefusalCode = keyof typeof refusals;

/**
 * Why a launch was refused: a code for machines and tests, an HTTP status (400, 401, 403; 503 when the LMS does
 * not answer) and a plain sentence for the person, which says nothing an attacker could use.
 */
export class LaunchRefusal extends NamedError {
  readonly refusal: LaunchRefusalCode;

  /** @param details Facts for the log; no token, no name. */
  constructor(code: LaunchRefusalCode, details: Record<string, unknown> = {}, cause?: unknown) {
    const [status, sentence] = refusals[code];
    super(code, sentence, { status, temporary: status === 503, details, cause });
    this.name = "LaunchRefusal";
    this.refusal = code;
  }
}
