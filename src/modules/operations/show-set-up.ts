import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Registration } from "../../domain/registration.ts";
import { setNames } from "../../domain/institution-defaults.ts";
import {
  type AllBindings,
  bindingsOf,
  type OwnAccount,
  type OwnAccountDeps,
  ownAccountOf,
} from "../accounts/account-of.ts";
import { knownRegistration } from "../registration/registrations.ts";
import type { DoctorFinding, DoctorRun } from "./rules/doctor-report.ts";
import { type SetUpProgress, setUpProgress } from "./rules/set-up.ts";
import { type ListRegistrationsDeps, type RegistrationSummary, summaryOf } from "./list-registrations.ts";
import { stateOfDoctor } from "./run-doctor.ts";

export type ShowSetUpDeps = OwnAccountDeps &
  ListRegistrationsDeps &
  Pick<App, "webhookArrivals" | "doctorRuns" | "institutionDefaults" | "institutionLooks" | "clock">;

/** What the latest examination of one account found. */
export type AccountExamined = {
  state: ReturnType<typeof stateOfDoctor>;
  startedAt: number | null;
  /** When `findings` were found; null for never. */
  endedAt: number | null;
  findings: readonly DoctorFinding[];
  /** Why the latest one gave no result; null when it did. */
  problem: string | null;
};

export type SetUp = SetUpProgress & {
  summary: RegistrationSummary;
  /** Null where the account is not theirs alone. */
  own: OwnAccount | null;
  lastWebhookAt: number | null;
  examined: AccountExamined | null;
};

/**
 * How far an institution is with its set-up. @param deploymentId From which its administrator came; null: as the whole LMS.
 * @throws NamedError "no-such-registration"
 */
export async function showSetUp(
  deps: ShowSetUpDeps,
  registrationId: string,
  deploymentId: string | null = null,
): Promise<SetUp> {
  const registration = await knownRegistration(deps.registrations, registrationId);
  return setUpOf(deps, await summaryOf(deps, registration), deploymentId);
}

/** By registration, for a list of all: which account who uses is read once. */
export async function listSetUps(
  deps: ShowSetUpDeps,
  summaries: readonly RegistrationSummary[],
): Promise<ReadonlyMap<string, SetUpProgress>> {
  const registrations = summaries.map(({ registration }) => registration);
  const bindings = await bindingsOf(deps, registrations);
  const each = await Promise.all(
    summaries.map(
      async (summary) => [summary.registration.id, await setUpOf(deps, summary, null, bindings)] as const,
    ),
  );
  return new Map(each);
}

async function setUpOf(
  deps: ShowSetUpDeps,
  summary: RegistrationSummary,
  deploymentId: string | null,
  bindings?: AllBindings,
): Promise<SetUp> {
  const { registration, deployments, undecided, lastLaunchAt } = summary;
  const own = await ownAccountOf(deps, registration, deploymentId, bindings);
  const [lastWebhookAt, examined, defaultsSet, lookSet] = await Promise.all([
    own === null ? null : deps.webhookArrivals.lastAt(own.id),
    own === null ? null : examinedAccount(deps, own.id),
    hasDefaults(deps, registration),
    hasLook(deps, registration),
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
    ...{ lastLaunchAt, undecided, defaultsSet, lookSet },
    deployments: deployments.length,
    marks: registration.setUpMarks ?? {},
  });
  return { ...progress, summary, own, lastWebhookAt, examined };
}

async function hasDefaults({ institutionDefaults }: ShowSetUpDeps, { id }: Registration): Promise<boolean> {
  const defaults = await institutionDefaults.find(id);
  return (
    setNames(defaults).length > 0 ||
    defaults.ownSpacesOnly ||
    Object.keys(defaults.staff).length > 0 ||
    defaults.unplanned !== null
  );
}

async function hasLook({ institutionLooks }: ShowSetUpDeps, { id }: Registration): Promise<boolean> {
  const { name, accent, logo } = await institutionLooks.find(id);
  return name !== "" || accent !== null || logo !== null;
}

/** Of the account's own examination and that of all, the later one. */
async function examinedAccount(
  { doctorRuns, clock }: ShowSetUpDeps,
  account: AccountId,
): Promise<AccountExamined | null> {
  const [own, all] = await Promise.all([doctorRuns.find(account), doctorRuns.find()]);
  const ofAll = all === null || findingsOf(all, account) === null ? null : all;
  const latest = endOf(own) >= endOf(ofAll) ? own : ofAll;
  if (latest === null) return null;
  const findings = findingsOf(latest, account);
  return {
    // An examination of all is the operator's.
    state: stateOfDoctor(own, clock.now()),
    startedAt: own === null ? null : own.startedAt,
    endedAt: findings === null ? null : latest.endedAt,
    findings: findings ?? [],
    problem: latest.problem,
  };
}

function endOf(run: DoctorRun | null): number {
  return run?.endedAt ?? 0;
}

function findingsOf({ found }: DoctorRun, account: AccountId): readonly DoctorFinding[] | null {
  return found?.environments.find(({ environment }) => environment === account)?.findings ?? null;
}
