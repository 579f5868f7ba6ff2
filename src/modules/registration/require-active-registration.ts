import type { Registration } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { DeploymentStore } from "./store/deployment-store.ts";
import type { RegistrationStore } from "./store/registration-store.ts";

export type RequireActiveRegistrationDeps = {
  registrations: Pick<RegistrationStore, "find">;
  deployments: Pick<DeploymentStore, "find">;
};

/**
 * Judges at each click, as launches do on arrival, whether people of a deployment may still come in.
 * @throws NamedError "registration-unknown", "platform-inactive" or "deployment-refused"
 */
export async function requireActiveRegistration(
  deps: RequireActiveRegistrationDeps,
  { registrationId, deploymentId }: { registrationId: string; deploymentId: string },
): Promise<Registration> {
  const registration = await deps.registrations.find(registrationId);
  if (registration === null) {
    throw refusal("registration-unknown", { status: 403 });
  }
  if (!registration.active) {
    throw refusal("platform-inactive", { status: 403 });
  }
  if ((await deps.deployments.find(registrationId, deploymentId))?.status === "refused") {
    throw refusal("deployment-refused", { status: 403 });
  }
  return registration;
}
