import { expect, test } from "vitest";
import { get, logIn, startConsoleTool } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const tool = await forAllTests(startConsoleTool());

test("the tool's own address says what it is and leads operators to the console, in the reader's language", async () => {
  const answer = await get(`${tool.url}/`);
  expect(answer.status).toBe(200);
  for (const word of ["Learners", "Instructors", "LMS administrators", 'href="/admin"'])
    expect(answer.text).toContain(word);
  const german = await get(`${tool.url}/`, "", { "accept-language": "de" });
  expect(german.text).toContain('lang="de"');
  expect(german.text).toContain("Konsole öffnen");
  expect(answer.headers.getSetCookie()).toEqual([]);
});

test("an operator begins with the overview: every area in its group, and the first step if no LMS is known", async () => {
  const { cookie } = await logIn(tool.url);
  const { status, text } = await get(`${tool.url}/admin`, cookie);
  expect(status).toBe(200);
  expect(text).toContain("<h1>Overview</h1>");
  for (const group of ["LMSs", "Health", "Delivery", "People and data", "Administration"])
    expect(text).toContain(`<p class="group">${group}</p>`);
  expect(text).toContain('<a class="button primary" href="/admin/invitations/new">');
});

test("the front page of a tool without a console has no link to one", async () => {
  await tool.restart({ ADMIN_PASSWORD: "" });
  const answer = await get(`${tool.url}/`);
  expect(answer.status).toBe(200);
  expect(answer.text).not.toContain("/admin");
});

test("somebody with a security problem is told where to report it, for half a year, once the operator has named a place", async () => {
  expect((await get(`${tool.url}/.well-known/security.txt`)).status).toBe(404);
  await tool.restart({
    SECURITY_CONTACT: "security@university.example",
    SECURITY_POLICY: "https://university.example/report",
  });
  const answer = await get(`${tool.url}/.well-known/security.txt`);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const fields = new Map(
    answer.text
      .trim()
      .split("\n")
      .map((line) => [line.split(": ", 1)[0], line.replace(/^[\w-]+: /, "")]),
  );
  expect([...fields.keys()]).toEqual(["Contact", "Expires", "Preferred-Languages", "Canonical", "Policy"]);
  expect(fields.get("Contact")).toBe("mailto:security@university.example");
  expect(fields.get("Canonical")).toMatch(/^https?:\/\/[^/]+\/\.well-known\/security\.txt$/);
  expect(fields.get("Policy")).toBe("https://university.example/report");
  const daysLeft = (Date.parse(fields.get("Expires") ?? "") - Date.now()) / 86_400_000;
  expect(daysLeft).toBeGreaterThan(90);
  expect(daysLeft).toBeLessThan(365);
});
