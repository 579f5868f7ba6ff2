import { z } from "zod";
import type { App } from "../../../app.ts";
import { byId, byKey, onPage } from "../../../kernel/lists.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { courseNameOf, numberLabel, type PageOf, type PageWords } from "../../../web/course-words.ts";
import { headcountText } from "../../members/pages/people-view.ts";
import { namesOfUsers } from "../../members/people.ts";
import { maxSectionNameLength, type SectionRow, showSections } from "../../members/sections.ts";
import { findCohorts, suggestCohorts, whyNone } from "../cohorts.ts";
import { compareSections } from "../compare-sections.ts";
import { linkView } from "./cohorts-view.ts";

export type SectionsPage = PageOf<typeof sectionsModel>;

export const sectionsNews = z.union([
  z.object({ kind: z.literal("named") }),
  z.object({ kind: z.literal("linked"), lmsSectionId: z.string(), cohort: z.string() }),
  z.object({ kind: z.literal("unlinked"), lmsSectionId: z.string() }),
]);

type SectionsMessage =
  | z.infer<typeof sectionsNews>
  | { kind: "refused"; lmsSectionId: string; text: string }
  | ({ kind: "too-long" } & Names);

/** By section, as they were typed, and which of them are too long. */
type Names = { typed: ReadonlyMap<string, string>; tooLong: readonly string[] };
const noNames: Names = { typed: new Map(), tooLong: [] };

const pageSize = 25;

export async function sectionsModel(
  app: App,
  { visit: { course }, fields, words }: PageContext<"settings", { page: number }>,
  message: SectionsMessage | null,
) {
  const { t, number, sectionKind } = words;
  const { product, total, sections } = await showSections(app, course);
  const about = message === null ? null : aboutSection(words, message);
  const { rows: listed, ...at } = pageOf(sections, about?.lmsSectionId ?? null, fields.page);
  const links = await app.sectionLinks.listLinked(course.registrationId, course.id);
  const linkOf = await linkViews(app, course, words, listed, links);
  // If every section is linked, there is nothing to suggest.
  const open = listed.length > linkOf.size;
  const { cohorts, deleted } = open ? await findCohorts(app, course, "") : { cohorts: [], deleted: 0 };
  const suggested = suggestCohorts(course, listed, cohorts, links);
  const named = message?.kind === "too-long" ? message : noNames;
  const rows = listed.map((section, index) => {
    const id = section.lmsSectionId;
    return {
      id,
      /** Its position in the LMS's order, which keeps the section's address the same. */
      at: index,
      label: words.label(id),
      number: numberLabel(t, sectionKind, id),
      headcount: headcountText(t, section),
      named: section.lmsName !== null,
      typed: named.typed.get(id) ?? section.givenName ?? "",
      tooLong: named.tooLong.includes(id),
      link: linkOf.get(id) ?? null,
      suggestions: (suggested.get(id) ?? []).map(({ programId, cohortId, name }) => ({
        programId,
        cohortId,
        name: name ?? cohortId,
      })),
      news: about?.lmsSectionId === id ? about : null,
    };
  });
  const differs = ({ link }: (typeof rows)[number]) =>
    link !== null && (link.differs || link.deleted !== null);
  return {
    title: t(sectionKind === "groups" ? "sections.groupsTitle" : "sections.sectionsTitle", {
      course: courseNameOf(t, course),
    }),
    wording: product.wording,
    /** The LMS names sections only in launches. */
    byLaunchOnly: product.sectionsByLaunchOnly,
    groups: sectionKind === "groups",
    total,
    sections: rows.toSorted((one, other) => Number(differs(other)) - Number(differs(one))),
    /** Why there is no cohort to link. */
    none: open && cohorts.length + links.length === 0 ? whyNone(deleted) : null,
    without: headcountText(t, total.withoutSection),
    inactive: t("sections.inactive", { count: total.inactive, number: number(total.inactive) }),
    ...at,
    maxSectionNameLength,
    saved: message?.kind === "named",
    failed: named.tooLong.length > 0,
  };
}

async function linkViews(
  app: App,
  course: Parameters<typeof compareSections>[1],
  words: PageWords,
  listed: readonly SectionRow[],
  links: Parameters<typeof compareSections>[2],
) {
  const ids = new Set(listed.map(({ lmsSectionId }) => lmsSectionId));
  const own = links.filter(({ lmsSectionId }) => ids.has(lmsSectionId));
  const compared = await compareSections(app, course, own);
  const people = byId(await app.people.findMany([...new Set(own.map(({ by }) => by))]));
  const changers = compared.map(({ cohort }) => cohort?.changedBy);
  const users = await namesOfUsers(app, course, changers);
  const views = compared.map((one) => ({
    ...linkView(words, users, one, people.get(one.link.by) ?? null),
    lmsSectionId: one.link.lmsSectionId,
  }));
  return byKey(views, ({ lmsSectionId }) => lmsSectionId);
}

function aboutSection({ t, label }: PageWords, message: SectionsMessage) {
  if (message.kind === "named" || message.kind === "too-long") return null;
  const { kind, lmsSectionId } = message;
  if (kind === "refused") return { lmsSectionId, text: message.text, bad: true };
  const section = label(lmsSectionId);
  const text =
    kind === "linked"
      ? t("cohorts.news.linked", { section, cohort: message.cohort })
      : t("cohorts.news.unlinked", { section });
  return { lmsSectionId, text, bad: false };
}

/** The page of the section in the news, otherwise the wanted one. */
function pageOf(sections: readonly SectionRow[], about: string | null, page: number) {
  const index = sections.findIndex(({ lmsSectionId }) => lmsSectionId === about);
  return onPage(sections, index < 0 ? page : Math.floor(index / pageSize) + 1, pageSize);
}
