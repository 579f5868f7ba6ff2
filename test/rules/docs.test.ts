import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "vitest";
import { parseCommandLine } from "../../src/cli/command.ts";
import { commandNames, findCommand } from "../../src/cli/find-command.ts";
import { secretNames } from "../../src/config-secret-files.ts";
import { operatorSentences } from "../../src/kernel/operator-sentences.ts";
import { catalogues } from "../support/catalogues.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

async function pages(): Promise<string[]> {
  const all = await Promise.all(
    ["docs", "lti-config"].map(async (folder) =>
      (await readdir(join(root, folder), { recursive: true })).map((name) => join(folder, name)),
    ),
  );
  return ["README.md", "CONTRIBUTING.md", ...all.flat().filter((name) => name.endsWith(".md"))];
}

const named = await Promise.all(
  (await pages()).map(async (page) => [page, await readFile(join(root, page), "utf8")] as const),
);
const read = (path: string): Promise<string> => readFile(join(root, path), "utf8");
const variables = await read("docs/reference/variables.md");
const config = await read("src/config.ts");
const records = (await readdir(join(root, "docs/adr"))).filter((name) => name !== "README.md").toSorted();

/** What follows a command's name in a text, up to the end of its line or code. */
function commandsIn(text: string, start: string): string[] {
  return text
    .split(start)
    .slice(1)
    .map((rest) => (/^[^`\n;,)|]*/.exec(rest)?.[0] ?? "").trim());
}

describe.each(named)("%s", (page, text) => {
  test("uses only commands and options that exist", async () => {
    for (const typed of commandsIn(text, "npm run cli -- ")) {
      const words = typed
        .replaceAll(/\[|\]|\.\.\.|…/g, "")
        .split(/\s+/)
        .filter((word) => word !== "" && word !== "/");
      const options = words.filter((word) => word.startsWith("--"));
      const first = words.findIndex((word) => word.startsWith("--"));
      const names = words.slice(0, first === -1 ? words.length : first);
      const found = await Promise.any(
        [0, 1, 2, 3].map((more) => findCommand([...names, ...["ID", "ID", "accept"].slice(0, more)])),
      ).catch(() => null);
      expect(found, typed).toBeTypeOf("function");
      for (const option of options) {
        expect([option, `${option}=x`].some(isOption), `${typed}: ${option}`).toBe(true);
      }
    }
  });

  test("names only variables that the tool reads", () => {
    const found =
      text.match(
        /\b(?:CLASSROOM|ADMIN|ALARM|ALLOW|SECRET|DATABASE|TRUST|PUBLIC|LOG|METRICS|RETENTION|SECURITY)_[A-Z_]+\b/g,
      ) ?? [];
    for (const variable of new Set(found)) {
      const own = variable.replace(/^CLASSROOM_(STAGING_)?/, "");
      const isKnown = config.includes(own === "" ? "CLASSROOM_" : own) || variables.includes(variable);
      expect(isKnown, variable).toBe(true);
    }
  });

  test("links only to pages, and names only files, that exist", () => {
    const links = [...text.matchAll(/\]\(([^)#:]+)(?:#[^)]*)?\)/g)];
    const files = [...text.matchAll(/`((?:src|sandbox|test|docs|views|lti-config|\.ci)\/[\w./-]+)`/g)];
    const paths = [
      ...links.map(([, target = ""]) => join(dirname(page), target)),
      ...files.map(([, path = ""]) => path),
    ];
    expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

/** Page texts and operators' sentences; a value in them may be anything. */
const texts = [...(catalogues.get("en")?.values() ?? []), ...Object.values(operatorSentences)].map(readable);

function readable(text: string): string {
  return text
    .replaceAll(/\{\{\w+\}\}/g, "…")
    .replaceAll("’", "'")
    .replaceAll(/\s+/g, " ")
    .trim();
}

/** A label is a whole text, a longer quotation may be part of one; `…` and numbers are values. */
function isQuoted(words: string): boolean {
  const isLong = words.split(" ").length > 3;
  const parts = words.split(/…|\d+/).map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(isLong ? parts.join(".*") : `^${parts.join(".*")}[.:]?$`);
  return texts.some((text) => pattern.test(text));
}

test.each(named.filter(([page]) => /^(?:docs\/operate|lti-config)\/|^README/.test(page)))(
  "%s quotes what pages and operators' sentences say",
  (page, text) => {
    const prose = text.replaceAll(/```[\s\S]*?```|`[^`]*`/g, "");
    // Bold text names places of the console, but in README it also begins paragraphs.
    const marked = page === "README.md" ? /“([^”]+)”/g : /“([^”]+)”|\*\*([^*]+)\*\*/g;
    const quoted = [...prose.matchAll(marked)].map(([, words = "", place = words]) =>
      readable(words || place),
    );
    expect(quoted.filter((words) => words !== "?" && !isQuoted(words))).toEqual([]);
  },
);

test("the page of variables lists exactly those that the tool reads", () => {
  const read = [...config.matchAll(/^ {2}([A-Z][A-Z_]+): /gm)].map(([, name = ""]) =>
    /^(?:BASE|APP|API|WEBHOOK)_/.test(name) ? `CLASSROOM_${name}` : name,
  );
  expect(read.length).toBeGreaterThan(10);
  const listed = [...variables.matchAll(/^\| `([A-Z_]+)`/gm)].map(([, name = ""]) => name);
  expect(read.filter((name) => !variables.includes(`\`${name}\``))).toEqual([]);
  expect(listed.filter((name) => !config.includes(name) && !name.startsWith("CLASSROOM_"))).toEqual([]);
  const inFiles = [...variables.matchAll(/`([A-Z_]+)_FILE`/g)].map(([, name = ""]) => name);
  expect(new Set(inFiles)).toEqual(new Set(secretNames));
});

test("the page of commands lists exactly the commands that exist", async () => {
  const page = await read("docs/reference/commands.md");
  const rows = page.split("\n").filter((line) => line.startsWith("| `"));
  const typed = rows.flatMap((row) =>
    [...(row.split(" | ")[0] ?? "").matchAll(/`([^`]+)`/g)].map(([, text = ""]) => text),
  );
  const names = typed.map(
    (text) =>
      commandNames
        .toSorted((a, b) => b.length - a.length)
        .find((name) => `${text} `.startsWith(`${name} `)) ?? text,
  );
  expect(new Set(names)).toEqual(new Set(commandNames));
});

/** Whether the command line accepts it, as a switch or with a value. */
function isOption(option: string): boolean {
  try {
    parseCommandLine([option]);
    return true;
  } catch {
    return false;
  }
}

/** Files without their extension, as folder pages name them. */
const filesUnder = async (folder: string): Promise<string[]> =>
  (await readdir(join(root, folder), { recursive: true })).map((file) => file.replace(/\.\w+$/, ""));

test("the page of a module names only files that exist in its folder", async () => {
  const modules = (await readdir(join(root, "src/modules"), { withFileTypes: true }))
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/modules/${name}`);
  expect(modules.length).toBeGreaterThan(15);
  const assets = await filesUnder("views");
  for (const folder of [...modules, "src/inbox", "src/tasks"]) {
    const files = [...(await filesUnder(folder)), ...assets].map((file) => basename(file));
    const page = await read(`${folder}/README.md`);
    const named = [...page.matchAll(/`([a-z]+(?:-[a-z]+)+)(?:\.ts)?`/g)].map(([, name = ""]) => name);
    expect({ folder, gone: named.filter((name) => !files.includes(name)) }).toEqual({ folder, gone: [] });
  }
});

describe("the decision records", () => {
  test.each(records)("%s has its number, says where its code is, and fits on a page", async (name) => {
    const text = await read(`docs/adr/${name}`);
    expect(text).toMatch(new RegExp(`^# ${name.slice(0, 4)}\\. .`));
    expect(text.split("## Code\n")[1]?.match(/`[^`]+`/g)?.length ?? 0).toBeGreaterThan(1);
    expect(text.split(/\s+/).length).toBeLessThan(560);
  });
});

describe("the security pages", () => {
  /** Rows of tables without their heads. */
  const rowsOf = (text: string) =>
    text.split("\n").filter((line) => /^\| (?!-|Way in|Threat|What |Harm )/.test(line));
  const endsInTest = /`test\/[\w./-]+\.test\.ts`[^|]*\|$/;

  test("name a test for every way in, every threat and everything that separates institutions", async () => {
    const [, waysIn = ""] =
      /## Ways in\n([\s\S]*?## Across all ways in\n[\s\S]*?)## /.exec(
        await read("docs/security/threat-model.md"),
      ) ?? [];
    const rows = [...rowsOf(waysIn), ...rowsOf(await read("docs/security/tenants.md"))];
    expect(rows.length).toBeGreaterThan(40);
    expect(rows.filter((row) => !endsInTest.test(row))).toEqual([]);
  });

  test("mention every address that anybody can reach", async () => {
    const [model, mounts] = [await read("docs/security/threat-model.md"), await read("src/web/web-app.ts")];
    const open = [...mounts.matchAll(/(?:app\.use\(\s*|mount\("[a-z]+", )"(\/[a-z]+)"/g)].map(
      ([, path = ""]) => path,
    );
    expect(open).toContain("/webhooks");
    expect(open.filter((path) => !model.includes(`\`${path}`))).toEqual([]);
  });
});
