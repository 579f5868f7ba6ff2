import { z } from "zod";
import type { Deployment, EnvironmentName, Registration } from "../domain/registration.ts";
import type { Clock } from "../kernel/clock.ts";
import { NamedError } from "../kernel/errors.ts";
import type { Ids } from "../kernel/ids.ts";
import { outsideAddress } from "./outside-address.ts";
import { type PlatformConfiguration, platformConfiguration } from "./platform-configuration.ts";
import type { DeploymentPort, InvitationPort, RegistrationPort } from "./ports.ts";
import { registrationRequest, type ToolDescription } from "./registration-request.ts";
import { createRequester, jsonOf, type LmsReply } from "./requester.ts";
import type { ToolKeys } from "./tool-keys.ts";

export type DynamicRegistrationDeps = {
  registrations: RegistrationPort;
  deployments: DeploymentPort;
  toolKeys: ToolKeys;
  /** Must not reach private addresses; see `createOutsideFetch`. */
  fetch: typeof fetch;
  clock: Clock;
  ids: Ids;
  tool: ToolDescription;
  /** Development: the LMS may be on http, loopback or a private network. */
  allowPrivate: boolean;
};

export type DynamicRegistrationRequest = {
  /** `openid_configuration` as the LMS gave it. */
  openidConfigurationUrl: string;
  /** `registration_token`; null when the LMS gave none. */
  registrationToken: string | null;
  environment: EnvironmentName;
};

/** What a registration made. */
export type Registered = { registration: Registration; deploymentId: string | null };

const toolConfiguration = "https://purl.imsglobal.org/spec/lti-tool-configuration";
const limits = { timeoutMs: 10_000, maxBytes: 512 * 1024 };
const registered = z.object({
  client_id: z.coerce.string().min(1).max(255),
  [toolConfiguration]: z
    .object({ deployment_id: z.coerce.string().min(1).max(255).nullish().catch(null) })
    .nullish()
    .catch(null),
});
const oauthError = z.object({ error: z.string().optional(), error_description: z.string().optional() });
const canvasErrors = z.object({ errors: z.unknown() });

/**
 * Registers the tool in an LMS and the LMS in the tool (Dynamic Registration 1.0).
 * @param onAccepted Called once the LMS has accepted, before anything is written here.
 * @throws NamedError with a sentence for the administrator; nothing is written before the LMS accepted, and an
 * existing registration is never changed ("registration-exists").
 */
export async function registerByDynamicRegistration(
  deps: DynamicRegistrationDeps,
  { openidConfigurationUrl, registrationToken, environment }: DynamicRegistrationRequest,
  onAccepted: () => void = () => undefined,
): Promise<Registered> {
  const request = createRequester(deps.fetch, limits);
  const authorization: Record<string, string> =
    registrationToken === null ? {} : { authorization: `Bearer ${registrationToken}` };
  const from = outsideAddress(openidConfigurationUrl, deps.allowPrivate, "The LMS's configuration address");
  const configurationReply = await request({
    method: "GET",
    url: from.href,
    headers: { accept: "application/json", ...authorization }, // Canvas wants the token here too
  });
  if (configurationReply.status !== 200) throw refusal(configurationReply, "did not show its configuration");
  const platform = platformConfiguration(jsonOf(configurationReply), from, deps.allowPrivate);

  const reply = await request({
    method: "POST",
    url: platform.registrationUrl,
    headers: { accept: "application/json", "content-type": "application/json", ...authorization },
    body: JSON.stringify(registrationRequest(deps.tool, platform)),
  });
  if (reply.status !== 200 && reply.status !== 201) throw refusal(reply, "refused the registration");
  onAccepted();
  const answer = registered.safeParse(jsonOf(reply));
  if (!answer.success) {
    throw new NamedError(
      "registration-unreadable",
      "The LMS accepted the registration but did not say the client id.",
      {
        status: 502,
      },
    );
  }
  return keep(
    deps,
    platform,
    environment,
    answer.data.client_id,
    answer.data[toolConfiguration]?.deployment_id ?? null,
  );
}

/**
 * The same under a one-time invitation: used up when the LMS accepted, given back when it did not.
 * @throws NamedError "invitation-invalid", and everything above.
 */
export async function registerByInvitation(
  deps: DynamicRegistrationDeps & { invitations: InvitationPort },
  invitationId: string,
  request: Omit<DynamicRegistrationRequest, "environment">,
): Promise<Registered> {
  const takenAt = deps.clock.now();
  const invitation = await deps.invitations.take(invitationId, takenAt);
  if (invitation === null) {
    throw new NamedError(
      "invitation-invalid",
      "This registration address was used already or has expired. Ask for a new one in the classroom's console.",
      { status: 403 },
    );
  }
  const progress = { accepted: false };
  try {
    return await registerByDynamicRegistration(
      deps,
      { ...request, environment: invitation.environment },
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
  deps: DynamicRegistrationDeps,
  platform: PlatformConfiguration,
  environment: EnvironmentName,
  clientId: string,
  deploymentId: string | null,
): Promise<Registered> {
  const { issuer, family, name, authorizationUrl, tokenUrl, jwksUrl, tokenAudience } = platform;
  const registration: Registration = {
    id: deps.ids.id("reg"),
    issuer,
    clientId,
    name,
    family,
    authorizationUrl,
    tokenUrl,
    jwksUrl,
    tokenAudience,
    environment,
    active: true,
    newDeployments: "accept",
    createdAt: deps.clock.now(),
  };
  await deps.registrations.insert(registration);
  if (deploymentId !== null) await deps.deployments.record(acceptedDeployment(registration, deploymentId));
  await deps.toolKeys.signingKey(registration.id); // made now, so that the LMS finds it when it looks
  return { registration, deploymentId };
}

/** A deployment an administrator vouches for. */
export function acceptedDeployment(registration: Registration, deploymentId: string): Deployment {
  return {
    registrationId: registration.id,
    deploymentId,
    status: "accepted",
    firstSeenAt: registration.createdAt,
  };
}

/** The LMS's own words about what it did not like (RFC 7591, section 3.2.2; Canvas's `errors`; Moodle's plain text). */
function refusal(reply: LmsReply, what: string): NamedError {
  const { status } = reply;
  const said = wordsOf(reply.text);
  return new NamedError(
    "registration-refused",
    `The LMS ${what} (status ${status})${said === "" ? "" : `: ${said}`}.`,
    {
      status: 502,
      temporary: status >= 500 || status === 429,
      details: { status },
    },
  );
}

function wordsOf(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return /[<>]/.test(text) ? "" : shortened(text);
  }
  const { error, error_description: description } = oauthError.safeParse(body).data ?? {};
  if (error !== undefined) return shortened(description === undefined ? error : `${error}, ${description}`);
  const canvas = canvasErrors.safeParse(body);
  return canvas.success && canvas.data.errors !== undefined
    ? shortened(JSON.stringify(canvas.data.errors))
    : "";
}

function shortened(words: string): string {
  const line = words.replace(/\s+/g, " ").trim().replace(/\.$/, "");
  return line.length > 300 ? `${line.slice(0, 300)}...` : line;
}
