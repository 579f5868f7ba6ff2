import type { App } from "../../app.ts";
import { refusal } from "../../kernel/refusal.ts";
import { isSameSecret } from "../../kernel/sealer.ts";
import { type AuditApp, writeAudit } from "../audit/audit.ts";
import { consoleLinkLifetimeMs, letsAdministratorsIn } from "../courses/rules/course.ts";
import { judgeGuess, type PasswordGuesses } from "./rules/console-access.ts";

type LogInApp = AuditApp & Pick<App, "loginAttempts"> & { adminPassword: string };

/** `blockedUntil` (ms): no try is taken before; in the past when none is blocked. */
type LogInOutcome = { right: true } | { right: false; compared: boolean; blockedUntil: number };

/** Unknown browsers share one count; a known one has its own. */
const counterOf = (device: string | null) => (device === null ? "console" : `console ${device}`);
/** Simultaneous tries collide; after this many collisions the answer is to come back later. */
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
  if (isSameSecret(password, app.adminPassword)) {
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

/**
 * An administrator of an LMS enters its part of the console.
 * @param until When the right of their launch ends (ms); left out without one.
 * @throws NamedError "administration-closed" when they may not, or no longer
 */
export async function enterAsAdministrator(
  app: AuditApp & Pick<App, "registrations">,
  who: { registrationId: string; personId: string; until: number | undefined },
): Promise<void> {
  const { registrationId, personId, until } = who;
  const now = app.clock.now();
  const registration = await app.registrations.find(registrationId);
  // A later time than any launch gives was not given by one.
  const open = until !== undefined && until > now && until <= now + consoleLinkLifetimeMs;
  if (!open || registration === null || !letsAdministratorsIn(registration))
    throw refusal("administration-closed", { status: 403 });
  const by = { ...app, who: "lms-administrator", personId } as const;
  await writeAudit(by, { what: "administrator-entered", registrationId, on: registration.name });
}
