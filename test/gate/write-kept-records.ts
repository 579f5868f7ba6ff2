import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { keptRecords } from "../support/kept-records.ts";

/** Rewrites both tables of docs/security/kept-records.md from the records' descriptions; oxfmt sets their widths. */
const page = join(import.meta.dirname, "../../docs/security/kept-records.md");
let text = await readFile(page, "utf8");
for (const { heading, rows } of keptRecords) {
  const table = [
    "| Kind | Holds | Kept |",
    "| --- | --- | --- |",
    ...rows.map((row) => `| ${row.join(" | ")} |`),
  ];
  const from = text.indexOf("|", text.indexOf(heading));
  const until = text.slice(from).search(/\n(?!\|)/);
  text = text.slice(0, from) + table.join("\n") + text.slice(from + until);
}
await writeFile(page, text);
