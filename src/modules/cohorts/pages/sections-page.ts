import type { App } from "../../../app.ts";
import type { LmsWording } from "../../../domain/lms-product.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { numberText } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import {
  maxSectionNameLength,
  type MemberCounts,
  showSections,
  type TypedNames,
} from "../../members/sections.ts";
import { namesOfUsers } from "../../members/people.ts";
import { headcountText, numberLabel, sectionLabel } from "../../members/pages/section-words.ts";
import { compareSections } from "../compare-sections.ts";
import { findCohorts, suggestCohorts, whyNone } from "../cohorts.ts";
import { type LinkShown, linkView } from "./cohorts-view.ts";

export type SectionsPage = CourseFrame & {
  zone: string;
  wording: LmsWording;
  /** The LMS names sections by launches only. */
  byLaunchOnly: boolean;
  groups: boolean;
  total: MemberCounts["total"];
  sections: SectionShown[];
  /** Why there is no cohort to link. */
  none: ReturnType<typeof whyNone> | null;
  without: string;
  inactive: string;
  page: number;
  pages: number;
  maxSectionNameLength: number;
  saved: boolean;
  failed: boolean;
};

type SectionShown = {
  id: string;
  /** Its place on the page in the LMS's order, by which it keeps its address. */
  at: number;
  label: string;
  number: string;
  headcount: string;
  named: boolean;
  typed: string;
  tooLong: boolean;
  link: LinkShown | null;
  suggestions: { programId: string; cohortId: string; name: string }[];
  news: { text: string; bad: boolean } | null;
};

export type PeopleTabs = { t: Translate; tab: "people" | "sections"; groups: boolean };

const sectionsView = defineView<SectionsPage>("course/people-sections");

export type AboutSections = {
  typed?: TypedNames;
  tooLong?: readonly string[];
  saved?: boolean;
  about?: { lmsSectionId: string; text: string; bad: boolean } | null;
};

const pageSize = 25;

export async function sectionsPage(
  app: App,
  { session, course }: InstructorVisit,
  wanted: { page: number },
  { typed = new Map(), tooLong = [], saved = false, about = null }: AboutSections = {},
  status?: number,
): Promise<PageAnswer> {
  const t = app.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const { product, total, sections } = await showSections(app, course);
  const groups = product.sections === "groups";
  const { at, pages } = pageOf(sections, about?.lmsSectionId ?? null, wanted.page);
  const shown = sections.slice((at - 1) * pageSize, at * pageSize);
  const links = await app.sectionLinks.listLinked(course.registrationId, course.id);
  const ids = new Set(shown.map(({ lmsSectionId }) => lmsSectionId));
  const compared = await compareSections(
    app,
    course,
    links.filter(({ lmsSectionId }) => ids.has(lmsSectionId)),
  );
  const linked = new Map(compared.map((one) => [one.link.lmsSectionId, one]));
  const linkers = [...new Set(compared.map(({ link }) => link.by))];
  const people = new Map((await app.people.findMany(linkers)).map((one) => [one.id, one]));
  const users = await namesOfUsers(
    app,
    course,
    compared.map(({ cohort }) => cohort?.changedBy),
  );
  // Where everything is linked there is nothing to suggest.
  const open = shown.length > linked.size;
  const { cohorts, deleted } = open ? await findCohorts(app, course, "") : { cohorts: [], deleted: 0 };
  const suggested = suggestCohorts(course, shown, cohorts, links);
  return page(
    sectionsView,
    {
      title: t(groups ? "sections.groupsTitle" : "sections.sectionsTitle", {
        course: courseNameOf(t, course),
      }),
      zone: times.place(app.clock.now()),
      wording: product.wording,
      byLaunchOnly: product.sectionsByLaunchOnly,
      groups,
      total,
      sections: differencesFirst(
        shown.map((section, index) => {
          const id = section.lmsSectionId;
          const own = linked.get(id);
          return {
            id,
            at: index,
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
      ),
      none: open && cohorts.length + links.length === 0 ? whyNone(deleted) : null,
      without: headcountText(t, total.withoutSection),
      inactive: t("sections.inactive", { count: total.inactive, number: numberText(t, total.inactive) }),
      page: at,
      pages,
      maxSectionNameLength,
      saved,
      failed: tooLong.length > 0,
    },
    { status },
  );
}

/** What needs somebody's eyes before what is as it should be. */
function differencesFirst(sections: readonly SectionShown[]): SectionShown[] {
  const needs = ({ link }: SectionShown) => link !== null && (link.differs || link.deleted !== null);
  return sections.toSorted((one, other) => Number(needs(other)) - Number(needs(one)));
}

/** The page of the section in the news, else the one wanted. */
function pageOf(
  sections: readonly { lmsSectionId: string }[],
  about: string | null,
  wanted: number,
): { at: number; pages: number } {
  const pages = Math.max(1, Math.ceil(sections.length / pageSize));
  const place = about === null ? -1 : sections.findIndex(({ lmsSectionId }) => lmsSectionId === about);
  return { pages, at: place < 0 ? Math.min(wanted, pages) : Math.floor(place / pageSize) + 1 };
}
