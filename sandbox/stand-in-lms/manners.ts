// Imitates nothing.
import type { Express } from "express";
import type { JWTPayload } from "jose";
import type { AuthorizationAttempt, AuthorizationProblem } from "./authorization-attempt.ts";
import type { Html } from "./html.ts";
import type { Lms } from "./lms.ts";
import type { Container, Course, Link, Person, Tool } from "./lms-records.ts";

import type { ServiceAnswer } from "./service-answer.ts";
import type { ToolWords } from "./tools.ts";

/** Begun by opening an activity, used up by the authorization endpoint. */
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
  /** The reviewed person, and the column's review address; null but for a submission review. */
  review: { person: Person; url: string | null; custom: Record<string, string> } | null;
  /** Guards forms of this session; appears in return addresses. */
  sessionKey: string;
};

export type ContentItemRules = {
  /** A column's maximum must be a whole number from 1 to 100. */
  wholeMaximum: boolean;
  /** Whether learners see a new activity at once. */
  published: boolean;
  /** Moodle takes the item's title, others `lineItem.label` before it. */
  columnNamedAfter: "title" | "label";
  /** Canvas takes `submission.endDateTime` for the assignment's due date; Moodle's content_item_to_form reads no dates. */
  keepsDueDate: boolean;
  /**
   * The answer must be posted from the LMS's dialog frame: Moodle's page hands links to the page around it
   * (mod/lti/amd/src/contentitem_return.js), and does nothing in a window.
   */
  framedOnly: boolean;
};

/** How LMS products differ; everything else the stand-ins share. */
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
    /** Where a content selection dialog posts its answer. */
    contentReturn: string;
    /** The Platform Notification Service of one tool, by `:tool`; null where there is none. */
    notices: string | null;
  };
  /** Canvas: also for reading its OpenID configuration. */
  configurationNeedsToken: boolean;
  configuration: (url: string) => Record<string, unknown>;
  loginMethod: "get" | "post";
  /** Of a begun launch's hint (ms); null is as long as the session. */
  launchLifetimeMs: number | null;
  /** Null when nothing is wrong; then there is a launch. */
  authorizationProblem: (lms: Lms, attempt: AuthorizationAttempt) => AuthorizationProblem | null;
  loginFields: (lms: Lms, launch: BegunLaunch) => Record<string, string>;
  /** From `lti_message_hint`; null for a foreign one. */
  launchIdOf: (messageHint: string) => string | null;
  loginHintOf: (person: Person) => string;
  /** Its `id` is what histories and notices carry. */
  contextClaim: (course: Course) => { id: string; label: string; title: string; type: string[] };
  /** Without nonce, iat, exp, iss and aud. */
  claims: (lms: Lms, launch: BegunLaunch) => Record<string, unknown>;
  idTokenSeconds: number;
  newClientId: () => string;
  deploymentIdOf: (toolId: string) => string;
  /** For a well-signed assertion; null when nothing is wrong. */
  assertionProblem: (lms: Lms, claims: JWTPayload) => string | null;
  /** Before it is given up. */
  noticeAttempts: number;
  /** Must be returned unchanged; null sends none. */
  deepLinkingData: string | null;
  contentItems: ContentItemRules;
  /** Moodle's is text/html. */
  tokenContentType: string;
  mountServices: (app: Express, lms: Lms) => void;
  registrationAnswer: (lms: Lms, tool: Tool) => { status: number; body: Record<string, unknown> };
  /** Beyond the common rules; empty when nothing is wrong. */
  registrationProblems: (sent: unknown) => string[];
  /** Beyond the common words. */
  registrationWords: (sent: unknown, words: ToolWords) => ToolWords;
  /** 401 for its token, 400 for its content. */
  registrationRefusal: (status: 400 | 401, messages: string[]) => ServiceAnswer;
  /** The `allow` attribute of a tool's frame. */
  frameAllow: (origin: string) => string;
  /** Platform storage, where there is one. */
  besideFrame: () => Html | null;
  /** Those granted by an administrator's defaults. */
  grantedScopes: (asked: readonly string[]) => string[];
};
