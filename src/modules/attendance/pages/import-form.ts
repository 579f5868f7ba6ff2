import type { MarkableCourse, MarkChange } from "../mark-session.ts";
import { z } from "zod";
import { asKnownStatus, knownStatuses } from "../../../domain/attendance.ts";
import type { Course } from "../../../domain/course.ts";
import { listedName } from "../../../domain/person.ts";
import { type CalendarWords, plain, type TableWords, type whoColumns } from "../rules/marks-in-table.ts";
import type { CourseSession } from "../../scheduling/rules/course-session.ts";
import { timeZoneOf, wallTimeOf } from "../../scheduling/rules/time-zone.ts";
import { courseTimes } from "../../../web/course-times.ts";
import { statusView } from "../../../web/page-text.ts";
import { readTable } from "../../../web/posted-files.ts";
import { languages, type Translate, type TranslatorOf } from "../../../web/translate.ts";
import { sessionHead } from "./grid-files.ts";
import { decoded, oneLine } from "./register-form.ts";

/** The longest pasted table (UTF-16 units). A thousand learners with sixty sessions take half of it. */
const maxTableLength = 1_500_000;
/** Each cell is compared with everything in the course, while others wait. */
const maxTable = { lines: 20_000, columns: 2_500 };
/** The most marks saved at once, because the form that confirms them contains each. */
export const maxChanges = 20_000;

export type ImportForm = ReturnType<typeof readImport>;

/** Null if the table is too large. For comparison, one letter may become up to eighteen. */
export function readPastedTable(table: string): string[][] | null {
  if (table.length > maxTableLength || table.normalize("NFKC").length > 2 * maxTableLength) return null;
  const lines = readTable(table);
  const [head = []] = lines;
  return lines.length > maxTable.lines || head.length > maxTable.columns ? null : lines;
}

const formShape = z.object({
  table: z.string().catch(""),
  reason: z.string().catch(""),
  /** Why the file couldn't be read as a table. */
  unread: z.enum(["unreadable", "too-large"]).nullable().catch(null),
});

export function readImport(posted: unknown) {
  const { reason, ...rest } = formShape.parse(posted ?? {});
  return { ...rest, reason: oneLine(reason) };
}

type Carried = Omit<MarkChange, "before">;

/** One field for each session: its id, then person, revision and status of each mark, with parts encoded as in an address. */
export function carriedMarks(changes: readonly Carried[]): string[] {
  return [...Map.groupBy(changes, ({ eventId }) => eventId)].map(([eventId, own]) => {
    const marks = own.map(({ personId, seen, status }) => [personId, String(seen), status]);
    return [[eventId], ...marks].map((pieces) => pieces.map(encodeURIComponent).join(",")).join(" ");
  });
}

const savedShape = z.object({
  marks: z.union([z.string().transform((one) => [one]), z.array(z.string())]).catch([]),
});

/** @returns null, so nothing is saved, if any mark can't be read or none was sent. */
export function readCarried(posted: unknown): Carried[] | null {
  const changes = savedShape.parse(posted ?? {}).marks.flatMap((line) => {
    const [event = "", ...marks] = line.split(" ");
    return marks.map((mark) => readMark(decoded(event), mark));
  });
  const understood = changes.filter((change) => change !== null);
  const whole = understood.length === changes.length && changes.length > 0 && changes.length <= maxChanges;
  return whole ? understood : null;
}

function readMark(eventId: string, mark: string): Carried | null {
  const [personId = "", seen = "", named = ""] = mark.split(",").map(decoded);
  const status = asKnownStatus(named);
  if (eventId === "" || personId === "" || status === null || !/^\d{1,15}$/.test(seen)) return null;
  return { eventId, personId, status, seen: Number(seen) };
}

/** Columns of an exported table besides the person and the sessions. */
const otherColumns = ["inCourse", "sections", "present", "late", "absent", "excused", "unknown"] as const;

/** The ways in which people tick off a class list, in every language. */
const ticks = ["x", "1", "✓", "✔"] as const;

