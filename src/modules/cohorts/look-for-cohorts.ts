import type { App } from "../../app.ts";
import type { ClassroomClient } from "../../classroom/client.ts";
import { knownAlive } from "./rules/cohort.ts";
import type { MoreOfList } from "../../domain/list-pages.ts";
import type { EnvironmentName } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";

export type LookForCohortsDeps = Pick<App, "cohorts" | "clock"> & {
  classroomOf: (environment: EnvironmentName) => Pick<ClassroomClient, "cohortList">;
};

/** What came of looking. */
export type FoundCohorts = {
  /** How many the classroom lists. */
  found: number;
  /** What of its lists was not read; null when all was. */
  more: MoreOfList | null;
};

/** Programs whose cohorts are asked for, where that is one call each. */
const mostPrograms = 40;

/** Whether the classroom has a list of cohorts that can be asked for. */
export function listsCohorts(
  { classroomOf }: Pick<LookForCohortsDeps, "classroomOf">,
  environment: EnvironmentName,
): boolean {
  return classroomOf(environment).cohortList !== null;
}

/**
 * Asks the classroom for its cohorts and keeps their names. Where it lists those of one program at a time, the programs that
 * are known are asked for. One that is not listed stays: a list may leave some out.
 * @throws the classroom client's errors; NamedError "cohorts-not-listed" where the dialect names no list, which pages do not offer.
 */
export async function lookForCohorts(
  deps: LookForCohortsDeps,
  environment: EnvironmentName,
): Promise<FoundCohorts> {
  const list = deps.classroomOf(environment).cohortList;
  if (list === null)
    throw refusal("cohorts-not-listed", {
      status: 404,
    });
  const programs = list.ofProgram ? await deps.cohorts.programs(environment, mostPrograms) : [undefined];
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
