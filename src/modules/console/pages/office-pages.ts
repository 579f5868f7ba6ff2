import type { Router } from "express";
import { type Course, limitKey } from "../../../domain/course.ts";
import { listedName, fullName } from "../../../domain/person.ts";
import { numberText } from "../../../web/page-text.ts";
import type { Translate } from "../../../web/translate.ts";
import { dayText, readerFormat } from "../../../web/course-times.ts";
import { pageOfReached } from "../../attendance/limits.ts";
import { type LastAttendanceRow, pageOfLastAttendance } from "../../attendance/learners-of-courses.ts";
import type { AttendedDay } from "../../attendance/rules/attendance-days.ts";
import { courseName } from "../../courses/rules/course.ts";
import { isDate } from "../../../kernel/text.ts";
import { dayMs } from "../../../kernel/clock.ts";
import { wallTimeOf } from "../../scheduling/rules/time-zone.ts";
import type { ConsoleApp } from "./console-session.ts";
import { type Gate, narrowed, type Visit } from "./gate.ts";
import { type ListContext, consoleList } from "./list.ts";
import { choices, type ListRows, lmsChoice, table } from "./list-view.ts";
import { orNull, typedText } from "./requests.ts";

const typed = typedText();
/** The term that is shown first began this long ago (ms). */
const usualTermMs = 120 * dayMs;

type DaysQuery = { lms: string; course: string; from: string; to: string; only: "" | "never" };

