import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { onPage } from "../../../kernel/lists.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { courseNameOf, type PageOf } from "../../../web/course-words.ts";
import { sayError } from "../../../web/page-text.ts";
import { defineView } from "../../../web/view.ts";
import { nameSections } from "../../members/sections.ts";
import {
  findCohorts,
  listsCohorts,
  readCohortList,
  readCohort,
  readUnread,
  suggestCohorts,
  whyNone,
} from "../cohorts.ts";
import { showDifference } from "../compare-sections.ts";
import { cohortName, cohortRecordId, deletedSince, type ListedCohort } from "../rules/cohort.ts";
import { linkSection, listLinkHistory, sectionUnknown, unlinkSection } from "../section-links.ts";
import { differenceView, nameOf, pastLinkView } from "./cohorts-view.ts";
import { sectionsModel, sectionsNews, type SectionsPage } from "./sections-page.ts";

const id = z.string().max(300).catch("");
/** Names of sections come in fields called "name." with the section's id. */
const posted = z
  .object({
    section: id,
    program: id,
    cohort: id,
    link: id,
    search: z.string().max(100).catch(""),
    page: z.coerce.number().int().min(1).max(100_000).catch(1),
  })
  .catchall(z.unknown());
type CohortsContext = PageContext<"settings", z.infer<typeof posted>>;

/** The sections of a course, each with its cohort, for instructors. */
export function cohortsRoutes(app: App): Router {
  const pages = coursePages(app);
  const settings = { who: "settings", fields: posted } as const;
  pages
    .page("/course/people/sections", {
      ...settings,
      address: ({ page }) => ({ page: String(page) }),
      form: { maxBytes: 128 * 1024 },
      news: sectionsNews,
      view: defineView<SectionsPage>("course/people-sections"),
      model: sectionsModel,
    })
    .act("/course/people/names", {
      who: "settings",
      run: async ({ visit: { course, session }, fields, after, again }) => {
        const typed = new Map(
          Object.entries(fields).flatMap(([name, value]) =>
            name.startsWith("name.") && typeof value === "string" ? [[name.slice(5), value] as const] : [],
          ),
        );
        const tooLong = await nameSections(app, course, session.personId, typed);
        return tooLong.length > 0
          ? again({ kind: "too-long", typed, tooLong }, 422)
          : after({ kind: "named" });
      },
    })
    .act("/course/cohorts/link", {
      who: "settings",
      run: async ({ visit: { course, session }, fields: { section, program, cohort }, after }) => {
        const chosen = { lmsSectionId: section, programId: program, cohortId: cohort };
        await readUnread(app, { environment: course.environment, ...chosen });
        const made = await linkSection(app, course, session.personId, chosen);
        const { lmsSectionId, cohortName: name, cohortId } = made;
        return after({ kind: "linked", lmsSectionId, cohort: name ?? cohortId });
      },
      failed: (error, { fields, t, again }) =>
        error.code === "section-unknown"
          ? null
          : again({ kind: "refused", lmsSectionId: fields.section, text: sayError(t, error) }, 409),
    })
    .act("/course/cohorts/unlink", {
      who: "settings",
      run: async ({ visit: { course, session }, fields: { link, section }, t, after, again }) => {
        const ended = await unlinkSection(app, course, session.personId, link);
        return ended === null
          ? again({ kind: "refused", lmsSectionId: section, text: t("cohorts.news.gone") }, 409)
          : after({ kind: "unlinked", lmsSectionId: ended.lmsSectionId });
      },
    });
  pages
    .page("/course/cohorts/choose", {
      ...settings,
      address: ({ section, search, page }) => ({ section, search, page: String(page) }),
      news: lookedNews,
      view: defineView<PickPage>("course/people-pick"),
      model: pickModel,
    })
    // Reads the classroom's list.
    .act("/course/cohorts/look", {
      who: "settings",
      run: async ({ visit: { course }, after }) => {
        const { found, more } = await readCohortList(app, course.environment);
        return after({ found, more: more !== null });
      },
      failed: ({ status }, { again }) => (status === 404 ? null : again("notRead", 503)),
    });
  pages.page("/course/cohorts/find", {
    ...settings,
    address: ({ section, program, cohort }) => ({ section, program, cohort }),
    view: defineView<PickPage>("course/people-pick"),
    model: findModel,
  });
  pages
    .page("/course/cohorts/difference", {
      ...settings,
      address: ({ section }) => ({ section }),
      news: z.enum(["read", "readGone"]),
      view: defineView<DifferencePage>("course/people-difference"),
      model: differenceModel,
    })
    .act("/course/cohorts/read", {
      who: "settings",
      run: async ({ visit: { course }, fields: { section: lmsSectionId }, after }) => {
        const { registrationId, id: courseId } = course;
        const linked = await app.sectionLinks.findLinked({ registrationId, courseId, lmsSectionId });
        if (linked === null) throw sectionUnknown();
        const read = await readCohort(app, linked, { priority: "instructor" });
        return after(read === null || deletedSince(read) !== null ? "readGone" : "read");
      },
      failed: ({ code }, { again }) => (code === "section-unknown" ? null : again("notRead", 503)),
    });
  pages.page("/course/cohorts/history", {
    who: "settings",
    fields: noFields,
    view: defineView<HistoryPage>("course/people-history"),
    model: historyModel,
  });
  return pages.router;
}

export type PickPage = PageOf<typeof pickModel>;

const lookedNews = z.object({ found: z.number(), more: z.boolean() });
type Looked = z.infer<typeof lookedNews> | "notRead";

