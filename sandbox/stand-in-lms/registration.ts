// From: LTI Dynamic Registration 1.0, 3; openid-registration.php, measured.
import express, { type Express, type Request } from "express";
import { z } from "zod";
import type { Tool } from "./lms-records.ts";
import type { Lms } from "./lms.ts";
import { lti } from "./lti-names.ts";
import { answerService, jsonAnswer, parseJson, rawBodyOf, type ServiceAnswer } from "./services.ts";

export type ToolByHand = {
  name: string;
  loginUrl: string;
  launchUrl: string;
  jwksUrl: string;
  /** By default, only the launch address. */
  redirectUrls?: string[];
  /** For the content selection dialog; null or omitted: none. */
  deepLinkingUrl?: string | null;
  custom?: Record<string, string>;
  /** By default, all of grades and roster. */
  scopes?: string[];
};

/** What a tool says about itself; the rest belongs to the LMS. */
export type ToolWords = Omit<
  Tool,
  "id" | "clientId" | "deploymentId" | "courseDeployments" | "noticeHandlers" | "proposed"
>;

/** It works immediately; links without a tool become its links. */
function newTool(lms: Lms, clientId: string, words: ToolWords): Tool {
  const { world, manners } = lms;
  const id = world.nextId("tool");
  const tool: Tool = {
    ...words,
    id,
    clientId,
    deploymentId: manners.deploymentIdOf(id),
    courseDeployments: new Map(),
    noticeHandlers: new Map(),
  };
  world.tools.set(id, tool);
  for (const course of world.courses.values()) for (const link of course.links) link.toolId ??= id;
  return tool;
}

/** Its client id is to be pasted into the tool. */
export function addToolByHand(lms: Lms, form: ToolByHand): Tool {
  return newTool(lms, lms.manners.newClientId(), {
    name: form.name,
    description: "",
    loginUrl: form.loginUrl,
    launchUrl: form.launchUrl,
    redirectUrls: form.redirectUrls ?? [form.launchUrl],
    jwksUrl: form.jwksUrl,
    deepLinkingUrl: form.deepLinkingUrl ?? null,
    domain: URL.parse(form.launchUrl)?.host ?? "",
    logoUrl: null,
    scopes: form.scopes ?? Object.values(lti.scope),
    custom: form.custom ?? {},
    shares: { names: true, email: true },
    placements: [],
    menuCustom: {},
    sent: null,
  });
}

const toolConfigurationSchema = z.looseObject({
  domain: z.string().min(1),
  target_link_uri: z.string().min(1),
  description: z.string().default(""),
  custom_parameters: z.record(z.string(), z.string()).default({}),
  claims: z.array(z.string()).default([]),
  messages: z
    .array(
      z.looseObject({
        type: z.string(),
        target_link_uri: z.string().optional(),
        placements: z.array(z.string()).default([]),
      }),
    )
    .default([]),
});

/** The refusal names the first missing member. */
const registrationSchema = z.looseObject({
  response_types: z.array(z.string()).refine((types) => types.includes("id_token")),
  initiate_login_uri: z.string().min(1),
  redirect_uris: z.array(z.string()).min(1),
  client_name: z.string().min(1),
  jwks_uri: z.string().min(1),
  token_endpoint_auth_method: z.literal("private_key_jwt"),
  scope: z.string().default(""),
  logo_uri: z.string().optional(),
  [lti.toolConfiguration]: z.unknown(),
});

/** As in Moodle: a status and a plain sentence. */
class RegistrationRefused extends Error {
  readonly status: 400 | 401;
  readonly messages: string[];
  constructor(status: 400 | 401, ...messages: string[]) {
    super(messages.join(" "));
    this.status = status;
    this.messages = messages;
  }
}

/** Returns the tool's address with the LMS's two parameters. The token works once, for an hour. */
export async function beginRegistration(lms: Lms, toolRegistrationUrl: string): Promise<string> {
  return withToken(lms, toolRegistrationUrl, { sub: lms.manners.newClientId(), scope: "reg" });
}

/** Like `beginRegistration`, but the token works repeatedly, and `sub` is the tool's id. Client id, deployment and state stay. */
export async function beginRegistrationUpdate(
  lms: Lms,
  toolId: string,
  toolRegistrationUrl: string,
): Promise<string> {
  return withToken(lms, toolRegistrationUrl, { sub: toolId, scope: "reg-update" });
}

async function withToken(
  lms: Lms,
  toolRegistrationUrl: string,
  claims: { sub: string; scope: "reg" | "reg-update" },
): Promise<string> {
  const iat = Math.floor(lms.clock.now() / 1000);
  const token = await lms.key.sign({ ...claims, iat, exp: iat + 3600 });
  const url = new URL(toolRegistrationUrl);
  url.searchParams.set("openid_configuration", `${lms.url}${lms.manners.paths.configuration}`);
  url.searchParams.set("registration_token", token);
  return url.href;
}

/** Every product's response to a registration (RFC 7591, 3.2.1). @param configuration Its own description of the tool. */
export function registeredTool(tool: Tool, configuration: Record<string, unknown>): Record<string, unknown> {
  return {
    client_id: tool.clientId,
    application_type: "web",
    response_types: ["id_token"],
    grant_types: ["client_credentials", "implicit"],
    initiate_login_uri: tool.loginUrl,
    redirect_uris: tool.redirectUrls,
    client_name: tool.name,
    jwks_uri: tool.jwksUrl,
    token_endpoint_auth_method: "private_key_jwt",
    scope: tool.scopes.join(" "),
    [lti.toolConfiguration]: {
      domain: tool.domain,
      target_link_uri: tool.launchUrl,
      custom_parameters: tool.custom,
      ...configuration,
    },
  };
}

