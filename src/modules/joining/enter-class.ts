import type { AccountId } from "../../domain/account.ts";
import { secretDigest } from "../../kernel/ids.ts";
import type { App } from "../../app.ts";
import type { CallOptions } from "../../classroom/create-reader.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { classroomRoleOf } from "../../domain/person.ts";
import type { Course, Member, Person } from "../../domain/course.ts";
import type { Entry } from "../../domain/entry.ts";
import { storedRefusal, refusal } from "../../kernel/refusal.ts";
import { ensureApiUser } from "../members/api-users.ts";
import { addToSpaceList } from "../spaces/space-list.ts";
import { ensureSpace } from "../spaces/ensure-space.ts";
import { refuseForeignSpace } from "../spaces/space-rights.ts";
import {
  type ClosedEntry,
  type EntryApp,
  type EntryTarget,
  entryStateOf,
  findTarget,
  fingerprintNow,
  fingerprintOf,
  redirectUrlOf,
} from "./entry-target.ts";
import { loginUsableMs, noPageWaitMs, reservedPresentMs } from "./rules/limits.ts";
import type { QueuePosition, QueueView } from "./rules/queue-position.ts";

/** What the code that lets people in needs. */
export type JoiningApp = EntryApp &
  Pick<App, "events" | "clock" | "logins" | "queuePositions"> &
  Pick<App, "waitingQueue" | "spaceUsers" | "appUrlOf" | "isSpaceOrigin"> &
  Pick<App, "onMatchable" | "sealer" | "wake" | "ids" | "logger"> & {
    classroomOf: (
      environment: AccountId,
    ) => Pick<
      ClassroomClient,
      "usersHaveRoles" | "createSpace" | "createApiUser" | "addsToSpace" | "addToSpace" | "authorize"
    >;
  };

export type EnteringApp = JoiningApp & {
  /** Called as soon as the person has a position, before any further waiting. */
  onQueued?: (() => void) | undefined;
  /** When the launch came (ms), which decides the position. Default: now. */
  cameAt?: number | undefined;
};

/** The classroom's address, or a ticket for the waiting page, or why entry is closed. */
export type Entered =
  | { state: "inside"; url: string; entry: Entry }
  | { state: "waiting"; ticket: string }
  | { state: "closed"; closed: ClosedEntry };

/**
 * Lets a person into their course's Space: immediately if a login is prepared, otherwise in turn. A person who enters again keeps their
 * position.
 * @throws NamedError "entry-unknown", the errors of `refuseForeignSpace` and `requireActiveRegistration`, and the classroom's error if it has
 * failed meanwhile.
 */
export async function enterClass(app: EnteringApp, requested: Entry): Promise<Entered> {
  return enterTarget(app, await findTarget(app, requested));
}

/** Like {@link enterClass}, with records that are already read. */
export async function enterTarget(app: EnteringApp, target: EntryTarget): Promise<Entered> {
  const { entry } = target;
  const closed = await closedFor(app, target);
  if (closed !== null) return { state: "closed", closed };
  // Both writes start together, so they share one commit of the embedded engine.
  const [preparedUrl] = await Promise.all([takePreparedLogin(app, target), rememberEntry(app, target)]);
  if (preparedUrl !== null) return { state: "inside", url: preparedUrl, entry };
  const ticket = app.ids.secret(24);
  const positionId = await join(app, target, ticket);
  app.onQueued?.();
  let { admission, thrownAway } = await settledPosition(app, positionId, ticket);
  if (thrownAway) ({ admission, thrownAway } = await settledPosition(app, positionId, ticket));
  if (admission.state === "inside") return { state: "inside", url: admission.url, entry };
  if (admission.state !== "failed") return { state: "waiting", ticket };
  throw storedRefusal(admission.problem);
}