/**
 * The words that a table of marks may use: those of an exported table in any of our languages (colleagues share files), a session's title or
 * date alone if no other session has it, and a status as a letter, a tick, or in the classroom's spelling.
 */
export function tableWords(
  { translatorOf }: { translatorOf: TranslatorOf },
  reader: Translate,
  course: Course,
  { sessions, rows }: MarkableCourse,
): TableWords {
  const readers = [reader, ...languages.map(translatorOf)];
  const headsOf = readers.map((t) => ({
    who: whoHeads(t),
    others: [...otherColumns.map((name) => t(`grades.files.columns.${name}`)), t("grid.files.rate")],
  }));
  const namesOf = readers.map((t) => sessions.map((session) => sessionHeads(t, course, session)));
  const who = (column: (typeof whoColumns)[number]) => headsOf.flatMap((heads) => heads.who[column]);
  return {
    heads: {
      who: {
        id: who("id"),
        number: who("number"),
        mail: who("mail"),
        name: who("name"),
        given: who("given"),
        family: who("family"),
      },
      others: headsOf.flatMap(({ others }) => others),
    },
    languages: readers.map((t, at) => ({
      heads: [
        ...Object.values(headsOf[at]?.who ?? {}).flat(),
        ...(headsOf[at]?.others ?? []),
        ...(namesOf[at] ?? []).flat(),
      ],
      letters: knownStatuses.map((status) => [t(`grid.cell.letters.${status}`), status] as const),
    })),
    sessions: sessions.map(({ eventId, title, startsAt }, at) => ({
      eventId,
      names: [...namesOf.flatMap((names) => names[at] ?? []), ...(title === null ? [] : [title]), eventId],
      start: startsAt === null ? null : wallTimeOf(startsAt, timeZoneOf(course.timeZone ?? "") ?? "UTC"),
    })),
    calendar: calendarWords(readers),
    learners: rows.map((row) => ({
      personId: row.personId,
      sub: row.sub,
      name: listedName(row),
      email: row.email,
      number: row.idNumber,
    })),
    statuses: [
      ...readers.flatMap((t) => knownStatuses.map((status) => [statusView(t, status).text, status] as const)),
      ...knownStatuses.map((status) => [status, status] as const),
      ...ticks.map((tick) => [tick, "PRESENT"] as const),
    ],
  };
}

/** Both forms of the head, because whether the session counts may have changed since. */
function sessionHeads(t: Translate, course: Course, session: CourseSession): string[] {
  const times = courseTimes(course, t.locale);
  return [true, false].map((counts) => sessionHead({ t, times }, { ...session, counts }));
}

/** The heads of exported tables, and those that other class lists use. */
function whoHeads(t: Translate) {
  const known = (column: (typeof whoColumns)[number]) => t(`grid.import.heads.${column}`).split("; ");
  return {
    id: [t("grades.files.columns.lmsId"), ...known("id")],
    number: known("number"),
    mail: known("mail"),
    name: [t("grades.files.columns.learner"), ...known("name")],
    given: known("given"),
    family: known("family"),
  };
}

function calendarWords(languages: readonly Translate[]): CalendarWords {
  const months = new Map<string, number>();
  const beside = new Set(["de"]);
  const words = (text: string) => plain(text).match(/[\p{L}\p{M}]+/gu) ?? [];
  for (const { locale } of languages) {
    const times = courseTimes({ timeZone: "UTC" }, locale);
    for (let at = 0; at < 12; at += 1) {
      const day = Date.UTC(2026, at, 1);
      for (const word of words(`${times.month(day)} ${times.shortMonth(day)}`)) months.set(word, at + 1);
    }
    for (let date = 1; date <= 7; date += 1) {
      const day = Date.UTC(2026, 0, date);
      for (const word of words(`${times.weekday(day)} ${times.weekdayName(day)}`)) beside.add(word);
    }
  }
  // "November de 2026" names a month, but "de" alone doesn't.
  months.delete("de");
  return { months, beside };
}
