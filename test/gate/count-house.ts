/**
 * Measures the codebase: npm run count Files and lines by folder, the largest files, the widest `Deps`, what the program is put together
 * from, and what adding one more of something costs. Exits with 1 when a figure is over its ceiling. `-- --ceilings` compares only these,
 * `-- --lower` lowers them.
 */
import { globSync, readFileSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import ts from "typescript";
import { ceilingsSchema, type Counts, loweredCeilings, overCeilings } from "./ceilings.ts";

const root = join(import.meta.dirname, "../..");
const filesBelow = (pattern: string) =>
  globSync(pattern, { cwd: root, withFileTypes: true, exclude: ({ name }) => name === "node_modules" })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1))
    .toSorted();
const textOf = (file: string) => readFileSync(join(root, file), "utf8");
const linesOf = (file: string) => textOf(file).split("\n").length - 1;
const source = filesBelow("src/**/*.ts");
const sandbox = filesBelow("sandbox/**/*.ts");
const texts = new Map(source.map((file) => [file, textOf(file)]));
const catalogues = filesBelow("views/locales/**/*");

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
  table("Files and lines by folder", [
    ...rows.toSorted(([, , a], [, , b]) => b - a),
    ["all of src", source.length, total(source)],
    ["catalogues", catalogues.length, total(catalogues)],
    ...["sandbox", "test", "views"].map((folder) => {
      const files = filesBelow(`${folder}/**/*`).filter((file) => !file.startsWith("views/locales/"));
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

/** Properties of each type whose name ends in Deps, counting everything that it is made of. */
function widestDeps(): void {
  const config = ts.getParsedCommandLineOfConfigFile(
    join(root, "tsconfig.json"),
    {},
    { ...ts.sys, onUnRecoverableConfigFileDiagnostic: () => undefined },
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

/** The files that name one of something: roughly as many as adding another one takes. */
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
  const product = filesBelow("{src,views,lti-config}/**/*");
  table("Files that one more of something touches, counted at one that is there", [
    ...examples.map(
      ([name, word]) => [name, product.filter((file) => word.test(textOf(file))).length] as const,
    ),
    ["language (de)", filesBelow("views/locales/de/**/*").length],
  ]);
}

/** What has a ceiling; a file's lines are its line breaks, a text's words are separated by white space. */
function countHouse(): Counts {
  const english = filesBelow("views/locales/en/**/*.json");
  const docs = filesBelow("docs/**/*.md").map((file) => textOf(file).split(/\s+/).filter(Boolean).length);
  return {
    sourceFiles: source.length,
    sourceLines: total(source),
    sandboxLines: total(sandbox),
    testLines: total(filesBelow("test/**/*.ts")),
    languageFiles: english.length,
    languageLines: total(english),
    docsWords: docs.reduce((sum, words) => sum + words, 0),
  };
}

const only = process.argv.includes("--ceilings");
const lower = process.argv.includes("--lower");
const counts = countHouse();
if (!only && !lower) {
  folders();
  composition();
  widestDeps();
  recipes();
  table("What has a ceiling (test/gate/ceilings.json)", Object.entries(counts));
}

const path = join(import.meta.dirname, "ceilings.json");
const ceilings = ceilingsSchema.parse(JSON.parse(readFileSync(path, "utf8")));
if (lower) writeFileSync(path, `${JSON.stringify(loweredCeilings(counts, ceilings), null, 2)}\n`);
const over = overCeilings(counts, ceilings);
for (const sentence of over) console.error(sentence);
process.exitCode = over.length > 0 ? 1 : 0;
