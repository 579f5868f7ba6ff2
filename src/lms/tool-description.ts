import { z } from "zod";
import type { Registration, ToolDescribed } from "../domain/registration.ts";
import { NamedError } from "../kernel/errors.ts";
import { refusal } from "../kernel/refusal.ts";
import { cutTo } from "../kernel/text.ts";
import { type AccessTokensDeps, createAccessTokens } from "./access-tokens.ts";
import { identifierOrNumber } from "./claims.ts";
import { mayBeScope, unstoredTokens } from "./connection-probes.ts";
import type { PlatformConfiguration } from "./platform-configuration.ts";
import { productOf } from "./products/products.ts";
import {
  registrationRefusal,
  registrationRequest,
  toolConfiguration,
  type ToolDescription,
} from "./registration-request.ts";
import { isThrottled, jsonOf, type LmsReply, refusedBy, unreadable } from "./requester.ts";
import { scopes } from "./scopes.ts";

export type ToolDescriptions = ReturnType<typeof createToolDescriptions>;

/** How the LMS's description of the tool differs from today's. */
export type DescriptionGap = { added: readonly string[]; gone: readonly string[] };

const limits = { depth: 6, lines: 300, characters: 300 };

const anything = z.unknown().optional();
/** The fields that we compare. An LMS doesn't return addresses of policies, so they aren't here. */
const compared = z.object({
  client_name: anything,
  logo_uri: anything,
  initiate_login_uri: anything,
  redirect_uris: anything,
  jwks_uri: anything,
  scope: z
    .string()
    .transform((scope) => scope.split(/\s+/).filter((one) => one !== "" && one !== "openid"))
    .catch([]),
  [toolConfiguration]: z.record(z.string(), z.unknown()),
});
/** Fields that describe the registration in the LMS and not the tool. */
const ofTheLms = ["https://canvas.instructure.com/lti/registration_config_url", "deployment_id"];
const answer = z.object({ client_id: identifierOrNumber });
const typed = z.object({ type: z.string() });
const members = z.record(z.string(), z.unknown());

/**
 * A registration as lines, "custom_parameters.name: value". Their order doesn't matter.
 * @param body Of a registration request, or of an LMS's answer. @returns null if it is neither
 */
export function descriptionLines(body: unknown): string[] | null {
  const parsed = compared.safeParse(body);
  if (!parsed.success) return null;
  const { [toolConfiguration]: configuration, ...rest } = parsed.data;
  const own = Object.entries(configuration).filter(([name]) => !ofTheLms.includes(name));
  const lines = linesOf({ ...rest, ...Object.fromEntries(own) }, "", 0);
  return [...new Set(lines.map((line) => cutTo(line, limits.characters)))].slice(0, limits.lines);
}

function linesOf(value: unknown, path: string, depth: number): string[] {
  if (value === null || value === undefined || value === "" || depth > limits.depth) return [];
  if (Array.isArray(value)) return value.flatMap((entry) => linesOf(entry, path, depth + 1));
  const object = members.safeParse(value);
  if (!object.success) return [`${path}: ${typeof value === "string" ? value : JSON.stringify(value)}`];
  // A message is named by its type and not by its position in the list.
  const { data: kind } = typed.safeParse(value);
  const below = kind === undefined ? path : `${path}.${kind.type}`;
  return Object.entries(object.data).flatMap(([name, entry]) =>
    linesOf(entry, below === "" ? name : `${below}.${name}`, depth + 1),
  );
}

/** What to store with a new registration; null if the product doesn't let a tool see its own registration. */
export function firstDescription(
  platform: PlatformConfiguration,
  sent: Record<string, unknown>,
  registrationClientUri: string | null,
): ToolDescribed | null {
  if (productOf(platform).registration.ownConfiguration === null) return null;
  const { scopes: offered, claims, messages } = platform;
  const takesChanges = offered.includes(scopes.registration);
  return {
    uri: takesChanges ? ownAddress(registrationClientUri, new URL(platform.registrationUrl)) : null,
    offer: { scopes: offered, claims, messages },
    lines: descriptionLines(sent) ?? [],
    sentAt: null,
  };
}

/** The address must be on the host where we registered, because a token goes there. An LMS behind a proxy may not know its scheme. */
function ownAddress(given: string | null, endpoint: URL): string | null {
  const uri = given === null ? null : URL.parse(given);
  return uri?.host === endpoint.host ? `${endpoint.origin}${uri.pathname}` : null;
}

/** Reads and changes the tool's description in an LMS. Fetches a new token each time, so a refusal pauses nothing. */
export function createToolDescriptions(
  deps: Omit<AccessTokensDeps, "accessTokens" | "pauses"> & { tool: ToolDescription },
) {
  const tokens = createAccessTokens({ ...deps, ...unstoredTokens });
  const today = ({ family }: Registration, { offer }: ToolDescribed) =>
    registrationRequest(deps.tool, { family, ...offer });

  const call = async (registration: Registration, method: "GET" | "PUT"): Promise<string[]> => {
    const { description } = registration;
    const { ownConfiguration } = productOf(registration).registration;
    if (description?.uri == null || ownConfiguration === null) throw notTaken(0);
    const token = await tokens.get(registration, [scopes.registration]).catch((thrown: unknown) => {
      if (!(thrown instanceof NamedError) || !mayBeScope(thrown)) throw thrown;
      throw notAllowed(registration, thrown.message);
    });
    const url = `${description.uri}${ownConfiguration}`;
    const headers = { accept: "application/json", authorization: `Bearer ${token}` };
    const change = {
      headers: { ...headers, "content-type": "application/json" },
      body: JSON.stringify(today(registration, description)),
    };
    const reply = await deps.request({ method, url, ...(method === "PUT" ? change : { headers }) });
    if (reply.status !== 200) throw refused(registration, reply, deps.clock.now());
    const body = jsonOf(reply);
    const lines =
      answer.safeParse(body).data?.client_id === registration.clientId ? descriptionLines(body) : null;
    if (lines === null) throw unreadable("the tool's description");
    return lines;
  };

  return {
    /** Compares stored descriptions without asking the LMS; null if nothing differs, or nothing is known. */
    gap: (registration: Registration): DescriptionGap | null => {
      const { description } = registration;
      if (description == null) return null;
      const now = descriptionLines(today(registration, description)) ?? [];
      const added = now.filter((line) => !description.lines.includes(line));
      const gone = description.lines.filter((line) => !now.includes(line));
      return added.length + gone.length === 0 ? null : { added, gone };
    },
    /** @returns the LMS's lines. @throws NamedError with a sentence for the administrator */
    read: (registration: Registration) => call(registration, "GET"),
    /** Sends today's description. @returns the LMS's lines; until an administrator accepts, the earlier ones */
    send: (registration: Registration) => call(registration, "PUT"),
  };
}

function notTaken(status: number): NamedError {
  return refusal("description-not-taken", { status: 502, details: { status } });
}

function notAllowed(registration: Registration, reason: string): NamedError {
  const where = productOf(registration).registration.whereToAllow(scopes.registration);
  return refusal("description-not-allowed", { values: { reason, where }, status: 502 });
}

function refused(registration: Registration, reply: LmsReply, now: number): NamedError {
  const { status } = reply;
  if (isThrottled(reply)) return refusedBy(reply, "the tool's description", now);
  if ([404, 405, 410, 501].includes(status)) return notTaken(status);
  if (status === 401 || status === 403) return notAllowed(registration, `The LMS answers with ${status}.`);
  if (status === 400 || status === 422) return registrationRefusal(reply, "refused the change");
  return refusedBy(reply, "the tool's description", now);
}
