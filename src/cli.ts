import { existsSync } from "node:fs";
import { parseArgs } from "node:util";
import { buildLms } from "./build-lms.ts";
import { type Config, ConfigError, readConfig } from "./config.ts";
import type { EnvironmentName, PlatformFamily } from "./domain/registration.ts";
import { createInvitation } from "./features/registration/create-invitation.ts";
import { systemClock } from "./kernel/clock.ts";
import { messageOf, NamedError } from "./kernel/errors.ts";
import { randomIds } from "./kernel/ids.ts";
import { createLogger } from "./kernel/logger.ts";
import { openDatabase } from "./storage/open-database.ts";
import { openStores, type Stores } from "./storage/open-stores.ts";

const usage = `Usage: npm run cli -- <command> [--json]

  invite [--environment production|staging] [--hours 72]
      Prints a one-time registration address for an LMS administrator.
  platform add --issuer URL --client-id ID --auth-url URL --token-url URL --jwks-url URL
      [--deployment-id ID] [--family moodle|canvas|other] [--environment production|staging] [--name TEXT]
  platform list
  platform disable ID | platform enable ID`;

/** What the person typed cannot be carried out as it is. */
class UsageError extends Error {}

type Context = { config: Config; stores: Stores };
type Values = ReturnType<typeof parsed>["values"];

function parsed() {
  return parseArgs({
    allowPositionals: true,
    options: {
      json: { type: "boolean", default: false },
      environment: { type: "string" },
      hours: { type: "string", default: "72" },
      issuer: { type: "string" },
      "client-id": { type: "string" },
      "auth-url": { type: "string" },
      "token-url": { type: "string" },
      "jwks-url": { type: "string" },
      "deployment-id": { type: "string" },
      family: { type: "string", default: "other" },
      name: { type: "string" },
    },
  });
}

/** What a command does. Chosen before the configuration is read: a mistyped command needs no database. */
function commandOf(
  command: readonly string[],
  values: Values,
): (context: Context) => Promise<{ text: string; json: unknown }> {
  const [first, second, third] = command;
  if (first === "invite") return (context) => invite(values, context);
  if (first === "platform" && second === "add") return (context) => addPlatform(values, context);
  if (first === "platform" && second === "list") return listPlatforms;
  if (first === "platform" && (second === "disable" || second === "enable")) {
    if (third === undefined) throw new UsageError(`Which registration? See: npm run cli -- platform list`);
    return async ({ stores }) => {
      const known = await stores.registrations.setActive(third, second === "enable");
      if (!known)
        throw new UsageError(`There is no registration ${third}; see: npm run cli -- platform list`);
      return { text: `${third} is ${second}d.`, json: { id: third, active: second === "enable" } };
    };
  }
  throw new UsageError(
    command.length === 0 ? "Which command?" : `There is no command "${command.join(" ")}".`,
  );
}

async function invite(values: Values, { config, stores }: Context) {
  const hours = Number(values.hours);
  if (!(hours > 0 && hours <= 24 * 30)) throw new UsageError("--hours must be a number between 1 and 720.");
  const environment = environmentOf(values, config);
  const { invitation, url } = await createInvitation(
    { ...stores, publicUrl: config.publicUrl, clock: systemClock, ids: randomIds },
    environment,
    hours,
  );
  const expires = new Date(invitation.expiresAt).toISOString();
  return {
    text: `${url}\n\nGive this address to the LMS administrator. It works once, until ${expires}.\nMoodle: Site administration > Plugins > External tool > Manage tools > Tool URL.\nCanvas: Admin > Developer Keys > + LTI Registration.`,
    json: { url, environment, expiresAt: expires },
  };
}

async function addPlatform(values: Values, { config, stores }: Context) {
  const needed = (name: "issuer" | "client-id" | "auth-url" | "token-url" | "jwks-url"): string => {
    const value = values[name];
    if (value === undefined || value === "") throw new UsageError(`--${name} is missing.`);
    return value;
  };
  const lms = buildLms({ config, stores, clock: systemClock, ids: randomIds });
  const deploymentId = values["deployment-id"];
  const registration = await lms.registerByHand({
    issuer: needed("issuer"),
    clientId: needed("client-id"),
    authorizationUrl: needed("auth-url"),
    tokenUrl: needed("token-url"),
    jwksUrl: needed("jwks-url"),
    family: familyOf(values.family),
    environment: environmentOf(values, config),
    ...(values.name === undefined ? {} : { name: values.name }),
    ...(deploymentId === undefined ? {} : { deploymentId }),
  });
  return {
    text: `Registered ${registration.name} as ${registration.id}.\nIn the LMS, set:\n  login initiation  ${config.publicUrl}/lti/login\n  redirect and target link  ${config.publicUrl}/lti/launch\n  public key set  ${config.publicUrl}/lti/keys`,
    json: registration,
  };
}

async function listPlatforms({ stores }: Context) {
  const registrations = await stores.registrations.list();
  const lines = registrations.map(
    (one) =>
      `${one.id}  ${one.active ? "on " : "off"}  ${one.environment}  ${one.issuer}  ${one.clientId}  ${one.name}`,
  );
  return {
    text: lines.length === 0 ? "No LMS is registered. Start with: npm run cli -- invite" : lines.join("\n"),
    json: registrations,
  };
}

function environmentOf(values: Values, config: Config): EnvironmentName {
  const [first = "production"] = Object.values(config.environments).map((one) => one.name);
  const name = values.environment ?? first;
  if (name !== "production" && name !== "staging")
    throw new UsageError("--environment is production or staging.");
  if (config.environments[name] === undefined)
    throw new UsageError(`The ${name} environment is not configured.`);
  return name;
}

function familyOf(name: string): PlatformFamily {
  if (name === "moodle" || name === "canvas" || name === "other") return name;
  throw new UsageError("--family is moodle, canvas or other.");
}

/** node:util's parseArgs did not understand what was typed. */
function isParseError(thrown: unknown): boolean {
  return thrown instanceof TypeError && "code" in thrown && String(thrown.code).startsWith("ERR_PARSE_ARGS");
}

if (existsSync(".env")) process.loadEnvFile(".env");
try {
  const { positionals, values } = parsed();
  const command = commandOf(positionals, values);
  const config = readConfig();
  const database = await openDatabase({ url: config.databaseUrl, logger: createLogger("silent") });
  try {
    const answer = await command({ config, stores: await openStores(database.connection) });
    console.log(values.json ? JSON.stringify(answer.json, null, 2) : answer.text);
  } finally {
    await database.close();
  }
} catch (thrown) {
  const wrongUse = thrown instanceof UsageError || isParseError(thrown);
  if (wrongUse) console.error(`${messageOf(thrown)}\n\n${usage}`);
  else
    console.error(thrown instanceof NamedError || thrown instanceof ConfigError ? messageOf(thrown) : thrown);
  process.exitCode = wrongUse ? 2 : 1;
}
