import type { PageResponse } from "../../../web/view.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import type { Course } from "../../../domain/course.ts";
import { showRegister, type Register, type ShowRegisterDeps } from "../show-register.ts";
import { listSessions } from "../../scheduling/list-sessions.ts";
import { NamedError } from "../../../kernel/errors.ts";
import type { AttendanceMarkStore } from "../store/attendance-mark-store.ts";
import type { RegistrationStore } from "../../registration/store/registration-store.ts";
import type { Clock } from "../../../kernel/clock.ts";
import type { Sessions } from "../../../web/session.ts";
import { inList } from "../../../web/in-list.ts";
import type { Translate, TranslatorOf } from "../../../web/translate.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import type { PresenceOfPeopleDeps } from "../../presence/presence-of-people.ts";
import { sectionLabel } from "../../members/pages/section-words.ts";
import { isChanged, longestNote, type PostedRegister } from "./register-form.ts";
import { countsView, type RegisterShown, rowsView, sessionView } from "./register-view.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import { type CourseWords, courseNameOf, courseWords } from "../../../web/course-words.ts";

export type RegisterPageDeps = ShowRegisterDeps &
  PresenceOfPeopleDeps & {
    attendanceMarks: Pick<AttendanceMarkStore, "listUnfinished">;
    registrations: Pick<RegistrationStore, "find">;
    sessions: Sessions;
    translatorOf: TranslatorOf;
    clock: Clock;
  };

/** What the page tells about what was just pressed. */
export type RegisterNews = RegisterShown & {
  /** How many learners were changed; null when nothing was pressed. */
  saved?: number | null;
  reasonTooLong?: boolean;
};

/** Sessions on one page of the list. */
const perPage = 50;

/** The list of sessions to choose a register from. */
export async function renderSessionChoice(
  deps: RegisterPageDeps,
  visit: InstructorVisit,
  wantedPage: number,
  response: PageResponse,
): Promise<void> {
  const words = await courseWords(deps, visit);
  const { t } = words;
  const known = await listSessions(deps, visit.course);
  const pages = Math.max(1, Math.ceil(known.length / perPage));
  const page = Math.min(wantedPage, pages);
  const now = deps.clock.now();
  const courseName = courseNameOf(t, visit.course);
  response.render("course/register-sessions", {
    t,
    title: t("register.title", { course: courseName }),
    courseName,
    session: await deps.sessions.issue(visit.session),
    zone: words.times.zone,
    sessions: known
      .slice((page - 1) * perPage, page * perPage)
      .map((one: CourseSession) => sessionView(words, one, now)),
    page,
    pages,
  });
}

/**
 * The register of one session: as stored, or as typed with what is wrong with it.
 * @throws NamedError "session-unknown"
 */
export async function renderRegister(
  deps: RegisterPageDeps,
  visit: InstructorVisit,
  wanted: { eventId: string; filter: Register["filter"] },
  news: RegisterNews,
  response: PageResponse,
): Promise<void> {
  const { course, session } = visit;
  const register = await showRegister(deps, course, wanted.eventId, wanted.filter, unsavedIn(news));
  if (register === null) {
    throw new NamedError(
      "session-unknown",
      "This session is not one of this course. Choose it from the list of sessions.",
      { status: 404 },
    );
  }
  const words = await courseWords(deps, visit);
  const { t } = words;
  const courseName = courseNameOf(t, course);
  const about = sessionView(words, register.session, deps.clock.now());
  const listed = rowsView(words, register, news);
  const ids = listed.rows.map(({ personId }) => personId);
  const presence = await presenceWords(deps, words, course, [register.session], ids);
  response.render("course/register", {
    t,
    title: t("register.titleOf", { session: about.title, course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    zone: words.times.zone,
    about,
    ...listed,
    counts: countsView(t, register),
    filter: register.filter,
    sections: words.sections.map((section) => ({
      id: section.lmsSectionId,
      label: sectionLabel(t, words.sectionKind, section),
    })),
    groups: words.sectionKind === "groups",
    page: register.filter.page,
    pages: register.pages,
    scope: scopeText(words, register),
    presenceOf: (personId: string) => presence.of(wanted.eventId, personId),
    presenceRule: presence.rule,
    longestNote,
    underWay: await underWay(deps, course, wanted.eventId),
    ...newsView(t, news, listed.rows),
  });
}

/** Whose rows must not vanish: what was typed there is stored nowhere. */
function unsavedIn({ typed, problems }: RegisterNews): ReadonlySet<string> {
  const changed = [...(typed?.rows ?? [])].filter(([, row]) => isChanged(row.typed, row.seen));
  return new Set([...changed.map(([personId]) => personId), ...(problems?.keys() ?? [])]);
}

/** How many a class that is being marked has come to; null when none is. */
async function underWay(deps: RegisterPageDeps, course: Course, eventId: string): Promise<number | null> {
  const { registrationId, id: courseId } = course;
  const unfinished = await deps.attendanceMarks.listUnfinished({ registrationId, courseId, eventId });
  return unfinished.length === 0 ? null : unfinished.reduce((sum, one) => sum + one.writtenInClass, 0);
}

/** What became of what was pressed, in words, and what stays in the fields beside the rows. */
function newsView(
  t: Translate,
  { typed, saved = null, problems = new Map(), missed = new Set(), reasonTooLong = false }: RegisterNews,
  rows: readonly { name: string; missed: boolean; unsaved: boolean }[],
) {
  const names = rows.flatMap((row) => (row.missed ? [row.name] : []));
  return {
    ...fieldsBeside(typed ?? null),
    reasonProblem: reasonTooLong ? t("register.problems.tooLong", { most: longestNote }) : null,
    saved: saved === null ? null : t("register.saved", { count: saved, number: saved }),
    failed: reasonTooLong || problems.size > 0,
    missed: missed.size === 0 ? null : missedText(t, names, missed.size),
    unsavedLeft: rows.some((row) => row.unsaved && !row.missed),
  };
}

function fieldsBeside(typed: PostedRegister | null): Pick<PostedRegister, "bulk" | "reason"> {
  return typed === null ? { bulk: "PRESENT", reason: "" } : { bulk: typed.bulk, reason: typed.reason };
}

/** Whom the buttons for the whole class reach, in words. */
function scopeText(words: CourseWords, { inClass, filter }: Register): string {
  const { t } = words;
  const values = { all: inClass.all, blank: inClass.blank };
  if (filter.sectionId === null) return t("register.bulk.everybody", values);
  return t("register.bulk.inSection", { ...values, section: sectionsText(words, [filter.sectionId]) });
}

function missedText(t: Translate, names: readonly string[], number: number): string {
  const others = number - names.length;
  const listed = [...names, ...(others > 0 ? [t("register.missed.others", { number: others })] : [])];
  return t("register.missed.lead", { names: inList(t, listed) });
}
