import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import type { Launch } from "../../domain/launch.ts";
import { doesNotTeach } from "../../domain/staff-rights.ts";
import { saveSections, type LearnSectionsDeps } from "./save-sections.ts";
import { refreshRosterAfterLaunch, type RequestRosterDeps } from "./request-roster.ts";

export type SaveLaunchFactsDeps = LearnSectionsDeps &
  RequestRosterDeps &
  Pick<App, "deliveries" | "browserSessions" | "clock">;

/**
 * Saves sections and requests a due roster. A learner who came back gets scores that the LMS refused; pages of a former
 * teacher end. The launch does not wait for this.
 */
export async function saveLaunchFacts(
  deps: SaveLaunchFactsDeps,
  course: Course,
  member: Pick<Member, "role" | "testUser" | "personId">,
  launch: Pick<Launch, "custom" | "rights">,
): Promise<void> {
  if (!member.testUser) await saveSections(deps, course, { customs: [launch.custom] });
  const place = { registrationId: course.registrationId, courseId: course.id };
  if (doesNotTeach(launch.rights.staffRole)) {
    const taught = { ...place, personIds: [member.personId], staffRole: "teacher" } as const;
    await deps.browserSessions.endAll(taught, deps.clock.now(), "role-changed");
  }
  if (member.role === "learner") {
    await deps.deliveries.retryPeople(place, [member.personId], deps.clock.now());
  }
  await refreshRosterAfterLaunch(deps, course, member.role);
}
