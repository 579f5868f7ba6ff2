import type { App } from "../../app.ts";
import { createHash } from "node:crypto";
import type { CalendarAddress } from "./rules/calendar-address.ts";

export type CalendarAddressesDeps = Pick<App, "calendars" | "clock" | "ids">;

export type CalendarOwner = Pick<CalendarAddress, "registrationId" | "scope" | "ownerId">;

/**
 * The earlier address ends. @param locale Its maker's language. @returns the token in the address, 192 random bits;
 * only its digest is kept.
 */
export async function makeCalendarAddress(
  deps: CalendarAddressesDeps,
  owner: CalendarOwner,
  locale: string | null,
): Promise<string> {
  const token = deps.ids.secret(24);
  const digest = calendarDigest(token);
  await deps.calendars.renew({ ...owner, digest, createdAt: deps.clock.now(), locale });
  return token;
}

export function calendarDigest(token: string): string {
  return createHash("sha256").update(`calendar\n${token}`).digest("base64url");
}
