import { readXlsx } from "hucre/xlsx";
import { describe, expect, test } from "vitest";
import { type Sheet, sheetBytes, type SheetCell } from "../../src/web/table-file.ts";
import { required } from "../support/required.ts";

async function* each(rows: readonly SheetCell[][]) {
  await Promise.resolve();
  yield* rows;
}

async function written(rows: readonly SheetCell[][], sheet: Partial<Sheet> = {}) {
  const pieces: Uint8Array[] = [];
  const all = { name: "Grades", rightToLeft: false, moments: [], ...sheet };
  for await (const piece of sheetBytes(all, each(rows))) pieces.push(piece);
  const book = await readXlsx(Buffer.concat(pieces), { readStyles: true });
  const read = required(book.sheets[0]);
  return { pieces: pieces.length, sheet: read };
}

const directions = [
  ["left to right", false],
  ["right to left", true],
] as const;

describe.each(directions)("A sheet from %s", (_name, rightToLeft) => {
  test("has numbers as numbers, texts as texts and dates as dates", async () => {
    const at = new Date("2026-11-24T10:30:00Z");
    const { sheet } = await written(
      [
        ["Name", "Points", "When"],
        ["Ann", 93.33, at],
        ["007", 0, null],
      ],
      { rightToLeft, moments: [2] },
    );
    expect(sheet.name).toBe("Grades");
    expect(sheet.rows[1]).toEqual(["Ann", 93.33, at]);
    expect(sheet.rows[2]?.slice(0, 2)).toEqual(["007", 0]);
  });

  test.each(["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", '=HYPERLINK("x")', "\uff1d1", "=cmd|' /C calc'!A0"])(
    "keeps a spreadsheet from computing %j",
    async (text) => {
      const { sheet } = await written([["Name"], [text]], { rightToLeft });
      expect(sheet.rows[1]).toEqual([text]);
      expect([...(sheet.cells?.values() ?? [])].filter((cell) => cell.formula !== undefined)).toEqual([]);
    },
  );

  test("accepts control characters, half characters and texts longer than a cell holds", async () => {
    const { sheet } = await written([["Name"], ["a\u0000b\uffff_x0041_<&>"], ["x".repeat(32_766) + "😀"]], {
      rightToLeft,
    });
    expect(sheet.rows[1]).toEqual(["a\u0000b_x0041_<&>"]);
    expect(sheet.rows[2]).toEqual(["x".repeat(32_766)]);
  });

  test("is complete without a row below its head", async () => {
    const { sheet } = await written([["Name"]], { rightToLeft });
    expect(sheet.rows).toEqual([["Name"]]);
  });
});

test("keeps its head and its names in view", async () => {
  for (const [, rightToLeft] of directions) {
    const { sheet } = await written([["Name"], ["Ann"]], { rightToLeft });
    expect(sheet.freezePane).toMatchObject({ rows: 1, columns: 1 });
    expect(sheet.view?.rightToLeft ?? false).toBe(rightToLeft);
  }
});

test("ten thousand learners are written while they are being read", async () => {
  let read = 0;
  let readAtFirstPiece = 0;
  async function* many(): AsyncGenerator<SheetCell[]> {
    await Promise.resolve();
    for (; read < 10_000; read += 1)
      yield [`Learner ${read}`, ...Array.from({ length: 20 }, () => "Present")];
  }
  const sheet = { name: "Many", rightToLeft: true, moments: [] };
  const pieces: Uint8Array[] = [];
  for await (const piece of sheetBytes(sheet, many())) {
    pieces.push(piece);
    // The archive begins with a few bytes before the sheet.
    if (pieces.length === 3) readAtFirstPiece = read;
  }
  expect(readAtFirstPiece).toBeLessThan(10_000);
  const [whole] = (await readXlsx(Buffer.concat(pieces))).sheets;
  expect(whole?.rows).toHaveLength(10_000);
  expect(whole?.rows.at(-1)?.[0]).toBe("Learner 9999");
});
