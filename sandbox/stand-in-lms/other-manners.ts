// From: LTI Security 1.0; LTI Dynamic Registration 1.0; RFC 7591, 3.2.2; LTI postMessage Storage 0.1.
import { randomUUID } from "node:crypto";
import { html, type Html } from "../html.ts";
import type { Tool } from "./lms-records.ts";
import { deploymentIn } from "./lms-world.ts";
import type {
  AuthorizationAttempt,
  AuthorizationProblem,
  AuthorizationRequest,
  Lms,
  Manners,
} from "./lms.ts";
import { lti } from "./lti-names.ts";
import { otherClaims, otherContext, otherDeepLinkingData, otherIds, otherTarget } from "./other-claims.ts";
import { mountOtherServices } from "./other-services.ts";
import { registeredTool } from "./registration.ts";

/** A plain standard LMS like Sakai and Blackboard, with features that Moodle and Canvas lack. */
export const otherManners: Manners = {
  name: "other",
  title: "a plain LTI platform",
  loginMethod: "get",
  launchLifetimeMs: 10 * 60_000,
  authorizationProblem: otherAuthorizationProblem,
  paths: {
    configuration: "/lti13/.well-known/openid-configuration",
    registration: "/lti13/registrations",
    authorization: "/lti13/authorize",
    token: "/lti13/token",
    keys: "/lti13/keys",
    contentReturn: "/lti13/content",
    notices: "/lti13/notices/:tool",
  },
  configurationNeedsToken: false,
  configuration: otherConfiguration,
  loginFields: (lms, launch) => ({
    iss: lms.url,
    login_hint: otherIds.person(launch.person.id),
    target_link_uri: otherTarget(launch),
    lti_message_hint: launch.id,
    client_id: launch.tool.clientId,
    lti_deployment_id: deploymentIn(launch.tool, launch.course.id),
    // Open edX: lti_1p3/consumer.py, prepare_preflight_url.
    ...(lms.quirks.openEdx ? {} : { lti_storage_target: "_parent" }),
  }),
  launchIdOf: (hint) => (hint === "" ? null : hint),
  loginHintOf: (person) => otherIds.person(person.id),
  contextClaim: otherContext,
  claims: otherClaims,
  // The audience of assertions is not the token's address, and each assertion works once.
  assertionProblem: (lms, { aud, jti }) => {
    if (![aud].flat().includes(audienceOf(lms.url))) return "invalid_client";
    if (jti === undefined || lms.world.usedAssertions.has(jti)) return "invalid_client";
    lms.world.usedAssertions.add(jti);
    return null;
  },
  noticeAttempts: 4,
  deepLinkingData: otherDeepLinkingData,
  contentItems: {
    wholeMaximum: false,
    published: true,
    columnNamedAfter: "label",
    keepsDueDate: false,
    framedOnly: false,
  },
  idTokenSeconds: 300,
  newClientId: () => randomUUID(),
  deploymentIdOf: (toolId) => `install ${toolId}`,
  tokenContentType: "application/json",
  mountServices: mountOtherServices,
  registrationAnswer: otherRegistrationAnswer,
  registrationProblems: () => [],
  registrationWords: (_sent, words) => words,
  // RFC 7591, section 3.2.2.
  registrationRefusal: (status, messages) => ({
    status,
    type: "application/json",
    body: JSON.stringify({
      error: status === 401 ? "invalid_token" : "invalid_client_metadata",
      error_description: messages.join(" "),
    }),
  }),
  // Open edX: templates/html/lti_iframe.html.
  frameAllow: (_origin, { openEdx }) =>
    openEdx
      ? "microphone *; camera *; midi *; geolocation *; encrypted-media *"
      : "camera *; microphone *; fullscreen *",
  besideFrame: ({ openEdx }) => (openEdx ? null : otherStorage()),
  grantedScopes: (asked) => {
    const known: string[] = [...Object.values(lti.scope), ...Object.values(lti.extraScope)];
    return asked.filter((scope) => known.includes(scope));
  },
};

