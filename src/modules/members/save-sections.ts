import type { App } from "../../app.ts";
import type { Course } from "../../domain/course.ts";
import { sectionIdsOf } from "../../domain/section.ts";
import { sectionNamesOf } from "./rules/section-names.ts";
import type { LearnedSection } from "./store/section-store.ts";

export type LearnSectionsDeps = Pick<App, "sections" | "ids">;

export type SectionSources = {
  /** Of a launch, or of every entry of a roster. */
  customs: readonly Readonly<Record<string, string>>[];
  groupIds?: readonly string[];
  named?: readonly LearnedSection[];
};

/** Sections are never removed: an instructor's name must survive a while without launches. */
export async function saveSections(
  deps: LearnSectionsDeps,
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
    (await deps.sections.listOf(course.registrationId, course.id)).map((one) => [one.lmsSectionId, one]),
  );
  for (const section of latest.values()) {
    if (isNews(section, known.get(section.lmsSectionId))) {
      await deps.sections.record(key, section, deps.ids.id("sec"));
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

/** Most people of a section have the same parameters; each set is read once. */
function distinct(customs: SectionSources["customs"]): SectionSources["customs"] {
  const relevant = customs.map((custom) =>
    Object.fromEntries(Object.entries(custom).filter(([name]) => name.startsWith("spaces_"))),
  );
  return [...new Map(relevant.map((custom) => [JSON.stringify(custom), custom])).values()];
}
