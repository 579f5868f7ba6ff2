import type { PageResponse } from "../../../web/view.ts";
import type { AttendanceStore } from "../store/attendance-store.ts";
import type { MemberStore } from "../../members/store/member-store.ts";
import type { PersonStore } from "../../members/store/person-store.ts";
import { emptyTally } from "../rules/attendance-grid.ts";
import { personName } from "../../../domain/person-name.ts";
import type { GridFilter } from "../grid-filter.ts";
import { showGridCell, type ShowGridCellDeps } from "../show-grid-cell.ts";
import { showRegister, type ShowRegisterDeps } from "../show-register.ts";
import { NamedError } from "../../../kernel/errors.ts";
import { filterFields, type PressedCell } from "./grid-form.ts";
import { type GridPageDeps, gridWords } from "./grid-page.ts";
import { barView, countsText } from "./grid-view.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import type { CorrectionNews } from "./learner-correction.ts";
import { namesOfUsers } from "../../members/names-of-users.ts";
import { historyView, marksOf } from "./learner-view.ts";
import { longestNote, type PostedRegister } from "./register-form.ts";
import { presenceWords } from "../../presence/pages/presence-view.ts";
import type { PresenceOfPeopleDeps } from "../../presence/presence-of-people.ts";
import { sessionView } from "./register-view.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import { courseNameOf } from "../../../web/course-words.ts";

export type GridMenuDeps = GridPageDeps &
  ShowGridCellDeps &
  PresenceOfPeopleDeps &
  ShowRegisterDeps & {
    attendance: AttendanceStore;
    members: MemberStore;
    people: PersonStore;
  };

/**
 * One cell of the table: how it stands, everything that happened, and the form that corrects it.
 * @throws NamedError "session-unknown", "learner-unknown"
 */
export async function renderCell(
  deps: GridMenuDeps,
  visit: InstructorVisit,
  pressed: PressedCell,
  filter: GridFilter,
  news: CorrectionNews,
  response: PageResponse,
): Promise<void> {
  const { course, session } = visit;
  const detail = await showGridCell(deps, course, pressed);
  const words = await gridWords(deps, visit);
  const { t, now } = words;
  const told = detail.row.facts.history.map(({ updatedBy }) => updatedBy);
  const observers = await namesOfUsers(deps, course, told);
  const one = historyView({ ...words, names: detail.names, observers }, detail, now, news);
  const presence = await presenceWords(deps, words, course, [detail.session], [pressed.personId]);
  const name = personName(detail.person, detail.member?.role ?? "learner");
  const courseName = courseNameOf(t, course);
  response.render("course/grid-cell", {
    t,
    title: t("grid.menu.titleCell", { name, session: one.title, course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    fields: filterFields(filter),
    heading: t("grid.menu.cellHeading", { name, session: one.title }),
    personId: pressed.personId,
    one,
    presence: presence.of(pressed.eventId, pressed.personId),
    presenceRule: presence.rule,
    elsewhere: one.standing === null && detail.row.remark === "other-section",
    corrected: detail.row.standing?.correction != null,
    choices: marksOf(t),
    longestNote,
    missed: news.missed === true,
    failed: news.problem !== undefined,
  });
}

/**
 * One session of the table: who came, and marking many at once.
 * @param refused What was typed and could not be taken.
 * @throws NamedError "session-unknown"
 */
export async function renderSession(
  deps: GridMenuDeps,
  visit: InstructorVisit,
  eventId: string,
  filter: GridFilter,
  refused: PostedRegister | null,
  response: PageResponse,
): Promise<void> {
  const { course, session } = visit;
  const wanted = { sectionId: filter.sectionId, status: null, page: 1 };
  const register = await showRegister(deps, course, eventId, wanted);
  if (register === null) {
    throw new NamedError(
      "session-unknown",
      "This session is not one of this course. Choose it from the list of sessions.",
      { status: 404 },
    );
  }
  const words = await gridWords(deps, visit);
  const { t } = words;
  const about = sessionView(words, register.session, words.now);
  const courseName = courseNameOf(t, course);
  const tally = { ...emptyTally(), ...register.counts };
  const { all, blank } = register.inClass;
  const { sectionId } = register.filter;
  response.render("course/grid-session", {
    t,
    title: t("grid.menu.titleSession", { session: about.title, course: courseName }),
    courseName,
    session: await deps.sessions.issue(session),
    fields: filterFields({ ...filter, sectionId }),
    about,
    bar: barView(words, about.title, tally),
    counts: countsText(words, tally),
    scope:
      sectionId === null
        ? t("register.bulk.everybody", { all, blank })
        : t("register.bulk.inSection", { all, blank, section: sectionsText(words, [sectionId]) }),
    choices: marksOf(t),
    bulk: refused === null ? "PRESENT" : refused.bulk,
    reason: refused?.reason ?? "",
    problem: refused === null ? null : t("register.problems.tooLong", { most: longestNote }),
    longestNote,
  });
}
