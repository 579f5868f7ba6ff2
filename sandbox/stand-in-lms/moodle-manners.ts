// From: auth.php, openid-registration.php, measured.
import { randomInt } from "node:crypto";
import { z } from "zod";
import type { Tool } from "./lms-records.ts";
import type {
  AuthorizationAttempt,
  AuthorizationProblem,
  AuthorizationRequest,
  BegunLaunch,
  Lms,
  Manners,
  Quirks,
} from "./lms.ts";
import { lti } from "./lti-names.ts";
import { moodleClaims, moodleContext, moodleReleases, targetOf } from "./moodle-claims.ts";
import { mountMoodleServices } from "./moodle-services.ts";
import { registeredTool } from "./registration.ts";
import { parseJson } from "./services.ts";

const { scope } = lti;

/** Moodle 4.5, as it behaves with its default settings. In launches and services, 5.1 only differs in its version. */
export const moodleManners: Manners = {
  name: "moodle",
  title: "Moodle",
  loginMethod: "post",
  launchLifetimeMs: null,
  authorizationProblem: moodleAuthorizationProblem,
  paths: {
    configuration: "/mod/lti/openid-configuration.php",
    registration: "/mod/lti/openid-registration.php",
    authorization: "/mod/lti/auth.php",
    token: "/mod/lti/token.php",
    keys: "/mod/lti/certs.php",
    contentReturn: "/mod/lti/contentitem_return.php",
    notices: null,
  },
  configurationNeedsToken: false,
  configuration: moodleConfiguration,
  // No lti_storage_target: Moodle has no platform storage.
  loginFields: (lms, launch) => ({
    iss: lms.url,
    target_link_uri: targetOf(launch),
    login_hint: launch.person.id,
    lti_message_hint: JSON.stringify({
      ...(launch.link === null ? {} : { cmid: Number(launch.link.id) + 1 }),
      launchid: launch.id,
    }),
    client_id: launch.tool.clientId,
    lti_deployment_id: launch.tool.deploymentId,
  }),
  launchIdOf: (hint) => {
    const parsed = z.object({ launchid: z.string() }).safeParse(parseJson(hint));
    return parsed.success ? parsed.data.launchid : null;
  },
  loginHintOf: (person) => person.id,
  contextClaim: moodleContext,
  claims: moodleClaims,
  assertionProblem: () => null,
  noticeAttempts: 0,
  deepLinkingData: null,
  contentItems: {
    wholeMaximum: true,
    published: true,
    columnNamedAfter: "title",
    keepsDueDate: false,
    framedOnly: true,
  },
  idTokenSeconds: 60,
  newClientId,
  deploymentIdOf: (toolId) => toolId,
  tokenContentType: "text/html; charset=utf-8",
  mountServices: mountMoodleServices,
  registrationAnswer: moodleRegistrationAnswer,
  registrationProblems: () => [],
  registrationWords: (_sent, words) => words,
  registrationRefusal: (status, messages) => ({
    status,
    type: "text/html; charset=utf-8",
    body: messages.join(" "),
  }),
  // No display-capture, and no sandbox attribute either.
  frameAllow: (origin, { release }) =>
    ["microphone", "camera", "geolocation", "midi", "encrypted-media", "autoplay"]
      .map((feature) => `${feature} ${origin}`)
      .join("; ") + (release === "5.1" ? ";" : ""),
  besideFrame: () => null,
  grantedScopes: (asked) => {
    const synchronisation: string[] = [scope.score, scope.result, scope.lineItemReadOnly];
    const grades = asked.includes(scope.lineItem)
      ? [...synchronisation, scope.lineItem]
      : asked.some((one) => synchronisation.includes(one))
        ? synchronisation
        : [];
    return [...grades, ...(asked.includes(scope.roster) ? [scope.roster] : [])];
  },
};

const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

function newClientId(): string {
  return Array.from({ length: 15 }, () => letters[randomInt(letters.length)]).join("");
}