function openidConfiguration({
  url,
  quirks,
  manners: { paths, configuration },
}: Lms): Record<string, unknown> {
  return {
    issuer: url,
    authorization_endpoint: `${url}${paths.authorization}`,
    token_endpoint: `${url}${paths.token}`,
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS256"],
    jwks_uri: `${url}${paths.keys}`,
    registration_endpoint: `${url}${paths.registration}`,
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: ["RS256"],
    ...configuration(url, quirks),
  };
}

export function mountRegistration(app: Express, lms: Lms): void {
  const { paths } = lms.manners;
  app.get(paths.configuration, async (request, response) => {
    if (lms.manners.configurationNeedsToken) {
      const known = await lms.key.verify(bearerOf(request) ?? "", lms.clock.now()).catch(() => null);
      if (known === null) {
        response.status(401).json({ errorMessage: "Unauthorized" });
        return;
      }
    }
    response.json(openidConfiguration(lms));
  });
  app.get(paths.keys, (_request, response) => {
    response.json(lms.key.jwks());
  });
  app.all(
    [paths.registration, `${paths.registration}/:id`],
    express.text({ type: () => true, limit: "1mb" }),
    async (request, response) => {
      await answerService(lms, "registration", { request, response }, async () => {
        try {
          return await register(lms, request);
        } catch (error) {
          if (!(error instanceof RegistrationRefused)) throw error;
          return lms.manners.registrationRefusal(error.status, error.messages);
        }
      });
    },
  );
}

async function register(lms: Lms, request: Request): Promise<ServiceAnswer> {
  const asked = await askedByToken(lms, request);
  const reading = request.method === "GET";
  if ("tool" in asked) {
    if (!reading) Object.assign(asked.tool, readRegistration(lms, parseJson(rawBodyOf(request))));
    return answerWith(lms, asked.tool);
  }
  if (reading) throw new RegistrationRefused(401, "token_already_used");
  const tool = newTool(lms, asked.clientId, readRegistration(lms, parseJson(rawBodyOf(request))));
  lms.logger.info({ tool: tool.id }, "a tool registered itself");
  return answerWith(lms, tool);
}

function answerWith(lms: Lms, tool: Tool): ServiceAnswer {
  const { status, body } = lms.manners.registrationAnswer(lms, tool);
  return jsonAnswer(status, body);
}

async function askedByToken(lms: Lms, request: Request): Promise<{ clientId: string } | { tool: Tool }> {
  const token = bearerOf(request);
  if (token === undefined) throw new RegistrationRefused(401, "missing_registration_token");
  const claims = await lms.key.verify(token, lms.clock.now()).catch(() => {
    throw new RegistrationRefused(401, "invalid_registration_token");
  });
  const { scope, sub = "" } = claims;
  const tool = lms.world.tools.get(sub);
  if (scope === "reg-update" && tool !== undefined) return { tool };
  if (scope !== "reg" || sub === "") throw new RegistrationRefused(401, "invalid_registration_token");
  if ([...lms.world.tools.values()].some(({ clientId }) => clientId === sub)) {
    throw new RegistrationRefused(401, "token_already_used");
  }
  return { clientId: sub };
}

function bearerOf(request: Request): string | undefined {
  return /^Bearer (.+)$/.exec(request.headers.authorization ?? "")?.[1];
}

/** An update replaces all of it. */
function readRegistration(lms: Lms, sent: unknown): ToolWords {
  const problems = lms.manners.registrationProblems(sent);
  if (problems.length > 0) throw new RegistrationRefused(400, ...problems);
  const registration = parseOrRefuse(registrationSchema, sent, "");
  const configuration = parseOrRefuse(
    toolConfigurationSchema,
    registration[lti.toolConfiguration],
    "lti-tool-configuration ",
  );
  const target = URL.parse(configuration.target_link_uri);
  if (target?.host !== configuration.domain) {
    throw new RegistrationRefused(400, "domain does not match target_link_uri");
  }
  const deepLinking = configuration.messages.find(({ type }) => type === "LtiDeepLinkingRequest");
  const asksFor = (...claims: string[]) => claims.some((claim) => configuration.claims.includes(claim));
  return lms.manners.registrationWords(sent, {
    name: registration.client_name,
    description: configuration.description,
    loginUrl: registration.initiate_login_uri,
    launchUrl: configuration.target_link_uri,
    redirectUrls: registration.redirect_uris,
    jwksUrl: registration.jwks_uri,
    deepLinkingUrl:
      deepLinking === undefined ? null : (deepLinking.target_link_uri ?? configuration.target_link_uri),
    domain: configuration.domain,
    logoUrl: registration.logo_uri ?? null,
    scopes: lms.manners.grantedScopes(registration.scope.split(" ")),
    custom: configuration.custom_parameters,
    shares: { names: asksFor("name", "given_name", "family_name"), email: asksFor("email") },
    placements: configuration.messages.flatMap(({ placements }) => placements),
    menuCustom: {},
    sent,
  });
}

/** An administrator accepts the change that the tool has sent. */
export function acceptProposed(lms: Lms, tool: Tool): void {
  Object.assign(tool, readRegistration(lms, tool.proposed), { proposed: undefined });
}

function parseOrRefuse<Schema extends z.ZodType>(
  schema: Schema,
  value: unknown,
  where: string,
): z.output<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const member = parsed.error.issues[0]?.path.join(".") ?? "";
  throw new RegistrationRefused(
    400,
    `Missing or wrong in the registration: ${where}${member === "" ? "JSON object" : member}`,
  );
}
