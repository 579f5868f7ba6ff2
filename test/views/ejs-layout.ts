import { doc, type Doc } from "prettier";
import { isBlock, isHidden, type Rooms } from "./ejs-gaps.ts";
import type { EjsTag, Gap } from "./ejs-tokens.ts";
import type { AttributeNode, Block, Row, TreeNode } from "./ejs-tree.ts";

const { fill, group, hardline, indent, join, line, softline } = doc.builders;

/** Whether a node has a line of its own wherever it may. */
function standsAlone(node: TreeNode): boolean {
  switch (node.kind) {
    case "ejs":
      return node.mark === "#" || node.mark === "";
    case "raw":
      return true;
    case "text":
      return false;
    case "element":
    case "close":
      return isBlock(node.name);
    case "open":
      return isBlock(node.name) || isHidden(node);
    case "block":
      return node.parts.some(({ row }) => row.items.some((item) => standsAlone(item.node)));
  }
}

function isWords(node: TreeNode): boolean {
  return node.kind === "text" || (node.kind === "ejs" && node.mark === "=");
}

/**
 * Lays a template out.
 * @param rooms Where white space may go.
 * @param codes The code of its tags, formatted.
 */
export function layOut(root: Row, rooms: Rooms, codes: ReadonlyMap<EjsTag, Doc>): Doc {
  const isGlued = (gap: Gap): boolean => rooms.get(gap) === "none" && !gap.space;

  /** @param glued Nothing may be broken before the tag; so a line is broken within it. */
  const tag = (one: EjsTag, glued: boolean): Doc => {
    const code = codes.get(one) ?? one.code;
    const close = one.trims ? "-%>" : "%>";
    if (one.mark === "" && doc.utils.willBreak(code))
      return ["<%", indent([hardline, code]), hardline, close];
    const [open, end] = [`<%${one.mark}`, ` ${close}`];
    if (one.mark === "#") return [open, " ", indent(code), end];
    const isShort = typeof code === "string" && code.startsWith("}");
    return glued && !isShort ? group([open, indent([line, code]), end]) : group([open, " ", code, end]);
  };

  const between = (gap: Gap, left: TreeNode, right: TreeNode): Doc => {
    if (left.kind === "ejs" && left.trims) return hardline;
    const room = rooms.get(gap);
    if (room === "none") return "";
    if (gap.lines > 1) return [hardline, hardline];
    if (room === "free" && (standsAlone(left) || standsAlone(right))) return hardline;
    if (gap.lines > 0 && !(isWords(left) && isWords(right))) return hardline;
    return gap.space && room !== "free" ? line : softline;
  };

  const atEdge = (gap: Gap): Doc => {
    const room = rooms.get(gap);
    if (room === "none") return "";
    return room === "some" ? line : softline;
  };

  const row = ({ items }: Row): Doc => {
    const parts: Doc[] = [];
    let glued: Doc[] = [];
    for (const [at, { node, before }] of items.entries()) {
      const previous = items[at - 1]?.node;
      const separator = previous === undefined ? "" : between(before, previous, node);
      if (separator !== "") {
        parts.push(glued, separator);
        glued = [];
      }
      glued.push(nodeDoc(node, before));
    }
    return fill([...parts, glued]);
  };

  const held = (held: Row): { inside: Doc; end: Doc } => {
    const first = held.items[0];
    if (first === undefined) return { inside: "", end: atEdge(held.end) };
    return { inside: indent([atEdge(first.before), row(held)]), end: atEdge(held.end) };
  };

  const attribute = (one: AttributeNode): Doc => {
    if (one.kind === "attribute") return one.text;
    if (one.kind === "ejs") return tag(one, false);
    const parts = one.parts.map(({ code, attributes }) => [
      tag(code, false),
      indent([softline, join(line, attributes.map(attribute))]),
      softline,
    ]);
    return group([parts, one.end === null ? "" : tag(one.end, false)]);
  };

  const opening = (name: string, attributes: readonly AttributeNode[], end: string): Doc =>
    attributes.length === 0
      ? `<${name}${end}`
      : group([`<${name}`, indent([line, join(line, attributes.map(attribute))]), softline, end]);

  const block = ({ parts, end }: Block, before: Gap): Doc => {
    const docs: Doc[] = [];
    let gap = before;
    for (const { code, row: inner } of parts) {
      const { inside, end: after } = held(inner);
      docs.push(tag(code, isGlued(gap)), inside, after);
      gap = inner.end;
    }
    return group([docs, end === null ? "" : tag(end, isGlued(gap))]);
  };

  const nodeDoc = (node: TreeNode, before: Gap): Doc => {
    switch (node.kind) {
      case "text":
        return node.text;
      case "raw":
        return join(doc.builders.literalline, node.text.split("\n"));
      case "ejs":
        return tag(node, isGlued(before));
      case "open":
        return opening(node.name, node.attributes, node.closed ? "/>" : ">");
      case "close":
        return `</${node.name}>`;
      case "element": {
        const { inside, end } = held(node.row);
        return group([opening(node.name, node.attributes, ">"), inside, end, `</${node.name}>`]);
      }
      case "block":
        return block(node, before);
    }
  };

  return [row(root), root.end.space ? hardline : ""];
}
