import type { App } from "../../app.ts";
import { secretDigest } from "../../kernel/ids.ts";
import { refusal } from "../../kernel/refusal.ts";
import { isSameSecret } from "../../kernel/sealer.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { type ActiveRegistrationApp, isAdmitted, knownRegistration } from "../registration/registrations.ts";
import {
  type ApiKey,
  type ApiScope,
  endOfKey,
  halvesOf,
  maxKeys,
  maxNameLength,
  readsDeployment,
} from "./rules/api-key.ts";

type KeysApp = AuditApp & Pick<App, "apiKeys" | "registrations" | "deployments">;

export type NewKey = Pick<ApiKey, "registrationId" | "deploymentId" | "name"> & {
  /** What it reads besides courses and sessions, which every key reads. */
  scopes: readonly ApiScope[];
  /** The last day on which it works: "2027-07-31" (UTC). */
  until: string;
};

/**
 * @returns the key, which isn't stored anywhere, and its record
 * @throws NamedError "no-such-registration", "deployment-unknown", "api-key-name", "api-key-until" or "api-keys-many"
 */
export async function makeApiKey(app: KeysApp, requested: NewKey): Promise<{ key: string; made: ApiKey }> {
  const { registrationId, deploymentId } = requested;
  const now = app.clock.now();
  const name = requested.name.trim();
  await knownRegistration(app.registrations, registrationId);
  if (deploymentId !== null && (await app.deployments.find(registrationId, deploymentId)) === null)
    throw refusal("deployment-unknown", { values: { deployment: deploymentId }, status: 404 });
  if (name === "" || name.length > maxNameLength)
    throw refusal("api-key-name", { values: { longest: maxNameLength }, status: 422 });
  const endsAt = endOfKey(requested.until, now);
  if (endsAt === null) throw refusal("api-key-until", { status: 422 });
  if ((await app.apiKeys.list(registrationId)).length >= maxKeys)
    throw refusal("api-keys-many", { values: { most: maxKeys }, status: 409 });
  const secret = app.ids.secret();
  const made: ApiKey = {
    id: app.ids.id("spacesapi"),
    registrationId,
    deploymentId,
    name,
    endsAt,
    scopes: [...new Set<ApiScope>(["courses:read", ...requested.scopes])],
    digest: secretDigest(secret),
    createdAt: now,
    usedAt: null,
  };
  await app.apiKeys.insert(made);
  await writeAudit(app, { what: "api-key-made", registrationId, on: `${name} (${made.scopes.join(", ")})` });
  return { key: `${made.id}.${secret}`, made };
}

/** @throws NamedError "api-key-gone" */
export async function endApiKey(app: AuditApp & Pick<App, "apiKeys">, id: string): Promise<void> {
  const key = await app.apiKeys.find(id);
  if (key === null || !(await app.apiKeys.remove(id))) throw refusal("api-key-gone", { status: 404 });
  await writeAudit(app, { what: "api-key-ended", registrationId: key.registrationId, on: key.name });
}

/** Deployments that have their own classroom account. They are other institutions, if several share one client id. */
export async function separateDeployments(
  { deployments }: Pick<App, "deployments">,
  registrationId: string,
): Promise<string[]> {
  const all = await deployments.listOf(registrationId);
  return all.flatMap(({ deploymentId, account }) => (account === undefined ? [] : [deploymentId]));
}

/**
 * The institution for which an LMS's administrators create and manage keys. They only see keys that read no more than that.
 * @param deployment The deployment from which they came.
 */
export async function institutionOf(
  app: Pick<App, "deployments">,
  registrationId: string,
  deployment: string | null,
) {
  const separate = await separateDeployments(app, registrationId);
  const deploymentId = separate.find((one) => one === deployment) ?? null;
  return {
    reads: { registrationId, deploymentId },
    manages: (key: ApiKey) =>
      key.registrationId === registrationId &&
      readsDeployment({ deploymentId }, separate, key.deploymentId ?? ""),
  };
}

/**
 * Finds the key with which a request was sent.
 * @param header Its Authorization.
 * @throws NamedError "api-key-missing", "api-key-unknown", "api-key-ended" or "api-lms-off"
 */
export async function provenApiKey(
  app: ActiveRegistrationApp & Pick<App, "apiKeys" | "clock">,
  header: string | undefined,
): Promise<ApiKey> {
  const [, sent] = /^Bearer +(\S+)$/i.exec(header ?? "") ?? [];
  if (sent === undefined) throw refusal("api-key-missing", { status: 401 });
  const halves = halvesOf(sent);
  const key = halves === null ? null : await app.apiKeys.find(halves.id);
  if (halves === null || key === null || !isSameSecret(secretDigest(halves.secret), key.digest))
    throw refusal("api-key-unknown", { status: 401 });
  if (key.endsAt <= app.clock.now()) throw refusal("api-key-ended", { status: 401 });
  const { registrationId, deploymentId } = key;
  if (!(await isAdmitted(app, { registrationId, deploymentId: deploymentId ?? "" })))
    throw refusal("api-lms-off", { status: 403 });
  return key;
}
