import type { App } from "../../../app.ts";
import { capabilitiesOf } from "../../../lms/products/capabilities-of.ts";
import { findCohorts, listsCohorts, suggestCohorts, whyNone } from "../cohorts.ts";
import { showDifference } from "../compare-sections.ts";
import { type Cohort, cohortName, cohortRecordId } from "../rules/cohort.ts";
import { listLinkHistory, sectionUnknown } from "../section-links.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import { page, type PageAnswer } from "../../../web/answer.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { numberText } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import { differenceView, nameOf, pastLinkView, sectionNames } from "./cohorts-view.ts";

/** For a section; those with a similar name first. */
export type PickPage = CourseFrame & {
  groups: boolean;
  /** The LMS's id of the section. */
  id: string;
  section: string;
  search: string;
  none: ReturnType<typeof whyNone>;
  cohorts: { programId: string; cohortId: string; name: string; likely: boolean; taken: string | null }[];
  more: string | null;
  /** A cohort was found by its ids. */
  found: string | null;
  ids: { programId: string; cohortId: string } | null;
  problem: string | null;
  /** Of looking in the classroom's list. */
  looked: { text: string; bad: boolean } | null;
  /** The classroom has a list. */
  looks: boolean;
  page: number;
  pages: number;
};

const pickView = defineView<PickPage>("course/people-pick");

export type AboutPick = {
  found?: Cohort;
  /** As typed, with what is wrong. */
  ids?: { programId: string; cohortId: string };
  problem?: "idsMissing" | "notFound" | "notRead";
  looked?: { text: string; bad: boolean };
};

const pageSize = 50;

/** @throws NamedError "section-unknown" */
export async function pickPage(
  app: App,
  { session, course }: InstructorVisit,
  wanted: { section: string; search: string; page: number },
  news: AboutPick = {},
  status?: number,
): Promise<PageAnswer> {
  const t = app.translatorOf(session.locale);
  const { found } = news;
  const { registrationId, id: courseId } = course;
  const { sections: kind } = capabilitiesOf(await app.registrations.find(registrationId));
  const sections = await app.sections.listOf(registrationId, courseId);
  const section = sections.find(({ lmsSectionId }) => lmsSectionId === wanted.section);
  if (section === undefined) throw sectionUnknown();
  const links = await app.sectionLinks.listLinked(registrationId, courseId);
  const search = wanted.search.trim();
  const { cohorts, more, deleted } = await findCohorts(app, course, search);
  const likely = suggestCohorts(course, [section], cohorts, links).get(section.lmsSectionId) ?? [];
  const first = new Set([...(found === undefined ? [] : [found.id]), ...likely.map(({ id }) => id)]);
  const listed = [
    ...(found === undefined ? [] : [found]),
    ...likely.filter(({ id }) => id !== found?.id),
    ...cohorts.filter(({ id }) => !first.has(id)),
  ];
  const pages = Math.max(1, Math.ceil(listed.length / pageSize));
  const at = Math.min(wanted.page, pages);
  const labelOf = (lmsSectionId: string) => {
    const other = sections.find((one) => one.lmsSectionId === lmsSectionId) ?? section;
    return sectionLabel(t, kind, other);
  };
  const label = sectionLabel(t, kind, section);
  return page(
    pickView,
    {
      title: t("cohorts.pick.title", { section: label }),
      groups: kind === "groups",
      id: section.lmsSectionId,
      section: label,
      search,
      none: whyNone(deleted),
      cohorts: listed.slice((at - 1) * pageSize, at * pageSize).map((cohort) => {
        const taken = links.find((link) => cohortRecordId(link) === cohort.id);
        return {
          programId: cohort.programId,
          cohortId: cohort.cohortId,
          name: cohortName(cohort),
          likely: likely.some(({ id }) => id === cohort.id),
          taken:
            taken === undefined ? null : t("cohorts.pick.taken", { section: labelOf(taken.lmsSectionId) }),
        };
      }),
      more: more ? t("cohorts.pick.more", { number: numberText(t, cohorts.length) }) : null,
      ...newsView(t, news),
      looks: listsCohorts(app, course.environment),
      page: at,
      pages,
    },
    { status },
  );
}

function newsView(t: Translate, { found, ids, problem, looked }: AboutPick) {
  return {
    found: found === undefined ? null : t("cohorts.pick.found", { cohort: cohortName(found) }),
    ids: ids ?? null,
    problem: problem === undefined ? null : t(`cohorts.pick.${problem}`),
    looked: looked ?? null,
  };
}

export type DifferencePage = CourseFrame &
  ReturnType<typeof differenceView> & {
    zone: string;
    groups: boolean;
    /** The LMS's id of the section. */
    id: string;
    section: string;
    cohort: string;
    news: { text: string; bad: boolean } | null;
  };

const differencePageView = defineView<DifferencePage>("course/people-difference");

/** @throws NamedError "section-unknown" */
export async function differencePage(
  app: App,
  visit: InstructorVisit,
  lmsSectionId: string,
  news: DifferencePage["news"],
  status?: number,
): Promise<PageAnswer> {
  const { course, session } = visit;
  const t = app.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const shown = await showDifference(app, course, lmsSectionId);
  if (shown === null) throw sectionUnknown();
  const { groups, labels } = await sectionNames(app, visit);
  const section = labels(shown.link.lmsSectionId);
  const cohort = nameOf(shown);
  return page(
    differencePageView,
    {
      title: t("cohorts.difference.title", { section, cohort }),
      zone: times.place(app.clock.now()),
      groups,
      id: shown.link.lmsSectionId,
      section,
      cohort,
      news,
      ...differenceView({ t, times, groups }, shown, labels),
    },
    { status },
  );
}

export type HistoryPage = CourseFrame & {
  zone: string;
  groups: boolean;
  links: ReturnType<typeof pastLinkView>[];
};

const historyView = defineView<HistoryPage>("course/people-history");

export async function historyPage(app: App, visit: InstructorVisit): Promise<PageAnswer> {
  const { course, session } = visit;
  const t = app.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const { groups, labels } = await sectionNames(app, visit);
  const links = await listLinkHistory(app, course);
  return page(historyView, {
    title: t("cohorts.past.title", { course: courseNameOf(t, course) }),
    zone: times.place(app.clock.now()),
    groups,
    links: links.map((link) => pastLinkView({ t, times, groups }, link, labels)),
  });
}
