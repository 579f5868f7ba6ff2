import type { Course } from "../../../domain/course.ts";
import { ruleDefaults } from "../../../domain/grade-policy.ts";
import type { LmsCapabilities } from "../../../domain/lms-product.ts";

export type CopyEvidence = {
  /** Context ids of every launch (`Context.id.history`), newest first. */
  history: readonly string[];
  /** Context ids from notices (LtiContextCopyNotice). */
  noticed: readonly string[];
  /** Our id of the course whose copied link came along. */
  madeIn: string | null;
};

/** The scope in which course ids are unique. */
type IdsHold = Pick<LmsCapabilities, "idsHoldWithin">;

/** What a copy may take over: never Space, members, grades, sections or cohorts. */
type CopiedSettings = Pick<Course, "settings" | "policy" | "door" | "checkIn">;

/**
 * The nearest known course that this one was copied from. Copied values (custom values, link addresses, column ids) are
 * evidence of a template only, never identity (LTI Core 1.3, 3.2 and 4.2). @param candidates Courses named by the
 * evidence; others are ignored.
 */
export function nearestSource(
  course: Course,
  product: IdsHold,
  evidence: CopyEvidence,
  candidates: readonly Course[],
): Course | null {
  const possible = candidates.filter((candidate) => mayBeSource(course, product, candidate));
  const byContext = (contextId: string) =>
    possible.find((one) => one.contextId === contextId && one.deploymentId === course.deploymentId) ??
    possible.find((one) => one.contextId === contextId);
  for (const contextId of [...evidence.history, ...evidence.noticed]) {
    const found = byContext(contextId);
    if (found !== undefined) return found;
  }
  return possible.find(({ id }) => id === evidence.madeIn) ?? null;
}

/** In the same deployment where context ids are unique only there; never across registrations, where ids may collide. */
export function mayBeSource(course: Course, product: IdsHold, candidate: Course): boolean {
  if (candidate.id === course.id || candidate.registrationId !== course.registrationId) return false;
  return candidate.deploymentId === course.deploymentId || product.idsHoldWithin === "registration";
}

/** The course as it is once it has taken the settings of another one. Sections belong to one course. */
export function withSettingsOf(source: CopiedSettings, course: Course): Course {
  const { settings, policy, door, checkIn } = source;
  return { ...course, settings, policy, checkIn, door: { ...door, sectionIds: course.door.sectionIds } };
}

/** To be compared: without what says nothing: minutes of an entry that is always open, and options that columns of single sessions do not have. */
export function comparable({ settings, policy, door, checkIn }: CopiedSettings) {
  const { opens, minutesBefore, minutesAfter } = door;
  return {
    ...{ checkIn, settings },
    door: opens === "always" ? { opens } : { opens, minutesBefore, minutesAfter },
    policy:
      policy.kind === "column-per-session" ? { ...policy, ...ruleDefaults, worth: policy.worth } : policy,
  };
}
