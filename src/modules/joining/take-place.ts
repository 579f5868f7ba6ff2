import type { App } from "../../app.ts";
import { loginUsableFor, type Place, type PlaceView } from "./rules/place.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { refuseForeignSpace } from "../spaces/space-rights.ts";
import { doorOf, type DoorOfDeps } from "./door-of.ts";
import { type FindTargetDeps, findTarget, fingerprintNow } from "./find-target.ts";

export type TakePlaceDeps = FindTargetDeps &
  DoorOfDeps &
  Pick<App, "places" | "sealer" | "wake" | "clock"> & {
    appUrlOf: (environment: Place["environment"]) => string;
  };

/** The way in, or what a waiting person is told. */
export type Admission = { state: "inside"; url: string; place: Place } | PlaceView;

/** What the sealed login of a person in a course is sealed for. */
export function loginPurpose(of: Pick<Place, "courseId" | "personId">): string {
  return `login ${of.courseId} ${of.personId}`;
}

/** Until when a login that was authorized at `now` is used. */
export function usableUntil(now: number): number {
  return now + loginUsableFor;
}

/**
 * Uses the login of a place that is ready, once. A login that does not fit any more (older than 55 minutes; other
 * settings, role or Space since) is thrown away, and the person is in front of the line again.
 * @throws NamedError "door-closed" when the classroom has closed meanwhile, and those of `refuseForeignSpace`.
 */
export async function takePlace(deps: TakePlaceDeps, place: Place): Promise<Admission> {
  if (place.state === "entered") return { state: "entered" };
  if (place.state === "failed" && place.problem !== null) return { state: "failed", problem: place.problem };
  if (place.state !== "ready") return waiting;
  const now = deps.clock.now();
  const target = await findTarget(deps, place);
  // A page of the line may be opened again after the class.
  if ((await doorOf(deps, target)).state === "closed") throw doorClosed();
  await refuseForeignSpace(deps, target.course, target.spaceId);
  const fits = fingerprintNow(deps, target) === place.fingerprint;
  if (!fits || place.usableUntil <= now) {
    await deps.places.waitAgain(place.id, now);
    deps.wake("door");
    deps.wake("arrivals");
    return waiting;
  }
  const taken = await deps.places.take(place.id, now);
  if (taken?.login == null) return { state: "entered" };
  return { state: "inside", url: deps.sealer.open(loginPurpose(taken), taken.login), place };
}

function doorClosed(): NamedError {
  return refusal("door-closed", { status: 403 });
}

const waiting: PlaceView = { state: "waiting", ahead: 0, seconds: 1, trouble: false };
