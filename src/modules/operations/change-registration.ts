import {
  answerDeployment,
  answerNewDeployments,
  knownRegistration,
  type LmsKeysApp,
  type RegistrationsApp,
  rotateKey,
} from "../registration/registrations.ts";
import { lmsIsBack, type LmsTroubleApp } from "../registration/lms-trouble.ts";
import { type AccountsApp, prepareAccount } from "../accounts/change-accounts.ts";
import { becomeSameLms, type SameLms, type SameLmsApp } from "../registration/same-lms.ts";
import type { App } from "../../app.ts";
import { type FamilyChoice, familyOfProduct } from "../../domain/lms-product.ts";
import type { Deployment, Invitation, Registration } from "../../domain/registration.ts";
import type { AuditAction } from "../audit/rules/audit.ts";
import type { FindPersonApp } from "../privacy/erase.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { createInvitation, type WantedInvitation } from "../registration/invitations.ts";

/** To change an LMS, and to end sessions. */
export type OperatingApp = AuditApp &
  RegistrationsApp &
  LmsKeysApp &
  LmsTroubleApp &
  FindPersonApp &
  Pick<App, "browserSessions" | "courses">;

/** What an operator copies from the LMS; defaults as in `ManualRegistration`. */
export type GivenRegistration = Pick<
  Registration,
  "issuer" | "clientId" | "authorizationUrl" | "tokenUrl" | "jwksUrl" | "environment"
> & {
  family?: Registration["family"];
  newDeployments?: Registration["newDeployments"];
  name?: string;
  /** Left out: the token address is the audience of our assertions. */
  tokenAudience?: string;
  /** Left out: taken from the first launch. */
  deploymentId?: string;
};

/** Adds an LMS by hand. @throws NamedError "bad-address", "bad-client-id" or "registration-exists" */
export async function addRegistration(
  app: AuditApp & Pick<App, "registerByHand">,
  given: GivenRegistration,
): Promise<Registration> {
  const registration = await app.registerByHand(given);
  await writeAudit(app, {
    what: "registration-added",
    registrationId: registration.id,
    on: registration.name,
  });
  return registration;
}

/** Off ends all sessions and keeps scores back: when it is on again, people launch again and scores are due. @throws NamedError "no-such-registration" */
export async function switchRegistration(
  app: AuditApp & LmsTroubleApp & Pick<App, "registrations" | "browserSessions">,
  id: string,
  active: boolean,
): Promise<void> {
  const registration = await knownRegistration(app.registrations, id);
  await app.registrations.setActive(id, active);
  if (active) await lmsIsBack(app, id);
  else await app.browserSessions.endAll({ registrationId: id }, app.clock.now(), "lms-off");
  await noteChange(app, registration, active ? "registration-switched-on" : "registration-switched-off");
}

/** From its next launch on; refusing ends its sessions. @throws "no-such-registration", "deployment-unknown" */
export async function decideDeployment(
  app: OperatingApp,
  id: string,
  deploymentId: string,
  status: Deployment["status"],
): Promise<void> {
  const registration = await knownRegistration(app.registrations, id);
  await answerDeployment(app, id, deploymentId, status);
  const now = app.clock.now();
  if (status === "refused")
    await app.browserSessions.endAll({ registrationId: id, deploymentId }, now, "deployment-refused");
  else await lmsIsBack(app, id);
  await noteChange(app, registration, `deployment-${status}`, deploymentId);
}

/** Decides about later deployments; seen ones keep their answer. @throws NamedError "no-such-registration" */
export async function setNewDeployments(
  app: OperatingApp,
  id: string,
  answer: Registration["newDeployments"],
): Promise<void> {
  const registration = await knownRegistration(app.registrations, id);
  await answerNewDeployments(app, id, answer);
  const what = answer === "accept" ? "new-deployments-accepted" : "new-deployments-refused";
  await noteChange(app, registration, what);
}

/** Audiences that an LMS's tokens may name beside us. @throws NamedError "no-such-registration" */
export async function setTrustedAudiences(
  app: OperatingApp,
  id: string,
  audiences: readonly string[],
): Promise<void> {
  const registration = await knownRegistration(app.registrations, id);
  await app.registrations.setTrustedAudiences(id, audiences);
  await noteChange(app, registration, "audiences-changed", audiences.join(", ") || "-");
}

/**
 * Says which product an LMS is, whatever it says of itself. @throws NamedError "no-such-registration"
 * @param family "learn" takes this back.
 */
export async function setFamily(
  app: OperatingApp,
  id: string,
  family: FamilyChoice,
): Promise<Registration["family"]> {
  const registration = await knownRegistration(app.registrations, id);
  const now = family === "learn" ? familyOfProduct(registration.product ?? "") : family;
  await app.registrations.setFamily(id, now, family === "learn" ? null : "operator");
  await noteChange(app, registration, "family-changed", now);
  return now;
}

/** See `rotateKey`. @throws NamedError "no-such-registration" */
export async function rotateKeys(
  app: OperatingApp,
  id: string,
  options: { atOnce?: boolean } = {},
): Promise<{ kid: string; usedFrom: number }> {
  const registration = await knownRegistration(app.registrations, id);
  const next = await rotateKey(app, id, options);
  await noteChange(app, registration, options.atOnce === true ? "key-replaced" : "key-rotated", next.kid);
  return next;
}

/** `on` names the LMS, and what of it when that is not all of it. */
async function noteChange(
  app: AuditApp,
  { id, name }: Registration,
  what: AuditAction,
  part?: string,
): Promise<void> {
  await writeAudit(app, { what, registrationId: id, on: part === undefined ? name : `${name} · ${part}` });
}

/** `newAccountName`: the account does not exist yet; the institution gives its addresses and key. */
type InvitedLms = WantedInvitation & { newAccountName?: string };

/**
 * Makes an invitation for an LMS administrator. The audit log does not hold it: a reader could use it.
 * @throws NamedError "account-exists" when a new account's id is taken
 */
export async function inviteLms(
  app: AccountsApp & Pick<App, "invitations" | "publicUrl">,
  { newAccountName, ...wanted }: InvitedLms,
): Promise<{ invitation: Invitation; url: string }> {
  const { account, hours, institution } = wanted;
  if (newAccountName !== undefined) await prepareAccount(app, { id: account, name: newAccountName });
  const made = await createInvitation(app, wanted);
  const whose = institution === undefined ? account : `${institution}, ${account}`;
  await writeAudit(app, { what: "invitation-made", registrationId: null, on: `${whose}, ${hours} h` });
  return made;
}

/** Has a registration continue an earlier one of the same LMS. @throws as `planSameLms` */
export async function saySameLms(app: SameLmsApp & AuditApp, newId: string, oldId: string): Promise<SameLms> {
  const done = await becomeSameLms(app, newId, oldId);
  const on = `${done.to.name} · ${done.to.clientId} > ${done.from.clientId}`;
  await writeAudit(app, { what: "same-lms", registrationId: done.to.id, on });
  return done;
}
