import type { Router } from "express";
import { listedName, fullName } from "../../../domain/person-name.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { type LastAttendanceRow, pageOfLastAttendance } from "../../attendance/learners-of-courses.ts";
import { dayText } from "../../attendance/pages/session-view.ts";
import type { AttendedDay } from "../../attendance/rules/attendance-days.ts";
import { courseName } from "../../courses/rules/course.ts";
import { isDate } from "../../scheduling/rules/recurrence.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, type Visit } from "./gate.ts";
import { type Asked, consoleList } from "./list.ts";
import { choices, type ListRows, lmsChoice, table } from "./list-view.ts";
import { orNull, typedText } from "./requests.ts";

const typed = typedText();
const dayMs = 24 * 3_600_000;
/** Of the term that is shown first: from so long ago until today (ms). */
const usualTermMs = 120 * dayMs;

type DaysQuery = { lms: string; course: string; from: string; to: string; only: "" | "never" };

/** First and last day of attendance, for a registrar; an LMS's administrators see its own. */
export function lastAttendancePages(app: ConsoleApp, gate: Gate): Router {
  return consoleList(gate, {
    ...{ path: "/last-attendance", area: "lastAttendance", openTo: narrowed, office: "registrar" },
    read: (given): DaysQuery => {
      const now = app.clock.now();
      const day = (name: string, usual: number) =>
        given[name] === undefined ? new Date(usual).toISOString().slice(0, 10) : typed.parse(given[name]);
      return {
        ...{ lms: typed.parse(given["lms"]), course: typed.parse(given["course"]) },
        ...{ from: day("from", now - usualTermMs), to: day("to", now) },
        only: given["only"] === "never" ? "never" : "",
      };
    },
    rows: (asked) => lastAttendanceRows(app, asked),
    around: async ({ t, query, visit }, { courses, next }) => ({
      lead: t("days.lead"),
      filter: {
        fields: [
          ...lmsChoice(t("inbox.filter.lms"), query.lms, await lmssOf(app, visit), t("inbox.any")),
          { name: "course", label: t("console.courses.course"), value: query.course },
          ...(["from", "to"] as const).map((name) => ({
            ...{ name, label: t(`days.${name}`), value: query[name], type: "date" as const, maxLength: 10 },
            wrong: wrongDays(t, query).some((one) => one.name === name),
          })),
          choices(
            ["only", t("common.learners"), query.only],
            ["never"],
            () => t("days.never"),
            t("common.everyone"),
          ),
        ],
        hint: t("days.hint"),
      },
      empty:
        next !== null
          ? t("inbox.receipts.further")
          : t(
              courses > 0 ? "common.nobodyMatches" : query.course === "" ? "days.noCourses" : "days.noCourse",
            ),
    }),
    file: "last-attendance",
  });
}

/** To choose from; none for an LMS's administrators. */
async function lmssOf(app: ConsoleApp, { within }: Visit) {
  return within === null ? app.registrations.list() : [];
}

function wrongDays(t: Translate, { from, to }: Pick<DaysQuery, "from" | "to">) {
  const unreadable = Object.entries({ from, to }).filter(([, text]) => !isDate(text));
  const wrong = unreadable.map(([name]) => ({ name, text: t("days.unreadable") }));
  return wrong.length === 0 && from > to ? [{ name: "to", text: t("days.order") }] : wrong;
}

async function lastAttendanceRows(app: ConsoleApp, { t, query, cursor, visit }: Asked<DaysQuery>) {
  const { from, to, course, only } = query;
  const fields = wrongDays(t, query);
  const wrong: ListRows["wrong"] = fields.length === 0 ? null : { text: t("inbox.times.wrong"), fields };
  if (wrong !== null) return { wrong, tables: [], courses: 0, next: null };
  const asked = { registrationId: visit.within ?? orNull(query.lms), course, days: { from, to } };
  const { rows, ...page } = await pageOfLastAttendance(app, { ...asked, only: orNull(only) }, cursor);
  const dayCell = (day: AttendedDay | null) =>
    day === null
      ? null
      : [dayText(t, day.date), { text: t(`grades.files.source.${day.kind}`), quiet: true as const }];
  const shown = table({ label: t("console.areas.lastAttendance"), rows }, ({ plain, column, end }) => [
    plain(t("common.learner"), (row) => [
      nameOf(row),
      { label: t("grades.files.columns.lmsId"), text: row.person.sub, quiet: true },
      row.person.idNumber == null
        ? null
        : { label: t("days.idNumber"), text: row.person.idNumber, quiet: true },
      row.active ? null : { text: t("register.remarks.left"), quiet: true },
    ]),
    plain(t("console.courses.course"), (row) => [
      courseName(row.course),
      { text: row.course.label, quiet: true },
    ]),
    column(t("days.first"), ({ days }) => dayCell(days.first) ?? whyNone(t, days)),
    column(t("days.last"), ({ days }) => dayCell(days.last)),
    end(t("days.attended"), ({ days }) =>
      t("days.of", { attended: numberText(t, days.attended), recorded: numberText(t, days.recorded) }),
    ),
  ]);
  return { ...page, wrong, tables: [{ ...shown, file: fileOf(t, rows) }] };
}

function nameOf({ person }: Pick<LastAttendanceRow, "person">): string {
  return listedName({ name: fullName(person), sub: person.sub });
}

/** Without a mark of any kind nobody can say that they were never there. */
function whyNone(t: Translate, { attended, recorded }: LastAttendanceRow["days"]) {
  if (attended > 0) return null;
  return t(recorded > 0 ? "days.never" : "grid.learner.noRate");
}

/** A column for each fact; days as programs read them. */
function fileOf(t: Translate, rows: readonly LastAttendanceRow[]) {
  const source = (day: AttendedDay | null) => (day === null ? null : t(`grades.files.source.${day.kind}`));
  return {
    head: [
      ...[t("console.courses.course"), t("days.code"), t("common.learner"), t("grades.files.columns.lmsId")],
      ...[t("days.idNumber"), t("grades.files.columns.inCourse"), t("days.first"), t("days.firstBy")],
      ...[t("days.last"), t("days.lastBy"), t("days.attended"), t("days.recorded"), t("days.remark")],
    ],
    rows: rows.map((row) => [
      ...[courseName(row.course), row.course.label, nameOf(row), row.person.sub],
      ...[row.person.idNumber ?? null, t(row.active ? "analytics.yes" : "analytics.no")],
      ...[row.days.first?.date ?? null, source(row.days.first)],
      ...[row.days.last?.date ?? null, source(row.days.last)],
      ...[String(row.days.attended), String(row.days.recorded), whyNone(t, row.days)],
    ]),
  };
}
