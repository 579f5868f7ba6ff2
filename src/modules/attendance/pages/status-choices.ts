import { type KnownStatus, knownStatuses } from "../../../domain/attendance.ts";
import { statusView } from "../../../web/status-view.ts";
import type { Translate } from "../../../web/translate.ts";

export type StatusChoice = { value: KnownStatus; label: string };

export function statusChoices(t: Translate): StatusChoice[] {
  return knownStatuses.map((value) => ({ value, label: statusView(t, value).text }));
}
