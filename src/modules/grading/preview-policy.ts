import type { App } from "../../app.ts";
import type { Course, Person } from "../../domain/course.ts";
import type { GradePolicy } from "../../domain/grade-policy.ts";
import { type CountedSession, gradesByColumn, isGraded } from "../attendance/rules/attendance-summary.ts";
import { letOthersRun } from "../../kernel/let-others-run.ts";
import { gradingBasis, type GradingBasisDeps, learnerBasis } from "./grading-basis.ts";

export type PreviewPolicyDeps = GradingBasisDeps & Pick<App, "attendanceSummaries" | "members" | "people">;

export type PreviewedChange = Pick<Person, "name" | "sub"> & {
  personId: string;
  /** Points; with a column each, their sum. */
  before: number | null;
  after: number | null;
};

export type PolicyPreview = {
  changes: PreviewedChange[];
  unchanged: number;
};

const batchSize = 250;

/** For present members with attendance, by learner; ignores teachers' changes in the gradebook. */
export async function previewPolicy(
  deps: PreviewPolicyDeps,
  course: Pick<Course, "id" | "registrationId" | "policy">,
  policy: GradePolicy,
): Promise<PolicyPreview> {
  const place = { registrationId: course.registrationId, courseId: course.id };
  const basis = await gradingBasis(deps, course, [course.policy, policy]);
  const found: Omit<PreviewedChange, "name">[] = [];
  let unchanged = 0;
  let last = "";
  for (;;) {
    const summaries = await deps.attendanceSummaries.listAfter(place, last, batchSize);
    const members = await deps.members.findMany(
      place,
      summaries.map(({ personId }) => personId),
    );
    const byPerson = new Map(members.map((member) => [member.personId, member]));
    for (const summary of summaries) {
      const member = byPerson.get(summary.personId);
      if (member === undefined || !member.active || !isGraded(member)) continue;
      const { counted, planned } = learnerBasis(basis, summary, member);
      if (counted.every(({ status }) => status === null)) continue;
      const before = pointsUnder(course.policy, counted, planned);
      const after = pointsUnder(policy, counted, planned);
      if (before === after) unchanged += 1;
      else found.push({ personId: summary.personId, sub: summary.sub, before, after });
    }
    if (summaries.length < batchSize) break;
    last = summaries.at(-1)?.personId ?? last;
    await letOthersRun();
  }
  return { changes: await named(deps, found), unchanged };
}

/** In hundredths, so that sums stay exact. */
function pointsUnder(
  policy: GradePolicy,
  counted: readonly CountedSession[],
  planned: number,
): number | null {
  const scores = [...gradesByColumn(policy, counted, planned, noLinkedColumns).values()].flatMap(
    ({ score }) => (score === null ? [] : [score]),
  );
  if (scores.length === 0) return null;
  return scores.reduce((sum, score) => sum + Math.round(score * 100), 0) / 100;
}

const noLinkedColumns: ReadonlySet<string> = new Set();

async function named(
  deps: PreviewPolicyDeps,
  found: readonly Omit<PreviewedChange, "name">[],
): Promise<PreviewedChange[]> {
  const names = new Map<string, string | null>();
  for (let from = 0; from < found.length; from += batchSize) {
    const ids = found.slice(from, from + batchSize).map(({ personId }) => personId);
    for (const { id, name } of await deps.people.findMany(ids)) names.set(id, name);
    await letOthersRun();
  }
  const order = new Intl.Collator("en", { numeric: true });
  return found
    .map((change) => ({ ...change, name: names.get(change.personId) ?? null }))
    .sort(
      (a, b) =>
        Number(a.name === null) - Number(b.name === null) || order.compare(a.name ?? a.sub, b.name ?? b.sub),
    );
}
