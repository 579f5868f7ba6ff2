import { z } from "zod";
import type { Clock } from "../../../kernel/clock.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { Sealer } from "../../../kernel/sealer.ts";

const dialogSchema = z.object({
  registrationId: z.string(),
  deploymentId: z.string(),
  courseId: z.string(),
  personId: z.string(),
  locale: z.string().nullable(),
  timeZone: z.string().nullable(),
  returnUrl: z.string().regex(/^https?:\/\//i),
  acceptTypes: z.array(z.string()).readonly(),
  acceptTargets: z.array(z.string()).readonly(),
  acceptMultiple: z.boolean(),
  acceptLineItem: z.boolean().nullable(),
  title: z.string().nullable(),
  text: z.string().nullable(),
  data: z.string().nullable(),
  /** For the course's other pages; missing in dialogs of the release before. */
  session: z.string().optional(),
  answerTo: z.string().nullish(),
});

/** A deep linking request under way: who may answer it for which course, and what the LMS wants back. */
export type Dialog = z.infer<typeof dialogSchema>;

/** Sealed, as `data` is the LMS's own and the return address may hold a key. */
export type Dialogs = {
  issue: (dialog: Dialog) => string;
  /** @throws NamedError "dialog-over" when the token is missing, made up, or older than an hour. */
  read: (token: unknown) => Dialog;
};

const purpose = "deep-linking dialog";
const lifetimeMs = 60 * 60_000;
const sealedSchema = z.object({ until: z.number(), dialog: dialogSchema });

/** Under SECRET_KEY; another purpose's sealed values do not open as one. */
export function createDialogs(deps: { sealer: Sealer; clock: Clock }): Dialogs {
  const { sealer, clock } = deps;
  return {
    issue: (dialog) => sealer.seal(purpose, JSON.stringify({ until: clock.now() + lifetimeMs, dialog })),
    read: (token) => {
      const opened = typeof token === "string" ? parsed(sealer, token) : null;
      if (opened !== null && opened.until > clock.now()) return opened.dialog;
      throw refusal("dialog-over", { status: 401 });
    },
  };
}

function parsed(sealer: Sealer, token: string): z.infer<typeof sealedSchema> | null {
  try {
    return sealedSchema.parse(JSON.parse(sealer.open(purpose, token)));
  } catch {
    return null;
  }
}
