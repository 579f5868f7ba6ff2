import type { Gap } from "./ejs-tokens.ts";
import type { Block, Element, Row, TreeNode } from "./ejs-tree.ts";

/**
 * What a browser has beside a place, the worst of all ways there: the edge of a block, where white space is never seen; white space,
 * where more is not seen; or text, buttons and the like, where it is.
 */
type Beside = 0 | 1 | 2;
const edge = 0;
const spaceBeside = 1;
const content = 2;

/**
 * What may be done with the white space at a place: `free` any or none, `some` any but none, `grows` more may be added (there is some
 * beside), `none` nothing may be added.
 */
export type Room = "free" | "some" | "grows" | "none";

export type Rooms = ReadonlyMap<Gap, Room>;

const blocks = new Set(
  `html head body main header footer nav section article aside div p h1 h2 h3 h4 h5 h6 ul ol li dl dt dd table thead tbody tfoot
  tr td th caption colgroup col form fieldset legend details summary figure figcaption blockquote hr br option optgroup link meta
  title base noscript defs pattern path rect circle line g polyline template`.split(/\s+/),
);

/** Whether an element is a block of its own to those who read the template and to browsers. */
export function isBlock(name: string): boolean {
  return blocks.has(name);
}

/** A field that is not shown. */
export function isHidden(node: TreeNode): boolean {
  return (
    node.kind === "open" &&
    node.name === "input" &&
    node.attributes.some((one) => one.kind === "attribute" && one.text === 'type="hidden"')
  );
}

/** Elements that the style sheet treats as `:empty` when nothing is written into them. */
const mayBeEmpty = /^(?:role="status"|class="how"|id="said")$/;

/** Whether there is a way on which nothing at all is written into such an element, not even white space. */
function staysEmpty({ attributes, row }: Element): boolean {
  if (!attributes.some((one) => one.kind === "attribute" && mayBeEmpty.test(one.text))) return false;
  return (
    !gapsOf(row).some(({ space }) => space) &&
    row.items.every(({ node }) => node.kind === "ejs" || node.kind === "block")
  );
}

function gapsOf(row: Row): Gap[] {
  return [...row.items.map(({ before }) => before), row.end];
}

/** Says for every gap of a template what room it has. */
export function roomsOf(root: Row): Rooms {
  const before = new Map<Gap, Beside>();
  const after = new Map<Gap, Beside>();
  walk(root, content, "forth", before);
  walk(root, content, "back", after);
  const rooms = new Map<Gap, Room>();
  for (const [gap, left] of before) {
    const right = after.get(gap) ?? content;
    if (left === edge || right === edge) rooms.set(gap, "free");
    else if (gap.space) rooms.set(gap, "some");
    else rooms.set(gap, left === spaceBeside || right === spaceBeside ? "grows" : "none");
  }
  return rooms;
}

type Direction = "forth" | "back";

/** Goes through a row with what stands before it. @returns what stands behind it. */
function walk(row: Row, start: Beside, direction: Direction, seen: Map<Gap, Beside>): Beside {
  let beside = start;
  const pass = (gap: Gap): void => {
    seen.set(gap, worst(beside, seen.get(gap) ?? edge));
    if (gap.space && beside === content) beside = spaceBeside;
  };
  if (direction === "forth") {
    for (const { node, before } of row.items) {
      pass(before);
      beside = through(node, beside, direction, seen);
    }
    pass(row.end);
  } else {
    pass(row.end);
    for (const { node, before } of row.items.toReversed()) {
      beside = through(node, beside, direction, seen);
      pass(before);
    }
  }
  return beside;
}

function worst(one: Beside, other: Beside): Beside {
  return one > other ? one : other;
}

function through(node: TreeNode, beside: Beside, direction: Direction, seen: Map<Gap, Beside>): Beside {
  switch (node.kind) {
    case "text":
      return content;
    case "ejs":
      return node.mark === "" || node.mark === "#" ? beside : content;
    case "raw":
      return /^<(?:!|script|style|pre|div|ul)/.test(node.text) ? edge : content;
    case "open":
      if (isHidden(node)) return beside;
      return isBlock(node.name) ? edge : content;
    case "close":
      return isBlock(node.name) ? edge : content;
    case "element": {
      const side = isBlock(node.name) ? edge : content;
      // An option's text is its name, as scripts and tests read it.
      walk(node.row, node.name === "option" ? content : side, direction, seen);
      // At both sides of each place there is more than a browser overlooks.
      if (staysEmpty(node)) for (const gap of gapsOf(node.row)) seen.set(gap, content);
      return side;
    }
    case "block":
      return throughBlock(node, beside, direction, seen);
  }
}

function throughBlock(block: Block, beside: Beside, direction: Direction, seen: Map<Gap, Beside>): Beside {
  const first = block.parts[0]?.code.code.trim() ?? "";
  const last = block.parts.at(-1)?.code.code.trim() ?? "";
  const chooses = first.startsWith("if ");
  const always = chooses && /^\}\s*else\s*\{$/.test(last);
  let ends: Beside = edge;
  for (const { row } of block.parts) ends = worst(ends, walk(row, beside, direction, seen));
  // What is done several times comes after itself, too.
  if (!chooses) for (const { row } of block.parts) walk(row, worst(beside, ends), direction, seen);
  return always ? ends : worst(beside, ends);
}
