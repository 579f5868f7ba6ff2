import type { Course } from "../../domain/course.ts";
import { gradeAfterChange, type GradeAfterChangeDeps } from "../grading/grade-after-change.ts";
import { offerCopiedSettings, type OfferCopiedSettingsDeps } from "./offer-copied-settings.ts";

export type AnswerCopiedSettingsDeps = OfferCopiedSettingsDeps & GradeAfterChangeDeps;

/** What became of an answer. */
export type AnsweredCopy = {
  /** The course as it is now. */
  course: Course;
  /** late: somebody else answered first, or there is nothing to ask any more. */
  outcome: "taken" | "declined" | "late";
};

/**
 * An instructor's answer: the settings for entering and for grades are taken over, or not. Never the Space, the
 * members, their grades, sections or cohorts. The first answer counts, of however many instructors. Grades that
 * were there already (a learner may have been first) are computed anew.
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
          // Sections are those of one course.
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
