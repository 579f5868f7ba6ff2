import { z } from "zod";
import type { App } from "../../app.ts";
import { NamedError } from "../../kernel/errors.ts";
import { stoppableKinds } from "./rules/records.ts";
import type { StopKey } from "./store/mail-stop-store.ts";

const purpose = "mail-stop";
const shape = z.tuple([z.string(), z.string(), z.enum(stoppableKinds)]);

/** Gives the right to stop one kind of mail of one person, and to have it again; nothing else. It has no end, as mailboxes have none. */
export function stopToken(
  { sealer }: Pick<App, "sealer">,
  { registrationId, personId, kind }: StopKey,
): string {
  return sealer.seal(purpose, JSON.stringify([registrationId, personId, kind]));
}

/** Null for one that is not ours, or was sealed by a key that is gone. */
export function readStopToken({ sealer }: Pick<App, "sealer">, token: string): StopKey | null {
  if (!/^v1\.[\w-]{40,400}$/.test(token)) return null;
  try {
    const read = shape.safeParse(JSON.parse(sealer.open(purpose, token)));
    if (!read.success) return null;
    const [registrationId, personId, kind] = read.data;
    return { registrationId, personId, kind };
  } catch (thrown) {
    if (thrown instanceof NamedError || thrown instanceof SyntaxError) return null;
    throw thrown;
  }
}
