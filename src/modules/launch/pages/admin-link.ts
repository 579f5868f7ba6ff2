import type { Launch } from "../../../domain/launch.ts";
import { consoleLinkLifetimeMs, letsAdministratorsIn } from "../../courses/rules/lms-administrator.ts";
import type { Registration } from "../../../domain/registration.ts";
import type { Config } from "../../../config.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Session } from "../../../web/session.ts";

export type AdminLinkDeps = {
  config: Pick<Config, "adminPassword" | "oidc">;
  clock: Clock;
};

/** Empty unless an administrator of an LMS that lets them in came. */
export function adminLinkOf(
  { config, clock }: AdminLinkDeps,
  registration: Registration,
  { administrator = false, rights }: Pick<Launch, "administrator" | "rights">,
): Pick<Session, "consoleUntil"> {
  // Without a way to log in there is no console.
  const consoleOn = config.adminPassword !== undefined || config.oidc !== null;
  const opens = consoleOn && administrator && !rights.testUser && letsAdministratorsIn(registration);
  return opens ? { consoleUntil: clock.now() + consoleLinkLifetimeMs } : {};
}

/** Judged again where it leads to. */
export function showsAdminLink({ clock }: { clock: Clock }, { consoleUntil, only }: Session): boolean {
  return only === undefined && consoleUntil !== undefined && consoleUntil > clock.now();
}
