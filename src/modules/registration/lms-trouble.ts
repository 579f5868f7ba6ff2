import type { App } from "../../app.ts";
import { messageOf } from "../../kernel/errors.ts";
import { cutTo } from "../../kernel/text.ts";
import { provesLms } from "../../domain/launch-refusal.ts";
import type { NamedLms } from "../../lms/launch-request.ts";
import { closedCheckIntervalMs, isPauseDue, maxReferences, pausedCodes } from "./rules/registration.ts";

export type LmsTroubleApp = Pick<App, "deliveries" | "rosterSyncs" | "clock">;

type RefusedLaunchesApp = Pick<App, "refusedLaunches" | "registrations" | "clock" | "logger">;

/** Makes the scores and rosters due that waited until the LMS can be asked again. */
export async function lmsIsBack(app: LmsTroubleApp, registrationId: string): Promise<void> {
  const now = app.clock.now();
  await app.deliveries.retryLms(registrationId, now);
  await app.deliveries.unblock({ registrationId }, "lms", now);
  await app.rosterSyncs.retryPaused(registrationId, pausedCodes, now);
}

const nextCheckMs = { whilePaused: 10_000, otherwise: closedCheckIntervalMs };

/**
 * Makes work due for LMSs that may be asked again. Also covers times in the future that come from a clock that was ahead.
 * @returns the time until the next check (ms)
 */
export async function askPausedLmss(app: LmsTroubleApp & Pick<App, "lmsPauses" | "wake">): Promise<number> {
  const pauses = await app.lmsPauses.list();
  // A pause that begins before then lasts until then.
  if (pauses.length === 0) return nextCheckMs.otherwise;
  const due = pauses.filter((pause) => isPauseDue(pause, app.clock.now()));
  for (const { registrationId } of due) await lmsIsBack(app, registrationId);
  if (due.length > 0) {
    app.wake("deliveries");
    app.wake(app.rosterSyncs.kind);
  }
  return nextCheckMs.whilePaused;
}

const maxNameLength = 255;
/** Further ones are counted without a name. */
const maxWaiting = 300;
/** The time between two writes. */
const restMs = 1_000;
const nameless = { registrationId: null, issuer: null, clientId: null };

/** Refused launches of one LMS and reason. `references`: those of the pages that people saw, oldest first, as many as are kept. */
type RefusedBatch = { code: string; lms: NamedLms; references: readonly string[]; count: number };

/**
 * Records refused launches in the background: the first one immediately, those of the next second together, so a flood of forged launches
 * costs few writes. `flush` writes what still waits, after what is being written.
 */
export function createRefusedNotes(app: RefusedLaunchesApp): {
  note: (refused: { code: string; lms: NamedLms; reference: string | null }) => void;
  flush: () => Promise<void>;
} {
  const waiting = new Map<string, RefusedBatch>();
  let isResting = false;
  let written = Promise.resolve();
  const flush = async (): Promise<void> => {
    const taken = [...waiting.values()];
    waiting.clear();
    written = written.then(async () => {
      for (const refused of taken) await noteRefusedLaunch(app, refused);
    });
    await written;
  };
  const writeInTurn = async (): Promise<void> => {
    isResting = true;
    while (waiting.size > 0) {
      await flush();
      await app.clock.sleep(restMs);
    }
    isResting = false;
  };
  return {
    note: ({ code, lms: named, reference }) => {
      const lms = waiting.size < maxWaiting ? named : nameless;
      const key = JSON.stringify([code, lms]);
      const { references = [], count = 0 } = waiting.get(key) ?? {};
      const latest = reference === null ? references : [...references, reference].slice(-maxReferences);
      waiting.set(key, { code, lms, references: latest, count: count + 1 });
      if (!isResting) void writeInTurn();
    },
    flush,
  };
}

/** Stores why a launch was refused, so the console can show it. A failure here is logged and stops nobody. */
export async function noteRefusedLaunch(
  app: RefusedLaunchesApp,
  { code, lms, references, count }: RefusedBatch,
): Promise<void> {
  try {
    const registrationId = lms.registrationId ?? (await registrationOf(app, lms)) ?? "";
    const named = (text: string | null) => (registrationId === "" ? cutTo(text ?? "", maxNameLength) : "");
    const key = { registrationId, issuer: named(lms.issuer), clientId: named(lms.clientId), code };
    const of = provesLms(code) ? registrationId : "";
    await app.refusedLaunches.add(key, { at: app.clock.now(), references, count, of });
  } catch (thrown) {
    app.logger.warn({ error: messageOf(thrown), code }, "a refused launch could not be recorded");
  }
}

/** Finds the LMS by its own client, or as the only LMS of an issuer. */
async function registrationOf({ registrations }: RefusedLaunchesApp, { issuer, clientId }: NamedLms) {
  if (issuer === null) return null;
  if (clientId !== null) return (await registrations.findByClient(issuer, clientId))?.id ?? null;
  const [only, ...others] = await registrations.listByIssuer(issuer);
  return only === undefined || others.length > 0 ? null : only.id;
}
