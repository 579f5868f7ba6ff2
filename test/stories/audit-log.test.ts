import { afterAll, beforeAll, expect, test } from "vitest";
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
