import type { App } from "../../../app.ts";
import type { Course } from "../../../domain/course.ts";
import { spaceAccessOf } from "../../../domain/course-link.ts";
import { listedName } from "../../../domain/person-name.ts";
import { linkOfCourse } from "../../links/change-link.ts";
import { countMembers } from "../count-members.ts";
import { type PeopleFilter, type PeoplePage as People, type PersonRow, showPeople } from "../show-people.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { type CourseTimes, courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import { type InstructorVisit, mayIn } from "../../../web/visits.ts";
import { numberText } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { readinessTexts, sectionsOf, type SyncView, syncView } from "./people-view.ts";
import { headcountText, sectionLabel } from "./section-words.ts";

export type PeoplePage = CourseFrame & {
  times: Pick<CourseTimes, "text">;
  zone: string;
  people: Pick<People, "rosterOffered" | "filter" | "page" | "pages" | "readiness">;
  groups: boolean;
  sync: SyncView;
  total: string;
  readiness: string[];
  sections: { id: string; label: string }[];
  chips: Chip[];
  /** More sections than fit as chips: they are chosen from a list. */
  choosesSection: boolean;
  /** The reader may see attendance. */
  showsAttendance: boolean;
  filtered: boolean;
  fits: string;
  rows: PersonShown[];
  /** The classroom's, where its invitations need them. */
  showsIds: boolean;
};

/** Whom a press on it lists; `number`: how many they are, as text. */
type Chip = { label: string; number: string; role: string; section: string; chosen: boolean };

type PersonShown = Pick<
  PersonRow,
  "personId" | "knownAs" | "apiUserId" | "role" | "testUser" | "active" | "away"
> & {
  name: string;
  sections: string;
  /** When they came last; `at` is ISO 8601. */
  opened: { at: string; text: string } | null;
};

/** Goes along with every form that comes back to the list. */
export type PeopleFilterFields = { filter: PeopleFilter; page: number };

const maxSectionChips = 12;

const peopleView = defineView<PeoplePage>("course/people");

export async function peoplePage(
  app: App,
  { session, course }: InstructorVisit,
  wanted: PeopleFilter & { page: number },
): Promise<PageAnswer> {
  const t = app.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const people = await showPeople(app, course, wanted);
  const link = await linkOfCourse(app, course, session.courseLinkId);
  const { filter, listed } = people;
  const choosesSection = people.sections.length > maxSectionChips;
  return page(peopleView, {
    title: t("sections.title", { course: courseNameOf(t, course) }),
    times,
    zone: times.place(app.clock.now()),
    people,
    groups: people.sectionKind === "groups",
    sync: syncView(t, people.sync, app.clock.now()),
    total: headcountText(t, people.total),
    readiness: readinessTexts(t, people.readiness),
    sections: people.sections.map((section) => ({
      id: section.lmsSectionId,
      label: sectionLabel(t, people.sectionKind, section),
    })),
    chips: await chipsOf(app, t, course, people),
    choosesSection,
    showsAttendance: mayIn(session, course, "grades"),
    filtered: filter.search.trim() !== "" || filter.role !== null || filter.sectionId !== null,
    fits: t("sections.people.found", { count: listed, number: numberText(t, listed) }),
    rows: people.rows.map((row) => ({
      ...row,
      name: listedName(row, row.role),
      sections: sectionsOf(t, people, row),
      opened:
        row.lastLaunchAt === null
          ? null
          : { at: new Date(row.lastLaunchAt).toISOString(), text: times.text(row.lastLaunchAt) },
    })),
    showsIds: spaceAccessOf(course, link) === "invited-only",
  });
}

/** All, each role, and each section where there are few. */
async function chipsOf(
  app: Pick<App, "members">,
  t: Translate,
  course: Pick<Course, "registrationId" | "id">,
  { total, filter, sections, sectionKind }: People,
): Promise<Chip[]> {
  const { learners, instructors } = total;
  const few = sections.length > maxSectionChips ? [] : sections;
  const { bySection } =
    few.length === 0
      ? { bySection: new Map<string, { learners: number; instructors: number }>() }
      : await countMembers(app, { registrationId: course.registrationId, courseId: course.id });
  const chip = (
    label: string,
    count: number,
    role: PeopleFilter["role"],
    sectionId: string | null,
  ): Chip => ({
    label,
    number: numberText(t, count),
    role: role ?? "",
    section: sectionId ?? "",
    chosen: role === filter.role && sectionId === filter.sectionId,
  });
  return [
    chip(t("sections.people.all"), learners + instructors, null, null),
    chip(t("sections.people.learners"), learners, "learner", null),
    chip(t("sections.people.instructors"), instructors, "instructor", null),
    ...few.map((section) => {
      const counted = bySection.get(section.lmsSectionId) ?? { learners: 0, instructors: 0 };
      const count = counted.learners + counted.instructors;
      return chip(sectionLabel(t, sectionKind, section), count, null, section.lmsSectionId);
    }),
  ];
}
