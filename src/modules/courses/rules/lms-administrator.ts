import type { Registration } from "../../../domain/registration.ts";

const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";

/** Roles of whoever administers an institution's LMS (LTI Core 1.3, A.2.1 and A.2.2). */
const administrating = new Set([
  `${vocabulary}/institution/person#Administrator`,
  `${vocabulary}/system/person#Administrator`,
  `${vocabulary}/system/person#SysAdmin`,
]);

/**
 * Whether a launch's roles name an administrator of the LMS itself. Only the whole names count: a course's administrator
 * (membership#Administrator) and the deprecated short names say nothing about the LMS. They give no rights in a course.
 */
export function administersLms(roles: readonly string[]): boolean {
  return roles.some((role) => administrating.has(role));
}

/** How long after their launch an administrator may go on to the console (ms). */
export const consoleWayLasts = 60 * 60_000;

/** Whether administrators of this LMS may look at what is theirs in the console. */
export function letsAdministratorsIn({
  active,
  administratorsEnter = false,
}: Pick<Registration, "active" | "administratorsEnter">): boolean {
  return active && administratorsEnter;
}
