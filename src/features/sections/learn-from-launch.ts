import type { Course, Member } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import { learnSections, type LearnSectionsDeps } from "./learn-sections.ts";
import { refreshRosterAfterLaunch, type RequestRosterDeps } from "./request-roster.ts";

export type LearnFromLaunchDeps = LearnSectionsDeps & RequestRosterDeps;

/** What a launch tells about sections, and whether it is time to read the roster. Nobody waits for it. */
export async function learnFromLaunch(
  deps: LearnFromLaunchDeps,
  course: Course,
  member: Pick<Member, "role" | "testUser">,
  launch: Pick<Launch, "custom">,
): Promise<void> {
  if (!member.testUser) await learnSections(deps, course, { customs: [launch.custom] });
  await refreshRosterAfterLaunch(deps, course, member.role);
}
