import { z } from "zod";
import type { AccountId } from "../domain/account.ts";
import type { Deployment, Registration, ToolDescribed } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import { refusal } from "../kernel/refusal.ts";
import { identifierOrNumber } from "./claims.ts";
import { outsideAddress } from "./outside-fetch.ts";
import {
  configurationHostsOf,
  type PlatformConfiguration,
  platformConfiguration,
  usualNewDeployments,
} from "./platform-configuration.ts";
import type { DeploymentPort, InvitationPort, RegistrationPort } from "./ports.ts";
import { productOf } from "./products/products.ts";
import {
  registrationRefusal,
  registrationRequest,
  scopesToAskFor,
  toolConfiguration,
  type ToolDescription,
} from "./registration-request.ts";
import { createRequester, jsonOf } from "./requester.ts";
import { neededScopes } from "./scopes.ts";
import { firstDescription } from "./tool-description.ts";
import type { ToolKeys } from "./tool-keys.ts";

/** What a registration needs, whether the LMS does it or an administrator by hand. */
export type RegistrationDeps = {
  registrations: RegistrationPort;
  deployments: DeploymentPort;
  toolKeys: ToolKeys;
  /** Must not reach private addresses; see `createOutsideFetch`. */
  fetch: typeof fetch;
  clock: Clock;
  ids: Ids;
  tool: ToolDescription;
  /** In development, the LMS may be on http, loopback or a private network. */
  allowPrivate: boolean;
};

type DynamicRegistrationRequest = {
  openidConfigurationUrl: string;
  registrationToken: string | null;
  environment: AccountId;
  /** The operator's name for the LMS; left out: the LMS's own name. */
  name?: string | undefined;
  /** Whether the LMS's administrators may enter the console; false when left out. */
  administratorsEnter?: boolean | undefined;
};

export type Registered = {
  registration: Registration;
  deploymentId: string | null;
  /** The LMS knew this tool and updated its own side. Nothing was changed here. */
  known: boolean;
  /** Needed scopes that the LMS didn't grant (yet); empty if it grants all or doesn't say. */
  withheld: readonly WithheldScope[];
};

/** `where`: a sentence that says where an administrator allows the scope. */
type WithheldScope = { scope: string; where: string };

const limits = { timeoutMs: 10_000, maxBytes: 512 * 1024 };
const deploymentId = identifierOrNumber.nullish().catch(null);
const registered = z
  .object({
    client_id: identifierOrNumber, // RFC 7591, 3.2.1
    // Canvas sends it here (its DynamicRegistrationController#render_registration), Moodle in the configuration below.
    deployment_id: deploymentId,
    scope: z.string().nullish().catch(null),
    registration_client_uri: z.string().nullish().catch(null), // RFC 7592, 3
    [toolConfiguration]: z.object({ deployment_id: deploymentId }).nullish().catch(null),
  })
  .transform(({ [toolConfiguration]: configuration, ...answer }) => ({
    clientId: answer.client_id,
    deployment: configuration?.deployment_id ?? answer.deployment_id ?? null,
    scope: answer.scope ?? null,
    clientUri: answer.registration_client_uri ?? null,
  }));

/**
 * Registers the tool in an LMS and the LMS in the tool (Dynamic Registration 1.0).
 * @param onAccepted Called when the LMS has accepted, before anything is stored.
 * @returns for a known client id the existing registration, unchanged: the LMS updated the tool on its side (Moodle, Canvas).
 * @throws NamedError with a sentence for the administrator. Nothing is stored unless the LMS accepted.
 */
export async function registerByDynamicRegistration(
  deps: RegistrationDeps,
  { openidConfigurationUrl, registrationToken, ...requested }: DynamicRegistrationRequest,
  onAccepted: () => void = () => undefined,
): Promise<Registered> {
  const request = createRequester(deps.fetch, limits);
  const authorization: Record<string, string> =
    registrationToken === null ? {} : { authorization: `Bearer ${registrationToken}` };
  const from = outsideAddress(openidConfigurationUrl, deps.allowPrivate, "The LMS's configuration address");
  const configurationReply = await request({
    method: "GET",
    url: from.href,
    headers: { accept: "application/json", ...authorization }, // Canvas wants the token here, too
  });
  if (configurationReply.status !== 200)
    throw registrationRefusal(configurationReply, "did not show its configuration");
  const platform = platformConfiguration(jsonOf(configurationReply), from, deps.allowPrivate);
  if (registrationToken !== null) checkEndpoint(platform, from);

  const sent = registrationRequest(deps.tool, platform);
  const reply = await request({
    method: "POST",
    url: platform.registrationUrl,
    headers: { accept: "application/json", "content-type": "application/json", ...authorization },
    body: JSON.stringify(sent),
  });
  if (reply.status !== 200 && reply.status !== 201)
    throw registrationRefusal(reply, "refused the registration");
  onAccepted();
  const answer = registered.safeParse(jsonOf(reply));
  if (!answer.success) throw refusal("registration-unreadable", { status: 502 });
  const { clientId, deployment, scope, clientUri } = answer.data;
  await refusePosing(deps, { ...platform, clientId });
  const description = firstDescription(platform, sent, clientUri);
  const stored = await keep(deps, { ...platform, description }, requested, clientId, deployment);
  return { ...stored, withheld: withheldOf(platform, scope) };
}

/** The token may only go to the host it came from, to another host of the product, or to one that speaks for the cloud. */
function checkEndpoint(platform: PlatformConfiguration, from: URL): void {
  const { origin, host } = new URL(platform.registrationUrl);
  const { endpointOnAnyHost } = productOf(platform).registration;
  if (endpointOnAnyHost || origin === from.origin) return;
  if (configurationHostsOf(platform.issuer).includes(origin)) return;
  throw refusal("endpoint-elsewhere", { values: { from: from.host, host }, status: 400 });
}

