import type { App } from "../../app.ts";
import { createHash } from "node:crypto";
import type { Entry } from "../../domain/entry.ts";
import { keptRefusal } from "../../kernel/refusal.ts";
import { refuseForeignSpace } from "../spaces/space-rights.ts";
import { callsToEnter, type CallsToEnterDeps } from "./calls-to-enter.ts";
import { type ClosedEntry, entryStateOf } from "./entry-state.ts";
import { type EntryTarget, findTarget, fingerprintNow } from "./find-target.ts";
import { type Admission, loginPurpose, takeLogin, type TakeLoginDeps } from "./take-login.ts";
import { noPageWaitMs, reservedPresentMs } from "./rules/limits.ts";

export type EnterClassDeps = TakeLoginDeps &
  CallsToEnterDeps &
  Pick<App, "logins" | "members" | "waitingQueue" | "ids"> & {
    /** Called when the person has a position, before anything is awaited. */
    onQueued?: (() => void) | undefined;
    /** When the launch came (ms), which decides the position; now when left out. */
    cameAt?: number | undefined;
  };

/** The classroom's address, a ticket for the waiting page, or the closed entry. */
export type Entered =
  | { state: "inside"; url: string; entry: Entry }
  | { state: "waiting"; ticket: string }
  | { state: "closed"; closed: ClosedEntry };

/**
 * Lets a person into their course's Space: at once with a prepared login, else in turn. Entering again keeps the
 * position.
 * @throws NamedError "entry-unknown", what `refuseForeignSpace` and `requireActiveRegistration` throw; the classroom's
 *   error when it failed meanwhile.
 */
export async function enterClass(deps: EnterClassDeps, wish: Entry): Promise<Entered> {
  return enterTarget(deps, await findTarget(deps, wish));
}

/** As {@link enterClass}, with the records at hand. */
export async function enterTarget(deps: EnterClassDeps, target: EntryTarget): Promise<Entered> {
  const { entry } = target;
  const entryState = await entryStateOf(deps, target);
  if (entryState.state === "closed") return { state: "closed", closed: entryState };
  await refuseForeignSpace(deps, target.course, target.spaceId);
  // Two writes begun together share one commit of the embedded engine.
  const [preparedUrl] = await Promise.all([takePreparedLogin(deps, target), rememberEntry(deps, target)]);
  if (preparedUrl !== null) return { state: "inside", url: preparedUrl, entry };
  const ticket = deps.ids.secret(24);
  const positionId = await join(deps, target, ticket);
  deps.onQueued?.();
  let { admission, thrownAway } = await settledPosition(deps, positionId, ticket);
  if (thrownAway) ({ admission, thrownAway } = await settledPosition(deps, positionId, ticket));
  if (admission.state === "inside") return { state: "inside", url: admission.url, entry };
  if (admission.state !== "failed") return { state: "waiting", ticket };
  throw keptRefusal(admission.problem);
}

/** `thrownAway`: a login of earlier settings was there, so another may follow in a moment. */
async function settledPosition(
  deps: EnterClassDeps,
  positionId: string,
  ticket: string,
): Promise<{ admission: Admission; thrownAway: boolean }> {
  await deps.waitingQueue.settled(positionId, noPageWaitMs);
  const position = await deps.queuePositions.findByTicket(ticketDigest(ticket));
  if (position === null) return { admission: { state: "gone" }, thrownAway: false };
  const admission = await takeLogin(deps, position);
  return { admission, thrownAway: position.state === "ready" && admission.state === "waiting" };
}

/**
 * Queues a person who still looks at the page with the button, so that launches decide the order. No effect for people
 * with a prepared login. @returns why entry is closed, and then they have no position.
 */
export async function reservePosition(deps: EnterClassDeps, wish: Entry): Promise<ClosedEntry | null> {
  return reserveFor(deps, await findTarget(deps, wish));
}

/** As {@link reservePosition}, with the records at hand. */
export async function reserveFor(deps: EnterClassDeps, target: EntryTarget): Promise<ClosedEntry | null> {
  const entryState = await entryStateOf(deps, target);
  if (entryState.state === "closed") return entryState;
  await refuseForeignSpace(deps, target.course, target.spaceId);
  const fingerprint = fingerprintNow(deps, target);
  const { registrationId, id: courseId } = target.course;
  const key = { registrationId, courseId, personId: target.person.id };
  const ready = fingerprint !== null && (await deps.logins.has(key, fingerprint, deps.clock.now()));
  if (!ready) await join(deps, target, null);
  return null;
}

/** How people come, so that their next login can be prepared. */
async function rememberEntry(deps: EnterClassDeps, { member, entry }: EntryTarget): Promise<void> {
  const { courseLinkId, locale, mobile } = entry;
  const known = member?.lastEntry;
  if (member === null) return;
  if (known?.courseLinkId === courseLinkId && known.locale === locale && known.mobile === mobile) return;
  await deps.members.recordEntry(member.id, { courseLinkId, locale, mobile });
}

/** How the store knows a ticket: reading the database does not give it. */
export function ticketDigest(ticket: string): string {
  return createHash("sha256").update(ticket).digest("base64url");
}

async function takePreparedLogin(deps: EnterClassDeps, target: EntryTarget): Promise<string | null> {
  const fingerprint = fingerprintNow(deps, target);
  if (fingerprint === null) return null;
  const { registrationId, id: courseId } = target.course;
  const key = { registrationId, courseId, personId: target.person.id };
  const found = await deps.logins.take(key, fingerprint, deps.clock.now());
  return found === null ? null : deps.sealer.open(loginPurpose(found), found.login);
}

/** @param ticket Null: a page that is open for the position keeps its own. */
async function join(deps: EnterClassDeps, target: EntryTarget, ticket: string | null): Promise<string> {
  const { course, person, entry, spaceId } = target;
  const now = deps.clock.now();
  const [calls = 1] = await callsToEnter(deps, course, spaceId, [{ person, role: entry.role }]);
  const newPosition = {
    ...entry,
    id: deps.ids.id("plc"),
    ticket: ticketDigest(ticket ?? deps.ids.secret(24)),
    environment: course.environment,
    registrationId: course.registrationId,
    arrivedAt: Math.min(deps.cameAt ?? now, now),
    calls,
    seenUntil: now + reservedPresentMs,
  };
  const position =
    ticket === null
      ? await deps.queuePositions.reserve(newPosition)
      : await deps.queuePositions.join(newPosition);
  deps.wake("door");
  deps.wake("arrivals");
  return position.id;
}
