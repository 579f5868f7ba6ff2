import type { Course } from "../../domain/course.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import type { PersonStore } from "../../storage/person-store.ts";
import { gradeMember, type GradeMemberDeps } from "../grading/grade-member.ts";
import { offerCopiedSettings, type OfferCopiedSettingsDeps } from "./offer-copied-settings.ts";

export type AnswerCopiedSettingsDeps = OfferCopiedSettingsDeps &
  GradeMemberDeps & { deliveries: DeliveryStore; people: PersonStore };

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
  const first = offer !== null && (await deps.courses.answerCopy(course.id, taken));
  const now = (await deps.courses.find(course.id)) ?? course;
  if (!first) return { course: now, outcome: "late" };
  if (taken === null) return { course: now, outcome: "declined" };
  await gradeAgain(deps, now);
  return { course: now, outcome: "taken" };
}

async function gradeAgain(deps: AnswerCopiedSettingsDeps, course: Course): Promise<void> {
  const deliveries = await deps.deliveries.listOfCourse(course.registrationId, course.id);
  const people = await deps.people.findMany([...new Set(deliveries.map(({ personId }) => personId))]);
  for (const person of people) await gradeMember(deps, course, person);
}
