import { parseCsv } from "hucre/csv";

/**
 * The cells of a table as spreadsheets save or copy it: parted by commas, semicolons or tabs. An apostrophe that keeps a text
 * from being computed is left out, and so are empty lines at the end. A cell with a quote that is never closed takes the rest.
 * @returns texts, line by line, so that a cell's place is the one in the spreadsheet.
 */
export function readTable(text: string): string[][] {
  // What is copied is parted by tabs, and may have a comma in each name.
  const [first = ""] = text.split(/\r|\n/, 1);
  const parted = first.includes("\t") ? { delimiter: "\t" } : {};
  const rows = parseCsv(text, { ...parted, unescapeFormulae: true });
  const texts = rows.map((row) => row.map((cell) => (typeof cell === "string" ? cell : String(cell ?? ""))));
  const last = texts.findLastIndex((row) => row.some((cell) => cell.trim() !== ""));
  return texts.slice(0, last + 1);
}
