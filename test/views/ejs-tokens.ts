/** What an EJS tag does: `=` and `-` write a value (escaped or not), "" runs code, `#` is a comment. */
export type Mark = "" | "=" | "-" | "#";

/** An EJS tag. `trims`: it ends with `-%>`, so the line break behind it is not written. */
export type EjsTag = { kind: "ejs"; mark: Mark; code: string; trims: boolean; start: number; end: number };

/** White space before a token or at the end: how many line breaks, and whether there is any at all. */
export type Gap = { space: boolean; lines: number };

export type Token =
  | EjsTag
  /** A word, or several that nothing parts. */
  | { kind: "text"; text: string }
  | { kind: "open"; name: string; attributes: Attribute[]; closed: boolean }
  | { kind: "close"; name: string }
  /** Kept as it is: doctype, comments, elements in which white space shows. */
  | { kind: "raw"; text: string };

/** A part of an opening tag: `name="value"` as it is written, or an EJS tag between them. */
export type Attribute = EjsTag | { kind: "attribute"; text: string };

export type Spaced = { token: Token; before: Gap };

/** Elements whose white space shows, by name or by a class that the style sheet gives `white-space: pre-...`. */
const rawNames = new Set(["pre", "textarea", "script", "style"]);
const rawClass = /class="(?:[^"]* )?(?:said|comments)[ "]/;

const ejsTag = /<%([=\-#_]?)([\s\S]*?)([-_]?)%>/y;
const space = /\s*/y;
const tagStart = /<(\/?)([a-zA-Z][\w:-]*)/y;
const rawStart = /<!--[\s\S]*?-->|<![^>]*>/y;
const attributeName = /(?:[^\s"'<>/=]|<%[=-][\s\S]*?%>)+/y;
const attributeValue =
  /\s*=\s*(?:"(?:<%[\s\S]*?%>|[^"])*"|'(?:<%[\s\S]*?%>|[^'])*'|(?:<%[\s\S]*?%>|[^\s"'<>])+)/y;

function at(pattern: RegExp, text: string, position: number): RegExpExecArray | null {
  pattern.lastIndex = position;
  return pattern.exec(text);
}

/**
 * Takes a template apart.
 * @returns its tokens, each with the white space before it, and what stands at the end.
 * @throws Error with the line where it is not understood.
 */
export function readTokens(text: string): { tokens: Spaced[]; end: Gap } {
  const tokens: Spaced[] = [];
  let position = 0;
  let trimmed = false;
  const gap = (): Gap => {
    const white = at(space, text, position)?.[0] ?? "";
    position += white.length;
    const rest = trimmed ? white.replace(/^\r?\n/, "") : white;
    trimmed = false;
    return { space: rest !== "", lines: rest.split("\n").length - 1 };
  };
  for (;;) {
    const before = gap();
    if (position >= text.length) return { tokens, end: before };
    const read = readToken(text, position);
    tokens.push({ token: read.token, before });
    position = read.end;
    trimmed = read.token.kind === "ejs" && read.token.trims;
  }
}

function readToken(text: string, start: number): { token: Token; end: number } {
  const ejs = readEjs(text, start);
  if (ejs !== null) return { token: ejs, end: ejs.end };
  const raw = at(rawStart, text, start);
  if (raw !== null) return { token: { kind: "raw", text: raw[0] }, end: start + raw[0].length };
  const tag = at(tagStart, text, start);
  if (tag !== null) return readTag(text, start, tag[1] === "/", tag[2] ?? "");
  let end = start + 1;
  while (end < text.length && !/[\s<]/.test(text.charAt(end))) end += 1;
  return { token: { kind: "text", text: text.slice(start, end) }, end };
}

function readEjs(text: string, start: number): EjsTag | null {
  const [whole = "", mark = "", code = "", close = ""] = at(ejsTag, text, start) ?? [];
  if (whole === "") return null;
  if (mark === "_" || close === "_") throw failure(text, start, "<%_ and _%> are not used here");
  const known = mark === "=" || mark === "-" || mark === "#" ? mark : "";
  return { kind: "ejs", mark: known, code, trims: close === "-", start, end: start + whole.length };
}

function readTag(text: string, start: number, closes: boolean, name: string): { token: Token; end: number } {
  const attributes: Attribute[] = [];
  let position = start + name.length + (closes ? 2 : 1);
  for (;;) {
    position += at(space, text, position)?.[0].length ?? 0;
    const end = /\/?>/y;
    const closing = at(end, text, position);
    if (closing !== null) {
      const after = position + closing[0].length;
      if (closes) return { token: { kind: "close", name }, end: after };
      const opening = text.slice(start, after);
      if (rawNames.has(name) || rawClass.test(opening)) return readRaw(text, start, name, after);
      return { token: { kind: "open", name, attributes, closed: closing[0] === "/>" }, end: after };
    }
    const attribute = readAttribute(text, position);
    attributes.push(attribute);
    position += attribute.kind === "ejs" ? attribute.end - attribute.start : attribute.text.length;
  }
}

function readAttribute(text: string, position: number): Attribute {
  const name = at(attributeName, text, position)?.[0] ?? "";
  // A value that is written among attributes, and not a part of a name.
  const alone = /^<%[=-][\s\S]*?%>$/.test(name) && text.charAt(position + name.length) !== "=";
  if (name === "" || alone) {
    const ejs = readEjs(text, position);
    if (ejs === null) throw failure(text, position, "this tag is not understood");
    return ejs;
  }
  const value = at(attributeValue, text, position + name.length)?.[0] ?? "";
  return { kind: "attribute", text: name + value };
}

function readRaw(text: string, start: number, name: string, inside: number): { token: Token; end: number } {
  const end = text.indexOf(`</${name}>`, inside);
  if (end < 0) throw failure(text, start, `<${name}> has no end`);
  const after = end + name.length + 3;
  return { token: { kind: "raw", text: text.slice(start, after) }, end: after };
}

function failure(text: string, position: number, says: string): Error {
  return new Error(`line ${String(text.slice(0, position).split("\n").length)}: ${says}`);
}
