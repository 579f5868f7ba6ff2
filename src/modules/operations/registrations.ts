import { knownRegistration, listKeys, type LmsKeysApp } from "../registration/registrations.ts";
import { z } from "zod";
import type { App } from "../../app.ts";
import type { Registration } from "../../domain/registration.ts";
import type { KeyState, SealingState, ToolKeys } from "../../lms/tool-keys.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { type ToolKeyState, toolKeyStates } from "../registration/rules/registration.ts";
import type { ListedDeployment } from "../registration/store/registration-store.ts";
import type { ConnectionTestStore } from "../registration/store/keys-and-invitations.ts";
import type { ConnectionReport } from "../registration/test-connection.ts";

export type ListRegistrationsDeps = Pick<
  App,
  "registrations" | "deployments" | "courses" | "members" | "accounts"
>;

export type RegistrationSummary = {
  registration: Registration;
  deployments: readonly ListedDeployment[];
  /** Deployments refused because they were new, without an operator's decision. */
  undecided: number;
  courses: number;
  lastLaunchAt: number | null;
  /** Its environment of the classroom is not configured, so every launch fails. */
  environmentOff: boolean;
};

/** Oldest first. */
export async function listRegistrations(deps: ListRegistrationsDeps): Promise<RegistrationSummary[]> {
  const registrations = await deps.registrations.list();
  return Promise.all(registrations.map((registration) => summaryOf(deps, registration)));
}

export async function summaryOf(
  deps: ListRegistrationsDeps,
  registration: Registration,
): Promise<RegistrationSummary> {
  const [deployments, courses, lastLaunchAt] = await Promise.all([
    deps.deployments.listOf(registration.id),
    deps.courses.countOf(registration.id),
    deps.members.lastLaunchOf(registration.id),
  ]);
  return {
    registration,
    deployments,
    undecided: deployments.filter(isUndecided).length,
    courses,
    lastLaunchAt,
    environmentOff: !deps.accounts.ids().includes(registration.environment),
  };
}

function isUndecided({ status, decidedAt }: ListedDeployment): boolean {
  return status === "refused" && decidedAt === null;
}

type KeyRow = KeyState & { state: Exclude<ToolKeyState, "over"> };

export type RegistrationDetails = RegistrationSummary & {
  keys: readonly KeyRow[];
  /** The last launch by deployment id (ms); null for none. */
  launchedAt: ReadonlyMap<string, number | null>;
  /** Whether a key waits for its turn; another rotation would only lead to that one. */
  rotating: boolean;
};

/** @throws NamedError "no-such-registration" */
export async function showRegistration(
  deps: ListRegistrationsDeps & LmsKeysApp & Pick<App, "courses" | "clock">,
  id: string,
): Promise<RegistrationDetails> {
  const registration = await knownRegistration(deps.registrations, id);
  const [summary, known] = await Promise.all([summaryOf(deps, registration), listKeys(deps, id)]);
  const states = toolKeyStates(known, deps.clock.now());
  const keys = known.flatMap((key, index) => {
    const state = states[index] ?? "over";
    return state === "over" ? [] : [{ ...key, state }];
  });
  const launchedAt = new Map(
    await Promise.all(
      summary.deployments.map(
        async ({ deploymentId }) =>
          [deploymentId, await deps.courses.lastLaunchOfDeployment(id, deploymentId)] as const,
      ),
    ),
  );
  return { ...summary, launchedAt, keys, rotating: keys.some(({ state }) => state === "published") };
}

type ListAllKeysDeps = Pick<App, "registrations" | "clock"> & {
  signingKeys: Pick<ToolKeys, "list">;
  /** Under which of the tool's secrets the keys are sealed. */
  sealingState: () => Promise<SealingState>;
};

type KeysOfLms = {
  registration: Registration;
  keys: readonly (KeyRow & { days: number })[];
  /** Whether a key waits for its turn; another rotation would only lead to that one. */
  rotating: boolean;
};

const dayMs = 24 * 3_600_000;

/** All published keys, and how they are sealed. */
export async function listAllKeys(
  deps: ListAllKeysDeps,
): Promise<{ rows: readonly KeysOfLms[]; sealing: SealingState }> {
  const registrations = await deps.registrations.list();
  const rows = await Promise.all(registrations.map((registration) => keysOf(deps, registration)));
  return { rows, sealing: await deps.sealingState() };
}

async function keysOf(
  { signingKeys, clock }: ListAllKeysDeps,
  registration: Registration,
): Promise<KeysOfLms> {
  const now = clock.now();
  const known = await signingKeys.list(registration.id);
  const states = toolKeyStates(known, now);
  const keys = known.flatMap((key, index) => {
    const state = states[index] ?? "over";
    return state === "over" ? [] : [{ ...key, state, days: Math.floor((now - key.createdAt) / dayMs) }];
  });
  return { registration, keys, rotating: keys.some(({ state }) => state === "published") };
}

type TryConnectionDeps = AuditApp &
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
