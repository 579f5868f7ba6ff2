import { type Course, keyOfCourse, type Person } from "../../domain/course.ts";
import { type GradePolicy, isCompleted } from "../../domain/grade-policy.ts";
import { belowLocks, keepsToLocks } from "../../settings/in-effect.ts";
import { letOthersRun } from "../../kernel/async.ts";
import { byKey, slicesOf } from "../../kernel/lists.ts";
import {
  type AttendanceSummary,
  type CountedSession,
  gradesByColumn,
  isGraded,
} from "../attendance/rules/attendance-summary.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import { saveOption, setByInstitution } from "../courses/change-settings.ts";
import { type GradingApp, gradingBasis, learnerBasis, summarySlices } from "./grade-members.ts";
import { gradeAfterChange } from "./regrade.ts";

type PolicyChange = {
  personId: string;
  revision: number;
  policy: GradePolicy;
  /** The language of comments that this change turns on, such as "de". */
  language?: string;
  before: string;
  after: string;
};

/**
 * Saves a policy and computes all grades again. Parts that are locked keep the course's choice below the lock. @returns false if the policy
 * has changed since. @throws NamedError "set-by-institution"
 */
export async function changePolicy(
  app: GradingApp,
  course: Course,
  { personId, revision, policy: chosen, language = "en", before, after }: PolicyChange,
): Promise<boolean> {
  const policy = inLanguage(course.policy, chosen, language);
  const locked = course.locked ?? [];
  const requested = { ...course, policy };
  if (!keepsToLocks(course, requested, locked)) throw setByInstitution();
  const own = locked.length === 0 ? null : await app.courses.findOwn(course.id);
  const allowed = own === null ? policy : belowLocks(own, requested, locked).policy;
  return gradeAfterChange(app, course, "everybody", async () => {
    if (!(await app.courses.changePolicy(course.id, revision, allowed))) return false;
    await writeCourseAudit(app, course, personId, { what: "policy-changed", before, after });
    return true;
  });
}

type SendingRule = Pick<Course, "gradesUntil" | "gradesRelease">;

/**
 * Changes when grades go to the gradebook, and sends what the new rule no longer holds back. @param rule What is left out stays as it is.
 * @param words A rule as instructors read it, for the change log. @throws NamedError "set-by-institution"
 */
export async function changeSending(
  app: GradingApp,
  course: Course,
  personId: string,
  { gradesUntil, gradesRelease }: Partial<SendingRule>,
  words: (rule: Partial<SendingRule>) => string,
): Promise<void> {
  await gradeAfterChange(app, course, "everybody", async () => {
    if (gradesRelease !== undefined)
      await saveOption(app, course, personId, ["gradesRelease", gradesRelease], (one) =>
        words({ gradesRelease: one }),
      );
    if (gradesUntil !== undefined)
      await saveOption(app, course, personId, ["gradesUntil", gradesUntil], (one) =>
        words({ gradesUntil: one }),
      );
  });
}

/** Comments keep their language; otherwise an LMS would add each of them again. */
function inLanguage(before: GradePolicy, policy: GradePolicy, language: string): GradePolicy {
  if (policy.kind === "no-grades" || !policy.comment) return policy;
  const { commentLanguage: _language, ...rest } = policy;
  const had = before.kind !== "no-grades" && before.comment;
  const commentLanguage = had ? before.commentLanguage : language;
  return commentLanguage === undefined ? rest : { ...rest, commentLanguage };
}

export type PreviewedChange = Pick<Person, "name" | "sub"> & {
  personId: string;
  /** Points; the sum if each session has a column. */
  before: number | null;
  after: number | null;
};

export type PolicyPreview = Omit<Comparison, "changes"> & { changes: PreviewedChange[] };

type Comparison = {
  changes: readonly Omit<PreviewedChange, "name">[];
  unchanged: number;
  /** How many unchanged grades are sent again because they become completed, or in progress again. */
  marked: number;
  /** How many learners have completed the activity; null if neither policy has a rule for it. */
  completed: { before: number; after: number } | null;
  /** The points of all learners, changed or not. */
  points: readonly { before: number | null; after: number | null }[];
};

