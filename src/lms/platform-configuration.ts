import { z } from "zod";
import { familyOfProduct, type PlatformFamily } from "../domain/lms-product.ts";
import type { LmsOffer, Registration } from "../domain/registration.ts";
import { refusal } from "../kernel/refusal.ts";
import { cutTo, withoutTrailingSlashes } from "../kernel/text.ts";
import { known, name, strings } from "./claims.ts";
import { maxProductLength } from "./limits.ts";
import { outsideAddress } from "./outside-fetch.ts";
import type { Cloud } from "./products/lms-product.ts";
import { lmsProducts, productOf } from "./products/products.ts";

const configurationClaim = "https://purl.imsglobal.org/spec/lti-platform-configuration";
const nameKey = "https://canvas.instructure.com/lti/account_name";

const openidConfiguration = z.object({
  issuer: z.string().min(1).max(255),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
  jwks_uri: z.string(),
  registration_endpoint: z.string(),
  authorization_server: z.string().min(1).nullish().catch(null),
  scopes_supported: strings.catch([]),
  claims_supported: strings.catch([]),
  token_endpoint_auth_methods_supported: strings.optional(),
  token_endpoint_auth_signing_alg_values_supported: strings.optional(),
  id_token_signing_alg_values_supported: strings.optional(),
  [configurationClaim]: z
    .object({
      product_family_code: z.string().catch(""),
      version: z.string().catch(""),
      messages_supported: z.array(z.unknown()).catch([]),
      variables: strings.catch([]),
      [nameKey]: name,
    })
    .catch({ product_family_code: "", version: "", messages_supported: [], variables: [], [nameKey]: null }),
});

const supportedMessage = z.object({ type: z.string(), placements: strings.nullish().catch(null) });

/** What an LMS says about itself before a registration, after our checks. */
export type PlatformConfiguration = {
  issuer: string;
  family: PlatformFamily;
  /** The LMS's product; null if it doesn't say. */
  product: string | null;
  /** The name of the account, or its host. */
  name: string;
  authorizationUrl: string;
  tokenUrl: string;
  jwksUrl: string;
  registrationUrl: string;
  tokenAudience: string | null;
} & LmsOffer;

/**
 * Reads an LMS's OpenID configuration (Dynamic Registration 1.0, section 3.5).
 * @param from The configuration's address, which must be on the issuer's host.
 * @throws NamedError "configuration-unreadable", "issuer-mismatch", "configuration-unsupported", "bad-address"
 */
export function platformConfiguration(body: unknown, from: URL, allowPrivate: boolean) {
  const parsed = openidConfiguration.safeParse(body);
  if (!parsed.success) {
    const fields = parsed.error.issues.map(({ path }) => path.join("."));
    throw refusal("configuration-unreadable", {
      values: { fields: fields.join(", ") },
      status: 502,
      details: { fields },
    });
  }
  const given = parsed.data;
  checkIssuer(given.issuer, from, allowPrivate);
  mustSupport(given.token_endpoint_auth_methods_supported, "private_key_jwt");
  mustSupport(given.token_endpoint_auth_signing_alg_values_supported, "RS256");
  mustSupport(given.id_token_signing_alg_values_supported, "RS256");
  const checked = (address: string, what: string) => outsideAddress(address, allowPrivate, what).href;
  const platform = given[configurationClaim];
  const product = cutTo(platform.product_family_code.trim(), maxProductLength);
  const family = familyOfProduct(product);
  const { tokenUrlIsAudience } = productOf({ family }).registration;
  return {
    issuer: given.issuer,
    family,
    product: product === "" ? null : product,
    name: platform[nameKey] ?? from.host,
    authorizationUrl: checked(given.authorization_endpoint, "The authorization address"),
    tokenUrl: checked(given.token_endpoint, "The token address"),
    jwksUrl: checked(given.jwks_uri, "The key set address"),
    registrationUrl: checked(given.registration_endpoint, "The registration address"),
    tokenAudience: tokenUrlIsAudience ? null : (given.authorization_server ?? null),
    scopes: given.scopes_supported,
    claims: given.claims_supported,
    messages: platform.messages_supported
      .flatMap((entry) => known(supportedMessage, entry))
      .map(({ type, placements }) => ({ type, placements: placements ?? null })),
  };
}

/** The issuer must have the configuration's scheme, host and port. A few clouds are known exceptions. */
function checkIssuer(issuer: string, from: URL, allowPrivate: boolean): void {
  const { origin } = outsideAddress(issuer, allowPrivate, "The LMS's issuer");
  if (origin === from.origin || configurationHostsOf(issuer).includes(from.origin)) return;
  throw refusal("issuer-mismatch", {
    values: { from: from.host, other: URL.parse(issuer)?.host ?? "unreadable" },
    status: 400,
  });
}

/** A missing list means the default, which fits. A list without what we need means that it can't work. */
function mustSupport(list: readonly string[] | undefined, needed: string): void {
  if (list === undefined || list.includes(needed)) return;
  throw refusal("configuration-unsupported", { values: { needed }, status: 502 });
}

/** Other origins whose configuration may speak for an issuer. */
export function configurationHostsOf(issuer: string): readonly string[] {
  return cloudOf(issuer)?.configurationHosts ?? [];
}

/** New deployments need approval if all institutions share one client id, because strangers could use it, too. */
export function usualNewDeployments(issuer: string): Registration["newDeployments"] {
  return sharesClientId(issuer) ? "refuse" : "accept";
}

/** Whether all institutions of a cloud share one registration. */
export function sharesClientId(issuer: string): boolean {
  return cloudOf(issuer)?.sharedClientId === true;
}

function cloudOf(issuer: string): Cloud | null {
  const clouds = Object.values(lmsProducts).flatMap(({ registration }) => registration.clouds);
  return clouds.find((cloud) => cloud.issuer === withoutTrailingSlashes(issuer)) ?? null;
}
