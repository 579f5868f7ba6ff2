import { readFileSync } from "node:fs";
import ejs from "ejs";
import type { Brand } from "../modules/courses/rules/branding.ts";
import { type PageParts, pageParts, type PageLocation, type PageWays, pageWays } from "./page-parts.ts";

/** A template with the type of what it shows; the template's first line names the same type, and `npm run views` checks it by that. */
export type View<Model extends object> = {
  readonly template: string;
  readonly shows?: (model: Model) => void;
};

/** What templates read beside their model: `setTemplateLocals` sets `hides`, `createFraming` sets `brand`, `createWebApp` sets `hasMail`, and `renderTemplate` adds the rest to a page with a session. */
export type TemplateLocals = {
  hides?: readonly string[];
  brand?: Brand;
  hasMail?: boolean;
  /** Names the person and course whose unsaved input a tab may show; set by `frameOf`. */
  draftsOf?: string;
} & PageParts &
  PageWays &
  PageLocation;

/** @param template Below `views`, without its ending: "recordings/index". */
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

/** Joins a tag's lines. ` selected` keeps its space in the code it depends on: a tag without it has no gap. */
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

/** A line with nothing but code that runs. */
const lineOfCode = /^(<%(?![=#%-])(?:(?!<%|%>)[\s\S])*?)[-_]?%>\n/gm;

/** Layout is for readers of templates; in pages, indentation would be a third of what is sent, and lines of code would be empty ones. */
export function withoutLayout(template: string): string {
  return template
    .replace(codeOrTag, onOneLine)
    .replace(/^[ \t]+/gm, "")
    .replace(lineOfCode, "$1-%>\n");
}

ejs.fileLoader = (path) => withoutLayout(readFileSync(path, "utf8"));

/** The view engine of Express for EJS; compiled templates are kept when `values.cache` says so. */
export function renderTemplate(
  path: string,
  values: object,
  done: (error: Error | null, page?: string) => void,
): void {
  ejs.renderFile(path, withWays(values), done);
}

/** With the parts that every template can use, and with what templates of a page with a session lead on. */
export function withWays(values: object): object {
  if (!("session" in values) || typeof values.session !== "string") return { ...pageParts, ...values };
  return {
    ...pageParts,
    ...values,
    ...pageWays(values.session, "byAddress" in values && values.byAddress === true),
  };
}