function audienceOf(url: string): string {
  return `${url}/lti13/authorization-server`;
}

function otherConfiguration(url: string): Record<string, unknown> {
  return {
    authorization_server: audienceOf(url),
    scopes_supported: ["openid", ...Object.values(lti.scope), ...Object.values(lti.extraScope)],
    claims_supported: ["iss", "sub", "aud", "name", "given_name", "family_name", "email", "locale"],
    [lti.platformConfiguration]: {
      product_family_code: "sakai",
      version: "23.1",
      messages_supported: [
        { type: "LtiResourceLinkRequest" },
        { type: "LtiDeepLinkingRequest" },
        { type: "LtiSubmissionReviewRequest" },
      ],
      notice_types_supported: ["LtiHelloWorldNotice", "LtiContextCopyNotice"],
      variables: [
        "Context.id",
        "Context.id.history",
        "ResourceLink.id",
        "ResourceLink.id.history",
        "User.id",
      ],
    },
  };
}

function otherRegistrationAnswer(_lms: Lms, tool: Tool) {
  const configuration = {
    deployment_id: tool.deploymentId,
    messages: [{ type: "LtiResourceLinkRequest" }],
    claims: ["iss", "sub", "name", "email"],
  };
  return { status: 201, body: registeredTool(tool, configuration) };
}

/** The errors of OpenID Connect, sent to the tool whenever its address is known. */
function otherAuthorizationProblem(
  lms: Lms,
  { asked, session, launch }: AuthorizationAttempt,
): AuthorizationProblem | null {
  const tool = [...lms.world.tools.values()].find(({ clientId }) => clientId === asked.client_id);
  if (tool?.redirectUrls.includes(asked.redirect_uri ?? "") !== true) {
    return { status: 400, page: "The tool or its address is not known here." };
  }
  const wrong = wrongParameter(asked);
  if (wrong !== null) return { error: wrong };
  if (launch === null || launch.tool.id !== tool.id) {
    return { error: "invalid_request", description: "The launch is not known any more" };
  }
  const hint = lms.manners.loginHintOf(launch.person);
  const same = session?.personId === launch.person.id && asked.login_hint === hint;
  return same ? null : { error: "login_required" };
}

function wrongParameter(asked: AuthorizationRequest): string | null {
  const { scope, response_type: type, response_mode: mode, prompt, nonce = "" } = asked;
  if (scope !== "openid") return "invalid_scope";
  if (type !== "id_token") return "unsupported_response_type";
  return mode !== "form_post" || prompt !== "none" || nonce === "" ? "invalid_request" : null;
}

/** In the page around the tool (`lti_storage_target` is `_parent`), as in Sakai. A missing key is answered with a plain text error. */
function otherStorage(): Html {
  return html`<script>
    const kept = {};
    addEventListener("message", (event) => {
      const asked = event.data;
      if (!asked || typeof asked.subject !== "string" || !event.source) return;
      const answer = { subject: asked.subject + ".response", message_id: asked.message_id };
      const place = (kept[event.origin] = kept[event.origin] || {});
      if (asked.subject === "lti.capabilities") {
        answer.supported_messages = [
          { subject: "lti.capabilities" },
          { subject: "lti.put_data" },
          { subject: "lti.get_data" },
        ];
      } else if (asked.subject === "lti.put_data") {
        if (asked.value === null) delete place[asked.key];
        else place[asked.key] = asked.value;
        Object.assign(answer, { key: asked.key, value: asked.value });
      } else if (asked.subject === "lti.get_data") {
        answer.key = asked.key;
        if (Object.hasOwn(place, asked.key)) answer.value = place[asked.key];
        else answer.error = "key not found";
      } else return;
      event.source.postMessage(answer, event.origin);
    });
  </script>`;
}
