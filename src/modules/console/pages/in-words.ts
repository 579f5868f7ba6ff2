import type { KnownAccounts } from "../../../classroom/account.ts";
import { type AccountId, isBuiltIn } from "../../../domain/account.ts";
import type { ReceiptState } from "../../../inbox/rules/receipt.ts";
import type { RosterSync } from "../../members/rules/roster.ts";
import { maxCount } from "../../operations/background-work.ts";
import type { DoctorFinding } from "../../operations/rules/set-up.ts";
import type { KeysUnder, Translate } from "../../../web/translate.ts";
import type { Tone } from "../../../web/page-parts.ts";
import { numberText } from "../../../web/page-text.ts";
import type { FormToken } from "./partials.ts";

/** A number counted up to a limit. */
export function countText(t: Translate, count: number): string {
  return count > maxCount ? `${numberText(t, maxCount)}+` : numberText(t, count);
}

/** A classroom account's name, or its id if the account is gone. */
export function nameOfAccount(t: Translate, accounts: Pick<KnownAccounts, "find">, id: AccountId): string {
  return isBuiltIn(id) ? t(`console.environments.${id}`) : (accounts.find(id)?.name ?? id);
}

/** A finding in the reader's language, or in English if this version doesn't know its code. */
export function findingInWords(t: Translate, finding: DoctorFinding): DoctorFinding {
  const { about, message, todo, seen, advice } = finding;
  const seenText = seen === null ? null : t.dynamic(`doctor.seen.${seen.code}`, seen.values);
  const toDo = advice === null ? null : t.dynamic(`doctor.todo.${advice.code}`, advice.values);
  return {
    ...finding,
    about: t.dynamic(`doctor.about.${about}`) ?? about,
    message: seenText ?? message,
    todo: toDo ?? todo,
  };
}

/** Tones of pills in the console, by what is left to do. */
export const receiptTones: Readonly<Record<ReceiptState, Tone>> = {
  failed: "bad",
  unmatched: "wait",
  waiting: "info",
  asking: "info",
  again: "info",
  done: "good",
  kept: "none",
};

export const rosterTones: Readonly<Record<RosterSync["state"], Tone>> = {
  idle: "none",
  waiting: "info",
  running: "info",
  done: "good",
  failed: "bad",
};

/** Kinds with a name on pages. All others are counted together. */
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
  "learnerWords",
  "excuses",
  "officeJoins",
  "webhooks",
  "courses",
];

/** Named kinds in their order, then the rest as one row. */
export function personalDataRows(
  t: Translate,
  counts: ReadonlyMap<string, number>,
): { kind: string; count: string }[] {
  let other = 0;
  for (const [key, count] of counts) if (!named.some((name) => name === key)) other += count;
  return [...named.map((key) => [key, counts.get(key) ?? 0] as const), ["other", other] as const]
    .filter(([, count]) => count > 0)
    .map(([key, count]) => ({ kind: t(`privacy.kinds.${key}`), count: numberText(t, count) }));
}

type SessionsOf = { of: "lms" | "course" | "person"; action: string; byUser?: boolean };

export type SessionsPart = FormToken & { t: Translate; sessions: ReturnType<typeof sessionsView> };

/** @param how.byUser One user's sessions can be ended separately. */
export function sessionsView(t: Translate, count: number, { byUser = false, ...how }: SessionsOf) {
  return { count, number: numberText(t, count), byUser, ...how };
}
