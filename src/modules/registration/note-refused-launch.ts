import type { App } from "../../app.ts";
import { messageOf } from "../../kernel/errors.ts";
import { cutTo } from "../../kernel/text.ts";

export type NoteRefusedDeps = Pick<App, "refusedLaunches" | "registrations" | "clock" | "logger">;

const maxNameLength = 255;
/** Further ones are counted without a name. */
const maxWaiting = 300;
const nameless = { registrationId: null, issuer: null, clientId: null };

/** What the request says of its LMS, which nothing proves. */
type NamedLms = { registrationId: string | null; issuer: string | null; clientId: string | null };

type RefusedLaunch = { code: string; lms: NamedLms; reference: string | null; count?: number };

/** Notes them without being awaited. Those that come while one is written are counted, and kept together: a stranger's cost little. */
export function createRefusedNotes(deps: NoteRefusedDeps): (refused: RefusedLaunch) => void {
  const waiting = new Map<string, RefusedLaunch>();
  let writing: Promise<void> | null = null;
  const write = async (): Promise<void> => {
    for (const [key, refused] of waiting) {
      waiting.delete(key);
      await noteRefusedLaunch(deps, refused);
    }
    writing = null;
  };
  return (refused) => {
    const lms = waiting.size < maxWaiting ? refused.lms : nameless;
    const key = JSON.stringify([refused.code, lms]);
    waiting.set(key, { ...refused, lms, count: (waiting.get(key)?.count ?? 0) + 1 });
    writing ??= write();
  };
}

/** Keeps why a launch was refused, so that the console can say it. Its own failure is logged and stops nobody. */
export async function noteRefusedLaunch(
  deps: NoteRefusedDeps,
  { code, lms, reference, count = 1 }: RefusedLaunch,
): Promise<void> {
  try {
    const registrationId = lms.registrationId ?? (await registrationOf(deps, lms)) ?? "";
    const named = (text: string | null) => (registrationId === "" ? cutTo(text ?? "", maxNameLength) : "");
    const key = { registrationId, issuer: named(lms.issuer), clientId: named(lms.clientId), code };
    await deps.refusedLaunches.add(key, { at: deps.clock.now(), reference: reference ?? "", count });
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