/** `thrownAway`: a login of earlier settings was there and discarded, so a new one may follow in a moment. */
async function settledPosition(
  app: EnteringApp,
  positionId: string,
  ticket: string,
): Promise<{ admission: Admission; thrownAway: boolean }> {
  await app.waitingQueue.settled(positionId, noPageWaitMs);
  const position = await app.queuePositions.findByTicket(ticketDigest(ticket));
  if (position === null) return { admission: { state: "gone" }, thrownAway: false };
  const admission = await takeLogin(app, position);
  return { admission, thrownAway: position.state === "ready" && admission.state === "waiting" };
}

/** Returns why entry is closed, or null if it's open. @throws the errors of `refuseForeignSpace` */
export async function closedFor(app: EnteringApp, target: EntryTarget): Promise<ClosedEntry | null> {
  const entryState = await entryStateOf(app, target);
  if (entryState.state === "closed") return entryState;
  await refuseForeignSpace(app, target.course, target.spaceId);
  return null;
}

/**
 * Queues a person who still looks at the page with the button, so the order of launches decides. Call it only if `closedFor` returned null.
 * Has no effect for people with a prepared login.
 */
export async function reserveFor(app: EnteringApp, target: EntryTarget): Promise<void> {
  const fingerprint = fingerprintNow(app, target);
  const { registrationId, id: courseId } = target.course;
  const key = { registrationId, courseId, personId: target.person.id };
  const ready = fingerprint !== null && (await app.logins.has(key, fingerprint, app.clock.now()));
  if (!ready) await join(app, target, null);
}

/** Remembers how a person came, so their next login can be prepared. */
async function rememberEntry(app: EnteringApp, { member, entry }: EntryTarget): Promise<void> {
  const { courseLinkId, locale, mobile } = entry;
  const known = member?.lastEntry;
  if (member === null) return;
  if (known?.courseLinkId === courseLinkId && known.locale === locale && known.mobile === mobile) return;
  await app.members.recordEntry(member.id, { courseLinkId, locale, mobile });
}

/** The digest under which the store keeps a ticket, so that nobody who reads the database can use it as a ticket. */
export function ticketDigest(ticket: string): string {
  return secretDigest(ticket);
}

async function takePreparedLogin(app: EnteringApp, target: EntryTarget): Promise<string | null> {
  const fingerprint = fingerprintNow(app, target);
  if (fingerprint === null) return null;
  const { registrationId, id: courseId } = target.course;
  const key = { registrationId, courseId, personId: target.person.id };
  const found = await app.logins.take(key, fingerprint, app.clock.now());
  return found === null ? null : app.sealer.open(loginPurpose(found), found.login);
}

/** @param ticket Null: a page that is open for this position keeps its ticket. */
async function join(app: EnteringApp, target: EntryTarget, ticket: string | null): Promise<string> {
  const { course, person, entry, spaceId } = target;
  const now = app.clock.now();
  const [calls = 1] = await callsToEnter(app, course, spaceId, [{ person, role: entry.role }]);
  const newPosition = {
    ...entry,
    id: app.ids.id("plc"),
    ticket: ticketDigest(ticket ?? app.ids.secret(24)),
    environment: course.environment,
    registrationId: course.registrationId,
    arrivedAt: Math.min(app.cameAt ?? now, now),
    calls,
    seenUntil: now + reservedPresentMs,
  };
  const position =
    ticket === null
      ? await app.queuePositions.reserve(newPosition)
      : await app.queuePositions.join(newPosition);
  app.wake("door");
  app.wake("arrivals");
  return position.id;
}

export type Admission = { state: "inside"; url: string; position: QueuePosition } | QueueView;

export function loginPurpose(of: Pick<QueuePosition, "courseId" | "personId">): string {
  return `login ${of.courseId} ${of.personId}`;
}

/** Until when a login that was authorized at `now` is used (ms). */
export function usableUntil(now: number): number {
  return now + loginUsableMs;
}

