import type { Express } from "express";
import type { JWTPayload } from "jose";
import type { AuthorizationAttempt, AuthorizationProblem } from "./authorization-attempt.ts";
import type { Html } from "./html.ts";
import type { Lms } from "./lms.ts";
import type { Container, Course, Link, Person, Tool } from "./lms-records.ts";

import type { ServiceAnswer } from "./service-answer.ts";
import type { ToolWords } from "./tools.ts";

/** A launch somebody has begun by opening an activity; used up by the authorization endpoint. */
export type BegunLaunch = {
  /** Travels through the tool in the message hint. */
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
  /** Whose work is looked at, and where the column says that is done; null but for a submission review. */
  review: { person: Person; url: string | null; custom: Record<string, string> } | null;
  /** Guards forms of this session; appears in return addresses. */
  sessionKey: string;
};

/** How a product makes activities of what a content selection dialog sends. */
export type ContentItemRules = {
  /** True: a column's maximum must be a whole number from 1 to 100. */
  wholeMaximum: boolean;
  /** Whether learners see a new activity at once. */
  published: boolean;
  /** What a column is named after: Moodle takes the item's title, others `lineItem.label` before it. */
  columnNamedAfter: "title" | "label";
  /**
   * Whether the answer must be posted from the frame of the LMS's own dialog. Moodle's page hands the links to the page around
   * it (mod/lti/amd/src/contentitem_return.js); in a window of its own it says all is well and nothing happens.
   */
  framedOnly: boolean;
};

/** In what an LMS product differs from another; everything else the stand-ins share. */
export type Manners = {
  name: "moodle" | "canvas" | "other";
  /** What it stands in for, on its pages. */
  title: string;
  /** Paths below the LMS's address. */
  paths: {
    configuration: string;
    registration: string;
    authorization: string;
    token: string;
    keys: string;
    /** Where a content selection dialog posts its answer. */
    contentReturn: string;
    /** The Platform Notification Service of one tool, by `:tool`; null where there is none. */
    notices: string | null;
  };
  /** Canvas wants the registration token for reading its OpenID configuration, too. */
  configurationNeedsToken: boolean;
  /** The OpenID configuration that registering tools read. */
  configuration: (url: string) => Record<string, unknown>;
  /** How a browser is sent to a tool's login. */
  loginMethod: "get" | "post";
  /** How long the hint of a begun launch is good, in milliseconds; null is as long as the session. */
  launchLifetimeMs: number | null;
  /** What is wrong with an authorization request; null when nothing, and then there is a launch. */
  authorizationProblem: (lms: Lms, attempt: AuthorizationAttempt) => AuthorizationProblem | null;
  /** Form fields of the login initiation. */
  loginFields: (lms: Lms, launch: BegunLaunch) => Record<string, string>;
  /** Reads the launch's id back out of `lti_message_hint`; null when it is not one of ours. */
  launchIdOf: (messageHint: string) => string | null;
  /** What the login hint of this person is. */
  loginHintOf: (person: Person) => string;
  /** `context` as this product names it; its `id` is what histories and notices carry. */
  contextClaim: (course: Course) => { id: string; label: string; title: string; type: string[] };
  /** The id_token without nonce, iat, exp, iss and aud. */
  claims: (lms: Lms, launch: BegunLaunch) => Record<string, unknown>;
  idTokenSeconds: number;
  /** A name for a new tool, and the name of its one installation. */
  newClientId: () => string;
  deploymentIdOf: (toolId: string) => string;
  /** What the token endpoint finds wrong with a well-signed assertion; null when nothing. */
  assertionProblem: (lms: Lms, claims: JWTPayload) => string | null;
  /** How often a notice is sent before it is given up. */
  noticeAttempts: number;
  /** `data` of a deep linking request, which the answer must carry unchanged; null sends none. */
  deepLinkingData: string | null;
  /** What a deep linking answer has to keep to, and what becomes of it. */
  contentItems: ContentItemRules;
  /** Moodle labels the JSON of its token endpoint text/html. */
  tokenContentType: string;
  /** Registers names-and-roles and grade services. */
  mountServices: (app: Express, lms: Lms) => void;
  /** What a dynamic registration is answered with. */
  registrationAnswer: (lms: Lms, tool: Tool) => { status: number; body: Record<string, unknown> };
  /** What else this product insists on in a registration; empty when nothing is amiss. */
  registrationProblems: (sent: unknown) => string[];
  /** What this product makes of a registration beyond the common words. */
  registrationWords: (sent: unknown, words: ToolWords) => ToolWords;
  /** How a registration is refused: 401 for its token, 400 for its content. */
  registrationRefusal: (status: 400 | 401, messages: string[]) => ServiceAnswer;
  /** The `allow` attribute of a tool's frame. */
  frameAllow: (origin: string) => string;
  /** What surrounds a framed tool on the activity page: platform storage where there is one. */
  besideFrame: () => Html | null;
  /** The scopes an administrator's defaults grant out of those a tool asked for. */
  grantedScopes: (asked: readonly string[]) => string[];
};
