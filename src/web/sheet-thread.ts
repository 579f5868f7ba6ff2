/** The thread of `readSheet`. Returns the texts of the first sheet, line by line. */
import { parentPort, workerData } from "node:worker_threads";
import { streamXlsxRows } from "hucre/xlsx";
import { z } from "zod";
import { cellText, maxSheet, type SheetRead } from "./sheet-file.ts";

parentPort?.postMessage(await read(z.instanceof(Uint8Array).parse(workerData)));

async function read(bytes: Uint8Array): Promise<SheetRead> {
  const lines: string[][] = [];
  let cells = 0;
  for await (const { index, values } of streamXlsxRows(bytes, { maxRows: maxSheet.rows + 1 })) {
    cells += values.length;
    if (index >= maxSheet.rows || cells > maxSheet.cells) return "too-large";
    // A sheet leaves out empty lines, but people count them.
    while (lines.length < index) lines.push([]);
    lines.push(values.map(cellText));
  }
  return lines;
}
