import type { App } from "../../app.ts";
import { z } from "zod";
import type { ConnectionTestStore } from "../registration/store/set-up-store.ts";
import type { ConnectionReport } from "../registration/test-connection.ts";
import { knownRegistration } from "../registration/registrations.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type TryConnectionDeps = AuditDeps &
  Pick<App, "registrations" | "connectionTests"> & {
    testConnection: (registrationId: string) => Promise<ConnectionReport>;
  };

/** Tests the connection to an LMS and stores the result. @throws NamedError "no-such-registration" */
export async function tryConnection(
  deps: TryConnectionDeps,
  registrationId: string,
): Promise<ConnectionReport> {
  const registration = await knownRegistration(deps.registrations, registrationId);
  const report = await deps.testConnection(registrationId);
  await deps.connectionTests.keep(report);
  await writeAudit(deps, { what: "connection-tested", registrationId, on: registration.name });
  return report;
}

const checksShape = z.array(
  z.object({
    step: z.enum(["keys", "launch", "token", "roster", "line-items", "results"]),
    outcome: z.enum(["works", "fails", "not-tried"]),
    message: z.string(),
    missingScope: z.string().nullable(),
  }),
);

/** Null for none, or for a record of another version. */
export async function lastConnectionTest(
  deps: { connectionTests: Pick<ConnectionTestStore, "find"> },
  registrationId: string,
): Promise<ConnectionReport | null> {
  return readTest(await deps.connectionTests.find(registrationId));
}

type StoredTest = Awaited<ReturnType<ConnectionTestStore["find"]>>;

/** Null for none, or for a record of another version. */
export function readTest(found: StoredTest): ConnectionReport | null {
  const checks = checksShape.safeParse(found?.checks);
  return found === null || !checks.success ? null : { ...found, checks: checks.data };
}
