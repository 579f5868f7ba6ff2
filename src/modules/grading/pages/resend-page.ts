import type { GradesApp } from "./grades-app.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import { gradebookNotes } from "../gradebook-notes.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { numberText } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";

export type ResendPage = CourseFrame & { lead: string; notes: string[] };

const resendView = defineView<ResendPage>("course/grades-resend");

export async function resendPage(app: GradesApp, { session, course }: InstructorVisit): Promise<PageAnswer> {
  const t = app.translatorOf(session.locale);
  const { registrationId, id: courseId } = course;
  const counts = await app.deliveries.countOfCourse({ registrationId, courseId });
  const number = counts.delivered + counts.waiting + counts.refused;
  const { gradebook } = capabilitiesOf(await app.registrations.find(registrationId));
  const { checked, endsExcused, keepsTeachersGrade } = gradebookNotes(app, gradebook, course, null);
  return page(resendView, {
    title: t("grades.resend.title", { course: courseNameOf(t, course) }),
    lead: t("grades.resend.lead", { count: number, number: numberText(t, number) }),
    notes: [
      t(`grades.resend.checked.${checked}`),
      t("grades.resend.timestamps"),
      t("grades.resend.comments"),
      ...(checked === "nobody" ? [] : [t("grades.resend.teachers")]),
      ...(endsExcused ? [t("grades.resend.endsExcused")] : []),
      ...(keepsTeachersGrade ? [t("grades.resend.keepsTeachers")] : []),
      t("grades.resend.progress"),
    ],
  });
}
