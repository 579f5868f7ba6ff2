import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { fullName } from "../../domain/person-name.ts";
import type { Section } from "../../domain/section.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { refusal } from "../../kernel/refusal.ts";
import { type CourseAuditDeps, writeCourseAudit } from "../audit/write-course-audit.ts";
import { placeEventsAnew, type PlaceEventsDeps } from "../scheduling/session-owners.ts";
import {
  type Cohort,
  type CohortKey,
  cohortRecordId,
  deletedSince,
  type SectionLink,
} from "./rules/cohort.ts";

type LinkSectionDeps = CourseAuditDeps &
  Omit<PlaceEventsDeps, "sectionLinks"> &
  Pick<App, "cohorts" | "sectionLinks" | "sections">;

/**
 * Repeatable; a cohort may have several sections, of any course. @param actor The instructor's person id. @throws
 * NamedError "section-unknown", "cohort-unknown", "cohort-deleted", "section-linked-already"
 */
export async function linkSection(
  deps: LinkSectionDeps,
  course: Pick<Course, "id" | "registrationId" | "environment">,
  actor: string,
  wanted: { lmsSectionId: string } & Omit<CohortKey, "environment">,
): Promise<SectionLink> {
  const { id: courseId, registrationId, environment } = course;
  const { lmsSectionId, programId, cohortId } = wanted;
  const section = (await deps.sections.listOf(registrationId, courseId)).find(
    (one) => one.lmsSectionId === lmsSectionId,
  );
  if (section === undefined) throw sectionUnknown();
  const cohort = await deps.cohorts.find({ environment, programId, cohortId });
  if (cohort === null) {
    throw refusal("cohort-unknown", {
      status: 404,
    });
  }
  if (deletedSince(cohort) !== null) {
    throw refusal("cohort-deleted", {
      status: 409,
    });
  }
  const link: SectionLink = {
    id: deps.ids.id("sln"),
    registrationId,
    courseId,
    lmsSectionId,
    environment,
    programId,
    cohortId,
    sectionName: nameOf(section),
    cohortName: cohort.name,
    state: "linked",
    by: actor,
    at: deps.clock.now(),
    endedBy: null,
    endedAt: null,
  };
  if (await deps.sectionLinks.insert(link)) {
    await placeEventsAnew(deps, course, cohortId);
    await writeCourseAudit(deps, course, actor, {
      what: "section-linked",
      before: link.sectionName ?? lmsSectionId,
      after: cohort.name ?? cohortId,
    });
    return link;
  }
  const other = await deps.sectionLinks.findLinked(link);
  if (other !== null && cohortRecordId(other) === cohort.id) return other;
  throw refusal("section-linked-already", { status: 409 });
}

/**
 * The link stays as history, and so does what is known of the cohort. @param linkId The one seen, so that a later one
 * is not ended. @returns null when it had ended already.
 */
export async function unlinkSection(
  deps: LinkSectionDeps,
  course: Pick<Course, "id" | "registrationId">,
  actor: string,
  linkId: string,
): Promise<SectionLink | null> {
  const { registrationId, id: courseId } = course;
  const link = (await deps.sectionLinks.listLinked(registrationId, courseId)).find(({ id }) => id === linkId);
  if (link === undefined || !(await deps.sectionLinks.end(link.id, actor, deps.clock.now()))) return null;
  await placeEventsAnew(deps, course, link.cohortId);
  const section = (await deps.sections.listOf(registrationId, courseId)).find(
    (one) => one.lmsSectionId === link.lmsSectionId,
  );
  const cohort = await deps.cohorts.find(link);
  await writeCourseAudit(deps, course, actor, {
    what: "section-unlinked",
    before: (section === undefined ? null : nameOf(section)) ?? link.sectionName ?? link.lmsSectionId,
    after: cohort?.name ?? link.cohortName ?? link.cohortId,
  });
  return link;
}

export function sectionUnknown(): NamedError {
  return refusal("section-unknown", { status: 404 });
}

function nameOf({ givenName, lmsName }: Section): string | null {
  return givenName ?? lmsName;
}

type ListLinkHistoryDeps = Pick<App, "cohorts" | "sectionLinks" | "people">;

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
