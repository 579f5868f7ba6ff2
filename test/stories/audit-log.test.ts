import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { type ConsoleTool, get, logIn, send, startConsoleTool } from "../support/tool/console-tool.ts";

let tool: ConsoleTool;
beforeAll(async () => {
  tool = await startConsoleTool();
});
afterAll(() => tool.close());

test("a long audit log is read page by page, each entry once", async () => {
  const { cookie, form } = await logIn(tool.url);
  for (let made = 1; made <= 250; made += 1) {
    const hours = made % 2 === 0 ? "24" : "72";
    const answer = await send(
      `${tool.url}/admin/invitations`,
      { form, environment: "production", hours },
      cookie,
    );
    expect(answer.status).toBe(200);
  }
  const counts: number[] = [];
  let next: string | null = "/admin/audit";
  let last = "";
  while (next !== null) {
    last = (await get(`${tool.url}${next}`, cookie)).text;
    counts.push((last.match(/Invitation made/g) ?? []).length);
    next = /href="(\/admin\/audit\?before=[^"]+)"/.exec(last)?.[1] ?? null;
  }
  expect(counts).toEqual([100, 100, 50]);
  expect(last).toContain("Logged in");
});

test("an operator downloads the audit log", async () => {
  const { cookie, form } = await logIn(tool.url);
  const download = await send(`${tool.url}/admin/audit/export`, { form }, cookie);
  expect(download.headers.get("content-disposition")).toContain("audit-log.jsonl");
  const lines = download.text.trim().split("\n");
  expect(lines.length).toBeGreaterThan(250);
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ what: "logged-in", who: "console" });
  expect((await get(`${tool.url}/admin/audit`, cookie)).text).toContain("Audit log downloaded");
});

test("the tool writes each entry into its log once, for a system that keeps logs", async () => {
  await send(`${tool.url}/admin`, { password: "wrong password" });
  const { cookie, form } = await logIn(tool.url);
  await send(`${tool.url}/admin/jobs/log-audit/run`, { form }, cookie);
  await vi.waitFor(
    () => {
      expect(tool.logged()).toContain('"what":"wrong-password"');
    },
    { timeout: 20_000, interval: 200 },
  );
  const ids = tool.logged().match(/"audit":\{"id":"\w+/g) ?? [];
  expect(new Set(ids).size).toBe(ids.length);
});