/**
 * Uses a ready position's login, once. A login that no longer fits (older than 55 minutes, or for other settings, another role or another
 * Space) is discarded, and the person is at the front of the queue again.
 * @throws NamedError "entry-closed" if entry has closed since, and the errors of `refuseForeignSpace`.
 */
export async function takeLogin(app: JoiningApp, position: QueuePosition): Promise<Admission> {
  if (position.state === "entered") return { state: "entered" };
  if (position.state === "failed" && position.problem !== null)
    return { state: "failed", problem: position.problem };
  if (position.state !== "ready") return waiting;
  const now = app.clock.now();
  const target = await findTarget(app, position);
  // People may open a waiting page again after the class.
  if ((await closedFor(app, target)) !== null) throw refusal("entry-closed", { status: 403 });
  const fits = fingerprintNow(app, target) === position.fingerprint;
  if (!fits || position.usableUntil <= now) {
    await app.queuePositions.waitAgain(position.id, now);
    app.wake("door");
    app.wake("arrivals");
    return waiting;
  }
  const taken = await app.queuePositions.take(position.id, now);
  if (taken?.login == null) return { state: "entered" };
  return { state: "inside", url: app.sealer.open(loginPurpose(taken), taken.login), position };
}

const waiting: QueueView = { state: "waiting", peopleBefore: 0, seconds: 1, trouble: false };

/** A login from the classroom's authorize call. Whoever has the URL can enter. */
type Login = { url: string; fingerprint: string };

/**
 * Makes the API user and the Space if they are missing (document part 4), or adds the user to an existing Space, then asks for a login. The
 * course's parameters go on the Space URL, because the login URL ignores them.
 * @throws the classroom client's errors, the errors of `refuseForeignSpace`, and "space-list-refused".
 */
export async function authorizeEntry(
  app: JoiningApp,
  target: EntryTarget,
  options: CallOptions,
): Promise<Login> {
  const { course, person, entry } = target;
  await refuseForeignSpace(app, course, target.spaceId);
  const userId = await ensureApiUser(app, person, classroomRoleOf(entry.role), options);
  const entrant = { userId, role: entry.role };
  const spaceId = target.spaceId ?? (await ensureSpace(app, course, entrant, options));
  // An instructor may have chosen another Space for the course since.
  if (spaceId !== target.spaceId) await refuseForeignSpace(app, course, spaceId);
  await addToSpaceList(app, target, { spaceId, userId, role: classroomRoleOf(entry.role) }, options);
  const redirectUrl = redirectUrlOf(app, target, spaceId);
  const { url } = await app.classroomOf(course.environment).authorize({ userId, redirectUrl }, options);
  return { url, fingerprint: fingerprintOf(target, userId, redirectUrl) };
}

/** `person` is undefined if their record is gone. */
type Entrant = { person: Pick<Person, "apiUsers"> | undefined; role: Member["role"] };

/**
 * Counts the calls of each entry: the login, the API user if the person has none in this role, and adding them to the
 * Space if the dialect can and it isn't done. @param spaceId Null for a Space that is still to be made, which gets its
 * people when it's made.
 */
export async function callsToEnter(
  app: JoiningApp,
  { environment }: Pick<Course, "environment">,
  spaceId: string | null,
  entrants: readonly Entrant[],
): Promise<number[]> {
  const adds = app.classroomOf(environment).addsToSpace;
  const users = entrants.map(({ person, role }) => person?.apiUsers[classroomRoleOf(role)]?.id ?? null);
  const added =
    spaceId === null || adds.length === 0
      ? null
      : await app.spaceUsers.rolesOf(
          { environment, spaceId },
          users.flatMap((id) => id ?? []),
        );
  return entrants.map(({ role }, at) => {
    const user = users[at] ?? null;
    const inRole = classroomRoleOf(role);
    const isAdded = added === null || !adds.includes(inRole) || (user !== null && added.get(user) === inRole);
    return 1 + (user === null ? 1 : 0) + (isAdded ? 0 : 1);
  });
}
