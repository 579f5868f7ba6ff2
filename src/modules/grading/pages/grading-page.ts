import type { Response } from "express";
import { attendanceColumn } from "../rules/column.ts";
import type { Course } from "../../../domain/course.ts";
import { commentOf, defaultGradePolicy, gradeOf, type GradePolicy } from "../../../domain/grade-policy.ts";
import { firstValues } from "../../courses/change-settings.ts";
import { exampleLearner, type ExampleLearnerDeps } from "../example-learner.ts";
import { gradebookNotes } from "../gradebook-notes.ts";
import { regradeProgress } from "../regrade-progress.ts";
import type { PolicyPreview } from "../preview-policy.ts";
import type { Scores } from "../../../lms/scores.ts";
import type { ColumnStore } from "../store/column-store.ts";
import type { DeliveryStore } from "../store/delivery-store.ts";
import type { InstitutionDefaultsStore } from "../../courses/store/institution-defaults-store.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import type { RegradeStore } from "../store/regrade-store.ts";
import type { Session, Sessions } from "../../../web/session.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import { changeView, type GradebookBefore } from "./grading-change-view.ts";
import {
  formOfPolicy,
  type GradingField,
  type GradingForm,
  type GradingProblems,
  policyOfForm,
  sameForm,
} from "./grading-form.ts";
import { exampleView, fieldNames, gradingFormView, progressView, type ProgressView } from "./grading-view.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";

export type GradingPageDeps = ExampleLearnerDeps & {
  registrations: Pick<RegistrationStore, "find">;
  regrades: Pick<RegradeStore, "find">;
  deliveries: Pick<DeliveryStore, "countDue">;
  sessions: Sessions;
  translatorOf: TranslatorOf;
  columns: Pick<ColumnStore, "find">;
  institutionDefaults: Pick<InstitutionDefaultsStore, "find">;
  scores: Pick<Scores, "canReadResults">;
};

/** Who is at the page, and the course as it is stored. */
export type GradingVisit = { session: Session; course: Course };

/** What the page says beside the policy as it is. */
export type GradingShown = {
  form?: GradingForm;
  problems?: GradingProblems;
  saved?: boolean;
  /** What was asked for is how it is already. */
  same?: boolean;
  /** What somebody else changed meanwhile; null when nobody did. */
  conflict?: readonly GradingField[] | null;
  /** The learner whose example was asked for; null for any. */
  example?: string | null;
  /** The example was asked for just now. */
  asked?: boolean;
};

/** What the comment in a gradebook looks like: in its language, or in the one it would have if the reader switched it on. */
function commentExample(
  { translatorOf }: Pick<GradingPageDeps, "translatorOf">,
  t: Translate,
  { policy }: Pick<Course, "policy">,
): string {
  const on = policy.kind !== "no-grades" && policy.comment;
  const commentLanguage = on ? (policy.commentLanguage ?? "en") : t("language.code");
  const example =
    defaultGradePolicy.kind === "no-grades" ? policy : { ...defaultGradePolicy, commentLanguage };
  return commentOf(example, gradeOf(example, ["PRESENT", "PRESENT", "LATE"], 3), translatorOf);
}

/** Renders the page: the policy as stored, or as typed with what is wrong with it. */
export async function renderGrading(
  deps: GradingPageDeps,
  { session, course }: GradingVisit,
  shown: GradingShown,
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const stored = formOfPolicy(course.policy);
  const { form = stored, problems = {}, saved = false, same = false, conflict = null } = shown;
  response.render("course/grading", {
    ...(await frameOf(deps, t, session, course)),
    title: t("grading.title", { course: nameOf(t, course) }),
    seen: JSON.stringify(stored),
    saved: saved ? t(course.policy.kind === "no-grades" ? "grading.savedOff" : "grading.saved") : null,
    same,
    conflict: conflict === null ? null : conflictText(t, conflict),
    ...gradingFormView(t, form, problems, course),
    ...(await exampleOf(deps, t, course, form, shown)),
    first: await firstForm(deps, course, stored),
    commentExample: commentExample(deps, t, course),
    progress: await progressOf(deps, t, course),
  });
}

/** The example: under what was typed where that can be read, else under what holds. */
async function exampleOf(
  deps: GradingPageDeps,
  t: Translate,
  course: Course,
  form: GradingForm,
  { example = null, asked = false }: GradingShown,
) {
  const policy = policyOfForm(form).policy ?? course.policy;
  const learner = await exampleLearner(deps, course, [policy], example);
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

/** The fields of the policy that a course begins with; null when it has that already. */
async function firstForm(
  deps: GradingPageDeps,
  course: Course,
  stored: GradingForm,
): Promise<[name: string, value: string][] | null> {
  const { policy } = firstValues(await deps.institutionDefaults.find(course.registrationId));
  const form = formOfPolicy(policy);
  if (sameForm(form, stored)) return null;
  const { leftOut, ...fields } = form;
  const out = leftOut === "" ? [] : leftOut.split(" ");
  return [...Object.entries(fields), ...out.map((status): [string, string] => ["leftOut", status])];
}

/** Renders what a policy would change, with the button that saves it. Nothing is saved yet. */
export async function renderGradingChange(
  deps: GradingPageDeps,
  { session, course }: GradingVisit,
  changed: { form: GradingForm; policy: GradePolicy; preview: PolicyPreview; example: string | null },
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const { form, policy, preview, example } = changed;
  const gradebook = await gradebookUnder(deps, course, policy);
  const learner = await exampleLearner(deps, course, [course.policy, policy], example);
  response.render("course/grading-change", {
    ...(await frameOf(deps, t, session, course)),
    title: t("grading.change.title", { course: nameOf(t, course) }),
    seen: JSON.stringify(formOfPolicy(course.policy)),
    typed: JSON.stringify(form),
    off: policy.kind === "no-grades",
    ...changeView(t, { before: course.policy, after: policy, preview, gradebook }),
    example: { now: exampleView(t, learner, course.policy), then: exampleView(t, learner, policy) },
  });
}

/** What there is to know of the gradebook before scores under another policy are sent. */
async function gradebookUnder(
  deps: GradingPageDeps,
  course: Course,
  policy: GradePolicy,
): Promise<GradebookBefore> {
  const { registrationId, id: courseId } = course;
  const { gradebook } = capabilitiesOf(await deps.registrations.find(registrationId));
  const column = await deps.columns.find({ registrationId, courseId, key: attendanceColumn });
  return {
    ...gradebookNotes(deps, gradebook, { ...course, policy }, column),
    columnPoints: column?.points ?? null,
    columnName: column?.label ?? null,
  };
}

/** How far grades have come since the last change; null when there has been none. */
export async function progressOf(
  deps: Pick<GradingPageDeps, "regrades" | "deliveries">,
  t: Translate,
  course: Course,
): Promise<ProgressView | null> {
  const regrade = await regradeProgress(deps, course);
  const waiting = await deps.deliveries.countDue(course.registrationId, course.id, Number.MAX_SAFE_INTEGER);
  return progressView(t, regrade, waiting);
}

async function frameOf(deps: GradingPageDeps, t: Translate, session: Session, course: Course) {
  return {
    t,
    courseName: nameOf(t, course),
    session: await deps.sessions.issue(session),
    revision: course.policyRevision,
  };
}

function nameOf(t: Translate, { title, label }: Course): string {
  return title || label || t("product.name");
}

function conflictText(t: Translate, fields: readonly GradingField[]): string {
  if (fields.length === 0) return t("grading.conflict.unseen");
  return t("grading.conflict.changed", { fields: fieldNames(t, fields) });
}
