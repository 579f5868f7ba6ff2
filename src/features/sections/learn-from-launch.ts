import type { Course, Member } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { DeliveryStore } from "../../storage/delivery-store.ts";
import { learnSections, type LearnSectionsDeps } from "./learn-sections.ts";
import { refreshRosterAfterLaunch, type RequestRosterDeps } from "./request-roster.ts";

export type LearnFromLaunchDeps = LearnSectionsDeps &
  RequestRosterDeps & { deliveries: Pick<DeliveryStore, "retryPeople">; clock: Clock };

/**
 * What a launch tells about sections, and whether it is time to read the roster. A learner who comes is in the course
 * (again): grades that the LMS refused them are tried once more. Nobody waits for it.
 */
export async function learnFromLaunch(
  deps: LearnFromLaunchDeps,
  course: Course,
  member: Pick<Member, "role" | "testUser" | "personId">,
  launch: Pick<Launch, "custom">,
): Promise<void> {
  if (!member.testUser) await learnSections(deps, course, { customs: [launch.custom] });
  if (member.role === "learner") {
    const place = { registrationId: course.registrationId, courseId: course.id };
    await deps.deliveries.retryPeople(place, [member.personId], deps.clock.now());
  }
  await refreshRosterAfterLaunch(deps, course, member.role);
}
