import type { Response } from "express";
import { spaceAccessOf } from "../../../domain/space-access.ts";
import { listedName } from "../../../domain/person-name.ts";
import { linkOfCourse } from "../../links/change-link.ts";
import { type PeopleFilter, showPeople, type ShowPeopleDeps } from "../show-people.ts";
import type { CourseLinkStore } from "../../links/store/course-link-store.ts";
import type { Sessions } from "../../../web/session.ts";
import { numberText } from "../../../web/number-text.ts";
import type { TranslatorOf } from "../../../web/translate.ts";
import { courseTimes } from "../../../web/course-times.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { readinessTexts, sectionsOf, syncView } from "./people-view.ts";
import { headcountText, sectionLabel } from "./section-words.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type PeoplePageDeps = ShowPeopleDeps & {
  courseLinks: CourseLinkStore;
  sessions: Sessions;
  translatorOf: TranslatorOf;
  clock: { now: () => number };
};

/** POST /course/people: who is in the course, and how fresh that is. */
export async function renderPeople(
  deps: PeoplePageDeps,
  { session, course }: InstructorVisit,
  wanted: PeopleFilter & { page: number },
  response: Response,
): Promise<void> {
  const t = deps.translatorOf(session.locale);
  const times = courseTimes(course, t.locale);
  const people = await showPeople(deps, course, wanted);
  const link = await linkOfCourse(deps, course, session.courseLinkId);
  const { filter, listed } = people;
  const courseName = courseNameOf(t, course);
  response.render("course/people", {
    t,
    title: t("sections.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    times,
    zone: times.zone,
    people,
    groups: people.sectionKind === "groups",
    sync: syncView(t, people.sync, deps.clock.now()),
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
    /** Inviting people in the classroom needs their ids there; otherwise they would only be in the way. */
    showsIds: spaceAccessOf(course, link) === "invited-only",
  });
}
