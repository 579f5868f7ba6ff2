import { customParameter } from "../domain/launch.ts";
import type { PlatformFamily } from "../domain/registration.ts";
import type { PlatformConfiguration } from "./platform-configuration.ts";
import { scopes } from "./scopes.ts";

/** What the tool says about itself. */
export type ToolDescription = { publicUrl: string; name: string; description: string; logoUrl?: string };

const canvas = "https://canvas.instructure.com/lti";
const wantedScopes = Object.values(scopes);
const wantedClaims = ["iss", "sub", "name", "given_name", "family_name", "email", "locale"];

/**
 * Variables whose values we want with every launch, under names of our own: in Moodle the tool's parameters win
 * over a link's of the same name, so the two sets must not meet.
 */
export function customParametersFor(family: PlatformFamily): Record<string, string> {
  const everywhere = {
    [customParameter.contextHistory]: "$Context.id.history",
    [customParameter.timeZone]: "$Person.address.timezone",
  };
  switch (family) {
    case "moodle":
      return { ...everywhere, [customParameter.moodleGroups]: "$Moodle.Person.userGroupIds" };
    case "canvas":
      return {
        ...everywhere,
        [customParameter.sectionIds]: "$Canvas.course.sectionIds",
        [customParameter.sectionNames]: "$com.instructure.User.sectionNames",
        [customParameter.sectionSisIds]: "$Canvas.course.sectionSisSourceIds",
        [customParameter.sectionRestricted]: "$Canvas.course.sectionRestricted",
        [customParameter.canvasGroups]: "$Canvas.group.contextIds",
      };
    case "other":
      return { ...everywhere, [customParameter.linkHistory]: "$ResourceLink.id.history" };
  }
}

/** The body of a registration request (Dynamic Registration 1.0, section 3.6), fitted to what the LMS supports. */
export function registrationRequest(
  tool: ToolDescription,
  platform: PlatformConfiguration,
): Record<string, unknown> {
  const launchUrl = `${tool.publicUrl}/lti/launch`;
  return {
    application_type: "web",
    response_types: ["id_token"],
    grant_types: ["implicit", "client_credentials"],
    initiate_login_uri: `${tool.publicUrl}/lti/login`,
    redirect_uris: [launchUrl],
    client_name: tool.name,
    jwks_uri: `${tool.publicUrl}/lti/keys`,
    token_endpoint_auth_method: "private_key_jwt",
    ...(tool.logoUrl === undefined ? {} : { logo_uri: tool.logoUrl }),
    scope: wantedScopes.filter((scope) => platform.scopes.includes(scope)).join(" "),
    "https://purl.imsglobal.org/spec/lti-tool-configuration": {
      // Moodle compares it with the host and port of target_link_uri.
      domain: new URL(tool.publicUrl).host,
      target_link_uri: launchUrl,
      description: tool.description,
      custom_parameters: customParametersFor(platform.family),
      claims:
        platform.claims.length === 0
          ? wantedClaims
          : wantedClaims.filter((one) => platform.claims.includes(one)),
      messages: messagesFor(tool, platform, launchUrl),
      ...(platform.family === "canvas" ? { [`${canvas}/privacy_level`]: "public" } : {}),
    },
  };
}

/** Canvas refuses a registration without messages and shows the tool only where placements say so. */
function messagesFor(tool: ToolDescription, platform: PlatformConfiguration, launchUrl: string): object[] {
  const isCanvas = platform.family === "canvas";
  const link = {
    type: "LtiResourceLinkRequest",
    target_link_uri: launchUrl,
    label: tool.name,
    ...(isCanvas
      ? { placements: ["course_navigation"], [`${canvas}/course_navigation/default_enabled`]: true }
      : {}),
  };
  if (!platform.messages.includes("LtiDeepLinkingRequest")) return [link];
  const deepLinking = {
    type: "LtiDeepLinkingRequest",
    target_link_uri: launchUrl,
    label: tool.name,
    placements: isCanvas ? ["link_selection", "assignment_selection"] : ["ContentArea"],
  };
  return [link, deepLinking];
}
