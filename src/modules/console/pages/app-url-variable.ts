import type { EnvironmentName } from "../../../domain/registration.ts";

export function appUrlVariable(environment: EnvironmentName): string {
  return environment === "production" ? "CLASSROOM_APP_URL" : "CLASSROOM_STAGING_APP_URL";
}
