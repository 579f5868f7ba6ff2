import type { Attribution } from "./rules/feedback.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import { knownSpaces } from "../spaces/known-spaces.ts";
import { findVisit, type FindVisitDeps, type Visit } from "./find-visit.ts";
import { giveBackTry, spendTry, type SpendTryDeps } from "./spend-try.ts";

/** A whole school may share one address: a class of a thousand gets through. */
const maxMisses = 1_500;

/**
 * As `findVisit`, for an address that anybody may have typed. Whoever tries ids in a row is told nothing after so many
 * misses, whatever they hit. A Space that no course has cannot be hit, so trying one is not counted.
 * @param from Where the request comes from, as a text that does not tell an address.
 */
export async function findToldVisit(
  deps: FindVisitDeps & SpendTryDeps,
  environment: EnvironmentName,
  told: Attribution,
  from: string,
): Promise<Visit | null> {
  if (told.spaceId === null || told.userId === null) return null;
  if (!(await knownSpaces(deps)(environment, told.spaceId))) return null;
  // Counted before it is known how it ends: of many at the same moment each would still find a try left.
  const what = `wrong ${from}`;
  const spent = await spendTry(deps, what, maxMisses);
  if (!spent) return null;
  const visit = await findVisit(deps, environment, told);
  if (visit !== null) await giveBackTry(deps, what);
  return visit;
}
