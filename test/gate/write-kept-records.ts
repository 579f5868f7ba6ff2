import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { personalRecords } from "../../src/modules/privacy/rules/erasure.ts";

/** Rewrites the table of docs/security/kept-records.md from the records' descriptions; oxfmt sets its widths. */
const page = join(import.meta.dirname, "../../docs/security/kept-records.md");
const lines = (await readFile(page, "utf8")).split("\n");
const first = lines.findIndex((line) => line.startsWith("|"));
const after = lines.findLastIndex((line) => line.startsWith("|")) + 1;
const rows = personalRecords.map(({ model, holds, stored: kept }) => `| ${model} | ${holds} | ${kept} |`);
const table = ["| Kind | Holds | Kept |", "| --- | --- | --- |", ...rows];
await writeFile(page, lines.toSpliced(first, after - first, ...table).join("\n"));
