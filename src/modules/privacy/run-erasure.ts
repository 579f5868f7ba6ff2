import type { EraseStep, ErasingApp, StepOutcome } from "./shared-steps.ts";
import type { App } from "../../app.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { messageOf } from "../../kernel/errors.ts";
import { leaseMs, withClaim } from "../../kernel/with-claim.ts";
import { retireFirst } from "./retire-old.ts";
import { afterRound, cleanAgainMs, cleansAfter, type Erasure, recheckMs } from "./rules/erasure.ts";
import { courseSteps, personSteps, registrationSteps } from "./subject-steps.ts";

/**
 * Claims the given erasure, or the one due longest, and does one round of it, or cleans the files after the last one.
 * The work of a killed process continues when its claim has run out.
 * @returns false when none was due.
 */
export async function runErasure(app: ErasingApp, id?: string): Promise<boolean> {
  const { erasures, clock } = app;
  const holder = app.ids.id("hold");
  const now = clock.now();
  const erasure =
    id === undefined
      ? await erasures.claimDue(holder, now, now + leaseMs)
      : await erasures.claim(id, holder, now, now + leaseMs);
  if (erasure === null) return false;
  await withClaim(
    app,
    { until: now + leaseMs, extend: (until) => erasures.extend(erasure.id, holder, until) },
    () =>
      erasure.state === "cleaning" ? cleanAfter(app, erasure, holder) : carryOutRound(app, erasure, holder),
  );
  return true;
}

async function carryOutRound(app: ErasingApp, claimed: Erasure, holder: string): Promise<void> {
  const { erasures, clock, logger } = app;
  let erasure = claimed;
  for (;;) {
    const step = stepsOf(app, erasure)[erasure.step];
    if (step === undefined) break;
    const outcome = await step.run(erasure.cursor);
    if (outcome.subject === null) return leaveIt(app, erasure, holder);
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
async function cleanAfter(app: ErasingApp, erasure: Erasure, holder: string): Promise<void> {
  const { id, step, cursor, found, erased } = erasure;
  if (await cleanFiles(app, { night: false })) return;
  const again = app.clock.now() + cleanAgainMs;
  await app.erasures.settle(id, holder, { step, cursor, found, erased }, again);
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
async function leaveIt(app: ErasingApp, erasure: Erasure, holder: string): Promise<void> {
  const { id, kind, rounds, erased } = erasure;
  const none = { step: 0, cursor: "", found: 0, subject: null };
  const progress = { ...none, state: "done", rounds, erased, doneAt: app.clock.now() } as const;
  await app.erasures.settle(id, holder, progress, null);
  app.logger.info({ erasure: id, kind }, "came back, not erased");
}

function stepsOf(app: ErasingApp, erasure: Erasure): EraseStep[] {
  const { subject } = erasure;
  switch (subject?.kind) {
    case "person":
      return [...retireFirst(app, erasure, subject), ...personSteps(app, erasure, subject)];
    case "course":
      return [...retireFirst(app, erasure, subject), ...courseSteps(app, erasure, subject)];
    case "registration":
      return registrationSteps(app, subject);
    case undefined:
      return [];
  }
}

/**
 * Leaves no byte of what was erased in the database's files, and finishes the erasures that waited for that. At night
 * also cleans big files and what earlier releases deleted.
 * @returns false when something is left: erasures stay unfinished until it is gone.
 */
export async function cleanFiles(
  app: Pick<App, "erasures" | "clock" | "logger">,
  when: { night: boolean },
): Promise<boolean> {
  const { erasures, clock, logger } = app;
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
