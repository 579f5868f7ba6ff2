import type { Registration } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { RegistrationStore } from "./store/registration-store.ts";

/** @throws NamedError "no-such-registration" */
export async function knownRegistration(
  registrations: Pick<RegistrationStore, "find">,
  id: string,
): Promise<Registration> {
  const registration = await registrations.find(id);
  if (registration !== null) return registration;
  throw refusal("no-such-registration", { values: { id }, status: 404 });
}
