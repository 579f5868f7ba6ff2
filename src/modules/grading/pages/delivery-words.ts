import { type Delivery, isOfNoPoints } from "../rules/delivery.ts";
import type { MessageKey } from "../../../web/english.ts";
import type { Translate } from "../../../web/translate.ts";
import { pointsText } from "./score-words.ts";

export type Undelivered = Pick<
  Delivery,
  "state" | "accepted" | "foreign" | "unconfirmed" | "lastError" | "reason" | "refusal"
>;

/** Null: nothing to say. Stored reasons are English and more exact: English readers and unknown codes get those. */
export function whyText(t: Translate, delivery: Undelivered): string | null {
  const { state, lastError, reason, refusal } = delivery;
  if (state === "delivered" && isOfNoPoints(delivery)) return t("grades.noPoints.row");
  if (lastError === null || t("language.code") === "en") return lastError;
  if (state === "held") return heldText(t, delivery) ?? lastError;
  const code = refusal ?? reason ?? null;
  return code === null ? lastError : codeText(t, code, lastError);
}

/** The cases of `conflictReason` and `keptReason`. */
function heldText(t: Translate, { foreign, accepted, unconfirmed }: Undelivered): string | null {
  if (foreign === null) return null;
  if (foreign.restoredAt !== undefined)
    return foreign.score === null
      ? t("grades.restored.whyEmpty")
      : t("grades.restored.whyDiffers", { theirs: pointsText(t, foreign) });
  if (foreign.score === null) return t("grades.why.removed");
  const theirs = pointsText(t, foreign);
  // The LMS took ours in the attempt that found theirs still shown.
  if (accepted?.at === foreign.seenAt) return t("grades.why.kept", { theirs });
  if (accepted === null && unconfirmed.length === 0) return t("grades.why.notOurs", { theirs });
  return accepted === null || accepted.score === null
    ? t("grades.why.changed", { theirs })
    : t("grades.why.changedFrom", { theirs, ours: pointsText(t, accepted) });
}

/** Statuses with one meaning in every LMS, as in `standardReason` of the score service. */
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