const batchSize = 250;

/** What a change of policy does to each learner's grade, ordered by name. */
export async function previewPolicy(
  app: GradingApp,
  course: Pick<Course, "id" | "registrationId" | "policy">,
  policy: GradePolicy,
): Promise<PolicyPreview> {
  const slices = summarySlices(app, keyOfCourse(course), batchSize);
  const compared = await comparePolicies(app, course, policy, slices);
  return { ...compared, changes: await named(app, compared.changes) };
}

/** Null if the course has more learners than a page can wait for while somebody types. */
export async function comparePoliciesOfFew(
  app: GradingApp,
  course: Pick<Course, "id" | "registrationId" | "policy">,
  policy: GradePolicy,
): Promise<Comparison | null> {
  const few = await app.attendanceSummaries.listAfter(keyOfCourse(course), "", batchSize);
  return few.length === batchSize ? null : comparePolicies(app, course, policy, [few]);
}

/** Compares the grades of present members with attendance. Ignores teachers' changes in the gradebook. */
async function comparePolicies(
  app: GradingApp,
  course: Pick<Course, "id" | "registrationId" | "policy">,
  policy: GradePolicy,
  slices: AsyncIterable<readonly AttendanceSummary[]> | Iterable<readonly AttendanceSummary[]>,
): Promise<Comparison> {
  const courseKey = keyOfCourse(course);
  const changes: Omit<PreviewedChange, "name">[] = [];
  const points: { before: number | null; after: number | null }[] = [];
  const completed = { before: 0, after: 0 };
  let marked = 0;
  // Without grades nothing is sent, so there are no changes to list.
  if (policy.kind === "no-grades") return { changes, unchanged: 0, marked, completed: null, points };
  const basis = await gradingBasis(app, course, [course.policy, policy]);
  for await (const summaries of slices) {
    const members = await app.members.findMany(
      courseKey,
      summaries.map(({ personId }) => personId),
    );
    const byPerson = byKey(members, ({ personId }) => personId);
    for (const summary of summaries) {
      const member = byPerson.get(summary.personId);
      if (member === undefined || !member.active || !isGraded(member)) continue;
      const { counted, planned } = learnerBasis(basis, summary, member);
      if (counted.every(({ status }) => status === null)) continue;
      const before = outcomeUnder(course.policy, counted, planned);
      const after = outcomeUnder(policy, counted, planned);
      completed.before += Number(before.completed);
      completed.after += Number(after.completed);
      const one = { before: before.points, after: after.points };
      points.push(one);
      if (one.before !== one.after) changes.push({ personId: summary.personId, sub: summary.sub, ...one });
      else marked += Number(after.points !== null && before.completed !== after.completed);
    }
  }
  const hasRule = [course.policy, policy].some(completesByRule);
  const unchanged = points.length - changes.length;
  return { changes, unchanged, marked, completed: hasRule ? completed : null, points };
}

function completesByRule(policy: GradePolicy): boolean {
  return policy.kind === "one-column" && policy.completion.kind !== "score";
}

type Outcome = { points: number | null; completed: boolean };

function outcomeUnder(policy: GradePolicy, counted: readonly CountedSession[], planned: number): Outcome {
  const grades = [...gradesByColumn(policy, counted, planned, noLinkedColumns).values()].filter(
    ({ score }) => score !== null,
  );
  if (grades.length === 0) return { points: null, completed: false };
  // In hundredths, so sums stay exact.
  const hundredths = grades.reduce((sum, { score }) => sum + Math.round((score ?? 0) * 100), 0);
  return { points: hundredths / 100, completed: grades.every(isCompleted) };
}

const noLinkedColumns: ReadonlySet<string> = new Set();

async function named(app: GradingApp, found: readonly Omit<PreviewedChange, "name">[]) {
  const names = new Map<string, string | null>();
  for (const batch of slicesOf(found, batchSize)) {
    const ids = batch.map(({ personId }) => personId);
    for (const { id, name } of await app.people.findMany(ids)) names.set(id, name);
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
