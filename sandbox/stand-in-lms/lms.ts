// From: LTI Security 1.0, 5.1.1.2; of the quirks zeroUnreported measured on an older Moodle, the others from Canvas's source.
import type { Express } from "express";
import type { JWTPayload } from "jose";
import { z } from "zod";
import type { Clock } from "../../src/kernel/clock.ts";
import type { Logger } from "../../src/kernel/logger.ts";
import type { Turned } from "../assumptions.ts";
import type { Html } from "../html.ts";
import type { Launches } from "./authorization.ts";
import type { Container, Course, Link, LmsWorld, Person, Tool } from "./lms-records.ts";
import type { Notices } from "./notices.ts";
import type { ToolWords } from "./registration.ts";
import type { Faults, RequestLog, ServiceAnswer } from "./services.ts";
import type { Session, Sessions } from "./sign-in.ts";
import type { PlatformKey, ToolKeysets } from "./tokens.ts";

export type Lms = {
  /** Also the issuer; no trailing slash. */
  url: string;
  clock: Clock;
  logger: Logger;
  keysets: ToolKeysets;
  world: LmsWorld;
  key: PlatformKey;
  launches: Launches;
  log: RequestLog;
  notices: Notices;
  faults: Faults;
  sessions: Sessions;
  manners: Manners;
  quirks: Quirks;
  turned: Turned;
};

/** Started by opening an activity, used up by the authorization endpoint. */
export type BegunLaunch = {
  /** Passed through the tool in the message hint. */
  id: string;
  kind: "resource-link" | "deep-linking" | "submission-review";
  course: Course;
  /** Null for deep linking, which happens before there is a link. */
  link: Link | null;
  tool: Tool;
  person: Person;
  container: Container;
  /** Where in Canvas the tool was opened; null is the usual place. */
  placement?: string;
  /** The reviewed person, and the column's review address; null except for a submission review. */
  review: { person: Person; url: string | null; custom: Record<string, string> } | null;
  /** Protects forms of this session; appears in return addresses. */
  sessionKey: string;
};

export type ContentItemRules = {
  /** A column's maximum must be a whole number from 1 to 100. */
  wholeMaximum: boolean;
  /** Whether learners see a new activity immediately. */
  published: boolean;
  /** Moodle takes the item's title, others `lineItem.label` before it. */
  columnNamedAfter: "title" | "label";
  /** Canvas takes `submission.endDateTime` for the assignment's due date; Moodle's content_item_to_form reads no dates. */
  keepsDueDate: boolean;
  /**
   * The response must be posted from the LMS's dialog frame: Moodle's page hands links to the page around it
   * (mod/lti/amd/src/contentitem_return.js), and does nothing in a window.
   */
  framedOnly: boolean;
};

/** How LMS products differ; the stand-ins share everything else. */
export type Manners = {
  name: "moodle" | "canvas" | "other";
  title: string;
  /** Below the LMS's address. */
  paths: {
    configuration: string;
    registration: string;
    authorization: string;
    token: string;
    keys: string;
    /** Where a content selection dialog posts its response. */
    contentReturn: string;
    /** The Platform Notification Service of one tool, by `:tool`; null if there is none. */
    notices: string | null;
  };
  /** Canvas: including for reading its OpenID configuration. */
  configurationNeedsToken: boolean;
  configuration: (url: string, quirks: Quirks) => Record<string, unknown>;
  loginMethod: "get" | "post";
  /** Lifetime of a started launch's hint (ms); null is as long as the session. */
  launchLifetimeMs: number | null;
  /** Null when nothing is wrong; then there is a launch. */
  authorizationProblem: (lms: Lms, attempt: AuthorizationAttempt) => AuthorizationProblem | null;
  loginFields: (lms: Lms, launch: BegunLaunch) => Record<string, string>;
  /** From `lti_message_hint`; null for an unknown one. */
  launchIdOf: (messageHint: string) => string | null;
  loginHintOf: (person: Person) => string;
  /** Its `id` is what histories and notices contain. */
  contextClaim: (course: Course) => { id: string; label: string; title: string; type: string[] };
  /** Without nonce, iat, exp, iss and aud. */
  claims: (lms: Lms, launch: BegunLaunch) => Record<string, unknown>;
  idTokenSeconds: number;
  newClientId: () => string;
  deploymentIdOf: (toolId: string) => string;
  /** For a correctly signed assertion; null when nothing is wrong. */
  assertionProblem: (lms: Lms, claims: JWTPayload) => string | null;
  /** How many attempts there are before it is given up. */
  noticeAttempts: number;
  /** Must be returned unchanged; with null, none is sent. */
  deepLinkingData: string | null;
  contentItems: ContentItemRules;
  /** Moodle's is text/html. */
  tokenContentType: string;
  mountServices: (app: Express, lms: Lms) => void;
  registrationAnswer: (lms: Lms, tool: Tool) => { status: number; body: Record<string, unknown> };
  /** In addition to the common rules; empty when nothing is wrong. */
  registrationProblems: (sent: unknown) => string[];
  /** In addition to the common words. */
  registrationWords: (sent: unknown, words: ToolWords) => ToolWords;
  /** 401 for its token, 400 for its content. */
  registrationRefusal: (status: 400 | 401, messages: string[]) => ServiceAnswer;
  /** The `allow` attribute of a tool's frame. */
  frameAllow: (origin: string, quirks: Quirks) => string;
  /** Platform storage, if there is one. */
  besideFrame: (quirks: Quirks) => Html | null;
  /** Those granted by an administrator's defaults. */
  grantedScopes: (asked: readonly string[]) => string[];
};

