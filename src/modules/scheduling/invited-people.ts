import type { App } from "../../app.ts";
import { isForSections } from "./rules/course-session.ts";
import type { PlannedSession } from "./rules/planned-session.ts";

export type InvitedPeopleDeps = Pick<App, "members" | "people" | "sectionLinks">;

export type InvitedPeople = { hostUserId: string | null; attendeeUserIds: string[] };

const pageSize = 500;
/** Further people are not named; they may enter all the same. */
const maxPeople = 2_000;

/** Those with a classroom user. For a session of some sections, people of unknown sections are not named. */
export async function invitedPeople(
  deps: InvitedPeopleDeps,
  plan: Pick<PlannedSession, "registrationId" | "courseId" | "sectionIds" | "hostPersonId">,
): Promise<InvitedPeople> {
  const { registrationId, courseId, hostPersonId } = plan;
  const attendeeUserIds: string[] = [];
  for (let after = "", full = true; full && attendeeUserIds.length < maxPeople;) {
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
  return {
    hostUserId: host?.apiUsers.host?.id ?? null,
    attendeeUserIds: attendeeUserIds.slice(0, maxPeople),
  };
}

/** Cohorts linked to a plan's sections. When one section has none, no cohort is named: the session would exclude people. */
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
