import type { App } from "../../app.ts";
import { createHash } from "node:crypto";
import type { Entry } from "../../domain/entry.ts";
import { NamedError } from "../../kernel/errors.ts";
import { refuseForeignSpace } from "../spaces/space-rights.ts";
import { callsToEnter, type CallsToEnterDeps } from "./calls-to-enter.ts";
import { type ClosedEntry, entryStateOf } from "./entry-state.ts";
import { type EntryTarget, findTarget, fingerprintNow } from "./find-target.ts";
import { type Admission, loginPurpose, takeLogin, type TakeLoginDeps } from "./take-login.ts";

export type EnterClassDeps = TakeLoginDeps &
  CallsToEnterDeps &
  Pick<App, "logins" | "members" | "waitingQueue" | "ids"> & {
    /** Called when the person has their place in the order of those who come, before anything is waited for. */
    onQueued?: (() => void) | undefined;
    /** When the launch came (ms), which gives the place in line: checking it takes its time. Now, when left out. */
    cameAt?: number | undefined;
  };

/** How an attempt to enter went: the classroom's address, a ticket for the waiting page, or not at this time. */
export type Entered =
  | { state: "inside"; url: string; entry: Entry }
  | { state: "waiting"; ticket: string }
  | { state: "closed"; closed: ClosedEntry };

/** Somebody whose turn comes this soon (ms) is not shown a waiting page first. */
const patience = 2_000;
/** A new place counts as occupied for so long before its page has said that somebody is there (ms). */
const arrivesWithin = 30_000;

/**
 * Lets a person into their course's Space: at once with a login that was authorized ahead, else in turn. Whoever has
 * to wait gets a ticket for the waiting page. Coming again keeps the place.
 * @throws NamedError "entry-unknown", what `refuseForeignSpace` and `requireActiveRegistration` throw; the classroom's error when it failed meanwhile.
 */
export async function enterClass(deps: EnterClassDeps, wish: Entry): Promise<Entered> {
  return enterTarget(deps, await findTarget(deps, wish));
}

/** As {@link enterClass}, of somebody whose records are at hand. */
export async function enterTarget(deps: EnterClassDeps, target: EntryTarget): Promise<Entered> {
  const { entry } = target;
  const entryState = await entryStateOf(deps, target);
  if (entryState.state === "closed") return { state: "closed", closed: entryState };
  await refuseForeignSpace(deps, target.course, target.spaceId);
  // Begun together, two writes share one commit of the embedded engine.
  const [preparedUrl] = await Promise.all([takePreparedLogin(deps, target), rememberEntry(deps, target)]);
  if (preparedUrl !== null) return { state: "inside", url: preparedUrl, entry };
  const ticket = deps.ids.secret(24);
  const positionId = await join(deps, target, ticket);
  deps.onQueued?.();
  let { admission, thrownAway } = await settledPosition(deps, positionId, ticket);
  if (thrownAway) ({ admission, thrownAway } = await settledPosition(deps, positionId, ticket));
  if (admission.state === "inside") return { state: "inside", url: admission.url, entry };
  if (admission.state !== "failed") return { state: "waiting", ticket };
  const { code, message, status, temporary } = admission.problem;
  throw new NamedError(code, message, { status, temporary });
}

/** `thrownAway`: a login from before a change of settings was there, so another one may be in a moment. */
async function settledPosition(
  deps: EnterClassDeps,
  positionId: string,
  ticket: string,
): Promise<{ admission: Admission; thrownAway: boolean }> {
  await deps.waitingQueue.settled(positionId, patience);
  const position = await deps.queuePositions.findByTicket(ticketDigest(ticket));
  if (position === null) return { admission: { state: "gone" }, thrownAway: false };
  const admission = await takeLogin(deps, position);
  return { admission, thrownAway: position.state === "ready" && admission.state === "waiting" };
}

/**
 * Gives somebody a place while they still look at the page with the button, so that pressing it takes no time and the
 * order is that of the launches. Without effect for those who have a login already.
 * @returns the door when it is closed for them, and they have no place then; null otherwise.
 */
export async function reservePosition(deps: EnterClassDeps, wish: Entry): Promise<ClosedEntry | null> {
  return reserveFor(deps, await findTarget(deps, wish));
}

/** As {@link reservePosition}, of somebody whose records are at hand. */
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

/** How people come is remembered, so that the next login can be authorized before they come. */
async function rememberEntry(deps: EnterClassDeps, { member, entry }: EntryTarget): Promise<void> {
  const { courseLinkId, locale, mobile } = entry;
  const known = member?.lastEntry;
  if (member === null) return;
  if (known?.courseLinkId === courseLinkId && known.locale === locale && known.mobile === mobile) return;
  await deps.members.recordEntry(member.id, { courseLinkId, locale, mobile });
}

/** What the store knows a ticket by: whoever reads the database cannot use it. */
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

/** @param ticket Null when nobody gets one yet: a page that is open for the place already keeps its own. */
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
    seenUntil: now + arrivesWithin,
  };
  const position =
    ticket === null
      ? await deps.queuePositions.reserve(newPosition)
      : await deps.queuePositions.join(newPosition);
  deps.wake("door");
  deps.wake("arrivals");
  return position.id;
}
