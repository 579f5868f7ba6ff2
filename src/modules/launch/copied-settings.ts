import { isDeepStrictEqual } from "node:util";
import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import type { LmsCapabilities } from "../../domain/lms-product.ts";
import { capabilitiesOf } from "../../lms/products/capabilities-of.ts";
import type { GradingApp } from "../grading/grade-members.ts";
import {
  comparable,
  type CopyEvidence,
  nearestSource,
  withSettingsOf,
} from "../courses/rules/course-copy.ts";
import { gradeAfterChange } from "../grading/regrade.ts";

export type CopyOffer = {
  source: Course;
  /** The course with the source's settings. */
  after: Course;
  /** Whether taking them would change anything. */
  changes: boolean;
};

/** Ancestors looked for, nearest first; Canvas lists up to a thousand. */
const maxOrigins = 200;

/**
 * Null when it was answered, or the source is unknown, or was never used and has no settings of its own. Learners are
 * not asked: a copied course works with defaults until an instructor comes.
 */
export async function offerCopiedSettings(
  app: Pick<App, "courses" | "courseCopies" | "registrations">,
  course: Course,
): Promise<CopyOffer | null> {
  if (course.copyAnswer !== "open") return null;
  const source = await sourceOf(app, course);
  if (source === null) return null;
  const after = withSettingsOf(source, course);
  const changes = !isDeepStrictEqual(comparable(course), comparable(after));
  return source.spaceId === null && !changes ? null : { source, after, changes };
}

async function sourceOf(
  app: Pick<App, "courses" | "courseCopies" | "registrations">,
  course: Course,
): Promise<Course | null> {
  const { registrationId } = course;
  const product = capabilitiesOf(await app.registrations.find(registrationId));
  const evidence = await evidenceOf(app, course, product);
  const contextIds = [...evidence.history, ...evidence.noticed].slice(0, maxOrigins);
  const named = await app.courses.findByContexts(registrationId, contextIds);
  const madeIn = evidence.madeIn === null ? null : await app.courses.find(evidence.madeIn);
  return nearestSource(course, product, evidence, madeIn === null ? named : [...named, madeIn]);
}

/** Where ids hold in all deployments, a notice may name another deployment than the launches. */
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
 * Settings for entering and for grades; never Space, members, grades, sections or cohorts. The first answer counts.
 * Existing grades are recomputed.
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