/** Compares with `scope` of the reply, the granted scopes. Without it we know nothing. */
function withheldOf(platform: PlatformConfiguration, granted: string | null): WithheldScope[] {
  if (granted === null || granted.trim() === "") return [];
  const given = granted.trim().split(/\s+/);
  const asked = scopesToAskFor(platform);
  return neededScopes
    .filter((scope) => asked.includes(scope) && !given.includes(scope))
    .map((scope) => ({ scope, where: productOf(platform).registration.whereToAllow(scope) }));
}

/** As `registerByDynamicRegistration`, with a one-time invitation that is given back if the LMS refuses. @throws also "invitation-invalid" */
export async function registerByInvitation(
  deps: RegistrationDeps & { invitations: InvitationPort },
  invitationId: string,
  request: Pick<DynamicRegistrationRequest, "openidConfigurationUrl" | "registrationToken">,
): Promise<Registered> {
  const takenAt = deps.clock.now();
  const invitation = await deps.invitations.take(invitationId, takenAt);
  if (invitation === null) throw refusal("invitation-invalid", { status: 403 });
  const { environment, institution: name, letsAdministratorsIn: administratorsEnter } = invitation;
  const progress = { accepted: false };
  try {
    return await registerByDynamicRegistration(
      deps,
      { ...request, environment, name, administratorsEnter },
      () => {
        progress.accepted = true;
      },
    );
  } catch (thrown) {
    if (!progress.accepted) await deps.invitations.release(invitationId, takenAt);
    throw thrown;
  }
}

async function keep(
  deps: RegistrationDeps,
  platform: PlatformConfiguration & { description: ToolDescribed | null },
  {
    environment,
    name = platform.name,
    administratorsEnter = false,
  }: Omit<DynamicRegistrationRequest, "openidConfigurationUrl" | "registrationToken">,
  clientId: string,
  deploymentId: string | null,
): Promise<Omit<Registered, "withheld">> {
  const { issuer, family, product, authorizationUrl, tokenUrl, jwksUrl, tokenAudience } = platform;
  const registration: Registration = {
    id: deps.ids.id("reg"),
    issuer,
    clientId,
    name,
    family,
    ...(product === null ? {} : { product }),
    authorizationUrl,
    tokenUrl,
    jwksUrl,
    tokenAudience,
    environment,
    active: true,
    ...(administratorsEnter ? { administratorsEnter } : {}),
    newDeployments: usualNewDeployments(issuer),
    ...(platform.description === null ? {} : { description: platform.description }),
    createdAt: deps.clock.now(),
  };
  const known = await insertOrFind(deps, registration);
  if (known !== null) return { registration: known, deploymentId: null, known: true };
  if (deploymentId !== null) await deps.deployments.record(acceptedDeployment(registration, deploymentId));
  await deps.toolKeys.signingKey(registration.id); // make it now, so the LMS finds it when it fetches our keys
  return { registration, deploymentId, known: false };
}

/**
 * Stores a registration. @returns null, or the existing registration with this issuer and client id. That one stays unchanged, addresses
 * and deployments included, so that the holder of an invitation can't speak for another LMS on the same host.
 */
async function insertOrFind({ registrations }: RegistrationDeps, registration: Registration) {
  try {
    await registrations.insert(registration);
    return null;
  } catch (thrown) {
    if (!(thrown instanceof NamedError) || thrown.code !== "registration-exists") throw thrown;
    const known = await registrations.findByClient(registration.issuer, registration.clientId);
    if (known === null) throw thrown;
    return known;
  }
}

/** A deployment that an administrator confirms. */
export function acceptedDeployment(registration: Registration, deploymentId: string): Deployment {
  return {
    registrationId: registration.id,
    deploymentId,
    status: "accepted",
    firstSeenAt: registration.createdAt,
  };
}

type Parts = Pick<Registration, "issuer" | "clientId" | "tokenUrl" | "tokenAudience">;

/**
 * Refuses an LMS that registers with another LMS's client id and token server. All our keys are in one set, so what we sign for one LMS
 * would be valid at the other: an assertion that the impostor collects at its own address, or a token that it gets for launches it sends
 * to its own services.
 * @throws NamedError "registration-poses"
 */
async function refusePosing(
  { registrations }: { registrations: Pick<RegistrationPort, "listByClient"> },
  candidate: Parts,
): Promise<void> {
  const others = (await registrations.listByClient(candidate.clientId)).filter(
    ({ issuer }) => issuer !== candidate.issuer,
  );
  if (!others.some((other) => meet(candidate, other) || meet(other, candidate))) return;
  throw refusal("registration-poses", {
    status: 409,
    details: { issuer: candidate.issuer, clientId: candidate.clientId },
  });
}

/** Whether an assertion for one LMS may be accepted by the other. LMSs are tolerant about paths, so we compare hosts. */
function meet(one: Parts, other: Parts): boolean {
  const otherHosts = new Set([other.issuer, ...audiencesOf(other)].map(hostOf));
  return audiencesOf(one).some((address) => otherHosts.has(hostOf(address)));
}

function audiencesOf({ tokenUrl, tokenAudience }: Parts): string[] {
  return tokenAudience === null ? [tokenUrl] : [tokenUrl, tokenAudience];
}

/** Some LMSs send a bare host, or something that isn't an address. */
function hostOf(address: string): string {
  const host = URL.parse(address)?.host ?? "";
  return host === "" ? address.toLowerCase() : host;
}
