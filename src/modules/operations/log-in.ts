import type { App } from "../../app.ts";
import { createHash, timingSafeEqual } from "node:crypto";
import { judgeGuess, type PasswordGuesses } from "./rules/password-guesses.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type LogInDeps = AuditDeps &
  Pick<App, "loginAttempts"> & {
    adminPassword: string;
  };

/** `blockedUntil` (ms): nobody may try before; in the past when everybody may. */
export type LogInOutcome = { right: true } | { right: false; compared: boolean; blockedUntil: number };

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
export async function logIn(deps: LogInDeps, password: string, device: string | null): Promise<LogInOutcome> {
  const counter = counterOf(device);
  const counted = await countTry(deps, counter);
  if (!counted.allowed) return { right: false, compared: false, blockedUntil: counted.blockedUntil };
  if (isSame(password, deps.adminPassword)) {
    await deps.loginAttempts.clear(counter);
    await writeAudit(deps, { what: "logged-in", registrationId: null, on: "" });
    return { right: true };
  }
  const { blockedUntil, count } = counted.next;
  const what = blockedUntil > deps.clock.now() ? "log-in-blocked" : "wrong-password";
  await writeAudit(deps, { what, registrationId: null, on: String(count) });
  return { right: false, compared: true, blockedUntil };
}

type Counted = { allowed: true; next: PasswordGuesses } | { allowed: false; blockedUntil: number };

async function countTry({ loginAttempts, clock }: LogInDeps, counter: string): Promise<Counted> {
  for (let race = 0; race < maxRaces; race += 1) {
    const known = await loginAttempts.read(counter);
    const verdict = judgeGuess(known?.guesses ?? null, clock.now());
    if (!verdict.allowed) return verdict;
    if (await loginAttempts.replace(counter, known?.revision ?? null, verdict.next)) return verdict;
  }
  return { allowed: false, blockedUntil: clock.now() + 1000 };
}

/** Over digests of equal length, so that the time taken tells neither length nor beginning of the password. */
function isSame(given: string, wanted: string): boolean {
  const [one, other] = [given, wanted].map((text) => createHash("sha256").update(text).digest());
  return one !== undefined && other !== undefined && timingSafeEqual(one, other);
}
