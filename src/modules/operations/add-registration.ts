import type { Registration } from "../../domain/registration.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

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
  /** Left out: the first launch tells. */
  deploymentId?: string;
};

export type AddRegistrationDeps = AuditDeps & {
  registerByHand: (given: GivenRegistration) => Promise<Registration>;
};

/** Adds an LMS by hand. @throws NamedError "bad-address", "bad-client-id" or "registration-exists" */
export async function addRegistration(
  deps: AddRegistrationDeps,
  given: GivenRegistration,
): Promise<Registration> {
  const registration = await deps.registerByHand(given);
  await writeAudit(deps, {
    what: "registration-added",
    registrationId: registration.id,
    on: registration.name,
  });
  return registration;
}
