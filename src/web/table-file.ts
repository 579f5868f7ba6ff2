import type { CellValue, ColumnDef } from "hucre/xlsx";
import type { Course } from "../domain/course.ts";
import type { Clock } from "../kernel/clock.ts";
import { cutTo } from "../kernel/text.ts";
import { timeZoneOf, wallTimeOf, zonedIso } from "../modules/scheduling/rules/time-zone.ts";
import { type Answer, file } from "./answer.ts";
import { courseNameOf } from "./course-words.ts";
import type { Translate } from "./translate.ts";

/** `at`: milliseconds since 1970, written in the course's zone. */
export type TableCell = string | number | null | { at: number };

export type TableRow = readonly TableCell[];

/** Several rows a piece, so not each is a separate write. The first row is the head. */
export type TableRows = AsyncGenerator<readonly TableRow[]>;

export const tableForms = ["xlsx", "csv"] as const;
export type TableForm = (typeof tableForms)[number];

type Table = {
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
  for await (const batch of rows) {
    const lines = batch.map((row) =>
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
  for await (const batch of rows) for (const row of batch) yield row.map((cell) => sheetCell(cell, zone));
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

type CsvCell = string | number | null;

/** Makes spreadsheets read the file as UTF-8. */
export const byteOrderMark = "\ufeff";

/**
 * One line (RFC 4180), ending with CRLF; cells with separators, quotes or line breaks are quoted. A text that a
 * spreadsheet would compute (=, +, -, @, a tab or a line break first) gets an apostrophe; numbers do not.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  // Full-width signs are taken for the plain ones by some spreadsheets, and spaces before them are skipped.
  const text = /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n\t;']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Dates are wall-clock times, held as if they were in UTC. */
export type SheetCell = string | number | null | Date;

export type Sheet = {
  /** On the tab. */
  name: string;
  rightToLeft: boolean;
  /** Columns that hold dates, counted from 0. */
  moments: readonly number[];
};

/** A sheet from right to left is written in one piece, which takes some 80 ms of this many cells; a larger one goes from left to right. */
const maxCellsInOnePiece = 50_000;
const headRows = 1;
/** Excel's longest cell. */
const maxTextLength = 32_767;
const momentFormat = "yyyy-mm-dd hh:mm";
/** In characters: a name, then what most columns hold. */
const widths = { first: 28, others: 14, moments: 17 };

/**
 * An .xlsx file with one sheet whose head is always in sight, written while its rows are read: memory does not grow with them.
 * Texts are texts, whatever they begin with: no cell is a formula. @param rows The first one is the head.
 */
export async function* sheetBytes(
  { name, rightToLeft, moments }: Sheet,
  rows: AsyncGenerator<readonly SheetCell[]>,
): AsyncGenerator<Uint8Array> {
  // Here, because most starts would load it for nothing.
  const { writeXlsx, writeXlsxStream } = await import("hucre/xlsx");
  const begun: CellValue[][] = [];
  const read = async (): Promise<boolean> => {
    const next = await rows.next();
    if (next.done !== true) begun.push(next.value.map(asValue));
    return next.done !== true;
  };
  let more = await read();
  const columns = (begun[0] ?? []).map((_title, at) => columnOf(at, moments));
  const sheet = { name, columns, freezePane: { rows: headRows, columns: 1 } };
  if (rightToLeft) {
    const maxRows = Math.ceil(maxCellsInOnePiece / Math.max(1, columns.length));
    while (more && begun.length < maxRows) more = await read();
    if (!more) {
      yield await writeXlsx({ sheets: [{ ...sheet, rows: begun, view: { rightToLeft } }] });
      return;
    }
  }
  yield* writeXlsxStream(continued(begun, rows), sheet);
}

async function* continued(
  begun: CellValue[][],
  rows: AsyncGenerator<readonly SheetCell[]>,
): AsyncGenerator<CellValue[]> {
  yield* begun;
  for await (const row of rows) yield row.map(asValue);
}

function columnOf(at: number, moments: readonly number[]): ColumnDef {
  if (moments.includes(at)) return { width: widths.moments, numFmt: momentFormat };
  return { width: at === 0 ? widths.first : widths.others };
}

/** XML has no U+FFFE and U+FFFF, so a sheet with one opens nowhere; and “_x0041_” would be read as “A”. */
function asValue(cell: SheetCell): CellValue {
  if (typeof cell !== "string") return cell;
  const text = cutTo(cell, maxTextLength).replace(/[\uFFFE\uFFFF]/g, "");
  return text.replace(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_");
}
