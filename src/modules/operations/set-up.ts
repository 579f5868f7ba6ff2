import {
  type AllBindings,
  bindingsOf,
  type OwnAccountApp,
  ownAccountOf,
  requireOwnAccount,
} from "../accounts/known-accounts.ts";
import { type AccountsApp, connectAccount } from "../accounts/change-accounts.ts";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import { setNames } from "../../settings/in-effect.ts";
import type { OptionalStep, Registration } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { AccountConnection } from "../accounts/rules/account-input.ts";
import { knownRegistration } from "../registration/registrations.ts";
import { decideDeployment, type OperatingApp } from "./change-registration.ts";
import { stateOfDoctor } from "./classroom-accounts.ts";
import { type LmsListApp, type RegistrationSummary, summaryOf } from "./registrations.ts";
import type { DoctorRun } from "./rules/records.ts";
import { type DoctorFinding, type SetUpProgress, setUpProgress } from "./rules/set-up.ts";

/** What showing how far an institution has got needs. */
type SetUpApp = OwnAccountApp &
  LmsListApp &
  Pick<App, "webhookArrivals" | "doctorRuns" | "institutionDefaults" | "brandings" | "clock">;

export type SetUp = Awaited<ReturnType<typeof setUpOf>>;

/**
 * How far an institution is with its set-up. @param deploymentId The deployment from which its administrator came. Null: for the whole LMS.
 * @throws NamedError "no-such-registration"
 */
export async function showSetUp(app: SetUpApp, registrationId: string, deploymentId: string | null = null) {
  const registration = await knownRegistration(app.registrations, registrationId);
  return setUpOf(app, await summaryOf(app, registration), deploymentId);
}

/** By registration, for a list of all. Reads only once which account is whose. */
export async function listSetUps(
  app: SetUpApp,
  summaries: readonly RegistrationSummary[],
): Promise<ReadonlyMap<string, SetUpProgress>> {
  const registrations = summaries.map(({ registration }) => registration);
  const bindings = await bindingsOf(app, registrations);
  const each = await Promise.all(
    summaries.map(
      async (summary) => [summary.registration.id, await setUpOf(app, summary, null, bindings)] as const,
    ),
  );
  return new Map(each);
}

async function setUpOf(
  app: SetUpApp,
  summary: RegistrationSummary,
  deploymentId: string | null,
  bindings?: AllBindings,
) {
  const { registration, deployments, undecided, lastLaunchAt } = summary;
  const own = await ownAccountOf(app, registration, deploymentId, bindings);
  const [lastWebhookAt, examined, defaultsSet, brandingSet] = await Promise.all([
    own === null ? null : app.webhookArrivals.lastAt(own.id),
    own === null ? null : examinedAccount(app, own.id),
    hasDefaults(app, registration),
    hasBranding(app, registration),
  ]);
  const doctor =
    examined === null
      ? null
      : {
          endedAt: examined.endedAt,
          well: examined.findings.every(({ level }) => level !== "wrong"),
          running: examined.state === "running",
        };
  const progress = setUpProgress({
    account: own === null ? null : { ...own, lastWebhookAt, doctor },
    lastLaunchAt,
    undecided,
    defaultsSet,
    brandingSet,
    deployments: deployments.length,
    marks: registration.setUpMarks ?? {},
  });
  // `own`: null if the account is shared with other LMSs.
  return { ...progress, summary, own, lastWebhookAt, examined };
}

async function hasDefaults({ institutionDefaults }: SetUpApp, { id }: Registration): Promise<boolean> {
  const defaults = await institutionDefaults.find(id);
  return setNames(defaults).length > 0 || defaults.ownSpacesOnly || Object.keys(defaults.staff).length > 0;
}

async function hasBranding({ brandings }: SetUpApp, { id }: Registration): Promise<boolean> {
  const { name, accent, logo } = await brandings.find(id);
  return name !== "" || accent !== null || logo !== null;
}

/** The later of the account's own examination and the examination of all accounts. */
async function examinedAccount({ doctorRuns, clock }: SetUpApp, account: AccountId) {
  const [own, all] = await Promise.all([doctorRuns.find(account), doctorRuns.find()]);
  const ofAll = all === null || findingsOf(all, account) === null ? null : all;
  const latest = endOf(own) >= endOf(ofAll) ? own : ofAll;
  if (latest === null) return null;
  const findings = findingsOf(latest, account);
  return {
    // An examination of all accounts is the operator's.
    state: stateOfDoctor(own, clock.now()),
    startedAt: own === null ? null : own.startedAt,
    /** When `findings` were found. Null for never. */
    endedAt: findings === null ? null : latest.endedAt,
    findings: findings ?? [],
    /** Why the latest examination gave no result. Null if it did. */
    problem: latest.problem,
  };
}

function endOf(run: DoctorRun | null): number {
  return run?.endedAt ?? 0;
}

function findingsOf({ found }: DoctorRun, account: AccountId): readonly DoctorFinding[] | null {
  return found?.environments.find(({ environment }) => environment === account)?.findings ?? null;
}

/** The LMS, and the deployment from which its administrator came, or null. */
type WhoseAccount = { registrationId: string; deploymentId: string | null };

/**
 * Saves addresses and key of an LMS's own account, or of its deployment's. If the service refuses the key, the earlier key stays.
 * @throws NamedError "account-not-own", "account-key-refused", and the errors of `connectAccount`
 */
export async function giveConnection(
  app: AccountsApp & OwnAccountApp & Pick<App, "refusesKey">,
  { registrationId, deploymentId }: WhoseAccount,
  connection: AccountConnection,
): Promise<void> {
  const registration = await knownRegistration(app.registrations, registrationId);
  const { id } = await requireOwnAccount(app, registration, deploymentId);
  const { baseUrl, apiKey } = connection;
  // Checked before anything is sent there.
  const addresses = [baseUrl, connection.appUrl].every((address) => app.addressProblem(address) === null);
  if (addresses && apiKey !== undefined && (await app.refusesKey(id, { baseUrl, apiKey })))
    throw refusal("account-key-refused", { status: 422 });
  await connectAccount({ ...app, ofRegistration: registrationId }, id, connection);
}

/**
 * Accepts a deployment that was refused because it was new. What an operator refused stays refused.
 * @throws NamedError "no-such-registration", "deployment-unknown", "deployment-decided"
 */
export async function acceptNewDeployment(app: OperatingApp, registrationId: string, deploymentId: string) {
  const known = (await app.deployments.listOf(registrationId)).find(
    (one) => one.deploymentId === deploymentId,
  );
  if (known !== undefined && known.status === "refused" && known.decidedAt !== null)
    throw refusal("deployment-decided", { status: 403 });
  await decideDeployment(app, registrationId, deploymentId, "accepted");
}

/** An administrator's answer to a step in which nothing has to be set. @throws NamedError "no-such-registration" */
export async function markStep(
  { registrations }: Pick<App, "registrations">,
  registrationId: string,
  { step, mark }: { step: OptionalStep; mark: "done" | "skipped" | null },
): Promise<void> {
  const { id } = await knownRegistration(registrations, registrationId);
  await registrations.markSetUp(id, step, mark);
}
