import type { RegistrationStore } from "../registration/store/registration-store.ts";
import type { App } from "../../app.ts";
import type { Course, Member } from "../../domain/course.ts";
import { type Section, sectionIdsOf } from "../../domain/section.ts";
import { pagesByKey } from "../../kernel/async.ts";
import { showsNothing } from "../../kernel/text.ts";
import { capabilitiesOf } from "../../lms/products/products.ts";
import { type CourseAuditApp, writeCourseAudit } from "../audit/audit.ts";
import { sectionNamesOf } from "./rules/names.ts";
import type { MemberKey, MemberStore } from "./store/member-store.ts";
import type { LearnedSection } from "./store/section-store.ts";

export async function showSections(
  app: Pick<App, "members" | "sections"> & { registrations: Pick<RegistrationStore, "find"> },
  { registrationId, id: courseId }: Pick<Course, "id" | "registrationId">,
) {
  const counted = await countMembers(app, { registrationId, courseId });
  return {
    product: capabilitiesOf(await app.registrations.find(registrationId)),
    total: counted.total,
    sections: sectionRows(await app.sections.listOf(registrationId, courseId), counted),
  };
}

/** How many members of each kind there are now, without preview students. */
export type Headcount = { learners: number; instructors: number };

export type SectionRow = Pick<Section, "lmsSectionId" | "lmsName" | "lmsSetName" | "givenName"> & Headcount;

export type MemberCounts = {
  total: Headcount & { inactive: number; withoutSection: Headcount };
  bySection: ReadonlyMap<string, Headcount>;
};

/** Reads all members of a course by id, in parts, so a large course doesn't block the process. */
export function memberSlices(
  { members }: { members: Pick<MemberStore, "listAfter"> },
  key: MemberKey,
  size = 500,
) {
  const read = (after: string) => members.listAfter(key, after, size);
  return pagesByKey(size, ({ personId }) => personId, read);
}

export async function countMembers(
  app: { members: Pick<MemberStore, "listAfter"> },
  key: MemberKey,
): Promise<MemberCounts> {
  const nobody = (): Headcount => ({ learners: 0, instructors: 0 });
  const total = { ...nobody(), inactive: 0, withoutSection: nobody() };
  const bySection = new Map<string, Headcount>();
  const add = (to: Headcount, { role }: Member) => {
    to[role === "learner" ? "learners" : "instructors"] += 1;
  };
  for await (const batch of memberSlices(app, key)) {
    for (const member of batch.filter(({ testUser }) => !testUser)) {
      if (!member.active) {
        total.inactive += 1;
        continue;
      }
      add(total, member);
      if (member.sectionIds.length === 0) add(total.withoutSection, member);
      for (const id of member.sectionIds) {
        const counted = bySection.get(id) ?? nobody();
        bySection.set(id, counted);
        add(counted, member);
      }
    }
  }
  return { total, bySection };
}

function sectionRows(sections: readonly Section[], { bySection: counts }: MemberCounts): SectionRow[] {
  return [...sections]
    .sort(inSectionOrder)
    .map(({ lmsSectionId, lmsName, lmsSetName, givenName }) => ({
      lmsSectionId,
      lmsName,
      lmsSetName,
      givenName,
      ...(counts.get(lmsSectionId) ?? { learners: 0, instructors: 0 }),
    }));
}

/** Sorts by set, then name, then the LMS's id as a number: "Group 9" before "Group 10". */
export function inSectionOrder(one: Section, other: Section): number {
  const numeric = { numeric: true };
  return (
    (one.lmsSetName ?? "").localeCompare(other.lmsSetName ?? "", undefined, numeric) ||
    nameOf(one).localeCompare(nameOf(other), undefined, numeric) ||
    one.lmsSectionId.localeCompare(other.lmsSectionId, undefined, numeric)
  );
}

function nameOf({ givenName, lmsName }: Section): string {
  return givenName ?? lmsName ?? "";
}

