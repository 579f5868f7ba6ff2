import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { EntryWindow } from "../../domain/entry.ts";
import { defaultGradePolicy, type GradePolicy } from "../../domain/grade-policy.ts";
import type { LmsCapabilities } from "../../domain/lms-product.ts";
import { capabilitiesOf } from "../../lms/products/products.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import { changeCourseSettings } from "../courses/change-settings.ts";
import { comparable, type CopyEvidence, nearestSource, withSettingsOf } from "../courses/rules/course.ts";
import { changePolicy } from "../grading/change-policy.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import { gradeAfterChange } from "../grading/regrade.ts";
import type { CourseTimetable } from "../scheduling/show-sessions.ts";
import type { JoinSettings } from "../../settings/options.ts";

/** What answering the first questions needs. */
type SetUpApp = GradingApp & Pick<App, "sections" | "courseLinks">;

export type SetUpAnswers = {
  grading: GradePolicy["kind"];
  mode: JoinSettings["mode"];
  /** Whether the first learner starts the call. */
  learnersStart: boolean;
  opens: EntryWindow["opens"];
};

type AnsweredSetUp = {
  personId: string;
  answers: SetUpAnswers;
  settingsRevision: number;
  policyRevision: number;
  policyText: (policy: GradePolicy) => string;
  linesOf: (before: Course, after: Course) => { before: string; after: string }[];
};

export function presentAnswers({ policy, settings, door }: Course): SetUpAnswers {
  return {
    grading: policy.kind,
    mode: settings.mode,
    learnersStart: settings.call === "anyone",
    opens: door.opens,
  };
}

/**
 * Saves the answers and keeps everything that the questions don't ask. Repeatable.
 * @returns false if settings or policy have changed since. What was saved before stays.
 */
export async function answerSetUp(
  app: SetUpApp,
  course: Course,
  { personId, answers, settingsRevision, policyRevision, policyText, linesOf }: AnsweredSetUp,
): Promise<boolean> {
  const now = presentAnswers(course);
  if (!sameSettings(now, answers)) {
    const { settings, door } = course;
    const rules = {
      settings: { ...settings, mode: answers.mode, call: callOf(settings, answers) },
      door: { ...door, opens: answers.opens },
    };
    const outcome = await changeCourseSettings(app, course, settingsRevision, rules);
    if (outcome === "conflict") return false;
    for (const line of linesOf(course, { ...course, ...rules }))
      await writeCourseAudit(app, course, personId, { what: "settings-changed", ...line });
  }
  if (now.grading !== answers.grading) {
    const policy = policyOf(course.policy, answers.grading);
    const [before, after] = [policyText(course.policy), policyText(policy)];
    const change = { personId, revision: policyRevision, policy, before, after };
    if (!(await changePolicy(app, course, change))) return false;
  }
  await app.courses.moveSetUp(course.id, ["open", "asked", "later"], "done");
  return true;
}

function sameSettings(one: SetUpAnswers, other: SetUpAnswers): boolean {
  return one.mode === other.mode && one.learnersStart === other.learnersStart && one.opens === other.opens;
}

/** "No" doesn't change whether the first instructor starts the call. */
function callOf(settings: JoinSettings, { learnersStart }: SetUpAnswers): JoinSettings["call"] {
  if (learnersStart) return "anyone";
  return settings.call === "nobody" ? "nobody" : "host";
}

function policyOf(policy: GradePolicy, kind: GradePolicy["kind"]): GradePolicy {
  if (kind === "no-grades") return { kind };
  const rule = policy.kind === "no-grades" ? defaultGradePolicy : policy;
  return { ...rule, kind };
}

export type FirstStep = {
  name: "classroom" | "sessions" | "grading" | "settings" | "column" | "learner";
  done: boolean;
};

/**
 * What a new course still needs, from its present state. A course without grades has no "column" step. People who may
 * not see grades are asked about settings instead. @returns null if an instructor has hidden the list, or everything is
 * done.
 */