/** Null when nothing is wrong. A launch only works in one session. */
function moodleAuthorizationProblem(
  lms: Lms,
  { asked, session, launch }: AuthorizationAttempt,
): AuthorizationProblem | null {
  if (launch === null || session?.sessionKey !== launch.sessionKey) {
    return { status: 404, page: "This launch is not valid any more. Open the activity again." };
  }
  if (!launch.tool.redirectUrls.includes(asked.redirect_uri ?? "")) {
    return { status: 404, page: "The tool asked for an answer at an unregistered address." };
  }
  return problemOf(lms, launch, asked, session.personId);
}

function problemOf(
  lms: Lms,
  launch: BegunLaunch,
  asked: AuthorizationRequest,
  personId: string,
): AuthorizationProblem | null {
  const mustBe: [boolean, AuthorizationProblem][] = [
    [asked.nonce !== undefined && asked.nonce !== "", { error: "invalid_request" }],
    [asked.login_hint !== undefined, { error: "invalid_request" }],
    [asked.scope === "openid", { error: "invalid_scope" }],
    [asked.response_type === "id_token", { error: "unsupported_response_type" }],
    [asked.client_id === launch.tool.clientId, { error: "unauthorized_client" }],
    [
      asked.login_hint === lms.manners.loginHintOf(launch.person) && launch.person.id === personId,
      { error: "access_denied" },
    ],
    [
      asked.response_mode === "form_post",
      {
        error: "invalid_request",
        description: asked.response_mode === undefined ? "Missing response_mode" : "Invalid response_mode",
      },
    ],
    [
      asked.prompt === undefined || asked.prompt === "" || asked.prompt === "none",
      { error: "invalid_request", description: "Invalid prompt" },
    ],
  ];
  return mustBe.find(([holds]) => !holds)?.[1] ?? null;
}

/** Moodle names no `authorization_server`. */
function moodleConfiguration(_url: string, { release }: Quirks): Record<string, unknown> {
  return {
    scopes_supported: [
      "https://purl.imsglobal.org/spec/lti-bo/scope/basicoutcome",
      lti.scope.lineItemReadOnly,
      lti.scope.result,
      lti.scope.score,
      lti.scope.lineItem,
      lti.scope.roster,
      "https://purl.imsglobal.org/spec/lti-ts/scope/toolsetting",
      "openid",
    ],
    subject_types_supported: ["public", "pairwise"],
    claims_supported: ["sub", "iss", "name", "given_name", "family_name", "email"],
    [lti.platformConfiguration]: {
      product_family_code: "moodle",
      version: moodleReleases[release].release,
      messages_supported: [
        { type: "LtiResourceLinkRequest" },
        { type: "LtiDeepLinkingRequest", placements: ["ContentArea"] },
      ],
      variables: declaredVariables,
    },
  };
}

/** Of the variables that Moodle declares, those that tools ask for; it substitutes some more. */
const declaredVariables = [
  "Context.id",
  "Context.title",
  "Context.label",
  "Context.id.history",
  "ResourceLink.id",
  "User.id",
  "User.username",
  "Person.name.full",
  "Person.email.primary",
  "Membership.role",
  "Person.address.timezone",
  "Moodle.Person.userGroupIds",
];

/** Moodle responds with 200, not 201, and cuts custom values at "=" (only in the response; they are stored whole). */
function moodleRegistrationAnswer(_lms: Lms, tool: Tool) {
  const custom = Object.entries(tool.custom).map(
    ([name, value]) => [name, value.split("=")[0] ?? ""] as const,
  );
  const messages =
    tool.deepLinkingUrl === null
      ? []
      : [{ type: "LtiDeepLinkingRequest", target_link_uri: tool.deepLinkingUrl }];
  const body = registeredTool(tool, {
    version: "1.3.0",
    deployment_id: tool.deploymentId,
    description: tool.description,
    messages,
    custom_parameters: Object.fromEntries(custom),
    claims: [
      "sub",
      "iss",
      ...(tool.shares.names ? ["name", "family_name", "given_name"] : []),
      ...(tool.shares.email ? ["email"] : []),
    ],
  });
  return { status: 200, body: { ...body, logo_uri: tool.logoUrl ?? "" } };
}