/** UTF-16 units, as browsers count. */
export const maxSectionNameLength = 80;

/**
 * Gives names to sections: all or none, with a line in the change log for each change. A blank name removes the instructor's.
 * @param actor The instructor's person id. @returns the ids of sections whose names are too long. Empty if all were saved.
 */
export async function nameSections(
  app: CourseAuditApp & Pick<App, "sections">,
  course: Pick<Course, "id" | "registrationId">,
  actor: string,
  typed: ReadonlyMap<string, string>,
): Promise<string[]> {
  const requested = [...typed].map(([id, name]) => ({ id, name: name.replace(/\s+/g, " ").trim() }));
  const tooLong = requested.filter(({ name }) => name.length > maxSectionNameLength).map(({ id }) => id);
  if (tooLong.length > 0) return tooLong;
  const known = await app.sections.listOf(course.registrationId, course.id);
  for (const { lmsSectionId, lmsName, givenName } of known) {
    const name = requested.find(({ id }) => id === lmsSectionId)?.name;
    const to = name === undefined || !showsNothing(name) ? name : null;
    if (to === undefined || to === givenName) continue;
    const key = { registrationId: course.registrationId, courseId: course.id, lmsSectionId };
    if (!(await app.sections.giveName(key, to))) continue;
    const called = (name: string | null) => name ?? lmsName ?? lmsSectionId;
    await writeCourseAudit(app, course, actor, {
      what: "section-named",
      before: called(givenName),
      after: called(to),
    });
  }
  return [];
}

type SectionSources = {
  /** Custom parameters of a launch, or of every entry of a roster. */
  customs: readonly Readonly<Record<string, string>>[];
  groupIds?: readonly string[];
  named?: readonly LearnedSection[];
};

/** Never removes sections, because an instructor's name must survive a while without launches. */
export async function saveSections(
  app: Pick<App, "ids" | "sections">,
  course: Pick<Course, "id" | "registrationId">,
  { customs, groupIds = [], named = [] }: SectionSources,
): Promise<void> {
  const latest = new Map<string, LearnedSection>();
  const learn = (lmsSectionId: string, lmsName: string | null, lmsSetName: string | null) => {
    const before = latest.get(lmsSectionId);
    latest.set(lmsSectionId, {
      lmsSectionId,
      lmsName: lmsName ?? before?.lmsName ?? null,
      lmsSetName: lmsSetName ?? before?.lmsSetName ?? null,
    });
  };
  for (const custom of distinct(customs)) {
    const names = sectionNamesOf(custom);
    for (const id of sectionIdsOf(custom) ?? []) learn(id, names.get(id) ?? null, null);
  }
  for (const id of groupIds) learn(id, null, null);
  for (const { lmsSectionId, lmsName, lmsSetName } of named) learn(lmsSectionId, lmsName, lmsSetName);
  if (latest.size === 0) return;

  const key = { registrationId: course.registrationId, courseId: course.id };
  const known = new Map(
    (await app.sections.listOf(course.registrationId, course.id)).map((one) => [one.lmsSectionId, one]),
  );
  for (const section of latest.values()) {
    if (isNews(section, known.get(section.lmsSectionId))) {
      await app.sections.record(key, section, app.ids.id("sec"));
    }
  }
}

function isNews(reported: LearnedSection, known: LearnedSection | undefined): boolean {
  if (known === undefined) return true;
  return (
    (reported.lmsName !== null && reported.lmsName !== known.lmsName) ||
    (reported.lmsSetName !== null && reported.lmsSetName !== known.lmsSetName)
  );
}

/** Most people of a section have the same parameters, so each set is read once. */
function distinct(customs: SectionSources["customs"]): SectionSources["customs"] {
  const relevant = customs.map((custom) =>
    Object.fromEntries(Object.entries(custom).filter(([name]) => name.startsWith("spaces_"))),
  );
  return [...new Map(relevant.map((custom) => [JSON.stringify(custom), custom])).values()];
}
