import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { spaceAccessOf } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { listedName } from "../../../domain/person-name.ts";
import { json } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf, type PageWords, sectionsText } from "../../../web/course-words.ts";
import type { PageAsked } from "../../../web/declared-page.ts";
import { defineView } from "../../../web/view.ts";
import { mayIn } from "../../../web/visits.ts";
import { linkOfCourse } from "../../links/links.ts";
import { type CoursePeople, type PeopleFilter, showPeople } from "../people.ts";
import { requestRoster } from "../roster-readings.ts";
import { countMembers, type MemberCounts } from "../sections.ts";
import { addJoinPage } from "./join-page.ts";
import { headcountText, readinessTexts, syncView } from "./people-view.ts";

const posted = z.object({
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  section: z.string().max(255).catch(""),
  role: z.enum(["learner", "instructor"]).nullable().catch(null),
  search: z.string().max(100).catch(""),
});

/** For instructors. /read has the roster read. */
export function peopleRoutes(app: App): Router {
  const pages = coursePages(app);
  const form = { maxBytes: 128 * 1024 };
  pages
    .page("/course/people", {
      who: "settings",
      fields: posted,
      form,
      address: ({ page, section, role, search }) => ({
        page: page === 1 ? "" : String(page),
        section,
        role: role ?? "",
        search,
      }),
      view: defineView<PeoplePage>("course/people"),
      model: peopleModel,
    })
    .act("/course/people/read", {
      who: "settings",
      run: async ({ visit: { course }, after }) => {
        if (course.membershipsUrl !== null) await requestRoster(app, course);
        return after(null);
      },
    });
  addJoinPage(app, pages);
  pages.read(
    "/course/people/progress",
    { who: "settings", fields: noFields, form },
    async ({ visit: { course }, t }) => {
      const sync = await app.rosterSyncs.find(course.registrationId, course.id);
      return json(syncView(t, sync, app.clock.now()));
    },
  );
  return pages.router;
}

export type PeoplePage = PageOf<typeof peopleModel>;

/** Part of every form that comes back to the list. */
export type PeopleFilterFields = { filter: PeopleFilter; page: number };

const maxSectionChips = 12;

async function peopleModel(
  app: App,
  { visit: { session, course }, fields, words }: PageAsked<"settings", z.infer<typeof posted>>,
) {
  const { t, times, number, label, iso, now, sectionKind } = words;
  const { section, ...query } = fields;
  const people = await showPeople(app, course, { ...query, sectionId: section === "" ? null : section });
  const link = await linkOfCourse(app, course, session.courseLinkId);
  const { filter, listed } = people;
  return {
    title: t("sections.title", { course: courseNameOf(t, course) }),
    people,
    groups: sectionKind === "groups",
    sync: syncView(t, people.sync, now),
    total: headcountText(t, people.total),
    readiness: readinessTexts(t, people.readiness),
    sections: people.sections.map(({ lmsSectionId: id }) => ({ id, label: label(id) })),
    chips: await chipsOf(app, words, course, people),
    /** More sections than fit as chips: they are chosen from a list. */
    choosesSection: people.sections.length > maxSectionChips,
    showsAttendance: mayIn(session, course, "grades"),
    joins: mayIn(session, course, "corrections"),
    filtered: filter.search.trim() !== "" || filter.role !== null || filter.sectionId !== null,
    fits: t("sections.people.found", { count: listed, number: number(listed) }),
    rows: people.rows.map((row) => ({
      ...row,
      name: listedName(row, row.role),
      sections: sectionsText(words, row.sectionIds),
      opened:
        row.lastLaunchAt === null ? null : { at: iso(row.lastLaunchAt), text: times.text(row.lastLaunchAt) },
    })),
    /** The classroom's ids of people, where its invitations need them. */
    showsIds: spaceAccessOf(course, link) === "invited-only",
  };
}

const noCounts: MemberCounts["bySection"] = new Map();

/** All, each role, and each section where there are few; a chip lists its people when pressed. */
async function chipsOf(
  app: Pick<App, "members">,
  { t, number, label: labelOf }: PageWords,
  { registrationId, id: courseId }: Course,
  { total, filter, sections }: CoursePeople,
) {
  const { learners, instructors } = total;
  const few = sections.length > maxSectionChips ? [] : sections;
  const bySection =
    few.length === 0 ? noCounts : (await countMembers(app, { registrationId, courseId })).bySection;
  const chip = (label: string, count: number, role: PeopleFilter["role"], sectionId: string | null) => ({
    label,
    number: number(count),
    role: role ?? "",
    section: sectionId ?? "",
    chosen: role === filter.role && sectionId === filter.sectionId,
  });
  return [
    chip(t("common.all"), learners + instructors, null, null),
    chip(t("common.learners"), learners, "learner", null),
    chip(t("common.instructors"), instructors, "instructor", null),
    ...few.map(({ lmsSectionId: id }) => {
      const counted = bySection.get(id) ?? { learners: 0, instructors: 0 };
      return chip(labelOf(id), counted.learners + counted.instructors, null, id);
    }),
  ];
}
