import type { App } from "../../app.ts";
import { createHash } from "node:crypto";
import { NamedError } from "../../kernel/errors.ts";
import type { CalendarAddress } from "./rules/calendar-address.ts";

export type CalendarAddressesDeps = Pick<App, "calendars" | "clock" | "ids" | "sealer">;

export type CalendarOwner = Pick<CalendarAddress, "registrationId" | "scope" | "ownerId">;

/** The earlier address ends. @param locale Its maker's language. @returns the token in the address, 192 random bits. */
export async function makeCalendarAddress(
  deps: CalendarAddressesDeps,
  owner: CalendarOwner,
  locale: string | null,
): Promise<string> {
  const token = deps.ids.secret(24);
  const digest = calendarDigest(token);
  const sealed = deps.sealer.seal(purposeOf(digest), token);
  await deps.calendars.renew({ ...owner, digest, sealed, createdAt: deps.clock.now(), locale });
  return token;
}

/** For its owner. @returns null for an earlier version's, and for one whose SECRET_KEY is gone: it works, but nobody can be shown it. */
export function calendarToken(
  { sealer }: Pick<CalendarAddressesDeps, "sealer">,
  { digest, sealed = null }: Pick<CalendarAddress, "digest" | "sealed">,
): string | null {
  if (sealed === null) return null;
  try {
    return sealer.open(purposeOf(digest), sealed);
  } catch (thrown) {
    if (thrown instanceof NamedError && thrown.code === "sealed-with-unknown-key") return null;
    throw thrown;
  }
}

/** What is sealed opens for no other address. */
function purposeOf(digest: string): string {
  return `calendar ${digest}`;
}

export function calendarDigest(token: string): string {
  return createHash("sha256").update(`calendar\n${token}`).digest("base64url");
}
