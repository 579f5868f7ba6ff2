import type { Registration } from "../domain/registration.ts";
import { refusal } from "../kernel/refusal.ts";
import { acceptedDeployment, type RegistrationDeps } from "./dynamic-registration.ts";
import { outsideAddress } from "./outside-fetch.ts";
import { usualNewDeployments } from "./platform-configuration.ts";
import { ofEachProduct } from "./products/products.ts";
import type { ToolDescription } from "./registration-request.ts";
import { scopes } from "./scopes.ts";

/** What an administrator copies from the LMS. */
export type ManualRegistration = Pick<
  Registration,
  "issuer" | "clientId" | "authorizationUrl" | "tokenUrl" | "jwksUrl" | "environment"
> & {
  /** Left out: found from the first launch that names it. */
  family?: Registration["family"];
  /** Default: the host of the issuer. */
  name?: string;
  tokenAudience?: string | null;
  /** Default: the LMS's usual policy. */
  newDeployments?: Registration["newDeployments"];
  /** This deployment is accepted immediately, whatever the policy. */
  deploymentId?: string;
};

/** @throws NamedError "bad-address" with the field's name, "bad-client-id", or "registration-exists". */
export async function registerByHand(
  deps: Omit<RegistrationDeps, "fetch" | "tool">,
  given: ManualRegistration,
): Promise<Registration> {
  const { deploymentId, name, family, tokenAudience, newDeployments, ...facts } = given;
  const { allowPrivate } = deps;
  const { host } = outsideAddress(given.issuer, allowPrivate, "The issuer");
  outsideAddress(given.authorizationUrl, allowPrivate, "The authorization address");
  outsideAddress(given.tokenUrl, allowPrivate, "The token address");
  outsideAddress(given.jwksUrl, allowPrivate, "The key set address");
  if (given.clientId.trim() === "" || given.clientId.length > 255) {
    throw refusal("bad-client-id", { status: 400 });
  }
  const registration: Registration = {
    ...facts,
    id: deps.ids.id("reg"),
    name: name ?? host,
    family: family ?? "other",
    ...(family === undefined ? {} : { familyFrom: "operator" as const }),
    tokenAudience: tokenAudience ?? null,
    active: true,
    newDeployments: newDeployments ?? usualNewDeployments(given.issuer),
    createdAt: deps.clock.now(),
  };
  await deps.registrations.insert(registration);
  if (deploymentId !== undefined)
    await deps.deployments.record(acceptedDeployment(registration, deploymentId));
  await deps.toolKeys.signingKey(registration.id);
  return registration;
}

export type ManualValues = ReturnType<typeof manualValues>;

/** The values an administrator enters in an LMS that can't register tools itself. None of them is secret. */
export function manualValues(tool: ToolDescription) {
  return {
    /** The address that serves as tool URL, target link and redirect address. */
    launchUrl: tool.launchUrl,
    loginUrl: tool.loginUrl,
    keysUrl: tool.keysUrl,
    logoUrl: tool.logoUrl,
    canvasConfigurationUrl: tool.canvasConfigurationUrl,
    /** One per line. */
    scopes: Object.values(scopes).join("\n"),
    products: ofEachProduct(({ capabilities, registration }) => ({
      wording: capabilities.wording,
      /** One "name=value" per line. */
      customParameters: asLines(registration.customParameters),
      /** Where the LMS can load the configuration from; null if it can't. */
      configurationUrl: registration.configurationUrl(tool),
    })),
  };
}

function asLines(parameters: Readonly<Record<string, string>>): string {
  return Object.entries(parameters)
    .map(([name, value]) => `${name}=${value}`)
    .join("\n");
}
