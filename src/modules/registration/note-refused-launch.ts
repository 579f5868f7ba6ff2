import type { App } from "../../app.ts";
import { messageOf } from "../../kernel/errors.ts";
import { cutTo } from "../../kernel/text.ts";

export type NoteRefusedDeps = Pick<App, "refusedLaunches" | "registrations" | "clock" | "logger">;

const maxNameLength = 255;

/** What the request says of its LMS, which nothing proves. */
type NamedLms = { registrationId: string | null; issuer: string | null; clientId: string | null };

/** Keeps why a launch was refused, so that the console can say it. Its own failure is logged and stops nobody. */
export async function noteRefusedLaunch(
  deps: NoteRefusedDeps,
  { code, lms, reference }: { code: string; lms: NamedLms; reference: string | null },
): Promise<void> {
  try {
    const registrationId = lms.registrationId ?? (await registrationOf(deps, lms)) ?? "";
    const named = (text: string | null) => (registrationId === "" ? cutTo(text ?? "", maxNameLength) : "");
    const key = { registrationId, issuer: named(lms.issuer), clientId: named(lms.clientId), code };
    await deps.refusedLaunches.add(key, { at: deps.clock.now(), reference: reference ?? "" });
  } catch (thrown) {
    deps.logger.warn({ error: messageOf(thrown), code }, "a refused launch was not kept");
  }
}

/** By its own client, or as the only LMS of an issuer. */
async function registrationOf(
  { registrations }: NoteRefusedDeps,
  { issuer, clientId }: NamedLms,
): Promise<string | null> {
  if (issuer === null) return null;
  if (clientId !== null) return (await registrations.findByClient(issuer, clientId))?.id ?? null;
  const [only, ...others] = await registrations.listByIssuer(issuer);
  return only === undefined || others.length > 0 ? null : only.id;
}
