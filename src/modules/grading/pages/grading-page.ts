import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { commentOf, defaultGradePolicy, gradeOf } from "../../../domain/grade-policy.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import { beginningOf, firstValues } from "../../../settings/in-effect.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { exampleLearner } from "../list-grades.ts";
import { isOurs } from "../column-questions.ts";
import { attendanceColumn } from "../rules/column.ts";
import { regradeProgress } from "../regrade.ts";
import { type Example, exampleView, type ProgressView, progressView } from "./grading-words.ts";
import {
  formOfPolicy,
  type GradingField,
  type GradingForm,
  type GradingProblems,
  sameForm,
} from "./grading-form.ts";
import { policyOfForm } from "./read-grading-form.ts";
import { fieldNames, type GradingFormShown, gradingFormView } from "./grading-form-view.ts";

export type GradingPage = CourseFrame &
  GradingFormShown & {
    revision: number;
    /** The stored policy, as JSON. */
    seen: string;
    saved: string | null;
    /** Nothing changed: the policy is already so. */
    same: boolean;
    isTyped: boolean;
    conflict: string | null;
    asked: boolean;
    exampleUnder: "stored" | "typed";
    example: Example;
    exampleChoices: { personId: string; name: string; chosen: boolean }[];
    /** A new course's policy, by field; null when this course has that. */
    first: [name: string, value: string][] | null;
    commentExample: string;
    /** What completes the activity in this LMS. */
    completionNote: string;
    progress: ProgressView | null;
  };

const gradingView = defineView<GradingPage>("course/grading");

type GradingShown = {
  form?: GradingForm;
  problems?: GradingProblems;
  saved?: boolean;
  same?: boolean;
  /** The form is as somebody left it, to look at something else. */
  isTyped?: boolean;
  conflict?: readonly GradingField[] | null;
  /** The learner asked for; null for any. */
  example?: string | null;
  asked?: boolean;
};

/** The policy as stored, or as typed with its problems. */
export async function gradingPage(
  app: App,
  { session, course }: InstructorVisit,
  shown: GradingShown,
  status?: number,
): Promise<PageAnswer> {
  const t = app.translatorOf(session.locale);
  const stored = formOfPolicy(course.policy);
  const {
    form = stored,
    problems = {},
    saved = false,
    same = false,
    isTyped = false,
    conflict = null,
  } = shown;
  return page(
    gradingView,
    {
      title: t("grading.title", { course: courseNameOf(t, course) }),
      revision: course.policyRevision,
      seen: JSON.stringify(stored),
      saved: saved ? t(course.policy.kind === "no-grades" ? "grading.savedOff" : "grading.saved") : null,
      same,
      isTyped,
      conflict: conflict === null ? null : conflictText(t, conflict),
      ...gradingFormView(t, form, problems, course),
      ...(await exampleOf(app, t, course, form, shown)),
      first: await firstForm(app, course, stored),
      commentExample: commentExample(app, t, course),
      completionNote: await completionNote(app, t, course),
      progress: await gradingProgress(app, t, course),
    },
    { status },
  );
}

/** In its language, or in the one it would get from this reader. */
function commentExample({ translatorOf }: App, t: Translate, { policy }: Pick<Course, "policy">): string {
  const on = policy.kind !== "no-grades" && policy.comment;
  const commentLanguage = on ? (policy.commentLanguage ?? "en") : t("language.code");
  const example =
    defaultGradePolicy.kind === "no-grades" ? policy : { ...defaultGradePolicy, commentLanguage };
  return commentOf(example, gradeOf(example, exampleSessions, exampleSessions.length), translatorOf);
}

async function completionNote(app: App, t: Translate, course: Course): Promise<string> {
  const { registrationId, id: courseId } = course;
  const { wording, ownGradeCompletes } = capabilitiesOf(await app.registrations.find(registrationId));
  const column = await app.columns.find({ registrationId, courseId, key: attendanceColumn });
  if (!ownGradeCompletes || column?.lineItemUrl == null || !isOurs(column))
    return t(`grading.fields.beforeCompletion.notes.${wording}`);
  return t("grading.fields.beforeCompletion.notes.ownColumn", {
    column: column.label ?? t("choose.attendance"),
  });
}

const exampleSessions = ["PRESENT", "PRESENT", "LATE"].map((status) => ({ status }));

/** Under the typed policy where it can be read, else under the stored one. */
async function exampleOf(
  app: App,
  t: Translate,
  course: Course,
  form: GradingForm,
  { example = null, asked = false }: GradingShown,
): Promise<Pick<GradingPage, "asked" | "exampleUnder" | "example" | "exampleChoices">> {
  const policy = policyOfForm(form).policy ?? course.policy;
  const learner = await exampleLearner(app, course, [policy], example);
  return {
    asked,
    exampleUnder: sameForm(formOfPolicy(policy), formOfPolicy(course.policy)) ? "stored" : "typed",
    example: exampleView(t, learner, policy),
    exampleChoices: learner.choices.map(({ personId, name }) => ({
      personId,
      name,
      chosen: personId === learner.personId,
    })),
  };
}

async function firstForm(app: App, course: Course, stored: GradingForm): Promise<GradingPage["first"]> {
  const { policy } = beginningOf(firstValues, await app.institutionDefaults.find(course.registrationId));
  const form = formOfPolicy(policy);
  if (sameForm(form, stored)) return null;
  const { leftOut, ...fields } = form;
  const out = leftOut === "" ? [] : leftOut.split(" ");
  return [...Object.entries(fields), ...out.map((status): [string, string] => ["leftOut", status])];
}

export async function gradingProgress(app: App, t: Translate, course: Course): Promise<ProgressView | null> {
  const regrade = await regradeProgress(app, course);
  const waiting = await app.deliveries.countDue(course.registrationId, course.id, Number.MAX_SAFE_INTEGER);
  return progressView(t, regrade, waiting);
}

function conflictText(t: Translate, fields: readonly GradingField[]): string {
  if (fields.length === 0) return t("grading.conflict.unseen");
  return t("grading.conflict.changed", { fields: fieldNames(t, fields) });
}
