/**
 * Counts the house, for comparing before and after: npm run count
 * Files and lines by folder, the largest files, the widest `Deps`, what the program is put together from, what one more of
 * something costs, and words that only this project uses. Circles are none, or `npm run arrows` says so.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { codeOnly, retiredWords, storedNames } from "./private-words.ts";

const root = join(import.meta.dirname, "../..");
const tracked = execFileSync("git", ["ls-files"], { cwd: root, encoding: "utf8" }).trim().split("\n");
const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const linesOf = (file: string) => textOf(file).split("\n").length - 1;
const isCatalogue = (file: string) => /^src\/web\/messages\/|^views\/locales\//.test(file);
const isCode = (file: string) => file.endsWith(".ts") && !isCatalogue(file);
const source = tracked.filter((file) => file.startsWith("src/") && isCode(file));
const texts = new Map(source.map((file) => [file, textOf(file)]));

function table(title: string, rows: readonly (readonly (string | number)[])[]): void {
  console.log(`\n${title}`);
  for (const [name, ...values] of rows)
    console.log(`  ${String(name).padEnd(58)}${values.map((value) => String(value).padStart(9)).join("")}`);
}

const total = (files: readonly string[]) => files.reduce((sum, file) => sum + linesOf(file), 0);

function folders(): void {
  const byFolder = Map.groupBy(source, (file) => {
    const [, first = "", second = ""] = file.split("/");
    if (!file.slice(4).includes("/")) return "src (top level)";
    return first === "modules" ? `src/${first}/${second}` : `src/${first}`;
  });
  const rows = [...byFolder].map(([name, files]) => [name, files.length, total(files)] as const);
  const catalogues = tracked.filter(isCatalogue);
  table("Files and lines by folder", [
    ...rows.toSorted(([, , a], [, , b]) => b - a),
    ["all of src, without catalogues", source.length, total(source)],
    ["catalogues", catalogues.length, total(catalogues)],
    ...["test/", "views/"].map((folder) => {
      const files = tracked.filter((file) => file.startsWith(folder) && !isCatalogue(file));
      return [folder, files.length, total(files)] as const;
    }),
  ]);
  const tiny = source.filter((file) => linesOf(file) <= 15).length;
  table("Largest files, and how many have at most 15 lines", [
    ...source
      .map((file) => [file, linesOf(file)] as const)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 10),
    ["at most 15 lines", tiny],
  ]);
}

/** Properties of each type whose name ends in Deps, everything that it is made of counted. */
function widestDeps(): void {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    {},
    {
      ...ts.sys,
      onUnRecoverableConfigFileDiagnostic: () => undefined,
    },
  );
  if (config === undefined) throw new Error("tsconfig.json cannot be read");
  const program = ts.createProgram(config.fileNames, config.options);
  const checker = program.getTypeChecker();
  const widths: (readonly [string, number])[] = [];
  for (const file of program.getSourceFiles()) {
    if (!file.fileName.startsWith(join(root, "src/"))) continue;
    ts.forEachChild(file, (node) => {
      if (!ts.isTypeAliasDeclaration(node) || !node.name.text.endsWith("Deps")) return;
      widths.push([node.name.text, checker.getTypeAtLocation(node).getProperties().length]);
    });
  }
  const sorted = widths.toSorted(([, a], [, b]) => b - a);
  table("Widest Deps types (properties)", [
    ...sorted.slice(0, 10),
    ["all Deps types", sorted.length],
    ["of these with 15 or more", sorted.filter(([, width]) => width >= 15).length],
  ]);
}

function composition(): void {
  const top = source.filter((file) => !file.slice(4).includes("/"));
  const imports = (file: string) => (texts.get(file)?.match(/^import /gm) ?? []).length;
  table("What the program is put together from (files of the top level: lines, imports)", [
    ...top
      .map((file) => [basename(file), linesOf(file), imports(file)] as const)
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, 8),
    ["all of the top level", total(top), top.reduce((sum, file) => sum + imports(file), 0)],
  ]);
}

/** What names one of something: as many files as one more of it costs, roughly. */
const examples: readonly (readonly [string, RegExp])[] = [
  ["settings option (galleryView)", /\bgalleryView\b/],
  ["webhook family (SPACE_RECORDING, space-recording)", /SPACE_RECORDING|space-recording/],
  [
    "LMS product (compares the family)",
    /(?<!webhook\.)family (?:===|!==) "(?:moodle|canvas|other)"|case "(?:moodle|canvas)"/,
  ],
  ["task kind (recording readings)", /recordingReadings|recording-reading/],
];

function recipes(): void {
  const outside = tracked.filter(
    (file) => /^(?:src|views|lti-config)\//.test(file) && !file.startsWith("src/sandbox/"),
  );
  const german = tracked.filter((file) => /^(?:src\/web\/messages|views\/locales)\/de[./]/.test(file));
  table("Files that one more of something touches, counted at one that is there", [
    ...examples.map(
      ([name, word]) => [name, outside.filter((file) => word.test(textOf(file))).length] as const,
    ),
    ["language (de)", german.length],
  ]);
}

/** Names that a newcomer would have to learn; the field has other words for them. */
function words(): void {
  const found = (word: RegExp) => [...texts.values()].flatMap((text) => codeOnly(text).match(word) ?? []);
  const isStored = (name: string) => storedNames.has(name);
  table("Private words left in names: of our own, and of stored records", [
    ...retiredWords.map(([title, word]) => {
      const { ours = [], stored = [] } = Object.groupBy(found(word), (name) =>
        isStored(name) ? "stored" : "ours",
      );
      return [title, ours.length, stored.length] as const;
    }),
  ]);
}

folders();
composition();
widestDeps();
recipes();
words();
