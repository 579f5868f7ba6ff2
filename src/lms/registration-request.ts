import { z } from "zod";
import type { LmsOffer } from "../domain/registration.ts";
import type { NamedError } from "../kernel/errors.ts";
import { parseJson } from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";
import { cutTo } from "../kernel/text.ts";
import type { PlatformConfiguration } from "./platform-configuration.ts";
import type { ToolMessage } from "./products/lms-product.ts";
import { productOf } from "./products/products.ts";
import type { LmsReply } from "./requester.ts";
import { scopes } from "./scopes.ts";

export type ToolDescription = {
  /** Without a trailing slash. */
  publicUrl: string;
  name: string;
  description: string;
  /** Names this product to Canvas, whatever the tool's address. */
  id: string;
  vendor: string;
  logoUrl: string;
  loginUrl: string;
  /** Redirect address and target link. The message in the token says what a request is for. */
  launchUrl: string;
  keysUrl: string;
  /** Where Canvas fetches the configuration of a developer key. */
  canvasConfigurationUrl: string;
} & OperatorPolicies;

/** The operator's pages that an LMS may show. */
export type OperatorPolicies = { privacyUrl?: string | undefined; termsUrl?: string | undefined };

export function describeTool(
  publicUrl: string,
  { privacyUrl, termsUrl }: OperatorPolicies = {},
): ToolDescription {
  return {
    publicUrl,
    privacyUrl,
    termsUrl,
    name: "Online classroom",
    description: "A persistent online classroom for your course, with attendance that becomes grades.",
    id: "spaces-lti",
    vendor: "Virtual Classroom Service",
    logoUrl: `${publicUrl}/assets/icon.svg`,
    loginUrl: `${publicUrl}/lti/login`,
    launchUrl: `${publicUrl}/lti/launch`,
    keysUrl: `${publicUrl}/lti/keys`,
    canvasConfigurationUrl: `${publicUrl}/lti/config/canvas.json`,
  };
}

export const toolConfiguration = "https://purl.imsglobal.org/spec/lti-tool-configuration";
const usedScopes = Object.values(scopes);
const usedClaims = ["iss", "sub", "name", "given_name", "family_name", "email", "locale"];

/** An LMS, as far as the description of the tool depends on it. */
export type DescribedTo = Pick<PlatformConfiguration, "family"> & LmsOffer;

/** The scopes that we use and the LMS has. */
export function scopesToAskFor(platform: DescribedTo): string[] {
  const { ownConfiguration } = productOf(platform).registration;
  return usedScopes.filter(
    (scope) =>
      platform.scopes.includes(scope) && (scope !== scopes.registration || ownConfiguration !== null),
  );
}

/** The body of a registration request (Dynamic Registration 1.0, section 3.6), fitted to what the LMS supports. */
export function registrationRequest(tool: ToolDescription, platform: DescribedTo): Record<string, unknown> {
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
    policy_uri: tool.privacyUrl,
    tos_uri: tool.termsUrl,
    scope: scopesToAskFor(platform).join(" "),
    [toolConfiguration]: {
      // Moodle compares it with the host and port of target_link_uri.
      domain: new URL(tool.publicUrl).host,
      target_link_uri: tool.launchUrl,
      description: tool.description,
      custom_parameters: customParameters,
      claims:
        platform.claims.length === 0 ? usedClaims : usedClaims.filter((one) => platform.claims.includes(one)),
      messages: messagesFor(tool, platform),
      ...extras(tool),
    },
  };
}

/** The messages that both sides know, with the placements that the LMS lists. */
function messagesFor(tool: ToolDescription, platform: DescribedTo): object[] {
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

/** The placements in the LMS's spelling; null if it doesn't offer the message there. */
function offeredPlacements(
  { type, placements }: ToolMessage,
  platform: DescribedTo,
): readonly string[] | null {
  const { messages } = platform;
  const { placementNames, needsPlacement } = productOf(platform).registration;
  // An LMS that lists no messages doesn't say which it has. Every LMS has links.
  if (messages.length === 0) return type === "LtiResourceLinkRequest" ? placements : null;
  const offered = messages.filter((one) => one.type === type);
  if (offered.length === 0) return null;
  if (placements.length === 0) return [];
  const placementsOffered = offered.flatMap((one) => one.placements ?? []);
  if (placementsOffered.length === 0) return placements;
  const usable = placements.flatMap(
    (placement) => placementsOffered.find((one) => placementNames(placement).includes(one)) ?? [],
  );
  return usable.length === 0 && needsPlacement ? null : usable;
}

const oauthError = z.object({ error: z.string(), error_description: z.string().optional() });
const anyObject = z.record(z.string(), z.unknown());

/** Fields that contain sentences. Other fields (types, paths, status) are for programs. */
const wordMembers = ["message", "error", "errorMessage", "detail", "title"];
/** Fields that only wrap the explanation. */
const wrappers = ["errors", "error", "base", "message"];
const limits = { depth: 5, sentences: 5, characters: 300 };

/**
 * The refusal of a registration in the LMS's own words: RFC 7591 (section 3.2.2), Canvas's `errors` in every form, or Moodle's plain text.
 * For an HTML page, only the status. @param what Completes "The LMS ...", as in "refused the registration".
 */
export function registrationRefusal(reply: LmsReply, what: string): NamedError {
  const { status } = reply;
  const words = explanationIn(reply.text);
  // The token of a registration lasts an hour and, in Moodle, works once.
  return refusal(status === 401 || status === 403 ? "registration-not-allowed" : "registration-refused", {
    values: { what, status, answer: words === "" ? "" : `: ${words}` },
    status: 502,
    temporary: status >= 500 || status === 429,
    details: { status },
  });
}

function explanationIn(text: string): string {
  let body: unknown;
  try {
    body = parseJson(text);
  } catch {
    return /[<>]/.test(text) ? "" : shortened(text);
  }
  const oauth = oauthError.safeParse(body);
  if (oauth.success) {
    const { error, error_description: description } = oauth.data;
    return shortened(description === undefined ? error : `${error}, ${description}`);
  }
  return shortened([...new Set(sentencesOf(body, ""))].slice(0, limits.sentences).join("; "));
}

/** Every sentence in a body, each after the name of its field. */
function sentencesOf(value: unknown, about: string, depth = 0): string[] {
  if (depth > limits.depth) return [];
  if (typeof value === "string") {
    const words = value.trim();
    return words === "" || /[<>]/.test(words) ? [] : [about === "" ? words : `${about}: ${words}`];
  }
  if (Array.isArray(value)) return value.flatMap((entry) => sentencesOf(entry, about, depth + 1));
  const object = anyObject.safeParse(value);
  return object.success ? sentencesOfObject(object.data, about, depth) : [];
}

function sentencesOfObject(object: Record<string, unknown>, about: string, depth: number): string[] {
  const words = wordMembers.find((name) => typeof object[name] === "string");
  if (words !== undefined) {
    const field = object["field"];
    return sentencesOf(object[words], typeof field === "string" ? field : about, depth + 1);
  }
  return Object.entries(object).flatMap(([name, entry]) =>
    sentencesOf(entry, wrappers.includes(name) ? about : name, depth + 1),
  );
}

function shortened(words: string): string {
  const line = words.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return line.length > limits.characters ? `${cutTo(line, limits.characters)}...` : line;
}
