/**
 * Refuses a regular expression that some input could make run for exponential or polynomial time: npm run patterns Reads the literals of
 * the tool and of its browser scripts. Patterns built by `new RegExp` are not seen; stand-ins get no input from strangers.
 */
import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { check } from "recheck";
import ts from "typescript";

const root = join(import.meta.dirname, "../..");
/** A slow machine needs ten seconds for the longest; a pattern that cannot be judged is refused, too. */
const judgingMs = 120_000;
/** Without time limits within a judgement, which would make it depend on the machine's load. */
const untimed = { seedingTimeout: null, incubationTimeout: null, mutationTimeout: null, attackTimeout: null };

type Pattern = { place: string; source: string; flags: string };

function patternsIn(file: string): Pattern[] {
  const tree = ts.createSourceFile(
    file,
    readFileSync(join(root, file), "utf8"),
    ts.ScriptTarget.Latest,
    true,
  );
  const found: Pattern[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isRegularExpressionLiteral(node)) {
      const end = node.text.lastIndexOf("/");
      const { line } = tree.getLineAndCharacterOfPosition(node.getStart());
      const place = `${file}:${String(line + 1)}`;
      found.push({ place, source: node.text.slice(1, end), flags: node.text.slice(end + 1) });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const files = globSync(["src/**/*.{ts,mjs}", "views/assets/*.js"], { cwd: root });
const patterns = new Map(
  files.flatMap(patternsIn).map((pattern) => [`/${pattern.source}/${pattern.flags}`, pattern]),
);
for (const [written, { place, source, flags }] of patterns) {
  const verdict = await check(source, flags, { timeout: judgingMs, randomSeed: 0, ...untimed });
  if (verdict.status === "safe") continue;
  const cost =
    verdict.status === "vulnerable" ? verdict.complexity.summary : "cannot be judged; write it more simply";
  console.error(`${place}: ${written}: ${cost}`);
  process.exitCode = 1;
}
console.log(`${String(patterns.size)} regular expressions read`);
