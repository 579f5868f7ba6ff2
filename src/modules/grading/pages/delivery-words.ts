import type { Delivery } from "../rules/delivery.ts";
import type { MessageKey } from "../../../web/message-key.ts";
import type { Translate } from "../../../web/translate.ts";
import { pointsText } from "./score-words.ts";

/** What the reason is told from. */
export type Undelivered = Pick<
  Delivery,
  "state" | "accepted" | "foreign" | "unconfirmed" | "lastError" | "reason" | "refusal"
>;

/**
 * Why a score is not in the gradebook as it should be, in the reader's language; null when there is nothing to say.
 * Stored reasons are English, and more exact than a translation by code can be (they have the status, say), so English
 * readers get them as they are, and so does everybody where nothing is known of a code.
 */
export function whyText(t: Translate, delivery: Undelivered): string | null {
  const { state, lastError, reason, refusal } = delivery;
  if (lastError === null || t("language.code") === "en") return lastError;
  if (state === "held") return heldText(t, delivery) ?? lastError;
  const code = refusal ?? reason ?? null;
  return code === null ? lastError : codeText(t, code, lastError);
}

/** Why a teacher's grade is in the way; the same cases as `conflictReason` and `keptReason` write in English. */
function heldText(t: Translate, { foreign, accepted, unconfirmed }: Undelivered): string | null {
  if (foreign === null) return null;
  if (foreign.restoredAt !== undefined)
    return foreign.score === null
      ? t("restored.whyEmpty")
      : t("restored.whyDiffers", { theirs: pointsText(t, foreign) });
  if (foreign.score === null) return t("grades.why.removed");
  const theirs = pointsText(t, foreign);
  // The LMS took ours in the very attempt that found theirs still shown.
  if (accepted?.at === foreign.seenAt) return t("grades.why.kept", { theirs });
  if (accepted === null && unconfirmed.length === 0) return t("grades.why.notOurs", { theirs });
  return accepted === null || accepted.score === null
    ? t("grades.why.changed", { theirs })
    : t("grades.why.changedFrom", { theirs, ours: pointsText(t, accepted) });
}

/** Statuses of which every LMS means the same; `standardReason` of the score service says so in English. */
const statuses: ReadonlyMap<string, MessageKey> = new Map<string, MessageKey>([
  ["400", "grades.why.notAccepted"],
  ["401", "grades.why.notAllowed"],
  ["403", "grades.why.notAllowed"],
  ["422", "grades.why.notAccepted"],
]);

function codeText(t: Translate, code: string, lastError: string): string {
  const status = /^lms-status-(\d+)$/.exec(code)?.[1];
  if (status !== undefined) return t(statuses.get(status) ?? "grades.why.status", { status });
  return t.dynamic([`grades.why.${code}`, `errors.${code}`]) ?? lastError;
}
