import type { App } from "../../app.ts";
import { cohortRecordId, deletedSince, type ListedCohort } from "./rules/cohort.ts";
import type { Course } from "../../domain/course.ts";
import { likelyCohorts, plainName } from "../members/rules/names.ts";
import type { Section } from "../../domain/section.ts";
import type { SectionLink } from "./rules/section-link.ts";

export type FindCohortsDeps = Pick<App, "cohorts">;

/** Cohorts read; a search narrows them down. */
const maxListed = 2_000;
/** For a section. */
const maxSuggested = 3;

/** By name. @param search Words that the name must hold. @returns also how many of those read are deleted. */
export async function findCohorts(
  deps: FindCohortsDeps,
  { environment }: Pick<Course, "environment">,
  search: string,
): Promise<{ cohorts: ListedCohort[]; more: boolean; deleted: number }> {
  const words = plainName(search)
    .split(" ")
    .filter((word) => word !== "")
    .slice(0, 8);
  const found = await deps.cohorts.list(environment, words, maxListed + 1);
  const cohorts = found.slice(0, maxListed).filter((one) => deletedSince(one) === null);
  const looked = Math.min(found.length, maxListed);
  return { cohorts, more: found.length > maxListed, deleted: looked - cohorts.length };
}

/** Why there are no cohorts: none was ever known, or all are deleted. */
export function whyNone(deleted: number): "noneKnown" | "noneLeft" {
  return deleted === 0 ? "noneKnown" : "noneLeft";
}

/**
 * By names like those of unlinked sections; an instructor decides. Not one linked to another section of the course.
 * @returns the likeliest first; sections without any are left out.
 */
export function suggestCohorts(
  course: Pick<Course, "title" | "label">,
  sections: readonly Pick<Section, "lmsSectionId" | "lmsName" | "givenName">[],
  cohorts: readonly ListedCohort[],
  links: readonly SectionLink[],
): Map<string, ListedCohort[]> {
  const taken = new Set(links.map(cohortRecordId));
  const linked = new Set(links.map(({ lmsSectionId }) => lmsSectionId));
  const free = cohorts.filter((cohort) => !taken.has(cohort.id));
  const likelyFor = likelyCohorts(`${course.title} ${course.label}`, free);
  const suggested = new Map<string, ListedCohort[]>();
  for (const { lmsSectionId, lmsName, givenName } of sections) {
    const name = givenName ?? lmsName;
    if (name === null || linked.has(lmsSectionId)) continue;
    const likely = likelyFor(name, maxSuggested);
    if (likely.length > 0) suggested.set(lmsSectionId, likely);
  }
  return suggested;
}
