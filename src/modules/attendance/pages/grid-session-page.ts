import type { KnownStatus } from "../../../domain/attendance.ts";
import { refusal } from "../../../kernel/refusal.ts";
import type { GridFilter } from "../grid-filter.ts";
import { emptyTally } from "../rules/attendance-grid.ts";
import { showRegister } from "../show-register.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/instructor-visit.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { sectionsText } from "../../members/pages/section-words.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { countsText } from "./grid-bar.ts";
import { filterFields, type GridFields } from "./grid-form.ts";
import { gridWords } from "./grid-words.ts";
import { maxNoteLength, type PostedRegister } from "./register-form.ts";
import { type SessionShown, sessionView } from "./session-view.ts";
import { type StatusChoice, statusChoices } from "./status-choices.ts";

export type GridSessionPage = CourseFrame & {
  fields: GridFields;
  about: SessionShown;
  counts: string;
  /** Whom the buttons for the whole class reach. */
  scope: string;
  choices: StatusChoice[];
  bulk: KnownStatus | "";
  reason: string;
  problem: string | null;
  maxNoteLength: number;
};

const gridSessionView = defineView<GridSessionPage>("course/grid-session");

/** @param refused What was typed and is not saved. @throws NamedError "session-unknown" */
export async function gridSessionPage(
  app: AttendanceApp,
  visit: InstructorVisit,
  { eventId, filter }: { eventId: string; filter: GridFilter },
  refused: PostedRegister | null,
): Promise<PageAnswer> {
  const { course } = visit;
  const wanted = { sectionId: filter.sectionId, status: null, page: 1 };
  const register = await showRegister(app, course, eventId, wanted);
  if (register === null) {
    throw refusal("session-unknown", { status: 404 });
  }
  const words = await gridWords(app, visit);
  const { t } = words;
  const about = sessionView(words, register.session, words.now);
  const { all, blank } = register.inClass;
  const { sectionId } = register.filter;
  return page(
    gridSessionView,
    {
      title: t("grid.menu.titleSession", { session: about.title, course: courseNameOf(t, course) }),
      fields: filterFields({ ...filter, sectionId }),
      about,
      counts: countsText(words, { ...emptyTally(), ...register.counts }),
      scope:
        sectionId === null
          ? t("register.bulk.everybody", { all, blank })
          : t("register.bulk.inSection", { all, blank, section: sectionsText(words, [sectionId]) }),
      choices: statusChoices(t),
      bulk: refused === null ? "PRESENT" : refused.bulk,
      reason: refused?.reason ?? "",
      problem: refused === null ? null : t("register.problems.tooLong", { most: maxNoteLength }),
      maxNoteLength,
    },
    { status: refused === null ? undefined : 422 },
  );
}
