import { readFileSync } from "node:fs";
import ejs from "ejs";

const code = /<%[\s\S]*?%>/.source;
const quoted = `"(?:${code}|[^"])*"`;
const codeOrTag = new RegExp(`${code}|<[a-zA-Z](?:${code}|${quoted}|[^"<>])*>`, "g");
const partOfTag = new RegExp(String.raw`${code}|${quoted}|\s+`, "g");
const runs = /^<%(?![=#-])/;
const begins = /^<%(?![=#-])[^]*\{[^]*%>$/;

/**
 * A tag on one line, as its parts are laid out on several for people who read templates: ` selected` with its space within the code
 * that it depends on, so that a tag without it ends as if it were not there.
 */
function onOneLine(tag: string): string {
  if (tag.startsWith("<%")) return tag;
  let last = "";
  return tag.replace(partOfTag, (part: string, at: number) => {
    const after = tag.slice(at + part.length);
    const isSpace = part.trim() === "";
    const isDropped = isSpace && (runs.test(after) || begins.test(last) || /^\/?>$/.test(after));
    if (!isSpace) last = part;
    if (isDropped) return "";
    if (isSpace) {
      last = "";
      return " ";
    }
    return begins.test(part) ? `${part} ` : part;
  });
}

/** A template as it is sent. Layout is for people who read templates; in pages, indentation would be a third of what is sent. */
export function withoutLayout(template: string): string {
  return template.replace(codeOrTag, onOneLine).replace(/^[ \t]+/gm, "");
}

ejs.fileLoader = (path) => withoutLayout(readFileSync(path, "utf8"));

/**
 * The view engine of Express for EJS; compiled templates are kept when `values.cache` says so. Templates of a page with a session
 * get `sessionField` for their forms.
 */
export function renderTemplate(
  path: string,
  values: object,
  done: (error: Error | null, page?: string) => void,
): void {
  ejs.renderFile(path, withSessionField(values), done);
}

/** The hidden field by which a form carries the session of its page. */
export function withSessionField(values: object): object {
  if (!("session" in values) || typeof values.session !== "string") return values;
  const sessionField = `<input type="hidden" name="session" value="${ejs.escapeXML(values.session)}">`;
  return { ...values, sessionField };
}
