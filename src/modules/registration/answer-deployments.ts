import type { App } from "../../app.ts";
import type { Deployment, Registration } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { ListedDeployment } from "./store/deployment-store.ts";
import { knownRegistration } from "./known-registration.ts";

export type AnswerDeploymentsDeps = Pick<App, "registrations" | "deployments" | "clock">;

/** Where a tool was installed in an LMS, and what happens to deployments not seen yet. */
export type DeploymentList = {
  newDeployments: Registration["newDeployments"];
  /** First seen first. */
  deployments: readonly ListedDeployment[];
};

/** @throws NamedError "no-such-registration" */
export async function listDeployments(
  deps: AnswerDeploymentsDeps,
  registrationId: string,
): Promise<DeploymentList> {
  const { newDeployments } = await knownRegistration(deps.registrations, registrationId);
  return { newDeployments, deployments: await deps.deployments.listOf(registrationId) };
}

/** From its next launch on. @throws NamedError "no-such-registration", "deployment-unknown" (never launched from) */
export async function answerDeployment(
  deps: AnswerDeploymentsDeps,
  registrationId: string,
  deploymentId: string,
  status: Deployment["status"],
): Promise<void> {
  await knownRegistration(deps.registrations, registrationId);
  if (await deps.deployments.setStatus(registrationId, deploymentId, status, deps.clock.now())) return;
  throw refusal("deployment-unknown", { values: { deployment: deploymentId }, status: 404 });
}

/** Accepts or refuses deployments not seen yet; seen ones keep their answer. @throws "no-such-registration" */
export async function answerNewDeployments(
  deps: AnswerDeploymentsDeps,
  registrationId: string,
  answer: Registration["newDeployments"],
): Promise<void> {
  await knownRegistration(deps.registrations, registrationId);
  await deps.registrations.setNewDeployments(registrationId, answer);
}
