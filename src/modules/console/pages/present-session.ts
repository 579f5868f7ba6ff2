import type { Request } from "express";
import { letsAdministratorsIn } from "../../courses/rules/lms-administrator.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { ConsoleSession } from "./console-session.ts";

/**
 * The session that a request carries. One of an LMS's administrator is worth nothing once the LMS was switched off or
 * the operator no longer lets its administrators in.
 */
export async function presentSession(
  { consoleSessions, cookie, registrations }: ConsoleApp,
  request: Request,
): Promise<ConsoleSession | null> {
  const session = await consoleSessions.read(cookie.read(request));
  if (session?.scope == null) return session;
  const registration = await registrations.find(session.scope.registrationId);
  return registration !== null && letsAdministratorsIn(registration) ? session : null;
}
