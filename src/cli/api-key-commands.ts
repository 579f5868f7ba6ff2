import { endApiKey, makeApiKey } from "../modules/api/api-keys.ts";
import { type ApiKey, apiScopes } from "../modules/api/rules/api-key.ts";
import { type Command, type CommandTools, operatorParts, timeText, UsageError } from "./command.ts";

export const addKey: Command = async (tools) => {
  const { registration: registrationId, deployment: deploymentId = null, name, until } = tools.values;
  if (registrationId === undefined)
    throw new UsageError("Which LMS? --registration ID. See: npm run cli -- platform list");
  if (until === undefined) throw new UsageError("Until when? --until 2027-07-31");
  const requested = { registrationId, deploymentId, name: name ?? "command line", until };
  const parts = await operatorParts(tools);
  const { key, made } = await makeApiKey(parts, { ...requested, scopes: scopesIn(tools.values) });
  return { text: `${key}\n\nThis is shown only once. ${lineOf(made)}`, json: { key, ...jsonOf(made) } };
};

function scopesIn({ scope = "" }: CommandTools["values"]) {
  const named = scope.split(",").filter((one) => one !== "");
  return named.map((name) => {
    const known = apiScopes.find((one) => one === name);
    if (known === undefined)
      throw new UsageError(`There is no scope "${name}". Scopes: ${apiScopes.join(", ")}.`);
    return known;
  });
}

export const listKeys: Command = async (tools) => {
  const { apiKeys } = await tools.stores();
  const keys = await apiKeys.list(tools.values.registration ?? null);
  return { text: keys.length === 0 ? "No keys." : keys.map(lineOf).join("\n"), json: keys.map(jsonOf) };
};

export const endKey: Command = async (tools, id) => {
  await endApiKey(await operatorParts(tools), id);
  return { text: "The key has ended.", json: { ended: id } };
};

function lineOf(key: ApiKey): string {
  const { id, name, registrationId, deploymentId, scopes, endsAt, usedAt } = key;
  const of = deploymentId === null ? registrationId : `${registrationId} (deployment ${deploymentId})`;
  const used = usedAt === null ? "never used" : `used ${timeText(usedAt)}`;
  return `${id}  ${of}  ${scopes.join(",")}  ends ${timeText(endsAt)}  ${used}  ${name}`;
}

function jsonOf({ digest: _digest, createdAt, endsAt, usedAt, ...key }: ApiKey) {
  const times = { createdAt: timeText(createdAt), endsAt: timeText(endsAt) };
  return { ...key, ...times, usedAt: usedAt === null ? null : timeText(usedAt) };
}
