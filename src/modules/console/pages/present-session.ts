import type { Request } from "express";
import { letsAdministratorsIn } from "../../courses/rules/lms-administrator.ts";
import type { ConsoleApp } from "./console-app.ts";
import type { ConsoleSession } from "./console-session.ts";

/** An LMS administrator's ends once the LMS is switched off or does not let its administrators in. */
export async function presentSession(
  { logIns, cookie, registrations }: ConsoleApp,
  request: Request,
): Promise<ConsoleSession | null> {
  const session = await logIns.read(cookie.read(request));
  if (session?.scope == null) return session;
  const registration = await registrations.find(session.scope.registrationId);
  return registration !== null && letsAdministratorsIn(registration) ? session : null;
}
