import type { Router } from "express";
import { z } from "zod";
import type { App } from "../../../app.ts";
import { spaceAccessOf } from "../../../domain/course-link.ts";
import type { Course } from "../../../domain/course.ts";
import { listedName } from "../../../domain/person-name.ts";
import { linkOfCourse } from "../../links/links.ts";
import {
  type PeopleFilter,
  type PeoplePage as People,
  type PersonRow,
  type Readiness,
  showPeople,
} from "../people.ts";
import { requestRoster } from "../roster-readings.ts";
import type { RosterSync } from "../rules/roster.ts";
import { countMembers } from "../sections.ts";
import { json, page, type PageAnswer } from "../../../web/answer.ts";
import { coursePages, noFields } from "../../../web/course-pages.ts";
import { type CourseTimes, courseTimes } from "../../../web/course-times.ts";
import { courseNameOf, numberLabel, sectionLabel } from "../../../web/course-words.ts";
import type { MessageKey } from "../../../web/english.ts";
import { classroomProblemText, inList, numberText } from "../../../web/page-text.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import type { Translate } from "../../../web/translate.ts";
import { defineView } from "../../../web/view.ts";
import { type InstructorVisit, mayIn } from "../../../web/visits.ts";
import { headcountText, rosterProblemText } from "./section-words.ts";

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
  const listed = { who: "settings", fields: (fields: unknown) => posted.parse(fields), form } as const;
  const people = pages.read("/course/people", listed, ({ visit, fields: { section, ...wanted } }) =>
    peoplePage(app, visit, { ...wanted, sectionId: section === "" ? null : section }),
  );
  pages.change("/course/people/read", listed, async ({ visit, fields: { page, section, role, search } }) => {
    if (visit.course.membershipsUrl !== null) await requestRoster(app, visit.course);
    return people.after({ page: String(page), section, role: role ?? "", search }, null);
  });
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

/** Lists these people when pressed; `number`: how many they are, as text. */
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

async function peoplePage(
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
    chip(t("common.all"), learners + instructors, null, null),
    chip(t("common.learners"), learners, "learner", null),
    chip(t("common.instructors"), instructors, "instructor", null),
    ...few.map((section) => {
      const counted = bySection.get(section.lmsSectionId) ?? { learners: 0, instructors: 0 };
      const count = counted.learners + counted.instructors;
      return chip(sectionLabel(t, sectionKind, section), count, null, section.lmsSectionId);
    }),
  ];
}

type SyncView = {
  phase: "none" | "soon" | "reading" | "done" | "failed";
  text: string;
  /** Null while unknown. */
  progress: { value: number; max: number } | null;
  /** When the list was last taken over completely (ms). */
  doneAt: number | null;
  /** When it is retried automatically (ms). */
  retryAt: number | null;
};

/** A later reading (ms) is not announced: the nightly round. */
const soonMs = 60_000;

function syncView(t: Translate, sync: RosterSync | null, now: number): SyncView {
  const still = { progress: null, doneAt: sync?.doneAt ?? null, retryAt: null };
  if (sync === null) return { ...still, phase: "none", text: t("sections.roster.none") };
  if (sync.state === "running") return { ...still, phase: "reading", ...readingView(t, sync) };
  if (sync.state === "failed") {
    return { ...still, phase: "failed", text: rosterProblemText(t, sync), retryAt: sync.dueAt };
  }
  if (sync.state === "waiting" && (sync.dueAt ?? Infinity) - now < soonMs) {
    return { ...still, phase: "soon", text: t("sections.roster.soon") };
  }
  if (sync.doneAt === null) return { ...still, phase: "none", text: t("sections.roster.none") };
  return { ...still, phase: "done", text: t("sections.roster.done", { number: numberText(t, sync.listed) }) };
}

function readingView(t: Translate, sync: RosterSync): Pick<SyncView, "text" | "progress"> {
  if (sync.total === null) {
    return { text: t("sections.roster.listing", { listed: numberText(t, sync.listed) }), progress: null };
  }
  return {
    text: t("sections.roster.writing", {
      written: numberText(t, sync.written),
      total: numberText(t, sync.total),
    }),
    progress: { value: sync.written, max: Math.max(sync.total, 1) },
  };
}

/** Who can enter at once, and why others cannot yet; empty while nobody is expected. */
export function readinessTexts(t: Translate, readiness: Readiness): string[] {
  const { expected, ready, preparing, refused } = readiness;
  const problem = classroomProblemText(t, readiness.problem, readiness.problemCode);
  const refusal = classroomProblemText(t, readiness.refusal, readiness.refusalCode);
  if (expected === 0) return [];
  if (ready === expected) return [t("readiness.all", { count: ready, number: numberText(t, ready) })];
  const counted = (key: MessageKey, count: number, more: Record<string, string> = {}) =>
    count > 0 ? [t(key, { count, number: numberText(t, count), ...more })] : [];
  return [
    t("readiness.some", { ready: numberText(t, ready), expected: numberText(t, expected) }),
    ...counted("readiness.preparing", preparing),
    ...(problem === null ? [] : [t("readiness.heldUp", { problem })]),
    ...counted("readiness.refused", refused, { problem: refusal ?? "" }),
    ...counted("readiness.later", expected - ready - preparing - refused),
  ];
}

/** The labels of a person's sections; one that is not known by name is shown by number. */
function sectionsOf(t: Translate, page: People, person: PersonRow): string {
  const labels = person.sectionIds.map((id) => {
    const section = page.sections.find((one) => one.lmsSectionId === id);
    return section === undefined
      ? numberLabel(t, page.sectionKind, id)
      : sectionLabel(t, page.sectionKind, section);
  });
  return inList(t, labels);
}
