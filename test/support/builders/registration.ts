import type { Registration } from "../../../src/domain/registration.ts";

/** An LMS as it registered: a Moodle whose classroom is in production, and that may deploy the tool, unless the test says otherwise. */
export function registrationOf(change: Partial<Registration> = {}): Registration {
  const { issuer = "https://lms.test" } = change;
  return {
    id: "reg_1",
    issuer,
    clientId: "client-1",
    name: "LMS",
    family: "moodle",
    authorizationUrl: `${issuer}/auth`,
    tokenUrl: `${issuer}/token`,
    jwksUrl: `${issuer}/jwks`,
    tokenAudience: null,
    environment: "production",
    active: true,
    newDeployments: "accept",
    createdAt: 0,
    ...change,
  };
}
