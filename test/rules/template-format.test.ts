import { format } from "prettier";
import { describe, expect, test } from "vitest";
import { withoutLayout } from "../../src/web/render-template.ts";
import * as prettierEjs from "../views/prettier-ejs.ts";

const formatted = (template: string): Promise<string> =>
  format(template, { parser: "ejs", plugins: [prettierEjs], printWidth: 60 });

describe("a template that is formatted", () => {
  test.each([
    [
      "indents what elements and blocks of code hold",
      "<ul>\n<% for (const one of all) { %><li><%= one %></li>\n<% } %></ul>",
      "<ul>\n  <% for (const one of all) { %><li><%= one %></li><% } %>\n</ul>",
    ],
    [
      "puts each part of a long tag on a line",
      '<p class="note"<% if (asks) { %> tabindex="-1" data-focus<% } %> id="the-first-note"><%= text %></p>\n',
      '<p\n  class="note"\n  <% if (asks) { %>tabindex="-1" data-focus<% } %>\n  id="the-first-note"\n>\n  <%= text %>\n</p>\n',
    ],
    [
      "formats code",
      "<% if (a&&b==='x') { const c=1 %>\n<p><%= t('key',{c}) %></p><% } else { %><p>no</p><% } %>\n",
      '<% if (a && b === "x") { const c = 1; %>\n  <p><%= t("key", { c }) %></p>\n<% } else { %>\n  <p>no</p>\n<% } %>\n',
    ],
  ])("%s", async (_what, given, expected) => {
    expect(await formatted(given)).toBe(expected);
    expect(await formatted(expected)).toBe(expected);
  });

  test.each([
    ["words and elements that touch", "<b>a</b><i>b</i><% if (c) { %><small>c</small><% } %>d"],
    ["a value without a line break behind it", "<time><%= at %></time>"],
    [
      "what is hidden when it is empty",
      '<div role="status"><% if (said !== null) { %><p><%= said %></p><% } %></div>',
    ],
    ["what is shown as it is written", '<div class="said">  a\n  b </div>'],
    ["text that an element before it may not part", "a<% if (b) { %><p>b</p><% } %>c"],
  ])("keeps %s", async (_what, given) => {
    expect((await formatted(given)).replace(/\s+(?=<p>)|(?<=<\/p>)\s+/g, "")).toBe(given);
  });

  test("parts touching elements only within code", async () => {
    const given =
      '<b><button class="plain"><%= row.name %></button><% if (row.column !== null) { %><small><%= row.column %></small><% } %></b>';
    const shown = (template: string) => template.replace(/<%[\s\S]*?%>/g, (tag) => tag.replace(/\s+/g, " "));
    expect(shown(await formatted(given)).replace(/(?<=<b>)\s+|\s+(?=<\/b>)/g, "")).toBe(given);
  });

  test.each([
    ["a block without an end", "<% if (a) { %><p></p>"],
    ["an end without a block", "<p></p><% } %>"],
    ["an element that is shown as written and has no end", "<pre>"],
  ])("is refused with %s", async (_what, given) => {
    await expect(formatted(given)).rejects.toThrow(/end|not open/);
  });
});

test.each([
  ["lines of a tag", '<input\n  id="a"\n  value="b"\n>', '<input id="a" value="b">'],
  [
    "space before a part that may be absent",
    '<p <% if (a) { %>id="b"<% } %>>',
    '<p<% if (a) { %> id="b"<% } %>>',
  ],
  [
    "empty lines for code",
    "<p>a</p>\n<% if (b) { %>\n  <%= b %>\n  <b>c</b>\n<% } %>\nd",
    "<p>a</p>\n<% if (b) { -%>\n<%= b %>\n<b>c</b>\n<% } -%>\nd",
  ],
  ["indentation", "<ul>\n  <li>a\n    b</li>\n</ul>", "<ul>\n<li>a\nb</li>\n</ul>"],
])("a template is sent without %s", (_what, given, sent) => {
  expect(withoutLayout(given)).toBe(sent);
});

test("values of attributes are sent as they are written", () => {
  const given = '<a title="a  >\tb" href="<%= a ? "  b" : c %>"><%= a <b %>  c</a>';
  expect(withoutLayout(given)).toBe(given);
});
