import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { knownAlive } from "./rules/cohort.ts";
import type { MoreOfList } from "../../domain/list-pages.ts";
import type { AccountId } from "../../domain/account.ts";
import { refusal } from "../../kernel/refusal.ts";

export type LookForCohortsDeps = Pick<App, "cohorts" | "clock"> & {
  classroomOf: (environment: AccountId) => Pick<ClassroomClient, "cohortList">;
};

export type FoundCohorts = {
  found: number;
  /** What was left unread of its lists. */
  more: MoreOfList | null;
};

/** Where each takes a call. */
const maxPrograms = 40;

export function listsCohorts(
  { classroomOf }: Pick<LookForCohortsDeps, "classroomOf">,
  environment: AccountId,
): boolean {
  return classroomOf(environment).cohortList !== null;
}

/**
 * Keeps the names in the classroom's list of cohorts; where lists are by program, those of known programs. Cohorts
 * missing from it stay: a list may be incomplete.
 * @throws the classroom client's errors; NamedError "cohorts-not-listed" where the dialect names no list, which pages
 *   do not offer.
 */
export async function lookForCohorts(
  deps: LookForCohortsDeps,
  environment: AccountId,
): Promise<FoundCohorts> {
  const list = deps.classroomOf(environment).cohortList;
  if (list === null)
    throw refusal("cohorts-not-listed", {
      status: 404,
    });
  const programs = list.ofProgram ? await deps.cohorts.programs(environment, maxPrograms) : [undefined];
  let found = 0;
  let more: MoreOfList | null = null;
  for (const program of programs) {
    const readAt = deps.clock.now();
    const reply = await list.read(program, { priority: "instructor" });
    for (const { programId, cohortId, name } of reply.entries)
      await deps.cohorts.noteListed({ environment, programId, cohortId }, name, {
        readAt,
        aliveAt: knownAlive(readAt, null),
      });
    found += reply.entries.length;
    more ??= reply.more;
  }
  return { found, more };
}
