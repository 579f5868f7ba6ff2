import { knownRegistration, type LmsKeysApp } from "../registration/registrations.ts";
import type { App } from "../../app.ts";
import type { Registration } from "../../domain/registration.ts";
import type { KeyState } from "../../lms/tool-keys.ts";
import { accountOfLms } from "../accounts/known-accounts.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import {
  type ConnectionReport,
  type ToolKeyState,
  toolKeyStates,
} from "../registration/rules/registration.ts";
import { dayMs } from "../../kernel/clock.ts";

/** What listing LMSs with what was done from them needs. */
export type LmsListApp = Pick<App, "registrations" | "deployments" | "courses" | "members" | "accounts">;

export type RegistrationSummary = Awaited<ReturnType<typeof summaryOf>>;

/** Oldest first. */
export async function listRegistrations(app: LmsListApp): Promise<RegistrationSummary[]> {
  const registrations = await app.registrations.list();
  return Promise.all(registrations.map((registration) => summaryOf(app, registration)));
}

export async function summaryOf(app: LmsListApp, registration: Registration) {
  const [deployments, courses, lastLaunchAt] = await Promise.all([
    app.deployments.listOf(registration.id),
    app.courses.countOf(registration.id),
    app.members.lastLaunchOf(registration.id),
  ]);
  const own = deployments.flatMap(({ status, account }) => (status === "accepted" ? (account ?? []) : []));
  const accounts = [...new Set([accountOfLms(registration), ...own])];
  return {
    registration,
    deployments,
    /** Deployments refused because they were new, without an operator's decision. */
    undecided: deployments.filter(({ status, decidedAt }) => status === "refused" && decidedAt === null)
      .length,
    courses,
    lastLaunchAt,
    /** Those of its new courses: the LMS's own, then those of its deployments. */
    accounts,
    /** One of them that isn't configured: every launch into its courses fails. Null if all are. */
    missingAccount: accounts.find((id) => !app.accounts.ids().includes(id)) ?? null,
  };
}

type KeyRow = KeyState & { state: Exclude<ToolKeyState, "over"> };

/** @throws NamedError "no-such-registration" */
export async function showRegistration(
  app: LmsListApp & LmsKeysApp & Pick<App, "courses" | "clock">,
  id: string,
) {
  const registration = await knownRegistration(app.registrations, id);
  const [summary, known] = await Promise.all([summaryOf(app, registration), app.signingKeys.list(id)]);
  const keys = publishedKeys(known, app.clock.now());
  const launchedAt = new Map(
    await Promise.all(
      summary.deployments.map(
        async ({ deploymentId }) =>
          [deploymentId, await app.courses.lastLaunchOfDeployment(id, deploymentId)] as const,
      ),
    ),
  );
  return {
    ...summary,
    /** The last launch by deployment id (ms), or null. */
    launchedAt,
    ...withRotation(keys),
  };
}

/**
 * `rotating`: a key is waiting for its turn, so another rotation would only lead to that key.
 * `renewsAt`: when the next key is published automatically (ms). Null without keys.
 */
function withRotation<Key extends KeyRow>(keys: readonly Key[]) {
  const rotating = keys.some(({ state }) => state === "published");
  return { keys, rotating, renewsAt: keys[0]?.renewedAt ?? null };
}

function publishedKeys(known: readonly KeyState[], now: number): KeyRow[] {
  const states = toolKeyStates(known, now);
  return known.flatMap((key, index) => {
    const state = states[index] ?? "over";
    return state === "over" ? [] : [{ ...key, state }];
  });
}

/** All published keys, and how they are sealed. */
export async function listAllKeys(
  app: Pick<App, "registrations" | "clock" | "signingKeys" | "sealingState">,
) {
  const now = app.clock.now();
  const withAge = (key: KeyRow) => ({ ...key, days: Math.floor((now - key.createdAt) / dayMs) });
  const rows = await Promise.all(
    (await app.registrations.list()).map(async (registration) => {
      const keys = publishedKeys(await app.signingKeys.list(registration.id), now);
      return { registration, ...withRotation(keys.map(withAge)) };
    }),
  );
  return { rows, sealing: await app.sealingState() };
}

/** Tests the connection to an LMS and stores the result. @throws NamedError "no-such-registration" */
export async function tryConnection(
  app: AuditApp &
    Pick<App, "registrations" | "connectionTests"> & {
      testConnection: (id: string) => Promise<ConnectionReport>;
    },
  registrationId: string,
): Promise<ConnectionReport> {
  const registration = await knownRegistration(app.registrations, registrationId);
  const report = await app.testConnection(registrationId);
  await app.connectionTests.keep(report);
  await writeAudit(app, { what: "connection-tested", registrationId, on: registration.name });
  return report;
}
