import { globSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { checkTemplates } from "./check-templates.ts";
import { modelOf } from "./template-code.ts";

/** `npm run views`: checks templates against the types that their first lines name. Prints mismatches with file and line. */

const root = join(import.meta.dirname, "../..");
const paths = globSync(join(root, "views/**/*.ejs")).toSorted();
const nameOf = (path: string) => relative(join(root, "views"), path).replace(/\.ejs$/, "");
/** The list only shrinks: a new template names its type. */
const untyped = new Set(
  readFileSync(join(root, "test/views/untyped.txt"), "utf8")
    .split("\n")
    .filter((line) => line !== ""),
);

const problems = checkTemplates(root, paths).map(
  ({ template, line, text }) => `${template}:${String(line)}: ${text}`,
);
const models = new Map(paths.map((path) => [nameOf(path), modelOf(readFileSync(path, "utf8"))]));
for (const [name, model] of models) {
  if (model === null && !untyped.has(name))
    problems.push(`views/${name}.ejs:1: names no type: <%# model: src/....ts Name -%>`);
  if (model !== null && untyped.has(name))
    problems.push(`test/views/untyped.txt: ${name} names its type; take it off the list`);
}
for (const name of untyped)
  if (!models.has(name)) problems.push(`test/views/untyped.txt: there is no ${name}; take it off the list`);

for (const path of globSync(join(root, "src/**/*.ts"))) {
  const text = readFileSync(path, "utf8");
  for (const [, type, name = ""] of text.matchAll(/defineView<(\w+)>\(\s*"([^"]+)"/g))
    if (models.get(name)?.name !== type)
      problems.push(`${relative(root, path)}: views/${name}.ejs does not name ${type ?? ""} as its type`);
  for (const [, name = ""] of text.matchAll(/\.render\(\s*"([^"]+)"/g))
    if ((models.get(name) ?? null) !== null)
      problems.push(`${relative(root, path)}: ${name} has a type; show it by its view`);
}

for (const problem of problems) console.log(problem);
console.log(`${String(paths.length - untyped.size)} of ${String(paths.length)} templates name their type`);
process.exitCode = problems.length === 0 ? 0 : 1;
