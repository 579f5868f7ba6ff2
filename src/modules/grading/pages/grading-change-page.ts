import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import type { GradePolicy } from "../../../domain/grade-policy.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import { exampleLearner } from "../example-learner.ts";
import { gradebookNotes } from "../gradebook-notes.ts";
import type { PolicyPreview } from "../preview-policy.ts";
import { attendanceColumn } from "../rules/column.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { type Example, exampleView } from "./example-view.ts";
import { type ChangeView, changeView, type GradebookBefore } from "./grading-change-view.ts";
import { formOfPolicy, type GradingForm } from "./grading-form.ts";

export type GradingChangePage = CourseFrame &
  ChangeView & {
    revision: number;
    /** The stored policy, as JSON. */
    seen: string;
    /** The typed policy, as JSON. */
    typed: string;
    off: boolean;
    example: { now: Example; then: Example };
  };

const gradingChangeView = defineView<GradingChangePage>("course/grading-change");

/** Saves nothing. */
export async function gradingChangePage(
  app: App,
  { session, course }: InstructorVisit,
  changed: { form: GradingForm; policy: GradePolicy; preview: PolicyPreview; example: string | null },
): Promise<PageAnswer> {
  const t = app.translatorOf(session.locale);
  const { form, policy, preview, example } = changed;
  const gradebook = await gradebookUnder(app, course, policy);
  const learner = await exampleLearner(app, course, [course.policy, policy], example);
  return page(gradingChangeView, {
    title: t("grading.change.title", { course: courseNameOf(t, course) }),
    revision: course.policyRevision,
    seen: JSON.stringify(formOfPolicy(course.policy)),
    typed: JSON.stringify(form),
    off: policy.kind === "no-grades",
    ...changeView(t, { before: course.policy, after: policy, preview, gradebook }),
    example: { now: exampleView(t, learner, course.policy), then: exampleView(t, learner, policy) },
  });
}

async function gradebookUnder(app: App, course: Course, policy: GradePolicy): Promise<GradebookBefore> {
  const { registrationId, id: courseId } = course;
  const { gradebook, ignoresProgress } = capabilitiesOf(await app.registrations.find(registrationId));
  const column = await app.columns.find({ registrationId, courseId, key: attendanceColumn });
  return {
    ...gradebookNotes(app, gradebook, { ...course, policy }, column),
    ignoresProgress,
    columnPoints: column?.points || null,
    columnName: column?.label ?? null,
  };
}
