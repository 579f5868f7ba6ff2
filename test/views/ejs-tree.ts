import { type Attribute, type EjsTag, type Gap, readTokens, type Token } from "./ejs-tokens.ts";

/** Nodes in a row, each with the white space before it. */
export type Row = { items: { node: TreeNode; before: Gap }[]; end: Gap };

/** What `if`, `for` and the like hold: each part is begun by code; `end` is null where outer code ends this block, too. */
export type Block = { kind: "block"; parts: { code: EjsTag; row: Row }[]; end: EjsTag | null };

export type Element = { kind: "element"; name: string; attributes: AttributeNode[]; row: Row };

/** Parts of an opening tag; blocks hold attributes. */
export type AttributeNode =
  | Attribute
  | { kind: "attributes"; parts: { code: EjsTag; attributes: AttributeNode[] }[]; end: EjsTag | null };

/** Tags that are opened and closed in different templates stand alone. */
export type TreeNode =
  | EjsTag
  | Extract<Token, { kind: "text" | "raw" | "close" }>
  | { kind: "open"; name: string; attributes: AttributeNode[]; closed: boolean }
  | Element
  | Block;

const voids = new Set([
  "area",
  "base",
  "br",
  "col",
  "embed",
  "hr",
  "img",
  "input",
  "link",
  "meta",
  "source",
  "wbr",
]);

/** How many blocks code ends first, and how many it begins then: `} else {` does one of both. */
export function bracesOf(code: string): { ends: number; begins: number } {
  const plain = code
    .replace(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g, "")
    .replace(/"(?:\\.|[^"\\])*"|'(?:\\.|[^'\\])*'|`(?:\\.|\$\{[^}]*\}|[^`\\])*`/g, '""');
  let ends = 0;
  let begins = 0;
  for (const brace of plain.replace(/[^{}]/g, "")) {
    if (brace === "{") begins += 1;
    else if (begins > 0) begins -= 1;
    else ends += 1;
  }
  return { ends, begins };
}

type Holder = {
  kind: "root" | "element" | "block";
  row: Row;
  count: number;
  element?: Element;
  block?: Block;
};

/** Reads a template as a tree. @throws Error where blocks of code have no end. */
export function readTree(text: string): Row {
  const { tokens, end } = readTokens(text);
  const emptyRow = (): Row => ({ items: [], end: { space: false, lines: 0 } });
  const root: Holder = { kind: "root", row: emptyRow(), count: 0 };
  const open: Holder[] = [root];
  const top = (): Holder => open.at(-1) ?? root;

  /** An element without an end here becomes a tag of its own, and what it held stands behind it. */
  const dissolve = (): void => {
    const { element } = open.pop() ?? {};
    const parent = top().row;
    const last = parent.items.at(-1);
    if (element === undefined || last === undefined) return;
    last.node = { kind: "open", name: element.name, attributes: element.attributes, closed: false };
    parent.items.push(...element.row.items);
  };
  const dissolveElements = (): void => {
    while (top().kind === "element") dissolve();
  };
  const begin = (code: EjsTag, before: Gap, count: number): void => {
    const block: Block = { kind: "block", parts: [{ code, row: emptyRow() }], end: null };
    top().row.items.push({ node: block, before });
    open.push({ kind: "block", row: block.parts[0]?.row ?? emptyRow(), count, block });
  };
  const closeBlocks = (code: EjsTag, before: Gap, ends: number, begins: number): void => {
    let left = ends;
    let gap = before;
    for (;;) {
      dissolveElements();
      const holder = top();
      if (holder.block === undefined)
        throw new Error(`code ends a block that is not open: ${code.code.trim()}`);
      holder.row.end = gap;
      gap = { space: false, lines: 0 };
      const isLast = holder.count >= left;
      const stays = isLast && holder.count - left + begins > 0;
      if (stays) {
        holder.count += begins - left;
        holder.row = emptyRow();
        holder.block.parts.push({ code, row: holder.row });
        return;
      }
      open.pop();
      left -= holder.count;
      if (isLast) {
        holder.block.end = code;
        return;
      }
    }
  };
  const closeElement = (name: string): boolean => {
    let depth = open.length - 1;
    while (depth > 0 && open[depth]?.kind === "element" && open[depth]?.element?.name !== name) depth -= 1;
    if (open[depth]?.element?.name !== name) return false;
    while (open.length - 1 > depth) dissolve();
    return true;
  };

  for (const { token, before } of tokens) {
    const { row } = top();
    if (token.kind === "ejs" && token.mark === "") {
      const { ends, begins } = bracesOf(token.code);
      if (ends > 0) closeBlocks(token, before, ends, begins);
      else if (begins > 0) begin(token, before, begins);
      else row.items.push({ node: token, before });
    } else if (token.kind === "open") {
      const attributes = attributesOf(token.attributes);
      const { name, closed } = token;
      if (closed || voids.has(name)) row.items.push({ node: { ...token, attributes }, before });
      else {
        const element: Element = { kind: "element", name, attributes, row: emptyRow() };
        row.items.push({ node: element, before });
        open.push({ kind: "element", row: element.row, count: 0, element });
      }
    } else if (token.kind === "close" && closeElement(token.name)) {
      top().row.end = before;
      open.pop();
    } else top().row.items.push({ node: token, before });
  }
  dissolveElements();
  if (open.length > 1) throw new Error("a block of code has no end");
  root.row.end = end;
  return root.row;
}

function attributesOf(flat: readonly Attribute[]): AttributeNode[] {
  const root: AttributeNode[] = [];
  const open: {
    attributes: AttributeNode[];
    block: Extract<AttributeNode, { kind: "attributes" }> | null;
  }[] = [{ attributes: root, block: null }];
  for (const one of flat) {
    const { ends, begins } =
      one.kind === "ejs" && one.mark === "" ? bracesOf(one.code) : { ends: 0, begins: 0 };
    const top = open.at(-1);
    if (top === undefined) break;
    if (one.kind === "ejs" && ends === 1 && begins === 1 && top.block !== null) {
      top.attributes = [];
      top.block.parts.push({ code: one, attributes: top.attributes });
    } else if (one.kind === "ejs" && ends === 1 && top.block !== null) {
      top.block.end = one;
      open.pop();
    } else if (one.kind === "ejs" && begins === 1 && ends === 0) {
      const attributes: AttributeNode[] = [];
      const block: AttributeNode = { kind: "attributes", parts: [{ code: one, attributes }], end: null };
      top.attributes.push(block);
      open.push({ attributes, block });
    } else if (ends + begins > 0) throw new Error(`blocks within a tag are too tangled: ${one.kind}`);
    else top.attributes.push(one);
  }
  if (open.length > 1) throw new Error("a block of code within a tag has no end");
  return root;
}
