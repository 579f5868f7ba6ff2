import type { KeysUnder } from "../../../web/english.ts";
import type { Translate } from "../../../web/translate.ts";
import { numberText } from "../../../web/page-text.ts";

/** Kinds with a name on pages; all others are counted together. */
const named: readonly KeysUnder<"privacy.kinds">[] = [
  "person",
  "memberships",
  "attendance",
  "standings",
  "scores",
  "courseAudit",
  "feedback",
  "matches",
  "places",
  "logins",
  "sessionsOfPages",
  "preparations",
  "calendars",
  "unmatched",
  "presences",
  "webhooks",
  "courses",
];

/** Named kinds in their order, then the rest as one. */
export function heldWords(
  t: Translate,
  counts: ReadonlyMap<string, number>,
): { kind: string; count: string }[] {
  let other = 0;
  for (const [key, count] of counts) if (!named.some((name) => name === key)) other += count;
  return [...named.map((key) => [key, counts.get(key) ?? 0] as const), ["other", other] as const]
    .filter(([, count]) => count > 0)
    .map(([key, count]) => ({ kind: t(`privacy.kinds.${key}`), count: numberText(t, count) }));
}
