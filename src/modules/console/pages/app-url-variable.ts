import type { AccountId } from "../../../domain/account.ts";

export function appUrlVariable(environment: AccountId): string {
  return environment === "production" ? "CLASSROOM_APP_URL" : "CLASSROOM_STAGING_APP_URL";
}
