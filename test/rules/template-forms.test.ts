import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../", import.meta.url);
const read = (path: string) => readFileSync(new URL(path, root), "utf8");

/** All route paths from test/stories/routes.txt; `:name` stands for any text. */
const routes = read("test/stories/routes.txt")
  .split("\n")
  .flatMap((line) => line.split(" ")[1] ?? []);
/** The LMS's addresses are one handler (src/lms/lti-provider.ts). */
const others = ["/lti/launch", "/lti/login"];

/** Where a template's forms go: the written text, with a pattern for inserted values. */
function actionsIn(template: string): string[] {
  const written = template.matchAll(/(?:form)?action="((?:\/|<%= base %>\/)(?:[^"<]|<%=[^"]*?%>)*)"/g);
  return [...written].map(([, action = ""]) => action.replace(/[#?].*$/, ""));
}

function leadsToRoute(action: string, isConsole: boolean): boolean {
  // Console pages of one LMS have another base.
  const path = action.replace("<%= base %>", isConsole ? "<%= base %>" : "/course");
  const pattern = path
    .split(/<%=.*?%>/)
    .map((text) => text.replaceAll(".", "\\."))
    .join(isConsole ? ".+" : "[^/]+");
  return [...routes, ...others].some((route) => new RegExp(`^${pattern}$`).test(route));
}

const templates = readdirSync(new URL("views/", root), { recursive: true, encoding: "utf8" }).filter((name) =>
  name.endsWith(".ejs"),
);

test("no template writes a number, a time or a list without the page's language", () => {
  expect(templates.filter((name) => /toLocale|\bIntl\b|join\(", "\)/.test(read(`views/${name}`)))).toEqual(
    [],
  );
});

/** Otherwise the question mark of "What is life?" comes first on a page in Arabic. */
test("a title and a course's name keep their own direction", () => {
  const bare = /(?<!<bdi|dir="auto"|<title)>\s*<%=\s+(?:(?!problems)[\w.]+\.title|courseName)\b/;
  expect(templates.filter((name) => bare.test(read(`views/${name}`)))).toEqual([]);
});

test("a form that is sent once is on a page with the script for it", () => {
  const forms = templates.map((name) => read(`views/${name}`)).filter((page) => page.includes("data-once"));
  const whole = forms.filter((page) => page.includes("partials/head"));
  expect(whole.filter((page) => !page.includes("partials/foot"))).toEqual([]);
  expect(read("views/partials/foot.ejs")).toContain("/assets/once.js");
});

test("every form leads to a route", () => {
  const lost = templates.flatMap((name) =>
    actionsIn(read(`views/${name}`))
      .filter((action) => !leadsToRoute(action, name.startsWith("admin")))
      .map((action) => `${name}: ${action}`),
  );
  expect(lost).toEqual([]);
  expect(templates.flatMap((name) => actionsIn(read(`views/${name}`))).length).toBeGreaterThan(150);
});
