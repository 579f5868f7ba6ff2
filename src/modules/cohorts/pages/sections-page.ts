import type { Response } from "express";
import { compareSections, type CompareSectionsDeps } from "../../cohorts/compare-sections.ts";
import { findCohorts, type FindCohortsDeps, suggestCohorts, whyNone } from "../../cohorts/find-cohorts.ts";
import { longestSectionName, type TypedNames } from "../name-sections.ts";
import { showSections, type ShowSectionsDeps } from "../show-sections.ts";
import type { PersonStore } from "../store/person-store.ts";
import type { SectionLinkStore } from "../../cohorts/store/section-link-store.ts";
import type { Sessions } from "../../../web/session.ts";
import { numberText } from "../../../web/number-text.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { linkView } from "../../cohorts/pages/cohorts-view.ts";
import { courseTimes } from "../../../web/course-times.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { namesOfUsers } from "../names-of-users.ts";
import { headcountText, numberLabel, sectionLabel } from "./section-words.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type SectionsPageDeps = ShowSectionsDeps &
  Omit<CompareSectionsDeps, "people" | "members" | "cohorts"> &
  FindCohortsDeps & {
    cohorts: CompareSectionsDeps["cohorts"];
    members: CompareSectionsDeps["members"];
    people: CompareSectionsDeps["people"] & Pick<PersonStore, "findMany" | "listByApiUsers">;
    sectionLinks: Pick<SectionLinkStore, "listLinked">;
    sessions: Sessions;
    translatorOf: TranslatorOf;
  };

/** What the page says about what was just pressed. */
export type SectionsNews = {
  /** Names as they were typed, by the LMS's id of the section, and those that are too long. */
  typed?: TypedNames;
  tooLong?: readonly string[];
  saved?: boolean;
  /** A sentence beside the section it is about. */
  about?: { lmsSectionId: string; text: string; bad: boolean } | null;
};

/** Sections on one page. */
const perPage = 25;

/** POST /course/people/sections: sections with counts, names and the cohorts they are linked to. */
export async function renderSections(
  deps: SectionsPageDeps,
  { session, course }: InstructorVisit,
  wanted: { page: number },
  response: Response,
  { typed = new Map(), tooLong = [], saved = false, about = null }: SectionsNews = {},
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const { product, total, sections } = await showSections(deps, course);
  const groups = product.sections === "groups";
  const { page, pages } = pageOf(sections, about?.lmsSectionId ?? null, wanted.page);
  const shown = sections.slice((page - 1) * perPage, page * perPage);
  const links = await deps.sectionLinks.listLinked(course.registrationId, course.id);
  const ids = new Set(shown.map(({ lmsSectionId }) => lmsSectionId));
  const compared = await compareSections(
    deps,
    course,
    links.filter(({ lmsSectionId }) => ids.has(lmsSectionId)),
  );
  const linked = new Map(compared.map((one) => [one.link.lmsSectionId, one]));
  const linkers = [...new Set(compared.map(({ link }) => link.by))];
  const people = new Map((await deps.people.findMany(linkers)).map((one) => [one.id, one]));
  const users = await namesOfUsers(
    deps,
    course,
    compared.map(({ cohort }) => cohort?.changedBy),
  );
  // Where everything is linked there is nothing to suggest.
  const open = shown.length > linked.size;
  const { cohorts, deleted } = open ? await findCohorts(deps, course, "") : { cohorts: [], deleted: 0 };
  const suggested = suggestCohorts(course, shown, cohorts, links);
  const courseName = courseNameOf(t, course);
  response.render("course/people-sections", {
    t,
    title: t(groups ? "sections.groupsTitle" : "sections.sectionsTitle", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    zone: times.zone,
    wording: product.wording,
    byLaunchOnly: product.sectionsByLaunchOnly,
    groups,
    total,
    sections: shown.map((section) => {
      const id = section.lmsSectionId;
      const own = linked.get(id);
      return {
        id,
        label: sectionLabel(t, product.sections, section),
        number: numberLabel(t, product.sections, id),
        headcount: headcountText(t, section),
        named: section.lmsName !== null,
        typed: typed.get(id) ?? section.givenName ?? "",
        tooLong: tooLong.includes(id),
        link:
          own === undefined
            ? null
            : linkView({ t, times, groups, users }, own, people.get(own.link.by) ?? null),
        suggestions: (suggested.get(id) ?? []).map(({ programId, cohortId, name }) => ({
          programId,
          cohortId,
          name: name ?? cohortId,
        })),
        news: about?.lmsSectionId === id ? about : null,
      };
    }),
    none: open && cohorts.length + links.length === 0 ? whyNone(deleted) : null,
    without: headcountText(t, total.withoutSection),
    inactive: t("sections.inactive", { count: total.inactive, number: numberText(t, total.inactive) }),
    page,
    pages,
    longestSectionName,
    saved,
    failed: tooLong.length > 0,
  });
}

/** Which page is shown: the one with the section that is spoken of, else the one that was wanted. */
function pageOf(
  sections: readonly { lmsSectionId: string }[],
  about: string | null,
  wanted: number,
): { page: number; pages: number } {
  const pages = Math.max(1, Math.ceil(sections.length / perPage));
  const at = about === null ? -1 : sections.findIndex(({ lmsSectionId }) => lmsSectionId === about);
  return { pages, page: at < 0 ? Math.min(wanted, pages) : Math.floor(at / perPage) + 1 };
}
