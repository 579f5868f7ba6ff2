import type { App } from "../../app.ts";
import { isForSections } from "./rules/course-session.ts";
import type { PlannedSession } from "./rules/planned-session.ts";

export type InvitedPeopleDeps = Pick<App, "members" | "people" | "sectionLinks">;

/**
 * The classroom's users of a session: who hosts it as a host, and who attends as a participant, as far as the classroom knows them
 * in that role already.
 */
export type InvitedPeople = { hostUserId: string | null; attendeeUserIds: string[] };

const pageSize = 500;
/** More than this are not named; everybody may enter all the same. */
const most = 2_000;

/**
 * Everybody a session is for who has a user in the classroom by now. People of whom no section is known are not named
 * for a session of some sections.
 */
export async function invitedPeople(
  deps: InvitedPeopleDeps,
  plan: Pick<PlannedSession, "registrationId" | "courseId" | "sectionIds" | "hostPersonId">,
): Promise<InvitedPeople> {
  const { registrationId, courseId, hostPersonId } = plan;
  const attendeeUserIds: string[] = [];
  for (let after = "", full = true; full && attendeeUserIds.length < most;) {
    const members = await deps.members.listAfter({ registrationId, courseId }, after, pageSize);
    const invited = members.filter(
      (member) => member.active && member.role === "learner" && isForSections(plan, member.sectionIds),
    );
    const people = await deps.people.findMany(invited.map(({ personId }) => personId));
    attendeeUserIds.push(...people.flatMap(({ apiUsers }) => apiUsers.participant?.id ?? []));
    after = members.at(-1)?.personId ?? "";
    full = members.length === pageSize;
  }
  const host = hostPersonId === null ? null : await deps.people.find(hostPersonId);
  return { hostUserId: host?.apiUsers.host?.id ?? null, attendeeUserIds: attendeeUserIds.slice(0, most) };
}

/**
 * The cohorts that the sections of a plan are linked to. Where one of the sections is linked to none, no cohort is named:
 * the session would be for fewer people than planned. Left out when there are none.
 */
export async function invitedCohorts(
  deps: Pick<InvitedPeopleDeps, "sectionLinks">,
  plan: Pick<PlannedSession, "registrationId" | "courseId" | "sectionIds" | "environment">,
): Promise<{ cohortIds?: string[] }> {
  if (plan.sectionIds.length === 0) return {};
  const links = await deps.sectionLinks.listLinked(plan.registrationId, plan.courseId);
  const cohorts = plan.sectionIds.map(
    (sectionId) =>
      links.find((link) => link.lmsSectionId === sectionId && link.environment === plan.environment)
        ?.cohortId,
  );
  const cohortIds = cohorts.filter((cohortId) => cohortId !== undefined);
  return cohortIds.length < cohorts.length ? {} : { cohortIds: [...new Set(cohortIds)] };
}
