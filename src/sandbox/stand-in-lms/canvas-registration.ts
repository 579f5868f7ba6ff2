import { z } from "zod";
import type { Tool } from "./lms-world.ts";
import { lti } from "./lti-names.ts";

const placements = ["course_navigation", "assignment_selection", "link_selection", "editor_button"];

/** Canvas's OpenID configuration for one account. */
export function canvasConfiguration(url: string): Record<string, unknown> {
  return {
    issuer: url,
    authorization_endpoint: `${url}/api/lti/authorize_redirect`,
    registration_endpoint: `${url}/api/lti/registrations`,
    jwks_uri: `${url}/api/lti/security/jwks`,
    token_endpoint: `${url}/login/oauth2/token`,
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS256"],
    scopes_supported: ["openid", ...Object.values(lti.scope)],
    response_types_supported: ["id_token"],
    id_token_signing_alg_values_supported: ["RS256"],
    claims_supported: ["sub", "picture", "email", "name", "given_name", "family_name", "locale"],
    subject_types_supported: ["public"],
    authorization_server: new URL(url).host,
    [lti.platformConfiguration]: {
      product_family_code: "canvas",
      version: "OpenSource",
      messages_supported: [
        { type: "LtiResourceLinkRequest", placements: ["course_navigation", "link_selection"] },
        { type: "LtiDeepLinkingRequest", placements: placements.slice(1) },
      ],
      notice_types_supported: [],
      variables: ["Canvas.course.id", "Canvas.course.sectionIds", "com.instructure.User.sectionNames"],
      "https://canvas.instructure.com/lti/account_name": "Stand-in account",
      "https://canvas.instructure.com/lti/account_lti_guid": "stand-in.canvas",
    },
  };
}

const requiredSchema = z.looseObject({
  application_type: z.literal("web"),
  grant_types: z
    .array(z.string())
    .refine((types) => types.includes("client_credentials") && types.includes("implicit")),
  [lti.toolConfiguration]: z.looseObject({
    claims: z.array(z.string()),
    messages: z.array(z.looseObject({ type: z.string() })),
  }),
});

/** What Canvas insists on beyond Moodle; null when nothing is amiss. */
export function canvasRegistrationProblem(sent: unknown): string | null {
  const parsed = requiredSchema.safeParse(sent);
  if (parsed.success) return null;
  const [issue] = parsed.error.issues;
  return `/${issue?.path.join("/") ?? ""}: ${issue?.message ?? "wrong"}`;
}

/** The answer carries no deployment: that is learnt at the first launch. */
export function canvasRegistrationAnswer(tool: Tool): { status: number; body: Record<string, unknown> } {
  return {
    status: 200,
    body: {
      client_id: tool.clientId,
      application_type: "web",
      grant_types: ["client_credentials", "implicit"],
      initiate_login_uri: tool.loginUrl,
      redirect_uris: tool.redirectUrls,
      response_types: ["id_token"],
      client_name: tool.name,
      jwks_uri: tool.jwksUrl,
      token_endpoint_auth_method: "private_key_jwt",
      scope: tool.scopes.join(" "),
      [lti.toolConfiguration]: {
        domain: tool.domain,
        target_link_uri: tool.launchUrl,
        custom_parameters: tool.custom,
        description: tool.description,
        messages: [{ type: "LtiResourceLinkRequest", target_link_uri: tool.launchUrl }],
        claims: ["sub", "iss", "name", "given_name", "family_name", "email"],
        "https://canvas.instructure.com/lti/registration_config_url": `${tool.launchUrl}#registration`,
      },
    },
  };
}
