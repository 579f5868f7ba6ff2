// From: openid-registration.php, measured.
import type { Lms } from "./lms.ts";
import type { Tool } from "./lms-records.ts";
import { lti } from "./lti-names.ts";

/** Moodle's OpenID configuration; it names no `authorization_server`. */
export function moodleConfiguration(url: string): Record<string, unknown> {
  return {
    issuer: url,
    token_endpoint: `${url}/mod/lti/token.php`,
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS256"],
    jwks_uri: `${url}/mod/lti/certs.php`,
    authorization_endpoint: `${url}/mod/lti/auth.php`,
    registration_endpoint: `${url}/mod/lti/openid-registration.php`,
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
    response_types_supported: ["id_token"],
    subject_types_supported: ["public", "pairwise"],
    id_token_signing_alg_values_supported: ["RS256"],
    claims_supported: ["sub", "iss", "name", "given_name", "family_name", "email"],
    [lti.platformConfiguration]: {
      product_family_code: "moodle",
      version: "4.5.6 (Build: 20250811)",
      messages_supported: [
        { type: "LtiResourceLinkRequest" },
        { type: "LtiDeepLinkingRequest", placements: ["ContentArea"] },
      ],
      variables: declaredVariables,
    },
  };
}

/** The variables Moodle declares; it substitutes some more. */
const declaredVariables = [
  "basic-lti-launch-request",
  "ContentItemSelectionRequest",
  "ToolProxyRegistrationRequest",
  ...["Context.id", "Context.title", "Context.label", "Context.id.history", "Context.sourcedId"],
  ...["Context.longDescription", "Context.timeFrame.begin", "CourseSection.title", "CourseSection.label"],
  ...["CourseSection.sourcedId", "CourseSection.longDescription", "CourseSection.timeFrame.begin"],
  ...["CourseSection.timeFrame.end", "ResourceLink.id", "ResourceLink.title", "ResourceLink.description"],
  ...["User.id", "User.username", "Person.name.full", "Person.name.given", "Person.name.family"],
  ...["Person.email.primary", "Person.sourcedId", "Person.name.middle", "Person.address.street1"],
  ...["Person.address.locality", "Person.address.country", "Person.address.timezone"],
  ...["Person.phone.primary", "Person.phone.mobile", "Person.webaddress", "Membership.role"],
  ...["Result.sourcedId", "Result.autocreate", "BasicOutcome.sourcedId", "BasicOutcome.url"],
  "Moodle.Person.userGroupIds",
];

/** Moodle answers 200, not 201, and cuts custom values at "=" (only here; they are stored whole). */
export function moodleRegistrationAnswer(
  _lms: Lms,
  tool: Tool,
): { status: number; body: Record<string, unknown> } {
  const custom: [string, string][] = Object.entries(tool.custom).map(([name, value]) => [
    name,
    value.split("=")[0] ?? "",
  ]);
  return {
    status: 200,
    body: {
      client_id: tool.clientId,
      response_types: ["id_token"],
      jwks_uri: tool.jwksUrl,
      initiate_login_uri: tool.loginUrl,
      grant_types: ["client_credentials", "implicit"],
      redirect_uris: tool.redirectUrls,
      application_type: "web",
      token_endpoint_auth_method: "private_key_jwt",
      client_name: tool.name,
      logo_uri: tool.logoUrl ?? "",
      scope: tool.scopes.join(" "),
      [lti.toolConfiguration]: {
        version: "1.3.0",
        deployment_id: tool.deploymentId,
        target_link_uri: tool.launchUrl,
        domain: tool.domain,
        description: tool.description,
        messages:
          tool.deepLinkingUrl === null
            ? []
            : [{ type: "LtiDeepLinkingRequest", target_link_uri: tool.deepLinkingUrl }],
        custom_parameters: Object.fromEntries(custom),
        claims: [
          "sub",
          "iss",
          ...(tool.shares.names ? ["name", "family_name", "given_name"] : []),
          ...(tool.shares.email ? ["email"] : []),
        ],
      },
    },
  };
}
