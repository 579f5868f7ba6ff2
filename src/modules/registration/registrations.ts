import { hourMs } from "../../kernel/clock.ts";
import type { App } from "../../app.ts";
import type { Launch } from "../../domain/launch.ts";
import type { Registration, Invitation } from "../../domain/registration.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { ToolKeys } from "../../lms/tool-keys.ts";
import { withReportedProduct } from "./rules/registration.ts";
import type { DeploymentStore, RegistrationStore } from "./store/registration-store.ts";
import type { DescriptionGap, ToolDescriptions } from "../../lms/tool-description.ts";
import { secretDigest } from "../../kernel/ids.ts";
import type { AccountId } from "../../domain/account.ts";

/** What judging whether people of a deployment may come in needs. */
export type ActiveRegistrationApp = {
  registrations: Pick<RegistrationStore, "find">;
  deployments: Pick<DeploymentStore, "find">;
};

/** What showing and changing an LMS's facts needs. */
export type RegistrationsApp = Pick<App, "registrations" | "deployments" | "clock">;

/** What showing and changing the tool's keys for an LMS needs. */
export type LmsKeysApp = Pick<App, "registrations"> & {
  signingKeys: Pick<ToolKeys, "list" | "rotate" | "replaceNow">;
};

/**
 * Publishes the next key of each LMS whose key is nearly old enough, and deletes withdrawn keys. An LMS that is switched off keeps its key.
 * @returns how many keys were published
 */
export async function renewKeys({
  registrations,
  signingKeys,
  logger,
}: Pick<App, "registrations" | "logger"> & {
  signingKeys: Pick<ToolKeys, "renew" | "sweep">;
}): Promise<number> {
  let renewed = 0;
  for (const { id, active } of await registrations.list()) {
    const next = active ? await signingKeys.renew(id) : null;
    if (next === null) continue;
    logger.info({ registration: id, ...next }, "the next signing key of an LMS is published");
    renewed += 1;
  }
  await signingKeys.sweep();
  return renewed;
}

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
 * Checks at each click, as launches do when they arrive, whether people of a deployment may still come in.
 * @throws NamedError "registration-unknown", "platform-inactive" or "deployment-refused"
 */
export async function requireActiveRegistration(
  app: ActiveRegistrationApp,
  { registrationId, deploymentId }: { registrationId: string; deploymentId: string },
): Promise<Registration> {
  const [registration, deployment] = await Promise.all([
    app.registrations.find(registrationId),
    app.deployments.find(registrationId, deploymentId),
  ]);
  if (registration === null) throw refusal("registration-unknown", { status: 403 });
  if (!registration.active) throw refusal("platform-inactive", { status: 403 });
  if (deployment?.status === "refused") throw refusal("deployment-refused", { status: 403 });
  return registration;
}

/** Like {@link requireActiveRegistration}, for work that continues without these people. */
export async function isAdmitted(
  app: ActiveRegistrationApp,
  of: { registrationId: string; deploymentId: string },
): Promise<boolean> {
  try {
    await requireActiveRegistration(app, of);
    return true;
  } catch (thrown) {
    if (thrown instanceof NamedError) return false;
    throw thrown;
  }
}

/** Also for an LMS that was added by hand, and for its stored work. @returns the registration as it is now. */
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

/** What comparing an LMS's description of the tool with today's needs. */
export type DescribeApp = Pick<App, "clock"> & {
  registrations: Pick<RegistrationStore, "setDescription">;
  toolDescriptions: ToolDescriptions;
};

/**
 * Asks an LMS which description of the tool it has, or sends it today's. A change waits there for an administrator.
 * @returns what differs now, or null. @throws the LMS's NamedError, and then changes nothing here
 */
export async function askDescription(
  { registrations, toolDescriptions, clock }: DescribeApp,
  registration: Registration,
  how: "read" | "send",
): Promise<DescriptionGap | null> {
  const lines = await toolDescriptions[how](registration);
  const { description } = registration;
  if (description == null) return null;
  const gap = toolDescriptions.gap({ ...registration, description: { ...description, lines } });
  const sentAt = how === "send" ? clock.now() : description.sentAt;
  await registrations.setDescription(registration, { lines, sentAt: gap === null ? null : sentAt });
  return gap;
}

export type InvitationRequest = Pick<Invitation, "institution" | "letsAdministratorsIn"> & {
  account: AccountId;
  hours: number;
};

/** Can be used once, within `hours`. @returns the invitation and its address, for an LMS administrator. */
export async function createInvitation(
  app: Pick<App, "invitations" | "publicUrl" | "clock" | "ids">,
  { account, hours, ...institution }: InvitationRequest,
): Promise<{ invitation: Invitation; url: string }> {
  const secret = app.ids.secret(24);
  const invitation: Invitation = {
    id: secretDigest(secret),
    environment: account,
    ...institution,
    expiresAt: app.clock.now() + hours * hourMs,
    usedAt: null,
  };
  await app.invitations.insert(invitation);
  return { invitation, url: invitationUrl(app.publicUrl, secret) };
}

/** Anyone who has the address may use it. */
function invitationUrl(publicUrl: string, secret: string): string {
  return `${publicUrl}/lti/register?invite=${encodeURIComponent(secret)}`;
}

/**
 * Returns a usable invitation, for the person it was given to. Showing it doesn't use it up.
 * @throws NamedError "invitation-invalid", "invitation-used" or "invitation-expired"
 */
export async function showInvitation(
  app: Pick<App, "publicUrl" | "clock"> & { invitations: Pick<App["invitations"], "find"> },
  secret: string,
): Promise<{ invitation: Invitation; url: string }> {
  const invitation = await app.invitations.find(secretDigest(secret));
  if (invitation === null) throw refusal("invitation-invalid", { status: 403 });
  if (invitation.usedAt !== null) throw refusal("invitation-used", { status: 410 });
  if (invitation.expiresAt <= app.clock.now()) throw refusal("invitation-expired", { status: 410 });
  return { invitation, url: invitationUrl(app.publicUrl, secret) };
}
