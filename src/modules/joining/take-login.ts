import type { App } from "../../app.ts";
import { type QueuePosition, type QueueView } from "./rules/queue-position.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { refuseForeignSpace } from "../spaces/space-rights.ts";
import { entryStateOf, type EntryStateDeps } from "./entry-state.ts";
import { type FindTargetDeps, findTarget, fingerprintNow } from "./find-target.ts";
import { loginUsableMs } from "./rules/limits.ts";

export type TakeLoginDeps = FindTargetDeps &
  EntryStateDeps &
  Pick<App, "queuePositions" | "sealer" | "wake" | "clock"> & {
    appUrlOf: (environment: QueuePosition["environment"]) => string;
  };

export type Admission = { state: "inside"; url: string; position: QueuePosition } | QueueView;

export function loginPurpose(of: Pick<QueuePosition, "courseId" | "personId">): string {
  return `login ${of.courseId} ${of.personId}`;
}

/** Until when a login authorized at `now` is used (ms). */
export function usableUntil(now: number): number {
  return now + loginUsableMs;
}

/**
 * Uses a ready position's login, once. One that no longer fits (older than 55 minutes; other settings, role or Space)
 * is discarded, and the person is at the front again.
 * @throws NamedError "entry-closed" when entry has closed meanwhile, and those of `refuseForeignSpace`.
 */
export async function takeLogin(deps: TakeLoginDeps, position: QueuePosition): Promise<Admission> {
  if (position.state === "entered") return { state: "entered" };
  if (position.state === "failed" && position.problem !== null)
    return { state: "failed", problem: position.problem };
  if (position.state !== "ready") return waiting;
  const now = deps.clock.now();
  const target = await findTarget(deps, position);
  // A waiting page may be opened again after the class.
  if ((await entryStateOf(deps, target)).state === "closed") throw entryClosed();
  await refuseForeignSpace(deps, target.course, target.spaceId);
  const fits = fingerprintNow(deps, target) === position.fingerprint;
  if (!fits || position.usableUntil <= now) {
    await deps.queuePositions.waitAgain(position.id, now);
    deps.wake("door");
    deps.wake("arrivals");
    return waiting;
  }
  const taken = await deps.queuePositions.take(position.id, now);
  if (taken?.login == null) return { state: "entered" };
  return { state: "inside", url: deps.sealer.open(loginPurpose(taken), taken.login), position };
}

function entryClosed(): NamedError {
  return refusal("entry-closed", { status: 403 });
}

const waiting: QueueView = { state: "waiting", peopleBefore: 0, seconds: 1, trouble: false };
