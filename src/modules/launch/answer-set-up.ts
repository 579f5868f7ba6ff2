import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { EntryWindow } from "../../domain/entry.ts";
import { defaultGradePolicy, type GradePolicy } from "../../domain/grade-policy.ts";
import type { JoinSettings } from "../../domain/join-settings.ts";
import { changePolicy, type ChangePolicyDeps } from "../grading/change-policy.ts";
import { changeCourseSettings, type ChangeSettingsDeps } from "../courses/change-settings.ts";
import { writeCourseAudit } from "../audit/write-course-audit.ts";

export type AnswerSetUpDeps = Omit<ChangeSettingsDeps, "courses"> &
  Omit<ChangePolicyDeps, "courses"> &
  Pick<App, "courses">;

export type SetUpAnswers = {
  grading: GradePolicy["kind"];
  mode: JoinSettings["mode"];
  /** Whether the first learner starts the call. */
  learnersStart: boolean;
  opens: EntryWindow["opens"];
};

export type AnsweredSetUp = {
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
    learnersStart: settings.startCall && settings.startCallForEveryone,
    opens: door.opens,
  };
}

/**
 * What the questions do not ask stays. Repeatable. @returns false when settings or policy have changed since; what was
 * saved before stays.
 */
export async function answerSetUp(
  deps: AnswerSetUpDeps,
  course: Course,
  { personId, answers, settingsRevision, policyRevision, policyText, linesOf }: AnsweredSetUp,
): Promise<boolean> {
  const now = presentAnswers(course);
  if (!sameSettings(now, answers)) {
    const { settings, door } = course;
    const rules = {
      settings: { ...settings, mode: answers.mode, ...callOf(settings, answers) },
      door: { ...door, opens: answers.opens },
    };
    const outcome = await changeCourseSettings(deps, course, settingsRevision, rules);
    if (outcome === "conflict") return false;
    for (const line of linesOf(course, { ...course, ...rules }))
      await writeCourseAudit(deps, course, personId, { what: "settings-changed", ...line });
  }
  if (now.grading !== answers.grading) {
    const policy = policyOf(course.policy, answers.grading);
    const [before, after] = [policyText(course.policy), policyText(policy)];
    const change = { personId, revision: policyRevision, policy, before, after };
    if (!(await changePolicy(deps, course, change))) return false;
  }
  await deps.courses.moveSetUp(course.id, ["open", "asked", "later"], "done");
  return true;
}

function sameSettings(one: SetUpAnswers, other: SetUpAnswers): boolean {
  return one.mode === other.mode && one.learnersStart === other.learnersStart && one.opens === other.opens;
}

/** "No" does not change whether the first instructor starts the call. */
function callOf(settings: JoinSettings, { learnersStart }: SetUpAnswers) {
  return learnersStart
    ? { startCall: true, startCallForEveryone: true }
    : { startCall: settings.startCall, startCallForEveryone: false };
}

function policyOf(policy: GradePolicy, kind: GradePolicy["kind"]): GradePolicy {
  if (kind === "no-grades") return { kind };
  const rule = policy.kind === "no-grades" ? defaultGradePolicy : policy;
  return rule.kind === "no-grades" ? rule : { ...rule, kind };
}
