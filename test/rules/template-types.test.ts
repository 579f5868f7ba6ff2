import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { folderForAll } from "../support/folders.ts";
import { checkTemplates, type Finding } from "../views/check-templates.ts";

const root = join(import.meta.dirname, "../..");
const typed = (name: string, ...lines: string[]) =>
  [`<%# model: src/web/partials.ts ${name} -%>`, ...lines, ""].join("\n");

const templates = {
  right: typed(
    "Head",
    '<h1 title="<%= t("nav.home") %>"><%= title %></h1>',
    '<%- include("value", { id: "a", label: title, value: title }) %>',
  ),
  field: typed("Head", "<% if (title) { %>", "<h1><%= titel %></h1>", "<% } %>"),
  key: typed("Head", "<h1", '  title="<%= t("nav.hoem") %>"', "></h1>"),
  value: typed("CopiedValue", "<p><%= id %> <%= label.length %></p>"),
  included: typed("Head", "", '<%- include("value", { id: "a", labl: title, value: title }) %>'),
  notice: typed("NoticeModel", "<% if (notice !== null) { %><p><%= notice.text %></p><% } %>"),
  widened: typed("Head", '<%- include("notice", { notice: { tone: title, text: title } }) %>'),
  maybe: typed("Head", "<p><%= refreshes %></p>"),
  code: typed("Head", "<% const a = title; %>", "<p><%= a.b %></p>"),
  untyped: "<p><%= anything %></p>\n",
  dynamic: typed("Head", "<%- include(title) %>"),
};

const folder = await folderForAll();
let findings: Finding[] = [];
beforeAll(() => {
  const paths = Object.entries(templates).map(([name, text]) => {
    writeFileSync(join(folder, `${name}.ejs`), text);
    return join(folder, `${name}.ejs`);
  });
  findings = checkTemplates(root, paths);
}, 60_000);

test.each([
  ["right", []],
  ["untyped", []],
  ["field", [{ line: 3, says: "titel" }]],
  ["key", [{ line: 3, says: "nav.hoem" }]],
  ["value", []],
  ["included", [{ line: 3, says: "label" }]],
  ["notice", []],
  ["widened", [{ line: 2, says: "write the return type of the function that makes it" }]],
  ["maybe", [{ line: 2, says: "undefined" }]],
  ["code", [{ line: 3, says: "'b'" }]],
  ["dynamic", [{ line: 2, says: "include_needs_a_literal_name" }]],
])("a template: %s", (name, expected) => {
  const found = findings.filter(({ template }) => template.endsWith(`/${name}.ejs`));
  expect(found.map(({ line }) => line)).toEqual(expected.map(({ line }) => line));
  for (const [at, { says }] of expected.entries()) expect(found[at]?.text).toContain(says);
});
