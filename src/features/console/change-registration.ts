import type { AuditAction } from "../../domain/audit.ts";
import type { Deployment, Registration } from "../../domain/registration.ts";
import type { RegistrationStore } from "../../storage/registration-store.ts";
import {
  answerDeployment,
  type AnswerDeploymentsDeps,
  answerNewDeployments,
} from "../registration/answer-deployments.ts";
import { knownRegistration } from "../registration/known-registration.ts";
import { rotateKey, type RotateKeyDeps } from "../registration/rotate-key.ts";
import { type AuditDeps, writeAudit } from "./write-audit.ts";

export type ChangeRegistrationDeps = AuditDeps &
  AnswerDeploymentsDeps &
  RotateKeyDeps & { registrations: RegistrationStore };

/**
 * Switches a registration on or off; the next launch is the first to notice.
 * @throws NamedError "registration-unknown"
 */
export async function switchRegistration(
  deps: ChangeRegistrationDeps,
  id: string,
  active: boolean,
): Promise<void> {
  const registration = await knownRegistration(deps.registrations, id);
  await deps.registrations.setActive(id, active);
  await noteChange(deps, registration, active ? "registration-switched-on" : "registration-switched-off");
}

/**
 * Accepts or refuses a deployment that was seen; the next launch from it is judged by this answer.
 * @throws NamedError "registration-unknown", "deployment-unknown"
 */
export async function decideDeployment(
  deps: ChangeRegistrationDeps,
  id: string,
  deploymentId: string,
  status: Deployment["status"],
): Promise<void> {
  const registration = await knownRegistration(deps.registrations, id);
  await answerDeployment(deps, id, deploymentId, status);
  await noteChange(deps, registration, `deployment-${status}`, deploymentId);
}

/**
 * Decides about deployments that come later; those that were seen keep their answer.
 * @throws NamedError "registration-unknown"
 */
export async function setNewDeployments(
  deps: ChangeRegistrationDeps,
  id: string,
  answer: Registration["newDeployments"],
): Promise<void> {
  const registration = await knownRegistration(deps.registrations, id);
  await answerNewDeployments(deps, id, answer);
  const what = answer === "accept" ? "new-deployments-accepted" : "new-deployments-refused";
  await noteChange(deps, registration, what);
}

/**
 * Brings in the next signing key towards an LMS; nothing has to be done there.
 * @param options.atOnce The present key got into wrong hands: sign with the next one now and withdraw the others.
 * @throws NamedError "registration-unknown"
 */
export async function rotateKeys(
  deps: ChangeRegistrationDeps,
  id: string,
  options: { atOnce?: boolean } = {},
): Promise<{ kid: string; usedFrom: number }> {
  const registration = await knownRegistration(deps.registrations, id);
  const next = await rotateKey(deps, id, options);
  await noteChange(deps, registration, options.atOnce === true ? "key-replaced" : "key-rotated", next.kid);
  return next;
}

/** One line in the audit log: the LMS by its name, and what of it when that is not all of it. */
async function noteChange(
  deps: AuditDeps,
  { id, name }: Registration,
  what: AuditAction,
  part?: string,
): Promise<void> {
  await writeAudit(deps, { what, registrationId: id, on: part === undefined ? name : `${name} · ${part}` });
}
