import type { Express } from "express";
import type { Html } from "./html.ts";
import type { Lms } from "./lms.ts";
import type { Container, Course, Link, Person, Tool } from "./lms-world.ts";

import type { ServiceAnswer } from "./service-answer.ts";

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
  /** Whose work is looked at, and where the column says that is done; null but for a submission review. */
  review: { person: Person; url: string | null; custom: Record<string, string> } | null;
  /** Guards forms of this session; appears in return addresses. */
  sessionKey: string;
};

/** In what an LMS product differs from another; everything else the stand-ins share. */
export type Manners = {
  name: "moodle" | "canvas";
  /** Paths below the LMS's address. */
  paths: {
    configuration: string;
    registration: string;
    authorization: string;
    token: string;
    keys: string;
    /** Where a content selection dialog posts its answer. */
    contentReturn: string;
  };
  /** Canvas wants the registration token for reading its OpenID configuration, too. */
  configurationNeedsToken: boolean;
  /** The OpenID configuration that registering tools read. */
  configuration: (url: string) => Record<string, unknown>;
  /** Form fields of the login initiation. */
  loginFields: (lms: Lms, launch: BegunLaunch) => Record<string, string>;
  /** Reads the launch's id back out of `lti_message_hint`; null when it is not one of ours. */
  launchIdOf: (messageHint: string) => string | null;
  /** What the login hint of this person is. */
  loginHintOf: (person: Person) => string;
  /** The id_token without nonce, iat, exp, iss and aud. */
  claims: (lms: Lms, launch: BegunLaunch) => Record<string, unknown>;
  idTokenSeconds: number;
  /** A name for a new tool, and the name of its one installation. */
  newClientId: () => string;
  deploymentIdOf: (toolId: string) => string;
  /** Moodle labels the JSON of its token endpoint text/html. */
  tokenContentType: string;
  /** Registers names-and-roles and grade services. */
  mountServices: (app: Express, lms: Lms) => void;
  /** What a dynamic registration is answered with. */
  registrationAnswer: (tool: Tool) => { status: number; body: Record<string, unknown> };
  /** What else this product insists on in a registration; null when nothing is amiss. */
  registrationProblem: (sent: unknown) => string | null;
  /** How a registration is refused: 401 for its token, 400 for its content. */
  registrationRefusal: (status: 400 | 401, message: string) => ServiceAnswer;
  /** The `allow` attribute of a tool's frame. */
  frameAllow: (origin: string) => string;
  /** What surrounds a framed tool on the activity page: platform storage where there is one. */
  besideFrame: () => Html | null;
  /** The scopes an administrator's defaults grant out of those a tool asked for. */
  grantedScopes: (asked: readonly string[]) => string[];
};