/** First and last day of attendance, for a registrar. An LMS's administrators see its own. */
export function lastAttendancePages(app: ConsoleApp, gate: Gate): Router {
  return consoleList(gate, {
    path: "/last-attendance",
    area: "lastAttendance",
    openTo: narrowed,
    office: "registrar",
    read: async (given, { within }): Promise<DaysQuery> => {
      const now = app.clock.now();
      const lms = typed.parse(given["lms"]);
      const [latest] = await app.courses.listLatest(within ?? orNull(lms), null, 1);
      // A day depends on the course's time zone. For all courses, today is that of the course opened last.
      const zone = latest?.course.timeZone ?? "UTC";
      const day = (name: string, usual: number) =>
        given[name] === undefined ? wallTimeOf(usual, zone).date : typed.parse(given[name]);
      return {
        lms,
        course: typed.parse(given["course"]),
        from: day("from", now - usualTermMs),
        to: day("to", now),
        only: given["only"] === "never" ? "never" : "",
      };
    },
    rows: (context) => lastAttendanceRows(app, context),
    around: async ({ t, query, visit }, { courses, next }) => ({
      lead: t("days.lead"),
      filter: {
        fields: [
          ...lmsChoice(t("inbox.filter.lms"), query.lms, await lmssOf(app, visit), t("inbox.any")),
          { name: "course", label: t("console.courses.course"), value: query.course },
          ...(["from", "to"] as const).map((name) => ({
            name,
            label: t(`days.${name}`),
            value: query[name],
            type: "date" as const,
            maxLength: 10,
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
      empty: t(next === null ? emptyKey(courses, query.course) : "inbox.receipts.further"),
    }),
    file: "last-attendance",
  });
}

function emptyKey(courses: number, typedCourse: string) {
  if (courses > 0) return "common.nobodyMatches";
  return typedCourse === "" ? "days.noCourses" : "days.noCourse";
}

/** A course belongs to the present term if it had a session this long before now, or has one this long after (ms). */
const presentMs = { before: 60 * dayMs, after: 30 * dayMs };

type LimitsQuery = { lms: string; course: string; limit: string };

/** Learners of all courses who have reached a limit, for an adviser. An LMS's administrators see its own. */
export function limitsPages(app: ConsoleApp, gate: Gate): Router {
  return consoleList(gate, {
    path: "/limits",
    area: "limits",
    openTo: narrowed,
    office: "adviser",
    read: ({ lms, course, limit }): LimitsQuery => ({
      lms: typed.parse(lms),
      course: typed.parse(course),
      limit: typed.parse(limit),
    }),
    rows: (context) => limitsRows(app, context),
    around: async ({ t, query, visit }, { next }) => {
      const lmss = await lmssOf(app, visit);
      const known = visit.within === null ? lmss.map(({ id }) => id) : [visit.within];
      const labels = await limitsIn(app, query.lms === "" ? known : known.filter((id) => id === query.lms));
      const none = labels.size === 0 ? "limits.none" : "limits.nobody";
      return {
        lead: t("limits.lead"),
        filter: {
          fields: [
            ...lmsChoice(t("inbox.filter.lms"), query.lms, lmss, t("inbox.any")),
            { name: "course", label: t("console.courses.course"), value: query.course },
            choices(
              ["limit", t("limits.limit"), query.limit],
              [...labels.keys()],
              (key) => labels.get(key) ?? key,
              t("inbox.any"),
            ),
          ],
        },
        empty: t(next === null ? none : "inbox.receipts.further"),
      };
    },
    file: "limits",
  });
}

/** The labels of institutions' limits, by key. */
async function limitsIn(app: ConsoleApp, registrationIds: readonly string[]) {
  const defaults = await Promise.all(registrationIds.map((id) => app.institutionDefaults.find(id)));
  return new Map(
    defaults.flatMap(({ values }) =>
      (values.limits?.list ?? []).map((limit) => [limitKey(limit), limit.label] as const),
    ),
  );
}

async function limitsRows(app: ConsoleApp, { t, query, cursor, visit }: ListContext<LimitsQuery>) {
  const now = app.clock.now();
  const day = (at: number) => new Date(at).toISOString().slice(0, 10);
  const days = { from: day(now - presentMs.before), to: day(now + presentMs.after) };
  const asked = { registrationId: visit.within ?? orNull(query.lms), course: query.course, days };
  const { rows, next } = await pageOfReached(app, { ...asked, limit: orNull(query.limit) }, cursor);
  const whose = await lmsNames(app, visit, query.lms);
  const percent = (share: number) => readerFormat(t, "UTC").percent(share / 100);
  const limits = table({ label: t("console.areas.limits"), rows }, ({ plain, column, end }) => [
    plain(t("common.learner"), nameOf),
    plain(t("days.lmsId"), ({ person }) => person.sub),
    plain(t("days.idNumber"), ({ person }) => person.idNumber ?? null),
    plain(t("console.courses.course"), ({ course }) => [courseName(course), whose(course)]),
    column(t("limits.limit"), ({ limits }) => limits.map(({ label }) => label)),
    end(t("limits.absences"), ({ facts }) => numberText(t, facts.absent)),
    end(t("limits.inRow"), ({ facts }) => numberText(t, facts.inRow)),
    end(t("limits.share"), ({ facts }) => (facts.percent === null ? null : percent(facts.percent))),
  ]);
  return { next, tables: [limits] };
}

/** The LMSs to choose from. None for an LMS's administrators. */
async function lmssOf(app: ConsoleApp, { within }: Visit) {
  return within === null ? app.registrations.list() : [];
}

/** The names of LMSs if a list has rows of several, otherwise null. */
async function lmsNames(app: ConsoleApp, visit: Visit, lms: string) {
  const all = lms === "" ? await lmssOf(app, visit) : [];
  const names = new Map(all.map(({ id, name }) => [id, name]));
  return ({ registrationId }: Course) => (names.size > 1 ? (names.get(registrationId) ?? null) : null);
}

function wrongDays(t: Translate, { from, to }: Pick<DaysQuery, "from" | "to">) {
  const unreadable = Object.entries({ from, to }).filter(([, text]) => !isDate(text));
  const wrong = unreadable.map(([name]) => ({ name, text: t("days.unreadable") }));
  return wrong.length === 0 && from > to ? [{ name: "to", text: t("days.order") }] : wrong;
}

async function lastAttendanceRows(app: ConsoleApp, { t, query, cursor, visit }: ListContext<DaysQuery>) {
  const { from, to, course, only } = query;
  const fields = wrongDays(t, query);
  const wrong: ListRows["wrong"] = fields.length === 0 ? null : { text: t("inbox.times.wrong"), fields };
  if (wrong !== null) return { wrong, tables: [], courses: 0, next: null };
  const asked = { registrationId: visit.within ?? orNull(query.lms), course, days: { from, to } };
  const { rows, ...page } = await pageOfLastAttendance(app, { ...asked, only: orNull(only) }, cursor);
  const whose = await lmsNames(app, visit, query.lms);
  const dayCell = (day: AttendedDay | null) =>
    day === null
      ? null
      : [dayText(t.locale, day.date), { text: t(`grades.files.source.${day.kind}`), quiet: true as const }];
  const learners = table({ label: t("console.areas.lastAttendance"), rows }, ({ plain, column, end }) => [
    plain(t("common.learner"), (row) => [
      nameOf(row),
      { label: t("grades.files.columns.lmsId"), text: row.person.sub, quiet: true },
      row.person.idNumber == null
        ? null
        : { label: t("days.idNumber"), text: row.person.idNumber, quiet: true },
      row.active ? null : { text: t("register.remarks.left"), quiet: true },
      row.hasOpened ? null : { text: t("days.unopened"), quiet: true },
    ]),
    plain(t("console.courses.course"), ({ course }) => [
      courseName(course),
      { text: course.label, quiet: true },
      whose(course),
    ]),
    column(t("days.first"), ({ days }) => dayCell(days.first) ?? whyNone(t, days)),
    column(t("days.last"), ({ days }) => dayCell(days.last)),
    end(t("days.attended"), ({ days }) =>
      t("days.of", { attended: numberText(t, days.attended), recorded: numberText(t, days.recorded) }),
    ),
  ]);
  return { ...page, wrong, tables: [{ ...learners, file: () => fileOf(t, rows, whose) }] };
}

function nameOf({ person }: Pick<LastAttendanceRow, "person">): string {
  return listedName({ name: fullName(person), sub: person.sub });
}

/** Without any mark, nobody can say that they were never there. */
function whyNone(t: Translate, { attended, recorded }: LastAttendanceRow["days"]) {
  if (attended > 0) return null;
  return t(recorded > 0 ? "days.never" : "grid.learner.noRate");
}

/** One column per fact, with days in a form for programs. */
function fileOf(t: Translate, rows: readonly LastAttendanceRow[], whose: (course: Course) => string | null) {
  const source = (day: AttendedDay | null) => (day === null ? null : t(`grades.files.source.${day.kind}`));
  return {
    head: [
      t("console.courses.course"),
      t("days.code"),
      t("common.learner"),
      t("grades.files.columns.lmsId"),
      t("days.idNumber"),
      t("grades.files.columns.inCourse"),
      t("days.first"),
      t("days.firstBy"),
      t("days.last"),
      t("days.lastBy"),
      t("days.attended"),
      t("days.recorded"),
      t("days.remark"),
      t("inbox.filter.lms"),
    ],
    rows: rows.map((row) => [
      courseName(row.course),
      row.course.label,
      nameOf(row),
      row.person.sub,
      row.person.idNumber ?? null,
      t(row.active ? "analytics.yes" : "analytics.no"),
      row.days.first?.date ?? null,
      source(row.days.first),
      row.days.last?.date ?? null,
      source(row.days.last),
      String(row.days.attended),
      String(row.days.recorded),
      [whyNone(t, row.days), row.hasOpened ? null : t("days.unopened")].filter(Boolean).join("; "),
      whose(row.course),
    ]),
  };
}