export type AuthorizationAttempt = {
  asked: AuthorizationRequest;
  /** Null when nobody is logged in. */
  session: Session | null;
  /** Null when the hint is unknown, used or too old. */
  launch: BegunLaunch | null;
};

/** `page` is shown by the LMS itself instead of being sent to the tool. */
export type AuthorizationProblem =
  | { error: string; description?: string }
  | { page: string; status: 400 | 404 };

const one = z.string().optional().catch(undefined);
/** A repeated parameter counts as missing. */
export const authorizationQuery = z.object({
  scope: one,
  response_type: one,
  response_mode: one,
  prompt: one,
  client_id: one,
  redirect_uri: one,
  login_hint: one,
  lti_message_hint: one,
  nonce: one,
  state: one,
});

export type AuthorizationRequest = z.output<typeof authorizationQuery>;

/** As in Canvas: a bucket for each tool that fills with every call and leaks. */
const throttleSchema = z.object({
  /** The status of a refused call: 403 as in Canvas's code, or 429 as in its documentation. */
  status: z.union([z.literal(403), z.literal(429)]).default(403),
  /** Calls are refused above this. */
  full: z.number().positive().default(600),
  leakPerSecond: z.number().nonnegative().default(10),
  /** Reserved by every running call, so that concurrent calls fill the bucket. */
  upFront: z.number().nonnegative().default(50),
  /** Final cost of a call. */
  cost: z.number().nonnegative().default(1),
  /** Duration of every call (ms); with 0 they rarely overlap. */
  callMs: z.number().int().nonnegative().default(0),
});

/** Differences within one product; all can be changed while it runs. */
export const quirksSchema = z.object({
  /** Canvas: null means no throttling. */
  throttle: throttleSchema.nullable().default(null),
  /** Canvas: how a changed score for a deleted assignment is refused (`canvasDeletedIsUnpublished`). */
  deletedColumnSays: z.enum(["unpublished", "not-applicable"]).default("unpublished"),
  /** Canvas: how AGS responds in a concluded course; 404 if `ags_improved_course_concluded_response_codes` is off. */
  concludedStatus: z.union([z.literal(422), z.literal(404)]).default(422),
  /** Canvas: whether tools may change their registration: with `lti_dr_registrations_update`, without it, or in an older version. */
  registrationUpdates: z.enum(["on", "off", "unknown"]).default("on"),
  /** Moodle: the version that it reports, and how its frame's permissions are written (mod/lti/view.php of each). */
  release: z.enum(["4.5", "5.1"]).default("4.5"),
  /** Moodle: a version whose results show nothing if the grade is 0. */
  zeroUnreported: z.boolean().default(false),
  /** The account's language as the product writes it ("pt_br" in Moodle); null is English. */
  locale: z.string().nullable().default(null),
  /**
   * The third LMS as Open edX with "programmatic" grades (xblock-lti-consumer 11.4): scores of unlinked columns are accepted but never
   * shown, labels and tags are short, points whole; no product is named, the LMS stores no values, and roles are its own.
   */
  openEdx: z.boolean().default(false),
});

export type Quirks = z.output<typeof quirksSchema>;

/** Omitted fields are unchanged. */
export type QuirkChange = z.input<typeof quirksSchema>;

export function createQuirks(change: QuirkChange = {}): Quirks {
  return quirksSchema.parse(change);
}
