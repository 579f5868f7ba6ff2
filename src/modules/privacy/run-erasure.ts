import type { App } from "../../app.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { messageOf } from "../../kernel/errors.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { retireFirst } from "./retire-old.ts";
import { afterRound, cleanAgainMs, cleansAfter, type Erasure, recheckMs } from "./rules/erasure.ts";
import type { EraseStep, StepOutcome } from "./shared-steps.ts";
import {
  courseSteps,
  personSteps,
  type PersonStepsDeps,
  registrationSteps,
  type RegistrationStepsDeps,
} from "./subject-steps.ts";

type RunErasureDeps = PersonStepsDeps & RegistrationStepsDeps & Pick<App, "erasures" | "logger">;

/**
 * Claims the given erasure, or the one due longest, and does one round of it, or cleans the files after the last one.
 * The work of a killed process continues when its claim has run out.
 * @returns false when none was due.
 */
export async function runErasure(deps: RunErasureDeps, id?: string): Promise<boolean> {
  const { erasures, clock } = deps;
  const holder = deps.ids.id("hold");
  const now = clock.now();
  const erasure =
    id === undefined
      ? await erasures.claimDue(holder, now, now + leaseMs)
      : await erasures.claim(id, holder, now, now + leaseMs);
  if (erasure === null) return false;
  await withClaim(
    deps,
    { until: now + leaseMs, extend: (until) => erasures.extend(erasure.id, holder, until) },
    () =>
      erasure.state === "cleaning" ? cleanAfter(deps, erasure, holder) : carryOutRound(deps, erasure, holder),
  );
  return true;
}

async function carryOutRound(deps: RunErasureDeps, claimed: Erasure, holder: string): Promise<void> {
  const { erasures, clock, logger } = deps;
  let erasure = claimed;
  for (;;) {
    const step = stepsOf(deps, erasure)[erasure.step];
    if (step === undefined) break;
    const outcome = await step.run(erasure.cursor);
    if (outcome.subject === null) return leaveIt(deps, erasure, holder);
    const progress = progressAfter(erasure, step.key, outcome);
    if (!(await erasures.note(erasure.id, holder, progress))) return;
    erasure = { ...erasure, ...progress };
    await letOthersRun();
  }
  const { id, kind, found, erased } = erasure;
  const rounds = erasure.rounds + 1;
  const state = afterRound(rounds, found);
  const now = clock.now();
  // Who it was is deleted before the files are cleaned.
  const [gone, dueAt] =
    state === "cleaning" ? [{ subject: null }, now + cleansAfter(erasure.who)] : [{}, now + recheckMs];
  const progress = { state, rounds, step: 0, cursor: "", found: 0, erased, ...gone };
  await erasures.settle(id, holder, progress, dueAt);
  logger.info({ erasure: id, kind, rounds, found, state }, "erased");
}

/** Finishes every erasure that waits for clean files, or checks again when they could not be cleaned. */
async function cleanAfter(deps: RunErasureDeps, erasure: Erasure, holder: string): Promise<void> {
  const { id, step, cursor, found, erased } = erasure;
  if (await cleanFiles(deps, { night: false })) return;
  const again = deps.clock.now() + cleanAgainMs;
  await deps.erasures.settle(id, holder, { step, cursor, found, erased }, again);
}

function progressAfter(erasure: Erasure, key: string, { erased, cursor, subject }: StepOutcome) {
  const before = erasure.erased[key] ?? 0;
  return {
    // A big LMS's is long: written only when it has grown.
    ...(subject === undefined ? {} : { subject }),
    step: cursor === null ? erasure.step + 1 : erasure.step,
    cursor: cursor ?? "",
    found: erasure.found + erased,
    erased: erased === 0 ? erasure.erased : { ...erasure.erased, [key]: before + erased },
  };
}

/** A retention erasure whose subject came back: nothing is erased. */
async function leaveIt(deps: RunErasureDeps, erasure: Erasure, holder: string): Promise<void> {
  const { id, kind, rounds, erased } = erasure;
  const none = { step: 0, cursor: "", found: 0, subject: null };
  const progress = { ...none, state: "done", rounds, erased, doneAt: deps.clock.now() } as const;
  await deps.erasures.settle(id, holder, progress, null);
  deps.logger.info({ erasure: id, kind }, "came back, not erased");
}

function stepsOf(deps: RunErasureDeps, erasure: Erasure): EraseStep[] {
  const { subject } = erasure;
  switch (subject?.kind) {
    case "person":
      return [...retireFirst(deps, erasure, subject), ...personSteps(deps, erasure, subject)];
    case "course":
      return [...retireFirst(deps, erasure, subject), ...courseSteps(deps, erasure, subject)];
    case "registration":
      return registrationSteps(deps, subject);
    case undefined:
      return [];
  }
}

type CleanFilesDeps = Pick<App, "erasures" | "clock" | "logger">;

/**
 * Leaves no byte of what was erased in the database's files, and finishes the erasures that waited for that. At night
 * also cleans big files and what earlier releases deleted.
 * @returns false when something is left: erasures stay unfinished until it is gone.
 */
export async function cleanFiles(deps: CleanFilesDeps, when: { night: boolean }): Promise<boolean> {
  const { erasures, clock, logger } = deps;
  // Erasures that come while the files are written may have left bytes behind the writer's position.
  const waiting = await erasures.cleaning();
  if (waiting.length === 0 && !(when.night && erasures.owesScrub())) return true;
  const from = clock.now();
  try {
    if (!(await erasures.leaveNoTrace(when))) return false;
  } catch (thrown) {
    logger.warn(
      { reason: messageOf(thrown) },
      "the database's files could not be cleaned; it is tried again",
    );
    return false;
  }
  await erasures.finish(waiting, clock.now());
  logger.info(
    { erasures: waiting.length, ms: clock.now() - from },
    "the database's files hold nothing that was erased",
  );
  return true;
}
