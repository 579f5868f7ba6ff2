import type { Attribution } from "./rules/feedback.ts";
import type { AccountId } from "../../domain/account.ts";
import { knownSpaces } from "../spaces/known-spaces.ts";
import { findVisit, type FindVisitDeps, type Visit } from "./find-visit.ts";
import { giveBackTry, spendTry, type SpendTryDeps } from "./spend-try.ts";

/** A whole school may share one address: a class of a thousand gets through. */
const maxMisses = 1_500;

/**
 * As `findVisit`, for an address that anybody may have typed: after too many misses from one place every answer is
 * null, so that ids cannot be guessed. A Space of no course cannot be hit, so trying one does not count.
 * @param from Where the request comes from, as a digest.
 */
export async function findVisitByAttribution(
  deps: FindVisitDeps & SpendTryDeps,
  environment: AccountId,
  attribution: Attribution,
  from: string,
): Promise<Visit | null> {
  if (attribution.spaceId === null || attribution.userId === null) return null;
  if (!(await knownSpaces(deps)(environment, attribution.spaceId))) return null;
  // Counted before the outcome is known: simultaneous tries would each still find one left.
  const what = `wrong ${from}`;
  const spent = await spendTry(deps, what, maxMisses);
  if (!spent) return null;
  const visit = await findVisit(deps, environment, attribution);
  if (visit !== null) await giveBackTry(deps, what);
  return visit;
}
