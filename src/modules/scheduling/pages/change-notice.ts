import type { Notice } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import type { ChangeOutcome } from "../change-sessions.ts";

export function changeNotice(
  t: Translate,
  { changed, notHere }: ChangeOutcome,
  done: "saved" | "cancelled",
): Notice {
  const text = t(`sessions.change.${done}`, { count: changed });
  if (notHere === 0) return { tone: "good", text };
  const rest = t("sessions.change.notHere", { count: notHere });
  return { tone: "warning", text: changed === 0 ? rest : `${text} ${rest}` };
}
