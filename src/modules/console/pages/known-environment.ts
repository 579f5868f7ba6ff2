import type { AccountId } from "../../../domain/account.ts";

/** The environment a form names; the only one there is when the form did not ask; null when it is not configured. */
export function knownEnvironment(given: string, environments: readonly AccountId[]): AccountId | null {
  const [only] = environments;
  if (given === "" && only !== undefined && environments.length === 1) return only;
  return environments.find((one) => one === given) ?? null;
}