/** The outcome of a search for a cohort by its ids. */
type Found = {
  ids: { programId: string; cohortId: string };
  cohort: ListedCohort | null;
  problem: "idsMissing" | "notFound" | "notRead" | null;
};

/** Cohorts for a section, those with a similar name first. @throws NamedError "section-unknown" */
async function pickModel(
  app: App,
  { visit: { course }, fields, words }: CohortsContext,
  looked: Looked | null,
  byIds: Found | null = null,
) {
  const { t, number, label } = words;
  const section = words.sections.find(({ lmsSectionId }) => lmsSectionId === fields.section);
  if (section === undefined) throw sectionUnknown();
  const links = await app.sectionLinks.listLinked(course.registrationId, course.id);
  const search = fields.search.trim();
  const { cohorts, more, deleted } = await findCohorts(app, course, search);
  const likely = suggestCohorts(course, [section], cohorts, links).get(section.lmsSectionId) ?? [];
  const first = [...(byIds?.cohort == null ? [] : [byIds.cohort]), ...likely];
  const listed = [...first, ...cohorts].filter(
    ({ id: cohortId }, at, all) => all.findIndex((one) => one.id === cohortId) === at,
  );
  const { rows, ...at } = onPage(listed, fields.page, pageSize);
  const name = label(section.lmsSectionId);
  return {
    title: t("cohorts.pick.title", { section: name }),
    groups: words.sectionKind === "groups",
    /** The LMS's id of the section. */
    id: section.lmsSectionId,
    section: name,
    search,
    none: whyNone(deleted),
    cohorts: rows.map((cohort) => {
      const taken = links.find((link) => cohortRecordId(link) === cohort.id);
      return {
        programId: cohort.programId,
        cohortId: cohort.cohortId,
        name: cohortName(cohort),
        likely: likely.some((one) => one.id === cohort.id),
        taken: taken === undefined ? null : t("cohorts.pick.taken", { section: label(taken.lmsSectionId) }),
      };
    }),
    more: more ? t("cohorts.pick.more", { number: number(cohorts.length) }) : null,
    ...foundTexts(words, byIds),
    looked: looked === null ? null : lookedText(words, looked),
    /** Whether the classroom has a list. */
    looks: listsCohorts(app, course.environment),
    ...at,
  };
}

const pageSize = 50;

function foundTexts({ t }: CohortsContext["words"], byIds: Found | null) {
  const { ids = null, cohort = null, problem = null } = byIds ?? {};
  return {
    ids,
    found: cohort === null ? null : t("cohorts.pick.found", { cohort: cohortName(cohort) }),
    problem: problem === null ? null : t(`cohorts.pick.${problem}`),
  };
}

function lookedText({ t, number }: CohortsContext["words"], looked: Looked) {
  if (looked === "notRead") return { text: t("cohorts.pick.notRead"), bad: true };
  const { found, more } = looked;
  const count = t("cohorts.pick.looked", { count: found, number: number(found) });
  return { text: more ? `${count} ${t("cohorts.pick.lookedMore")}` : count, bad: more };
}

const statuses = { idsMissing: 422, notFound: 404, notRead: 503 } as const;

/** The same page after a search for a cohort by its ids. */
async function findModel(app: App, context: CohortsContext) {
  const found = await findByIds(app, context);
  const model = await pickModel(app, context, null, found);
  return { ...model, httpStatus: found.problem === null ? 200 : statuses[found.problem] };
}

async function findByIds(app: App, { visit: { course }, fields }: CohortsContext): Promise<Found> {
  const ids = { programId: fields.program.trim(), cohortId: fields.cohort.trim() };
  if (ids.programId === "" || ids.cohortId === "") return { ids, cohort: null, problem: "idsMissing" };
  try {
    const key = { environment: course.environment, ...ids };
    const cohort = await readCohort(app, key, { priority: "instructor" });
    if (cohort === null || deletedSince(cohort) !== null) return { ids, cohort: null, problem: "notFound" };
    return { ids, cohort, problem: null };
  } catch (thrown) {
    if (!(thrown instanceof NamedError)) throw thrown;
    return { ids, cohort: null, problem: "notRead" };
  }
}

export type DifferencePage = PageOf<typeof differenceModel>;

/** How a section differs from its cohort. @throws NamedError "section-unknown" */
async function differenceModel(
  app: App,
  { visit: { course }, fields, words }: CohortsContext,
  message: "read" | "readGone" | "notRead" | null,
) {
  const { t } = words;
  const difference = await showDifference(app, course, fields.section);
  if (difference === null) throw sectionUnknown();
  const { lmsSectionId } = difference.link;
  const names = { section: words.label(lmsSectionId), cohort: nameOf(difference) };
  const text =
    message === null ? "" : t(message === "notRead" ? "cohorts.pick.notRead" : `cohorts.news.${message}`);
  return {
    title: t("cohorts.difference.title", names),
    groups: words.sectionKind === "groups",
    id: lmsSectionId,
    ...names,
    news: message === null ? null : { text, bad: message !== "read" },
    ...differenceView(words, difference),
  };
}

export type HistoryPage = PageOf<typeof historyModel>;

async function historyModel(app: App, { visit: { course }, words }: PageContext<"settings">) {
  const links = await listLinkHistory(app, course);
  return {
    title: words.t("cohorts.past.title", { course: courseNameOf(words.t, course) }),
    groups: words.sectionKind === "groups",
    links: links.map((link) => pastLinkView(words, link)),
  };
}
