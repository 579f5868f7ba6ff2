import { checkInOf } from "../../../domain/attendance.ts";
import { personName } from "../../../domain/person-name.ts";
import type { GridFilter } from "../grid-filter.ts";
import { showGridCell } from "../show-grid-cell.ts";
import { type PageAnswer, page } from "../../../web/answer.ts";
import { courseNameOf } from "../../../web/course-words.ts";
import type { InstructorVisit } from "../../../web/visits.ts";
import type { CourseFrame } from "../../../web/partials.ts";
import { defineView } from "../../../web/view.ts";
import { namesOfUsers } from "../../members/people.ts";
import { presenceRule, presenceWords } from "../../presence/pages/presence-view.ts";
import type { AttendanceApp } from "./attendance-app.ts";
import { evidenceText } from "./current-attendance-view.ts";
import { filterFields, type GridFields, type PressedCell } from "./grid-form.ts";
import { gridWords } from "./grid-words.ts";
import { type NotCorrected, statusOf } from "./learner-correction.ts";
import { maxNoteLength } from "./register-form.ts";
import { historyView, type SessionHistory } from "./session-history.ts";
import { type StatusChoice, statusChoices } from "./status-choices.ts";

export type GridCellPage = CourseFrame & {
  /** Of the table to go back to. */
  fields: GridFields;
  heading: string;
  personId: string;
  one: SessionHistory;
  /** When the learner was in the Space, and whether that counts. */
  presence: { text: string; rule: string } | null;
  /** The session is for other sections. */
  elsewhere: boolean;
  corrected: boolean;
  choices: StatusChoice[];
  maxNoteLength: number;
  missed: boolean;
  failed: boolean;
};

const gridCellView = defineView<GridCellPage>("course/grid-cell");

/** @throws NamedError "session-unknown", "learner-unknown" */
export async function gridCellPage(
  app: AttendanceApp,
  visit: InstructorVisit,
  { pressed, filter }: { pressed: PressedCell; filter: GridFilter },
  refused: NotCorrected | null,
): Promise<PageAnswer> {
  const { course } = visit;
  const detail = await showGridCell(app, course, pressed);
  const words = await gridWords(app, visit);
  const { t, now } = words;
  const users = detail.row.facts.history.map(({ updatedBy }) => updatedBy);
  const observers = await namesOfUsers(app, course, users);
  const one = historyView({ ...words, names: detail.names, observers }, detail, now, refused);
  const { of } = await presenceWords(app, words, course, [detail.session], [pressed.personId]);
  const { facts } = detail.row;
  const evidence = { seen: facts.seen, checkedInAt: checkInOf(facts) };
  const there = evidenceText(words, evidence, of(pressed.eventId, pressed.personId));
  const name = personName(detail.person, detail.member?.role ?? "learner");
  return page(
    gridCellView,
    {
      title: t("grid.menu.titleCell", { name, session: one.title, course: courseNameOf(t, course) }),
      fields: filterFields(filter),
      heading: t("grid.menu.cellHeading", { name, session: one.title }),
      personId: pressed.personId,
      one,
      presence: there === null ? null : { text: there, rule: presenceRule(t, course) },
      elsewhere: one.current === null && detail.row.remark === "other-section",
      corrected: detail.row.current?.correction != null,
      choices: statusChoices(t),
      maxNoteLength,
      missed: refused?.missed === true,
      failed: refused !== null && refused.problem !== null,
    },
    { status: refused === null ? undefined : statusOf(refused) },
  );
}
