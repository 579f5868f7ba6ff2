import type { App } from "../../../app.ts";
import { spaceAccessOf } from "../../../domain/space-access.ts";
import { listedName } from "../../../domain/person-name.ts";
import { linkOfCourse } from "../../links/change-link.ts";
import { type PeopleFilter, type PeoplePage as People, type PersonRow, showPeople } from "../show-people.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { type CourseTimes, courseTimes } from "../../../web/course-times.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { numberText } from "../../../web/number-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
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
  filtered: boolean;
  fits: string;
  rows: PersonShown[];
  /** The classroom's, where its invitations need them. */
  showsIds: boolean;
};

type PersonShown = Pick<PersonRow, "knownAs" | "apiUserId" | "role" | "testUser" | "active"> & {
  name: string;
  sections: string;
  /** When they came last; `at` is ISO 8601. */
  opened: { at: string; text: string } | null;
};

/** Goes along with every form that comes back to the list. */
export type PeopleFilterFields = { filter: PeopleFilter; page: number };

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
  return page(peopleView, {
    title: t("sections.title", { course: courseNameOf(t, course) }),
    times,
    zone: times.zone,
    people,
    groups: people.sectionKind === "groups",
    sync: syncView(t, people.sync, app.clock.now()),
    total: headcountText(t, people.total),
    readiness: readinessTexts(t, people.readiness),
    sections: people.sections.map((section) => ({
      id: section.lmsSectionId,
      label: sectionLabel(t, people.sectionKind, section),
    })),
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
