import type { OperatingApp } from "./change-registration.ts";
import { findPerson, searchPeople } from "../privacy/erase.ts";
import { createHash, timingSafeEqual } from "node:crypto";
import type { App } from "../../app.ts";
import { userIdsOf } from "../../domain/api-user.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { consoleLinkLifetimeMs, courseName, letsAdministratorsIn } from "../courses/rules/course.ts";
import { knownRegistration } from "../registration/registrations.ts";
import type { SessionsOf } from "../../storage/browser-session-store.ts";
import { judgeGuess, type PasswordGuesses } from "./rules/console-access.ts";

type LogInApp = AuditApp &
  Pick<App, "loginAttempts"> & {
    adminPassword: string;
  };

/** `blockedUntil` (ms): no try is taken before; in the past when none is blocked. */
type LogInOutcome = { right: true } | { right: false; compared: boolean; blockedUntil: number };

/** Unknown browsers share one count; a known one has its own. */
const counterOf = (device: string | null) => (device === null ? "console" : `console ${device}`);
/** Simultaneous tries collide; after so many losses the answer is to come back later. */
const maxRaces = 20;

/**
 * Compares a password with ADMIN_PASSWORD. Each try is counted for all processes before it is compared, so that neither
 * speed nor several processes give more tries; during a wait not even the right one is accepted. The audit log has each
 * wrong one that was compared: at most nine in a quarter of an hour.
 * @param device Id of a browser in which the right password was given before; else null.
 */
export async function logIn(app: LogInApp, password: string, device: string | null): Promise<LogInOutcome> {
  const counter = counterOf(device);
  const counted = await countTry(app, counter);
  if (!counted.allowed) return { right: false, compared: false, blockedUntil: counted.blockedUntil };
  if (isSame(password, app.adminPassword)) {
    await app.loginAttempts.clear(counter);
    await writeAudit(app, { what: "logged-in", registrationId: null, on: "" });
    return { right: true };
  }
  const { blockedUntil, count } = counted.next;
  const what = blockedUntil > app.clock.now() ? "log-in-blocked" : "wrong-password";
  await writeAudit(app, { what, registrationId: null, on: String(count) });
  return { right: false, compared: true, blockedUntil };
}

type Counted = { allowed: true; next: PasswordGuesses } | { allowed: false; blockedUntil: number };

async function countTry({ loginAttempts, clock }: LogInApp, counter: string): Promise<Counted> {
  for (let race = 0; race < maxRaces; race += 1) {
    const known = await loginAttempts.read(counter);
    const verdict = judgeGuess(known?.guesses ?? null, clock.now());
    if (!verdict.allowed) return verdict;
    if (await loginAttempts.replace(counter, known?.revision ?? null, verdict.next)) return verdict;
  }
  return { allowed: false, blockedUntil: clock.now() + 1000 };
}

/** Over digests of equal length, so that the time taken reveals neither length nor beginning of the password. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}

/** Those inside are out at once. @throws NamedError "no-such-registration" */
export async function letAdministratorsIn(
  app: OperatingApp,
  registrationId: string,
  enter: boolean,
): Promise<void> {
  const { name } = await knownRegistration(app.registrations, registrationId);
  await app.registrations.setAdministratorsEnter(registrationId, enter);
  const what = enter ? "administrators-let-in" : "administrators-kept-out";
  await writeAudit(app, { what, registrationId, on: name });
}

/**
 * An administrator of an LMS enters its part of the console.
 * @param until When the right of their launch ends (ms); left out without one.
 * @throws NamedError "administration-closed" when they may not, or no longer
 */
export async function enterAsAdministrator(
  app: OperatingApp,
  {
    registrationId,
    personId,
    until,
  }: { registrationId: string; personId: string; until: number | undefined },
): Promise<void> {
  const now = app.clock.now();
  const registration = await app.registrations.find(registrationId);
  // A later time than any launch gives was not given by one.
  const open = until !== undefined && until > now && until <= now + consoleLinkLifetimeMs;
  if (!open || registration === null || !letsAdministratorsIn(registration))
    throw refusal("administration-closed", { status: 403 });
  const by = { ...app, who: "lms-administrator", personId } as const;
  await writeAudit(by, { what: "administrator-entered", registrationId, on: registration.name });
}

export function countSessions(
  app: Pick<OperatingApp, "browserSessions" | "clock">,
  of: SessionsOf,
): Promise<number> {
  return app.browserSessions.countLive(of, app.clock.now());
}

/** @throws NamedError "no-such-registration" */
export async function endSessionsOfLms(app: OperatingApp, registrationId: string): Promise<void> {
  const { name } = await knownRegistration(app.registrations, registrationId);
  await endSessions(app, { registrationId }, name);
}

/** @throws NamedError "no-such-course" */
export async function endSessionsOfCourse(app: OperatingApp, courseId: string): Promise<void> {
  const course = await app.courses.find(courseId);
  if (course === null) throw refusal("no-such-course", { status: 404 });
  await endSessions(app, { registrationId: course.registrationId, courseId }, courseName(course));
}

/** @throws NamedError "no-such-person" */
export async function endSessionsOfPerson(app: OperatingApp, personId: string): Promise<void> {
  const { registrationId } = await findPerson(app, { personId });
  await endSessions(app, { registrationId, personIds: [personId] }, personId);
}

/** By the user id in an LMS or in the classroom, in all of its deployments. @throws NamedError "no-such-person" */
export async function endSessionsOfUser(
  app: OperatingApp,
  registrationId: string,
  userId: string,
): Promise<void> {
  const typed = userId.trim();
  const found = await searchPeople(app, registrationId, typed);
  const named = found.filter((person) => person.sub === typed || userIdsOf(person).includes(typed));
  if (named.length === 0) throw refusal("no-such-person", { status: 404 });
  for (const { id } of named) await endSessions(app, { registrationId, personIds: [id] }, id);
}

async function endSessions(app: OperatingApp, of: SessionsOf, on: string): Promise<void> {
  await app.browserSessions.endAll(of, app.clock.now(), "by-administrator");
  await writeAudit(app, { what: "sessions-ended", registrationId: of.registrationId, on });
}
