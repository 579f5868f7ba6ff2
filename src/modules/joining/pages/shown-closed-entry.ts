import type { Course } from "../../../domain/course.ts";
import type { Accounts } from "../../accounts/known-accounts.ts";
import type { ClosedEntry } from "../entry-state.ts";

/** By the entry window, or because the course's classroom account is not there or paused. */
export type ShownClosedEntry = ClosedEntry | AccountClosed;

export type AccountClosed = { state: "closed"; because: "not-set-up" | "paused" };

export const notSetUp: AccountClosed = { state: "closed", because: "not-set-up" };
export const paused: AccountClosed = { state: "closed", because: "paused" };

/** Null: people may enter, as far as the account goes. */
export function closedByAccount(
  { accounts }: { accounts: Pick<Accounts, "find"> },
  { environment }: Pick<Course, "environment">,
): AccountClosed | null {
  const account = accounts.find(environment);
  if (account === undefined || account.lacks === "connection") return notSetUp;
  return account.paused ? paused : null;
}
