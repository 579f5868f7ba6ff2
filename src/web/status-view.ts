import { asKnownStatus } from "../domain/attendance.ts";
import type { Translate } from "./translate.ts";

export type StatusView = {
  /** A sign of its own, so that no status is shown by colour alone. */
  sign: string;
  name: string;
  text: string;
};

const signs = { PRESENT: "✓", LATE: "◔", ABSENT: "✗", EXCUSED: "–" } as const;

/** An unknown status is shown as it came. */
export function statusView(t: Translate, status: string): StatusView {
  const known = asKnownStatus(status);
  if (known === null) return { sign: "?", name: "unknown", text: t("review.statuses.unknown", { status }) };
  return { sign: signs[known], name: known, text: t(`review.statuses.${known}`) };
}
