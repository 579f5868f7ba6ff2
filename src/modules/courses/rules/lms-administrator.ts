import type { Registration } from "../../../domain/registration.ts";

const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";

/** LTI Core 1.3, A.2.1 and A.2.2. */
const administrating = new Set([
  `${vocabulary}/institution/person#Administrator`,
  `${vocabulary}/system/person#Administrator`,
  `${vocabulary}/system/person#SysAdmin`,
]);

/** Full role names only: no course administrators (membership#Administrator). Gives no rights in a course. */
export function administersLms(roles: readonly string[]): boolean {
  return roles.some((role) => administrating.has(role));
}

/** After the launch an administrator may go on to the console for this long (ms). */
export const consoleLinkLifetimeMs = 60 * 60_000;

export function letsAdministratorsIn({
  active,
  administratorsEnter = false,
}: Pick<Registration, "active" | "administratorsEnter">): boolean {
  return active && administratorsEnter;
}
