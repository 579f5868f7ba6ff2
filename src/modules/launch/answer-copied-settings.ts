import type { Course } from "../../domain/course.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "../grading/grade-after-change.ts";
import { offerCopiedSettings, type OfferCopiedSettingsDeps } from "./offer-copied-settings.ts";

export type AnswerCopiedSettingsDeps = OfferCopiedSettingsDeps & GradeAfterChangeDeps;

export type AnsweredCopy = {
  course: Course;
  /** late: another instructor answered first, or the question is closed. */
  outcome: "taken" | "declined" | "late";
};

/**
 * Settings for entering and for grades; never Space, members, grades, sections or cohorts. The first answer counts.
 * Existing grades are recomputed.
 */
export async function answerCopiedSettings(
  deps: AnswerCopiedSettingsDeps,
  course: Course,
  answer: "take" | "decline",
): Promise<AnsweredCopy> {
  const offer = await offerCopiedSettings(deps, course);
  const taken =
    offer === null || answer === "decline"
      ? null
      : {
          settings: offer.source.settings,
          policy: offer.source.policy,
          checkIn: offer.source.checkIn === true,
          // Sections belong to one course.
          door: { ...offer.source.door, sectionIds: course.door.sectionIds },
        };
  const answered = () => deps.courses.answerCopy(course.id, taken);
  const first =
    offer !== null &&
    (taken === null ? await answered() : await gradeAfterChange(deps, course, "everybody", answered));
  const now = (await deps.courses.find(course.id)) ?? course;
  if (!first) return { course: now, outcome: "late" };
  if (taken === null) return { course: now, outcome: "declined" };
  return { course: now, outcome: "taken" };
}
