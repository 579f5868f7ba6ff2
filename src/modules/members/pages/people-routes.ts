import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { spaceAccessOf } from "../../../domain/course-link.ts";
import { type Course, keyOfCourse, type Person } from "../../../domain/course.ts";
import { listedName, personName, plainName } from "../../../domain/person.ts";
import { json } from "../../../web/answer.ts";
import { coursePages, noFields, type Again, type CoursePages } from "../../../web/course-pages.ts";
import { courseNameOf, type PageOf, type PageWords, sectionsText } from "../../../web/course-words.ts";
import type { PageContext } from "../../../web/declared-page.ts";
import { defineView } from "../../../web/view.ts";
import { mayIn } from "../../../web/visits.ts";
import { linkOfCourse } from "../../links/links.ts";
import { type CoursePeople, type PeopleFilter, showPeople, everyMember } from "../people.ts";
import { requestRoster } from "../roster-readings.ts";
import { countMembers, type MemberCounts } from "../sections.ts";
import { headcountText, readinessTexts, syncView } from "./people-view.ts";
import { refusal } from "../../../kernel/refusal.ts";
import { byId } from "../../../kernel/lists.ts";
import type { NamedError } from "../../../kernel/errors.ts";
import { sayError } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { joinAccounts, separateAccounts } from "../../attendance/join-accounts.ts";
import { isJoinable } from "../join-members.ts";
import type { ListedMember } from "../store/member-store.ts";

const posted = z.object({
  page: z.coerce.number().int().min(1).max(100_000).catch(1),
  section: z.string().max(255).catch(""),
  role: z.enum(["learner", "instructor"]).nullable().catch(null),
  search: z.string().max(100).catch(""),
});

/** For instructors. /read reads the roster again. */
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
  { visit: { session, course }, fields, words }: PageContext<"settings", z.infer<typeof posted>>,
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
    /** If more sections exist than fit as chips, a list offers them. */
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
    /** The classroom's ids of people, if its invitations need them. */
    showsIds: spaceAccessOf(course, link) === "invited-only",
  };
}

const noCounts: MemberCounts["bySection"] = new Map();

/** Chips for all people, for each role, and for each section if there are few. A chip lists its people when pressed. */
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

const fields = z.object({
  person: z.string().max(100).catch(""),
  search: z.string().max(100).catch(""),
  now: z.string().max(100).catch(""),
});

const news = z.enum(["joined", "separated"]);
type JoinMessage = z.infer<typeof news> | { problem: string };

export type JoinPage = PageOf<typeof joinModel>;

/** Joins two accounts of one person, for instructors who may correct attendance. */
export function addJoinPage(app: App, pages: CoursePages<App>): void {
  pages
    .page("/course/people/join", {
      who: "corrections",
      fields,
      address: ({ person, search }) => ({ person, search }),
      news,
      view: defineView<JoinPage>("course/people-join"),
      model: joinModel,
    })
    .act("/course/people/join/do", {
      who: "corrections",
      run: async ({ visit: { course, session }, fields: { person, now }, after }) => {
        await joinAccounts(app, course, session.personId, { personId: person, joinedTo: now });
        return after("joined");
      },
      failed,
    })
    .act("/course/people/join/undo", {
      who: "corrections",
      run: async ({ visit: { course, session }, fields: { person }, after }) => {
        await separateAccounts(app, course, session.personId, person);
        return after("separated");
      },
      failed,
    });
}

/** Shows the problem on the page, with the list as it is now. */
function failed(
  error: NamedError,
  { t, again }: { t: Translate; again: (problem: JoinMessage, status: number) => Again },
) {
  return error.code.startsWith("join-") ? again({ problem: sayError(t, error) }, error.status) : null;
}

const maxListed = 50;

/** Shows one account and those it may be joined to, the likely ones first. The instructor chooses. */
async function joinModel(
  app: App,
  {
    visit: { course },
    fields: { person: personId, search },
    words,
  }: PageContext<"corrections", z.infer<typeof fields>>,
  message: JoinMessage | null,
) {
  const { t } = words;
  const members = await everyMember(app, keyOfCourse(course));
  const people = byId(await app.people.findMany(members.map((one) => one.personId)));
  const member = members.find((one) => one.personId === personId);
  const person = people.get(personId);
  if (member === undefined || person === undefined) throw refusal("learner-unknown", { status: 404 });
  const others = members.flatMap((one) => {
    const other = people.get(one.personId);
    if (other === undefined || other.id === personId || !isOffered(one, search)) return [];
    const sections = sectionsText(words, one.sectionIds);
    const reasons = likenessTexts(t, person, other);
    return [{ personId: other.id, name: personName(other), user: other.sub, sections, reasons }];
  });
  const name = personName(person);
  const now = member.joinedTo == null ? undefined : people.get(member.joinedTo);
  const both = now === undefined ? null : { name, now: personName(now), user: now.sub };
  return {
    title: t("joins.title", { course: courseNameOf(t, course) }),
    heading: both === null ? t("joins.ask", { name }) : t("joins.counts", { name: both.now }),
    ...messageView(t, message),
    personId,
    user: person.sub,
    search,
    /** The account that it is joined to. */
    both: both === null ? null : t("joins.both", both),
    byOffice: member.joinedByOffice === true ? t("errors.join-by-office") : null,
    others: others.toSorted((a, b) => b.reasons.length - a.reasons.length).slice(0, maxListed),
    more:
      others.length > maxListed ? t("cohorts.difference.more", { number: words.number(maxListed) }) : null,
  };
}

function messageView(t: Translate, message: JoinMessage | null): Record<"notice" | "problem", string | null> {
  if (message === null) return { notice: null, problem: null };
  if (typeof message === "object") return { notice: null, problem: message.problem };
  return { notice: t(`joins.news.${message}`), problem: null };
}

/** Offers learners who are in the course now. @param search Parts of a name. */
function isOffered(member: ListedMember, search: string): boolean {
  const words = plainName(search).split(" ");
  const isNamed = words.every((word) => member.listName.includes(word));
  return isJoinable(member) && member.active && member.joinedTo == null && isNamed;
}

/** What both accounts have in common. */
function likenessTexts(t: Translate, one: Person, other: Person): string[] {
  const isSameEmail = one.email !== null && one.email.toLowerCase() === other.email?.toLowerCase();
  return [
    ...(personName(one) === personName(other) ? [t("joins.sameName")] : []),
    ...(isSameEmail ? [t("joins.sameEmail")] : []),
  ];
}
