export type CsvCell = string | number | null;

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
