import type { CellValue, ColumnDef } from "hucre/xlsx";
import type { Course } from "../domain/course.ts";
import type { Clock } from "../kernel/clock.ts";
import { cutTo } from "../kernel/text.ts";
import { timeZoneOf, wallTimeOf, zonedIso } from "../modules/scheduling/rules/time-zone.ts";
import { type Answer, file } from "./answer.ts";
import { courseNameOf } from "./course-words.ts";
import type { Translate } from "./translate.ts";

/** `at`: milliseconds since 1970, to be written in the course's zone. */
export type TableCell = string | number | null | { at: number };

export type TableRow = readonly TableCell[];

/** Several rows per piece, to avoid a write for each row. The first row is the head. */
export type TableRows = AsyncGenerator<readonly TableRow[]>;

export const tableForms = ["xlsx", "csv"] as const;
export type TableForm = (typeof tableForms)[number];

type Table = {
  /** The table's subject. The file's name also contains the course and the date in its zone. */
  name: string;
  rows: TableRows;
  /** Columns with moments, counted from 0. */
  moments: readonly number[];
  /** Sentences below the rows of a sheet; called after the last row. A CSV has none, because programs read it. */
  closing: () => readonly string[];
};

/** A course's table for spreadsheets, sent while its rows are read. */
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

/** The longest file names (UTF-16 units). */
const maxFileNames = { whole: 150, about: 100 };

/** A file name without characters that file systems refuse. Only the course's name is cut, so two tables of a course have different names. */
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

/** A name that Excel accepts: 31 characters, some characters forbidden. */
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

/** A sheet has no time zones, so its dates are wall-clock times in the course's zone. */
function sheetCell(cell: TableCell, zone: string): SheetCell {
  if (typeof cell !== "object" || cell === null) return cell;
  const { date, time } = wallTimeOf(cell.at, zone);
  return new Date(`${date}T${time}:00Z`);
}

type CsvCell = string | number | null;

/** Makes spreadsheets read the file as UTF-8. */
export const byteOrderMark = "\ufeff";

/**
 * One line (RFC 4180), ending with CRLF. Quotes cells with separators, quotes or line breaks. A text that a spreadsheet would
 * compute (first character =, +, -, @, tab or line break) gets an apostrophe; numbers don't.
 */
export function csvLine(cells: readonly CsvCell[]): string {
  return `${cells.map(cellText).join(",")}\r\n`;
}

function cellText(cell: CsvCell): string {
  if (cell === null) return "";
  if (typeof cell === "number") return String(cell);
  // Some spreadsheets read full-width signs as plain ones, and skip spaces before them.
  const text = /^\s*[=+\-@\uff0b\uff0d\uff1d\uff20]|^[\t\r\n]/.test(cell) ? `'${cell}` : cell;
  return /[",\r\n\t;']|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Dates are wall-clock times, stored as if they were UTC. */
export type SheetCell = string | number | null | Date;

export type Sheet = {
  /** The name on the tab. */
  name: string;
  rightToLeft: boolean;
  /** Columns with dates, counted from 0. */
  moments: readonly number[];
};

/** A right-to-left sheet is written in one piece, which takes some 80 ms for this many cells. A larger one is written left to right. */
const maxCellsInOnePiece = 50_000;
const headRows = 1;
/** The longest cell that Excel accepts. */
const maxTextLength = 32_767;
const momentFormat = "yyyy-mm-dd hh:mm";
/** In characters: `first` fits a name, `others` what most columns hold. */
const widths = { first: 28, others: 14, moments: 17 };

/**
 * An .xlsx file with one sheet whose head stays visible, written while its rows are read, so memory doesn't grow with them. Texts stay
 * texts, however they begin: no cell is a formula. @param rows The first row is the head.
 */
export async function* sheetBytes(
  { name, rightToLeft, moments }: Sheet,
  rows: AsyncGenerator<readonly SheetCell[]>,
): AsyncGenerator<Uint8Array> {
  // Imported here, because most starts never need it.
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

/** XML has no U+FFFE and U+FFFF, and a sheet with one can't be opened. “_x0041_” would be read as “A”. */
function asValue(cell: SheetCell): CellValue {
  if (typeof cell !== "string") return cell;
  const text = cutTo(cell, maxTextLength).replace(/[\uFFFE\uFFFF]/g, "");
  return text.replace(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_");
}
