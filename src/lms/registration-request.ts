import type { PlatformConfiguration } from "./platform-configuration.ts";
import { productOf } from "./products/products.ts";
import { scopes } from "./scopes.ts";
import type { ToolDescription } from "./tool-description.ts";
import type { WantedMessage } from "./wanted-message.ts";

const wantedScopes = Object.values(scopes);
const wantedClaims = ["iss", "sub", "name", "given_name", "family_name", "email", "locale"];

/** Those we use and the LMS has. */
export function scopesToAskFor(platform: Pick<PlatformConfiguration, "scopes">): string[] {
  return wantedScopes.filter((scope) => platform.scopes.includes(scope));
}

/** The body of a registration request (Dynamic Registration 1.0, section 3.6), fitted to what the LMS supports. */
export function registrationRequest(
  tool: ToolDescription,
  platform: PlatformConfiguration,
): Record<string, unknown> {
  const { customParameters, extras } = productOf(platform).registration;
  return {
    application_type: "web",
    response_types: ["id_token"],
    grant_types: ["implicit", "client_credentials"],
    initiate_login_uri: tool.loginUrl,
    redirect_uris: [tool.launchUrl],
    client_name: tool.name,
    jwks_uri: tool.keysUrl,
    token_endpoint_auth_method: "private_key_jwt",
    logo_uri: tool.logoUrl,
    scope: scopesToAskFor(platform).join(" "),
    "https://purl.imsglobal.org/spec/lti-tool-configuration": {
      // Moodle compares it with the host and port of target_link_uri.
      domain: new URL(tool.publicUrl).host,
      target_link_uri: tool.launchUrl,
      description: tool.description,
      custom_parameters: customParameters,
      claims:
        platform.claims.length === 0
          ? wantedClaims
          : wantedClaims.filter((one) => platform.claims.includes(one)),
      messages: messagesFor(tool, platform),
      ...extras(tool),
    },
  };
}

/** Messages that both sides know, with the placements that the LMS lists. */
function messagesFor(tool: ToolDescription, platform: PlatformConfiguration): object[] {
  return productOf(platform).registration.messages.flatMap((message) => {
    const placements = offeredPlacements(message, platform);
    if (placements === null) return [];
    return [
      {
        type: message.type,
        target_link_uri: tool.launchUrl,
        label: tool.name,
        ...(placements.length === 0 ? {} : { placements }),
        ...message.extras,
      },
    ];
  });
}

/** In the LMS's own spelling; null when it does not offer the message there. */
function offeredPlacements(
  { type, placements }: WantedMessage,
  platform: PlatformConfiguration,
): readonly string[] | null {
  const { messages } = platform;
  const { placementNames, needsPlacement } = productOf(platform).registration;
  // An LMS that lists no messages has not told: links are what every LMS has.
  if (messages.length === 0) return type === "LtiResourceLinkRequest" ? placements : null;
  const offered = messages.filter((one) => one.type === type);
  if (offered.length === 0) return null;
  if (placements.length === 0) return [];
  const placementsOffered = offered.flatMap((one) => one.placements ?? []);
  if (placementsOffered.length === 0) return placements;
  const usable = placements.flatMap(
    (wanted) => placementsOffered.find((one) => placementNames(wanted).includes(one)) ?? [],
  );
  return usable.length === 0 && needsPlacement ? null : usable;
}
