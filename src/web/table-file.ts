import type { Course } from "../domain/course.ts";
import type { Clock } from "../kernel/clock.ts";
import { timeZoneOf, wallTimeOf } from "../modules/scheduling/rules/time-zone.ts";
import { zonedIso } from "../modules/scheduling/rules/zoned-iso.ts";
import { type Answer, file } from "./answer.ts";
import { courseNameOf } from "./course-words.ts";
import { byteOrderMark, csvLine } from "./csv-line.ts";
import { type SheetCell, sheetBytes } from "./sheet-bytes.ts";
import { cutTo } from "../kernel/text.ts";
import type { Translate } from "./translate.ts";

/** `at`: milliseconds since 1970, written in the course's zone. */
export type TableCell = string | number | null | { at: number };

export type TableRow = readonly TableCell[];

/** Several rows a piece, so that not each is a write of its own. The first row is the head. */
export type TableRows = AsyncGenerator<readonly TableRow[]>;

export const tableForms = ["xlsx", "csv"] as const;
export type TableForm = (typeof tableForms)[number];

export type Table = {
  /** What it is about; the file's name also gets the course and the date in its zone. */
  name: string;
  rows: TableRows;
  /** Columns that hold moments, counted from 0. */
  moments: readonly number[];
  /** Sentences below the rows of a sheet, asked for after them. A CSV is read by programs and has none. */
  closing: () => readonly string[];
};

/** A course's table for spreadsheets, sent while it is read. */
export function tableFile(
  { clock }: { clock: Clock },
  t: Translate,
  course: Course,
  form: TableForm,
  { name, rows, moments, closing }: Table,
): Answer {
  const zone = timeZoneOf(course.timeZone ?? "") ?? "UTC";
  const { date } = wallTimeOf(clock.now(), zone);
  const fullName = `${fileName(courseNameOf(t, course), `${name} ${date}`)}.${form}`;
  if (form === "csv") return file(fullName, "text/csv; charset=utf-8", csvLines(rows, zone));
  const sheet = { name: sheetName(name), rightToLeft: t("language.direction") === "rtl", moments };
  return file(fullName, sheetType, sheetBytes(sheet, sheetRows(rows, zone, closing)));
}

const sheetType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";

/** UTF-16 units. */
const maxFileNames = { whole: 150, about: 100 };

/** Without characters that a file system refuses. A long course name gives way: two tables of a course never have one name. */
export function fileName(courseName: string, about: string): string {
  const end = cutTo(fileText(about), maxFileNames.about);
  return `${cutTo(fileText(courseName), maxFileNames.whole - end.length - 1)} ${end}`.trim();
}

function fileText(text: string): string {
  return text
    .replace(/[\p{C}/\\:*?"<>|%]+/gu, " ")
    .replace(/\s+/g, " ")
    .trim();
}

/** As Excel takes it: 31 characters, some of them forbidden. */
function sheetName(name: string): string {
  const plain = cutTo(name.replace(/[[\]:*?/\\\p{C}]+/gu, " "), 31);
  return plain.replace(/^'+|(?<!')'+$/g, "").trim() || "1";
}

async function* csvLines(rows: TableRows, zone: string): AsyncGenerator<string> {
  const iso = zonedIso(zone);
  yield byteOrderMark;
  for await (const some of rows) {
    const lines = some.map((row) =>
      csvLine(row.map((cell) => (typeof cell === "object" && cell !== null ? iso(cell.at) : cell))),
    );
    yield lines.join("");
  }
}

async function* sheetRows(
  rows: TableRows,
  zone: string,
  closing: Table["closing"],
): AsyncGenerator<SheetCell[]> {
  for await (const some of rows) for (const row of some) yield row.map((cell) => sheetCell(cell, zone));
  const sentences = closing();
  if (sentences.length > 0) yield [null];
  for (const sentence of sentences) yield [sentence];
}

/** A sheet knows no zones: its dates are those of the wall in the course's. */
function sheetCell(cell: TableCell, zone: string): SheetCell {
  if (typeof cell !== "object" || cell === null) return cell;
  const { date, time } = wallTimeOf(cell.at, zone);
  return new Date(`${date}T${time}:00Z`);
}
