import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import { doesNotTeach } from "../../domain/course-rights.ts";
import { saveSections, type LearnSectionsDeps } from "./save-sections.ts";
import { refreshRosterAfterLaunch, requestRoster, type RequestRosterDeps } from "./request-roster.ts";

export type SaveLaunchFactsDeps = LearnSectionsDeps &
  RequestRosterDeps &
  Pick<App, "deliveries" | "browserSessions" | "clock">;

/**
 * Saves sections and requests a due roster. A learner who came back gets scores that waited for them, as do all where the launch
 * granted what was missing; pages of a former teacher end. The launch does not wait for this.
 */
export async function saveLaunchFacts(
  deps: SaveLaunchFactsDeps,
  course: Course,
  member: Pick<Member, "role" | "roleFrom" | "testUser" | "personId">,
  launch: Pick<Launch, "custom" | "rights">,
): Promise<void> {
  if (!member.testUser) await saveSections(deps, course, { customs: [launch.custom] });
  const place = { registrationId: course.registrationId, courseId: course.id };
  if (doesNotTeach(launch.rights.staffRole)) {
    const taught = { ...place, personIds: [member.personId], staffRole: "teacher" } as const;
    await deps.browserSessions.endAll(taught, deps.clock.now(), "role-changed");
  }
  const now = deps.clock.now();
  // The roster calls them an instructor: a new one tells whether they look as a learner, or are one.
  if (member.roleFrom === "roster") await requestRoster(deps, course);
  else if (member.role === "learner") await deps.deliveries.retryPeople(place, [member.personId], now);
  else await deps.deliveries.standDown(place, [member.personId], "teach");
  const { grantedAt = null } = course;
  if (grantedAt !== null) await deps.deliveries.unblock(place, "launch", now, grantedAt);
  await refreshRosterAfterLaunch(deps, course, member.role);
}
