import ts from "typescript";

/** Code of a virtual file: a piece is copied from the template at `source` (characters from its start), or generated (null). */
type Piece = { text: string; source: number | null };

/** The first line of a template that has a type: where the type is, from the root of the project, and its name. */
export type ModelName = { file: string; name: string };

/** @returns The type that the first line of a template names; null when it names none. */
export function modelOf(template: string): ModelName | null {
  const [, file, name] = /^<%# model: (\S+\.ts) (\w+) -%>/.exec(template) ?? [];
  return file === undefined || name === undefined ? null : { file, name };
}

/** An include of another template: where its call begins and ends in the code, and its argument. */
type Include = {
  start: number;
  end: number;
  name: string | null;
  argument: { start: number; end: number } | null;
};

/** A template as TypeScript, with the way back from places in it. */
export class TemplateCode {
  readonly #pieces: Piece[];

  constructor(template: string) {
    this.#pieces = piecesOf(template);
  }

  get text(): string {
    return this.#pieces.map(({ text }) => text).join("");
  }

  /** Inserts a text before everything. */
  prepend(text: string): void {
    this.#pieces.unshift({ text, source: null });
  }

  /** Adds a text after everything. */
  append(text: string): void {
    this.#pieces.push({ text, source: null });
  }

  /**
   * Replaces `include("name", values)` by a call that the compiler can check.
   * @param call What is called instead; it takes all that the included template gets.
   */
  checkIncludes(call: (name: string | null) => string): void {
    const found = includesOf(this.text);
    for (const { start, end, name, argument } of found.toReversed()) {
      const made = `${call(name)}({ ...locals`;
      if (argument === null) this.#replace(start, end, `${made} })`);
      else {
        this.#replace(argument.end, end, ") })");
        this.#replace(start, argument.start, `${made}, ...(`);
      }
    }
  }

  /** @returns where in the template (characters from its start) the text at a place of the code comes from */
  sourceAt(position: number): number {
    let at = 0;
    let last = 0;
    for (const { text, source } of this.#pieces) {
      if (source !== null) last = source;
      if (position < at + text.length) return source === null ? last : source + position - at;
      at += text.length;
    }
    return last;
  }

  #replace(start: number, end: number, by: string): void {
    let at = 0;
    let isPut = false;
    const pieces = this.#pieces.flatMap((piece): Piece[] => {
      const from = at;
      at += piece.text.length;
      if (at <= start || from >= end) return [piece];
      const before = piece.text.slice(0, Math.max(0, start - from));
      const after = piece.text.slice(Math.min(piece.text.length, end - from));
      const put = isPut ? [] : [{ text: by, source: null }];
      isPut = true;
      const source = (offset: number) => (piece.source === null ? null : piece.source + offset);
      return [
        { text: before, source: source(0) },
        ...put,
        { text: after, source: source(piece.text.length - after.length) },
      ];
    });
    this.#pieces.splice(0, this.#pieces.length, ...pieces);
  }
}

function piecesOf(template: string): Piece[] {
  return [...template.matchAll(/<%([=\-#]?)([\s\S]*?)-?%>/g)].flatMap(
    ({ index, 1: mark = "", 2: code = "" }) => {
      const piece = { text: code, source: index + 2 + mark.length };
      if (mark === "#") return [];
      if (mark === "") return [piece, { text: "\n", source: null }];
      const call = mark === "=" ? "write(" : "writeRaw(";
      return [{ text: call, source: null }, piece, { text: ");\n", source: null }];
    },
  );
}

function includesOf(code: string): Include[] {
  const found: Include[] = [];
  const file = ts.createSourceFile("template.ts", code, ts.ScriptTarget.Latest, true);
  const visit = (node: ts.Node): void => {
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "include") {
      const [name, argument] = node.arguments;
      found.push({
        start: node.getStart(),
        end: node.end,
        name: name !== undefined && ts.isStringLiteral(name) ? name.text : null,
        argument: argument === undefined ? null : { start: argument.getStart(), end: argument.end },
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(file);
  return found;
}
