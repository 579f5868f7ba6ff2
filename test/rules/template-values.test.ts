import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { renderTemplate } from "../../src/web/view.ts";
import { folderForTest } from "../support/folders.ts";

test("a template reads its values by name, even one that every object has, and passes them on", async () => {
  const folder = await folderForTest();
  writeFileSync(
    join(folder, "page.ejs"),
    '<% for (const name of names) { %><%- include("part", { name }) %><% } %><%= valueOf %><%= String(locals.missing) %>\n',
  );
  writeFileSync(join(folder, "part.ejs"), "<b><%= name %> <%= valueOf %></b>");
  const shown = new Promise((resolve) => {
    renderTemplate(join(folder, "page.ejs"), { names: ["a", "<"], valueOf: 7 }, (_error, page) =>
      resolve(page),
    );
  });
  await expect(shown).resolves.toBe("<b>a 7</b><b>&lt; 7</b>7undefined\n");
});