export async function listFirstSteps(
  { members, columns }: Pick<App, "members" | "columns">,
  course: Course,
  facts: { seesGrades: boolean; timetable: Pick<CourseTimetable, "live" | "next" | "past"> },
): Promise<FirstStep[] | null> {
  const { registrationId, id, setUp, policy, policyRevision, settingsRevision, spaceId } = course;
  if (setUp === "hidden") return null;
  const { seesGrades, timetable } = facts;
  const { live, next, past } = timetable;
  const [made, learner] = await Promise.all([
    columns.listOfCourse(registrationId, id),
    members.hasLearnerLaunch({ registrationId, courseId: id }),
  ]);
  const answered = setUp === "done";
  const hasColumn = made.some(({ lineItemUrl, missing = null }) => lineItemUrl !== null && missing === null);
  const steps: (FirstStep & { asked?: boolean })[] = [
    { name: "classroom", done: spaceId !== null },
    { name: "sessions", done: live.length + next.length + past.length > 0 },
    { name: "grading", asked: seesGrades, done: answered || policyRevision > 0 },
    { name: "settings", asked: !seesGrades, done: answered || settingsRevision > 0 },
    { name: "column", asked: seesGrades && policy.kind !== "no-grades", done: hasColumn },
    { name: "learner", done: learner },
  ];
  const asked = steps.filter((step) => step.asked !== false);
  return asked.every(({ done }) => done) ? null : asked;
}

/** How many ancestors are looked up, nearest first. Canvas lists up to a thousand. */
const maxOrigins = 200;

/**
 * Returns null if the question was answered, or if the source is unknown, or was never used and has no settings. Learners aren't asked: a
 * copied course works with defaults until an instructor comes.
 */
export async function offerCopiedSettings(
  app: Pick<App, "courses" | "courseCopies" | "registrations">,
  course: Course,
) {
  if (course.copyAnswer !== "open") return null;
  const source = await sourceOf(app, course);
  if (source === null) return null;
  /** The course with the source's settings. */
  const after = withSettingsOf(source, course);
  /** Whether taking them would change anything. */
  const changes = !isDeepStrictEqual(comparable(course), comparable(after));
  return source.spaceId === null && !changes ? null : { source, after, changes };
}

async function sourceOf(app: Pick<App, "courses" | "courseCopies" | "registrations">, course: Course) {
  const { registrationId } = course;
  const product = capabilitiesOf(await app.registrations.find(registrationId));
  const evidence = await evidenceOf(app, course, product);
  const contextIds = [...evidence.history, ...evidence.noticed].slice(0, maxOrigins);
  const named = await app.courses.findByContexts(registrationId, contextIds);
  const madeIn = evidence.madeIn === null ? null : await app.courses.find(evidence.madeIn);
  return nearestSource(course, product, evidence, madeIn === null ? named : [...named, madeIn]);
}

/** If ids hold in all deployments, a notice may name another deployment than the launches do. */
async function evidenceOf(
  app: Pick<App, "courses" | "courseCopies" | "registrations">,
  course: Course,
  { idsHoldWithin }: Pick<LmsCapabilities, "idsHoldWithin">,
): Promise<CopyEvidence> {
  const noted = (await app.courseCopies.listOf(course.registrationId, course.contextId)).filter(
    ({ deploymentId }) => deploymentId === course.deploymentId || idsHoldWithin === "registration",
  );
  return {
    history: course.history,
    noticed: noted.flatMap(({ origins }) => origins),
    madeIn: noted.find(({ deploymentId }) => deploymentId === course.deploymentId)?.madeIn ?? null,
  };
}

export type AnsweredCopy = {
  course: Course;
  /** late: another instructor answered first, or the question is closed. */
  outcome: "taken" | "declined" | "late";
};

/**
 * Takes over settings for entering and for grades, but never the Space, members, grades, sections or cohorts. The first answer counts.
 * Existing grades are computed again.
 */
export async function answerCopiedSettings(
  app: GradingApp & Pick<App, "courses" | "courseCopies" | "registrations">,
  course: Course,
  answer: "take" | "decline",
): Promise<AnsweredCopy> {
  const offer = await offerCopiedSettings(app, course);
  const taken = offer === null || answer === "decline" ? null : settingsIn(offer.after);
  const answered = () => app.courses.answerCopy(course.id, taken);
  const first =
    offer !== null &&
    (taken === null ? await answered() : await gradeAfterChange(app, course, "everybody", answered));
  const now = (await app.courses.find(course.id)) ?? course;
  if (!first) return { course: now, outcome: "late" };
  if (taken === null) return { course: now, outcome: "declined" };
  return { course: now, outcome: "taken" };
}

function settingsIn({ settings, policy, door, checkIn }: Course) {
  return { settings, policy, door, checkIn };
}
