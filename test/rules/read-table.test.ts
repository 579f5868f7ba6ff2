import { describe, expect, test } from "vitest";
import { csvLine } from "../../src/web/table-file.ts";
import { writeXlsx } from "hucre/xlsx";
import { readTable } from "../../src/web/posted-files.ts";
import { readSheet } from "../../src/web/sheet-file.ts";

describe("a table as spreadsheets save or copy it", () => {
  test.each([
    ["commas", 'Learner,"Genes, 10:00"\r\nAnn,P\r\n'],
    ["semicolons, as in much of Europe", "Learner;Genes, 10:00\nAnn;P\n"],
    ["tabs, as when it is copied", "Learner\tGenes, 10:00\r\nAnn\tP"],
    ["a byte order mark first", '\ufeffLearner,"Genes, 10:00"\nAnn,P'],
    ["empty lines at the end", 'Learner,"Genes, 10:00"\nAnn,P\n,\n\n'],
  ])("is read with %s", (_how, text) => {
    expect(readTable(text)).toEqual([
      ["Learner", "Genes, 10:00"],
      ["Ann", "P"],
    ]);
  });

  test("keeps names with a comma together when it is copied", () => {
    expect(readTable("Name\tCells\nAdler, Ann\tP\nBauer, Ben\tA")).toEqual([
      ["Name", "Cells"],
      ["Adler, Ann", "P"],
      ["Bauer, Ben", "A"],
    ]);
  });

  test("gives back our own export, even cells that a spreadsheet would compute", () => {
    const cells = ["=1+1", "-5", 'say "hi", twice', "two\nlines", "0042", "'tis"];
    expect(readTable(csvLine(["Name", ...cells]) + csvLine(cells))).toEqual([["Name", ...cells], cells]);
  });

  test("does not throw if a quote is never closed", () => {
    expect(readTable('Name,Cells\n"Ann,P\nBen,A')[0]).toEqual(["Name", "Cells"]);
  });

  test("has no lines if it is empty", () => {
    expect(readTable("")).toEqual([]);
    expect(readTable(" \n\n")).toEqual([]);
  });
});

test("workbooks that come together are read one after the other, because each may fill its thread's memory", async () => {
  const row = Array<string>(40).fill("P");
  const bookOf = (rows: string[][]) => writeXlsx({ sheets: [{ name: "Marks", rows }] });
  const books = [await bookOf(Array<string[]>(2_000).fill(row)), await bookOf([row])];
  const read: number[] = [];
  await Promise.all(books.map(async (book) => read.push((await readSheet(Buffer.from(book))).length)));
  expect(read).toEqual([2_000, 1]);
});
