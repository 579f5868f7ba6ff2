import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { DoctorFound, DoctorRun } from "./rules/doctor-report.ts";
import { messageOf, NamedError } from "../../kernel/errors.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type RunDoctorDeps = AuditDeps &
  Pick<App, "doctorRuns" | "logger"> & {
    /** Examines the tool and its classrooms, or one account's; reads only, takes up to a few minutes. */
    examineClassrooms: (only?: AccountId) => Promise<DoctorFound>;
  };

/** One account, for its LMS. */
export type DoctorOfAccount = { account: AccountId; registrationId: string };

/** Unless one is running in any process. @returns its end, for callers that wait; null when none was started */
export async function runDoctor(
  deps: RunDoctorDeps,
  of: DoctorOfAccount | null = null,
): Promise<{ ended: Promise<void> } | null> {
  const { doctorRuns, clock } = deps;
  const holder = deps.ids.id("doc");
  const now = clock.now();
  const account = of?.account ?? null;
  if (!(await doctorRuns.begin(account, holder, { now, until: now + leaseMs }))) return null;
  await writeAudit(deps, {
    ...{ what: "doctor-asked", registrationId: of?.registrationId ?? null, on: account ?? "" },
  });
  const ended = withClaim(
    deps,
    { until: now + leaseMs, extend: (until) => doctorRuns.extend(account, holder, until) },
    () => examined(deps, account, holder),
  ).catch((thrown: unknown) => {
    // The claim runs out, and the page says that it was broken off.
    deps.logger.warn({ error: messageOf(thrown) }, "the doctor's result could not be kept");
  });
  return { ended };
}

async function examined(
  { doctorRuns, examineClassrooms, clock, logger }: RunDoctorDeps,
  account: AccountId | null,
  holder: string,
): Promise<void> {
  try {
    const found = kept(await examineClassrooms(account ?? undefined));
    await doctorRuns.end(account, holder, { endedAt: clock.now(), problem: null, found });
  } catch (thrown) {
    logger.warn({ error: messageOf(thrown) }, "the doctor could not examine everything");
    const problem = thrown instanceof NamedError ? thrown.message : "It ended with an error; see the log.";
    await doctorRuns.end(account, holder, { endedAt: clock.now(), problem });
  }
}

/** Without the addresses and ids that only the command line shows. */
function kept({ well, tool, environments }: DoctorFound): DoctorFound {
  return {
    ...{ well, tool },
    environments: environments.map(({ environment, findings }) => ({ environment, findings })),
  };
}

/** Running, ended, or broken off with its process. */
export function stateOfDoctor(
  run: DoctorRun | null,
  now: number,
): "never" | "running" | "broken-off" | "ended" {
  if (run?.startedAt == null) return "never";
  if (run.leaseUntil > now) return "running";
  return run.endedAt === null || run.endedAt < run.startedAt ? "broken-off" : "ended";
}
