import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { fullName } from "../../domain/person.ts";
import type { Section } from "../../domain/section.ts";
import type { NamedError } from "../../kernel/errors.ts";
import { byId } from "../../kernel/lists.ts";
import { refusal } from "../../kernel/refusal.ts";
import { writeCourseAudit } from "../audit/audit.ts";
import { assignEventsAgain } from "../scheduling/session-owners.ts";
import { type CohortKey, cohortRecordId, deletedSince, type SectionLink } from "./rules/cohort.ts";

/** What linking sections to cohorts needs. */
type LinksApp = Omit<Pick<App, "events" | "sectionLinks" | "whileSessionsChange">, "sectionLinks"> &
  Pick<App, "cohorts" | "sectionLinks" | "sections" | "courseAudit" | "people" | "clock" | "ids">;

/**
 * Repeatable. A cohort may have several sections, of any course. @param actor The instructor's person id.
 * @throws NamedError "section-unknown", "cohort-unknown", "cohort-deleted", "section-linked-already"
 */
export async function linkSection(
  app: LinksApp,
  course: Pick<Course, "id" | "registrationId" | "environment">,
  actor: string,
  chosen: { lmsSectionId: string } & Omit<CohortKey, "environment">,
): Promise<SectionLink> {
  const { id: courseId, registrationId, environment } = course;
  const { lmsSectionId, programId, cohortId } = chosen;
  const section = (await app.sections.listOf(registrationId, courseId)).find(
    (one) => one.lmsSectionId === lmsSectionId,
  );
  if (section === undefined) throw sectionUnknown();
  const cohort = await app.cohorts.find({ environment, programId, cohortId });
  if (cohort === null) throw refusal("cohort-unknown", { status: 404 });
  if (deletedSince(cohort) !== null) throw refusal("cohort-deleted", { status: 409 });
  const link: SectionLink = {
    id: app.ids.id("sln"),
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
    at: app.clock.now(),
    endedBy: null,
    endedAt: null,
  };
  if (await app.sectionLinks.insert(link)) {
    await assignEventsAgain(app, course, cohortId);
    await writeCourseAudit(app, course, actor, {
      what: "section-linked",
      before: link.sectionName ?? lmsSectionId,
      after: cohort.name ?? cohortId,
    });
    return link;
  }
  const other = await app.sectionLinks.findLinked(link);
  if (other !== null && cohortRecordId(other) === cohort.id) return other;
  throw refusal("section-linked-already", { status: 409 });
}

/**
 * Ends a link. It stays as history, and so does what is known about the cohort. @param linkId The link seen, so a later one isn't ended.
 * @returns null if it had already ended.
 */
export async function unlinkSection(
  app: LinksApp,
  course: Pick<Course, "id" | "registrationId">,
  actor: string,
  linkId: string,
): Promise<SectionLink | null> {
  const { registrationId, id: courseId } = course;
  const link = (await app.sectionLinks.listLinked(registrationId, courseId)).find(({ id }) => id === linkId);
  if (link === undefined || !(await app.sectionLinks.end(link.id, actor, app.clock.now()))) return null;
  await assignEventsAgain(app, course, link.cohortId);
  const section = (await app.sections.listOf(registrationId, courseId)).find(
    (one) => one.lmsSectionId === link.lmsSectionId,
  );
  const cohort = await app.cohorts.find(link);
  await writeCourseAudit(app, course, actor, {
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

const maxRows = 200;

export type PastLink = Awaited<ReturnType<typeof listLinkHistory>>[number];

export async function listLinkHistory(
  app: Pick<App, "cohorts" | "sectionLinks" | "people">,
  { registrationId, id }: Pick<Course, "id" | "registrationId">,
) {
  const links = await app.sectionLinks.listHistory(registrationId, id, maxRows);
  const cohorts = byId(await app.cohorts.findMany([...new Set(links.map(cohortRecordId))]));
  const actors = [...new Set(links.flatMap(({ by, endedBy }) => (endedBy === null ? [by] : [by, endedBy])))];
  const people = byId(await app.people.findMany(actors));
  const nameOf = (personId: string | null) => {
    const person = personId === null ? undefined : people.get(personId);
    return person === undefined ? null : fullName(person);
  };
  return links.map((link) => {
    const cohort = cohorts.get(cohortRecordId(link));
    return {
      ...link,
      cohortNow: cohort?.name ?? link.cohortName ?? link.cohortId,
      /** In its last known list. */
      attendees: cohort?.attendees?.length ?? null,
      /** Milliseconds. Null while the cohort exists. */
      deletedAt: cohort === undefined ? null : deletedSince(cohort),
      /** Who linked it and who ended the link. Null if withheld. */
      byName: nameOf(link.by),
      endedByName: nameOf(link.endedBy),
    };
  });
}
