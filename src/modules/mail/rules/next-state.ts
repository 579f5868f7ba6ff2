import type { SmtpAnswer } from "./smtp-answer.ts";
import { pausesMs } from "./limits.ts";
import type { Mail } from "./records.ts";

export type MailChange = Pick<Mail, "state" | "reply" | "changedAt"> &
  Partial<Pick<Mail, "nextAt" | "attempts">>;

/** After the server answered. What was not taken is tried again as long as it says something. */
export function nextState(
  { attempts, endsAt }: Pick<Mail, "attempts" | "endsAt">,
  { outcome, reply }: SmtpAnswer,
  now: number,
): MailChange {
  const changed = { reply, changedAt: now };
  switch (outcome) {
    case "sent":
    case "refused":
    case "unknown":
      return { state: outcome, ...changed };
    case "unreachable":
      // Of the connection, which the task tries again: it says nothing of this mail.
      return { state: "waiting", ...changed };
    case "put-off": {
      const pause = pausesMs[attempts];
      if (pause === undefined || now + pause >= endsAt) return { state: "failed", ...changed };
      return { state: "waiting", ...changed, attempts: attempts + 1, nextAt: now + pause };
    }
  }
}
