import type { Registration } from "../../domain/registration.ts";
import { NamedError } from "../../kernel/errors.ts";
import type { RegistrationStore } from "./store/registration-store.ts";

/** @throws NamedError "registration-unknown" when there is none with this id. */
export async function knownRegistration(
  registrations: Pick<RegistrationStore, "find">,
  id: string,
): Promise<Registration> {
  const registration = await registrations.find(id);
  if (registration !== null) return registration;
  throw new NamedError(
    "registration-unknown",
    `There is no registration ${id}. Choose one from the list of registrations.`,
    { status: 404 },
  );
}
