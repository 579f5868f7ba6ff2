import type { App } from "../../app.ts";
import { classroomRoleOf } from "../../domain/api-user.ts";
import type { Member } from "../../domain/course.ts";
import type { Provisioning } from "./rules/provisioning.ts";
import { letOthersRun } from "../../kernel/async.ts";
import type { MemberKey } from "./store/member-store.ts";

export type Readiness = {
  /** Present students and instructors. */
  expected: number;
  ready: number;
  preparing: number;
  refused: number;
  /** Of those being prepared, and of those refused. */
  problem: string | null;
  refusal: string | null;
  /** Of both, for translation; earlier records lack them. */
  problemCode: string | null;
  refusalCode: string | null;
};

export type ReadinessDeps = Pick<App, "members" | "people" | "provisioning">;

const batchSize = 500;

/** People once seen with an API user for their role keep it: only others are read. @param expected Who will enter. */
export async function countReadiness(
  deps: ReadinessDeps,
  key: MemberKey,
  expected: number,
): Promise<Readiness> {
  const nobody = { ready: 0, preparing: 0, refused: 0 };
  const readiness: Readiness = { expected, ...nobody, ...nothing };
  const unready = await deps.members.listUnready(key);
  let missingInAll = 0;
  for (const role of ["instructor", "learner"] as const) {
    const ids = unready.filter((one) => one.role === role).map(({ personId }) => personId);
    for (let from = 0; from < ids.length; from += batchSize) {
      const some = ids.slice(from, from + batchSize);
      const missing = await deps.people.withoutApiUser(some, classroomRoleOf(role));
      missingInAll += missing.length;
      await noteFound(deps, key, role, { some, missing });
      for (const one of await deps.provisioning.findMany(key.courseId, missing)) countIn(readiness, one);
      await letOthersRun();
    }
  }
  readiness.ready = Math.max(0, expected - missingInAll);
  return readiness;
}

const nothing = { problem: null, refusal: null, problemCode: null, refusalCode: null };

function countIn(
  readiness: Readiness,
  { refused, problem, problemCode }: Pick<Provisioning, "refused" | "problem" | "problemCode">,
): void {
  readiness[refused ? "refused" : "preparing"] += 1;
  const text = refused ? "refusal" : "problem";
  if (problem === null || readiness[text] !== null) return;
  readiness[text] = problem;
  readiness[`${text}Code`] = problemCode ?? null;
}

async function noteFound(
  { members }: ReadinessDeps,
  key: MemberKey,
  role: Member["role"],
  { some, missing }: { some: readonly string[]; missing: readonly string[] },
): Promise<void> {
  const without = new Set(missing);
  await members.noteReady(
    key,
    some.filter((id) => !without.has(id)),
    role,
  );
}
