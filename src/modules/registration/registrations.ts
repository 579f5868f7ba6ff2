import type { App } from "../../app.ts";
import type { Launch } from "../../domain/launch.ts";
import type { Deployment, Registration } from "../../domain/registration.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { KeyState, NextKey, ToolKeys } from "../../lms/tool-keys.ts";
import { withReportedProduct } from "./rules/registration.ts";
import type { DeploymentStore, ListedDeployment, RegistrationStore } from "./store/registration-store.ts";

/** To judge whether people of a deployment may come in. */
export type ActiveRegistrationApp = {
  registrations: Pick<RegistrationStore, "find">;
  deployments: Pick<DeploymentStore, "find">;
};

/** To show and change what is known of an LMS. */
export type RegistrationsApp = Pick<App, "registrations" | "deployments" | "clock">;

/** To show and change the tool's keys towards an LMS. */
export type LmsKeysApp = Pick<App, "registrations"> & {
  signingKeys: Pick<ToolKeys, "list" | "rotate" | "replaceNow">;
};

export type ResealApp = Pick<App, "accessTokens"> & { signingKeys: Pick<ToolKeys, "reseal"> };

/** @throws NamedError "no-such-registration" */
export async function knownRegistration(
  registrations: Pick<RegistrationStore, "find">,
  id: string,
): Promise<Registration> {
  const registration = await registrations.find(id);
  if (registration !== null) return registration;
  throw refusal("no-such-registration", { values: { id }, status: 404 });
}

/**
 * Judges at each click, as launches do on arrival, whether people of a deployment may still come in.
 * @throws NamedError "registration-unknown", "platform-inactive" or "deployment-refused"
 */
export async function requireActiveRegistration(
  app: ActiveRegistrationApp,
  { registrationId, deploymentId }: { registrationId: string; deploymentId: string },
): Promise<Registration> {
  const registration = await app.registrations.find(registrationId);
  if (registration === null) {
    throw refusal("registration-unknown", { status: 403 });
  }
  if (!registration.active) {
    throw refusal("platform-inactive", { status: 403 });
  }
  if ((await app.deployments.find(registrationId, deploymentId))?.status === "refused") {
    throw refusal("deployment-refused", { status: 403 });
  }
  return registration;
}

/** As {@link requireActiveRegistration}, for work that continues without these people. */
export async function isAdmitted(
  app: ActiveRegistrationApp,
  place: { registrationId: string; deploymentId: string },
): Promise<boolean> {
  try {
    await requireActiveRegistration(app, place);
    return true;
  } catch (thrown) {
    if (thrown instanceof NamedError) return false;
    throw thrown;
  }
}

/** Where a tool was installed in an LMS, and what happens to deployments not seen yet. */
type DeploymentList = {
  newDeployments: Registration["newDeployments"];
  /** First seen first. */
  deployments: readonly ListedDeployment[];
};

/** @throws NamedError "no-such-registration" */
export async function listDeployments(
  app: RegistrationsApp,
  registrationId: string,
): Promise<DeploymentList> {
  const { newDeployments } = await knownRegistration(app.registrations, registrationId);
  return { newDeployments, deployments: await app.deployments.listOf(registrationId) };
}

/** From its next launch on. @throws NamedError "no-such-registration", "deployment-unknown" (never launched from) */
export async function answerDeployment(
  app: RegistrationsApp,
  registrationId: string,
  deploymentId: string,
  status: Deployment["status"],
): Promise<void> {
  await knownRegistration(app.registrations, registrationId);
  if (await app.deployments.setStatus(registrationId, deploymentId, status, app.clock.now())) return;
  throw refusal("deployment-unknown", { values: { deployment: deploymentId }, status: 404 });
}

/** Accepts or refuses deployments not seen yet; seen ones keep their answer. @throws "no-such-registration" */
export async function answerNewDeployments(
  app: RegistrationsApp,
  registrationId: string,
  answer: Registration["newDeployments"],
): Promise<void> {
  await knownRegistration(app.registrations, registrationId);
  await app.registrations.setNewDeployments(registrationId, answer);
}

/** Also for an LMS added by hand and for its stored work. @returns the registration as it is now. */
export async function saveProduct(
  app: Pick<App, "registrations" | "logger">,
  registration: Registration,
  { product = null }: Pick<Launch, "product">,
): Promise<Registration> {
  const now = withReportedProduct(registration, product);
  if (now === registration || now.product === undefined) return registration;
  const learnt = { family: now.family, product: now.product };
  if (!(await app.registrations.saveProduct(registration, learnt)))
    return (await app.registrations.find(registration.id)) ?? now;
  app.logger.info({ registration: registration.id, ...learnt }, "the LMS has said which product it is");
  return now;
}

/** The tool's keys towards one LMS, newest first. @throws NamedError "no-such-registration" */
export async function listKeys(app: LmsKeysApp, registrationId: string): Promise<KeyState[]> {
  await knownRegistration(app.registrations, registrationId);
  return app.signingKeys.list(registrationId);
}

/**
 * The next key towards one LMS is published now and signs in an hour; the present one stays published a day longer.
 * @param options.atOnce The present key is compromised: sign with the next one now and withdraw the others.
 * @throws NamedError "no-such-registration"
 */
export async function rotateKey(
  app: LmsKeysApp,
  registrationId: string,
  { atOnce = false }: { atOnce?: boolean } = {},
): Promise<NextKey> {
  await knownRegistration(app.registrations, registrationId);
  return atOnce ? app.signingKeys.replaceNow(registrationId) : app.signingKeys.rotate(registrationId);
}

/**
 * Seals all stored secrets under the current SECRET_KEY, so that SECRET_KEY_PREVIOUS can be removed. Access tokens are
 * deleted: the LMS gives new ones.
 * @throws NamedError "secrets-not-resealed" when some secret opens with neither; the others are resealed.
 */
export async function resealSecrets(app: ResealApp): Promise<{ keys: number; tokens: number }> {
  const { resealed, unreadable } = await app.signingKeys.reseal();
  const tokens = await app.accessTokens.dropAll();
  if (unreadable.length === 0) return { keys: resealed, tokens };
  throw refusal("secrets-not-resealed", {
    values: { unreadable: unreadable.length, names: unreadable.join(", "), resealed },
    details: { unreadable: unreadable.length, resealed },
  });
}
