import { type CellValue, type ColumnDef, writeXlsx, writeXlsxStream } from "hucre/xlsx";
import { cutTo } from "../kernel/text.ts";

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
/** Of a cell, by Excel. */
const maxTextLength = 32_767;
const momentFormat = "yyyy-mm-dd hh:mm";
/** In characters: a name, then what stands in most columns. */
const widths = { first: 28, others: 14, moments: 17 };

/**
 * An .xlsx file with one sheet whose head stays in sight, written while its rows are read: memory does not grow with them.
 * Texts are texts, whatever they begin with: no cell is a formula. @param rows The first one is the head.
 */
export async function* sheetBytes(
  { name, rightToLeft, moments }: Sheet,
  rows: AsyncGenerator<readonly SheetCell[]>,
): AsyncGenerator<Uint8Array> {
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
    const mostRows = Math.ceil(maxCellsInOnePiece / Math.max(1, columns.length));
    while (more && begun.length < mostRows) more = await read();
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

function asValue(cell: SheetCell): CellValue {
  return typeof cell === "string" ? cutTo(cell, maxTextLength) : cell;
}
