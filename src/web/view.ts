import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import ejs from "ejs";
import type { Brand } from "../modules/courses/rules/branding.ts";
import { type PageParts, pageParts, type PageLocation, type PageWays, pageWays } from "./page-parts.ts";

/** A template with the type of its model. The template's first line names the same type; `npm run views` checks it. */
export type View<Model extends object> = {
  readonly template: string;
  readonly shows?: (model: Model) => void;
};

/**
 * What templates can read besides their model. `setTemplateLocals` sets `hides`, `createFraming` sets `brand`, `createWebApp` sets
 * `hasMail`; `renderTemplate` adds the rest to a page with a session.
 */
export type TemplateLocals = {
  hides?: readonly string[];
  brand?: Brand;
  hasMail?: boolean;
  /** Identifies the person and course whose unsaved input a tab may show; `frameOf` sets it. */
  draftsOf?: string;
} & PageParts &
  PageWays &
  PageLocation;

/** @param template The path below `views`, without extension: "recordings/index". */
export function defineView<Model extends object>(template: string): View<Model> {
  return { template };
}

export type PageResponse = { render: (template: string, values: object) => void };

export function renderView<Model extends object>(
  response: PageResponse,
  view: View<Model>,
  model: NoInfer<Model>,
): void {
  response.render(view.template, model);
}

const code = /<%(?:(?!<%|%>)[\s\S])*%>/.source;
const quoted = `"(?:${code}|[^"])*"`;
const codeOrTag = new RegExp(`${code}|<[a-zA-Z](?:${code}|${quoted}|[^"<>])*>`, "g");
const partOfTag = new RegExp(String.raw`${code}|${quoted}|\s+`, "g");
const runs = /^<%(?![=#-])/;
const begins = (tag: string) => runs.test(tag) && tag.endsWith("%>") && tag.includes("{");

/** Joins the lines of a tag. ` selected` keeps its space inside the code that writes it, so a tag without it has no gap. */
function onOneLine(tag: string): string {
  if (tag.startsWith("<%")) return tag;
  let last = "";
  return tag.replace(partOfTag, (part: string, at: number) => {
    const after = tag.slice(at + part.length);
    const isSpace = part.trim() === "";
    const isDropped = isSpace && (runs.test(after) || begins(last) || /^\/?>$/.test(after));
    if (!isSpace) last = part;
    if (isDropped) return "";
    if (isSpace) {
      last = "";
      return " ";
    }
    return begins(part) ? `${part} ` : part;
  });
}

/** A line that only has code that runs. */
const lineOfCode = /^(<%(?![=#%-])(?:(?!<%|%>)[\s\S])*?)[-_]?%>\n/gm;

/** Removes layout that only helps readers of templates. In pages, indentation would be a third of the bytes, and code would leave empty lines. */
export function withoutLayout(template: string): string {
  return template
    .replace(codeOrTag, onOneLine)
    .replace(/^[ \t]+/gm, "")
    .replace(lineOfCode, "$1-%>\n");
}

/** The view engine that Express uses for EJS. */
export function renderTemplate(
  path: string,
  values: object,
  done: (error: unknown, page?: string) => void,
): void {
  let page: string;
  try {
    page = filledIn(path, withWays(values));
  } catch (thrown) {
    done(thrown);
    return;
  }
  done(null, page);
}

function filledIn(path: string, values: object): string {
  // EJS's own include would look for the file at each call.
  const include = (name: string, more: object = {}) =>
    filledIn(join(dirname(path), `${name}.ejs`), { ...values, ...more });
  return templateAt(path)({ ...values, include });
}

const templates = new Map<string, ejs.TemplateFunction>();

/**
 * Compiles a template so that it reads values as variables, which `npm run views` checks. EJS's own way, `with`, looks up each name at
 * every use, and takes four times as long.
 */
function templateAt(path: string): ejs.TemplateFunction {
  const known = templates.get(path);
  if (known !== undefined) return known;
  const text = withoutLayout(readFileSync(path, "utf8"));
  const options = { filename: path, strict: true, destructuredLocals: namesIn(text) };
  // The block lets a template's constants have the names of its values.
  const template = ejs.compile(`<% { -%>${text}<% } -%>`, options);
  templates.set(path, template);
  return template;
}

/** The names that a template may read: every word in its code that isn't part of the language. */
function namesIn(template: string): string[] {
  const words = new Set(
    template
      .match(allCode)
      ?.join(" ")
      .match(/[a-zA-Z_]\w*/g),
  );
  return [...words].filter((word) => !ownWords.has(word) && !Object.hasOwn(globalThis, word));
}

const allCode = new RegExp(code, "g");

/** Words of JavaScript, and EJS's name for all values. */
const ownWords = new Set(
  (
    "locals arguments await break case catch class const continue debugger default delete do else enum eval export extends " +
    "false finally for function if implements import in instanceof interface let new null package private protected public " +
    "return static super switch this throw true try typeof var void while with yield"
  ).split(" "),
);

/** Adds the parts that every template can use, and for a page with a session the ways to other pages. */
export function withWays(values: object): object {
  if (!("session" in values) || typeof values.session !== "string") return { ...pageParts, ...values };
  return {
    ...pageParts,
    ...values,
    ...pageWays(values.session, "byAddress" in values && values.byAddress === true),
  };
}
