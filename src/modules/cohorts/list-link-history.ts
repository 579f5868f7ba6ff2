import type { App } from "../../app.ts";
import { type Cohort, cohortRecordId, deletedSince } from "./rules/cohort.ts";
import type { Course } from "../../domain/course.ts";
import { fullName } from "../../domain/person-name.ts";
import type { SectionLink } from "./rules/section-link.ts";

export type ListLinkHistoryDeps = Pick<App, "cohorts" | "sectionLinks" | "people">;

export type PastLink = SectionLink & {
  cohortNow: string;
  /** In its last known list. */
  attendees: number | null;
  /** Milliseconds; null while the cohort exists. */
  deletedAt: number | null;
  /** Who linked it and who ended that; null when withheld. */
  byName: string | null;
  endedByName: string | null;
};

const maxRows = 200;

export async function listLinkHistory(
  deps: ListLinkHistoryDeps,
  { registrationId, id }: Pick<Course, "id" | "registrationId">,
): Promise<PastLink[]> {
  const links = await deps.sectionLinks.listHistory(registrationId, id, maxRows);
  const cohorts = new Map<string, Cohort>(
    (await deps.cohorts.findMany([...new Set(links.map(cohortRecordId))])).map((one) => [one.id, one]),
  );
  const actors = [...new Set(links.flatMap(({ by, endedBy }) => (endedBy === null ? [by] : [by, endedBy])))];
  const people = new Map((await deps.people.findMany(actors)).map((one) => [one.id, one]));
  const nameOf = (personId: string | null) => {
    const person = personId === null ? undefined : people.get(personId);
    return person === undefined ? null : fullName(person);
  };
  return links.map((link) => {
    const cohort = cohorts.get(cohortRecordId(link));
    return {
      ...link,
      cohortNow: cohort?.name ?? link.cohortName ?? link.cohortId,
      attendees: cohort?.attendees?.length ?? null,
      deletedAt: cohort === undefined ? null : deletedSince(cohort),
      byName: nameOf(link.by),
      endedByName: nameOf(link.endedBy),
    };
  });
}
