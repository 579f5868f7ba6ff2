import { doc, type Doc, format, type Plugin } from "prettier";
import { type Rooms, roomsOf } from "./ejs-gaps.ts";
import { layOut } from "./ejs-layout.ts";
import type { EjsTag } from "./ejs-tokens.ts";
import { type AttributeNode, bracesOf, readTree, type Row } from "./ejs-tree.ts";

type Template = { row: Row; rooms: Rooms };

/** Code that fits into so many characters stays on one line with what stands around it. */
const codeOnOneLine = 90;

function isTemplate(ast: unknown): ast is Template {
  return typeof ast === "object" && ast !== null && "rooms" in ast;
}

function tagsOf(row: Row): EjsTag[] {
  return row.items.flatMap(({ node }) => {
    if (node.kind === "ejs") return [node];
    if (node.kind === "open") return node.attributes.flatMap(tagsOfAttribute);
    if (node.kind === "element") return [...node.attributes.flatMap(tagsOfAttribute), ...tagsOf(node.row)];
    if (node.kind !== "block") return [];
    const parts = node.parts.flatMap(({ code, row: held }) => [code, ...tagsOf(held)]);
    return node.end === null ? parts : [...parts, node.end];
  });
}

function tagsOfAttribute(node: AttributeNode): EjsTag[] {
  if (node.kind === "ejs") return [node];
  if (node.kind === "attribute") return [];
  const parts = node.parts.flatMap(({ code, attributes }) => [code, ...attributes.flatMap(tagsOfAttribute)]);
  return node.end === null ? parts : [...parts, node.end];
}

function onLines(text: string): Doc {
  return doc.builders.join(doc.builders.hardline, text.split("\n"));
}

/** The code of a tag, without what stands around it. */
async function codeOf(
  { mark, code }: EjsTag,
  textToDoc: (text: string, options: { parser: string }) => Promise<Doc>,
): Promise<Doc> {
  const plain = code.trim();
  if (mark === "#") return doc.builders.fill(doc.builders.join(doc.builders.line, plain.split(/\s+/)));
  if (mark !== "") return await textToDoc(plain, { parser: "__js_expression" });
  const { ends, begins } = bracesOf(code);
  if (ends > 0) return plain.length > codeOnOneLine ? plain : plain.replace(/\s+/g, " ");
  const formatted = await format(plain + "}".repeat(begins), { parser: "babel", printWidth: 100 });
  const kept = formatted.replace(new RegExp(String.raw`(?:\s*\}){${String(begins)}}\s*$`), "").trim();
  const joined = kept.replace(/(?<=[[(])\n\s*|,?\n\s*(?=[\])])/g, "").replace(/\n\s*/g, " ");
  return joined.length > codeOnOneLine ? onLines(kept) : joined;
}

/**
 * EJS templates for Prettier: tags and blocks of code are indented by what holds them, and lines are broken only where browsers do not
 * see it. What is written is the same but for white space that is not seen.
 */
const plugin: Plugin<Template> = {
  languages: [{ name: "EJS", parsers: ["ejs"], extensions: [".ejs"] }],
  parsers: {
    ejs: {
      parse: (text) => {
        const row = readTree(text);
        return { row, rooms: roomsOf(row) };
      },
      astFormat: "ejs",
      locStart: () => 0,
      locEnd: () => 0,
    },
  },
  printers: {
    ejs: {
      getVisitorKeys: () => [],
      embed: (path) => async (textToDoc) => {
        const template: unknown = path.node;
        if (!isTemplate(template)) return undefined;
        const codes = new Map<EjsTag, Doc>();
        for (const tag of tagsOf(template.row)) codes.set(tag, await codeOf(tag, textToDoc));
        return layOut(template.row, template.rooms, codes);
      },
      print: () => {
        throw new Error("the code of this template is not understood; PRETTIER_DEBUG=1 says where");
      },
    },
  },
};

export const { languages, parsers, printers } = plugin;
