import { describe, expect, test, vi } from "vitest";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { follow, operatorAt, startConsoleTool } from "../support/tool/console-tool.ts";
import { textOf } from "../support/tool/tiny-world.ts";

const secret = "a-webhook-secret-nobody-uses";
const tool = await forAllTests(startConsoleTool());

async function tell(body: object): Promise<void> {
  const response = await fetch(`${tool.url}/webhooks/production`, {
    method: "POST",
    headers: { Authorization: `Bearer ${secret}` },
    body: JSON.stringify(body),
  });
  expect(response.status).toBe(202);
}

/** Looks at a page until it contains the text. */
async function until(visitor: Visitor, path: string, words: string): Promise<Seen> {
  return vi.waitFor(
    async () => {
      const page = await visitor.open(`${tool.url}/admin${path}`);
      expect(textOf(page)).toContain(words);
      return page;
    },
    { timeout: 30_000, interval: 200 },
  );
}

test("an operator finds a failed webhook, reads why, and processes it again", async () => {
  const admin = await operatorAt(tool.url);
  expect(textOf(await admin.open(`${tool.url}/admin/receipts`))).toContain("No webhooks yet.");
  await tell({ currentStatus: { status: "PRESENT", notes: "<script>alert(1)</script>" }, userId: "user_7" });
  await tell({ _type: "SOMETHING_NEW", spaceId: "space_1" });
  const list = await until(admin, "/receipts?state=failed", "Failed 1");
  expect(textOf(list)).toContain("lacks or misspells: eventId, timestamp");
  expect(textOf(await admin.open(`${tool.url}/admin/receipts`))).toContain("Failed, need you: 1");
  const id = /href="\/admin\/receipts\/(rcp_[\w-]+)"/.exec(list.text)?.[1] ?? "";
  const page = await admin.open(`${tool.url}/admin/receipts/${id}`);
  expect(page.text).toContain("&lt;script&gt;alert(1)");
  expect(page.text).not.toContain("<script>alert");
  expect(textOf(page)).toContain("Contains IDs of people");
  const again = await follow(admin, await admin.submit(page, { action: `/receipts/${id}/replay` }));
  expect(textOf(again)).toContain("Processing again.");
  // It still cannot be read today.
  await until(admin, `/receipts/${id}`, "State Failed");
});

test("all matches are processed again after a page with their number", async () => {
  const admin = await operatorAt(tool.url);
  const list = await until(admin, "/receipts?state=kept&family=other", "SOMETHING_NEW");
  expect(list.text).toContain("/admin/receipts/replay?state=kept&amp;family=other");
  const ask = await admin.open(`${tool.url}/admin/receipts/replay?state=kept&family=other`);
  expect(textOf(ask)).toContain("One webhook matches.");
  const done = await follow(admin, await admin.submit(ask, { action: "/receipts/replay" }));
  expect(textOf(done)).toContain("Processing one webhook again.");
  await until(admin, "/receipts?state=kept&family=other", "SOMETHING_NEW");
  const log = textOf(await admin.open(`${tool.url}/admin/audit`));
  expect(log).toContain("Webhooks processed again 1: state=kept family=other");
  // An empty field never selects everything.
  expect((await admin.open(`${tool.url}/admin/receipts/replay`)).status).toBe(400);
});

test("a list offers all matches as a file, groups rows by cause, and continues an interrupted change", async () => {
  const admin = await operatorAt(tool.url);
  const list = await until(admin, "/receipts?state=failed", "lacks or misspells: eventId, timestamp. 1");
  expect(list.text).toContain('href="/admin/receipts?state=failed&amp;as=csv"');
  const part = await admin.open(`${tool.url}/admin/receipts?state=failed&cursor=9000000000000.rcp_1`);
  expect(textOf(part)).toContain("lacks or misspells: eventId, timestamp. 1 on this page");
  const file = await admin.open(`${tool.url}/admin/receipts?state=failed&as=csv`);
  expect(file.text).toMatch(
    /^\ufeff?Arrived,What,About,State,Why\r\n[\dT:.Z-]+,ATTENDANCE · Production,,Failed,.*lacks/,
  );
  expect(textOf(await admin.open(`${tool.url}/admin/audit`))).toContain("List downloaded Webhooks");
  const rest = "9000000000000.rcp_1";
  for (const [done, ask] of [
    [`receipts?state=kept&replayed=0&busy=0&rest=${rest}`, "receipts/replay?state=kept"],
    [`deliveries?state=refused&sent=0&rest=${rest}`, "deliveries/again?state=refused"],
  ] as const)
    expect((await admin.open(`${tool.url}/admin/${done}`)).text).toContain(`${ask}&amp;cursor=${rest}`);
  const behindAll = await admin.open(`${tool.url}/admin/receipts/replay?state=kept&cursor=1.rcp_1`);
  expect(textOf(behindAll)).toContain("0 webhooks match.");
});

test("unknown kinds of webhooks have their own page, which links to them", async () => {
  const admin = await operatorAt(tool.url);
  await tell({ _type: "SPACE_SESSION", eventType: "SESSION_PAUSED", spaceId: "space_1" });
  const page = await until(admin, "/receipts/unknown", "SESSION_PAUSED");
  expect(textOf(page)).toMatch(/SPACE_SESSION SESSION_PAUSED Production Count: 1 First: .* Last: /);
  expect(textOf(page)).toContain("SOMETHING_NEW Production");
  expect(textOf(page)).toContain("They’re stored, nothing more.");
  const link = /href="(\/admin\/receipts\?[^"]*SESSION_PAUSED[^"]*)"/.exec(page.text)?.[1] ?? "";
  const found = await admin.open(tool.url + link.replaceAll("&amp;", "&"));
  expect([...found.text.matchAll(/href="\/admin\/receipts\/rcp_/g)]).toHaveLength(1);
  expect(textOf(found)).toContain("Unknown webhook types: 2");
});

describe("times in the search for webhooks", () => {
  const first = /<time datetime="([^"]+)"/;
  const rows = ({ text }: Seen) => [...text.matchAll(/href="\/admin\/receipts\/(rcp_[\w-]+)"/g)].length;
  const minute = (at: number) => new Date(at).toISOString().slice(0, 16);

  test("are minutes or days in UTC, both included", async () => {
    const admin = await operatorAt(tool.url);
    const open = (asked: string) => admin.open(`${tool.url}/admin/receipts?state=kept&${asked}`);
    const list = await open("");
    const all = rows(list);
    expect(all).toBeGreaterThan(0);
    const at = Date.parse(first.exec(list.text)?.[1] ?? "");
    const day = new Date(at).toISOString().slice(0, 10);
    const within = await open(`from=${minute(at - 3_600_000)}&to=${minute(at)}`);
    expect(rows(within)).toBe(all);
    expect(within.text).toContain(`type="datetime-local" id="to" name="to" value="${minute(at)}"`);
    expect(rows(await open(`from=${minute(at + 60_000)}`))).toBe(0);
    expect(rows(await open(`to=${minute(at - 3_600_000)}`))).toBe(0);
    const byDay = await open(`from=${day}&to=${day}`);
    expect(rows(byDay)).toBeGreaterThan(0);
    expect(byDay.text).toContain(`value="${day}T23:59"`);
    const asked = await admin.open(`${tool.url}/admin/receipts/replay?state=kept&from=${day}T00:00`);
    expect(textOf(asked)).toContain(`From (UTC) ${day} 00:00`);
  });

  test.each([
    ["from=yesterday", "yesterday", "Not a valid time."],
    ["to=2026-02-31T10:00", "2026-02-31T10:00", "Not a valid time."],
    ["from=%3Cb%3E&to=2026-02-01", "&lt;b&gt;", "Not a valid time."],
    [`from=${"9".repeat(300)}`, "9".repeat(40), "Not a valid time."],
    ["from=2026-02-02T10:01&to=2026-02-02T10:00", "2026-02-02T10:01", "earlier than “From”"],
  ])(
    "that are invalid are reported, kept as typed, and find or process nothing (%s)",
    async (asked, kept, why) => {
      const admin = await operatorAt(tool.url);
      const page = await admin.open(`${tool.url}/admin/receipts?state=kept&${asked}`);
      expect([page.status, rows(page)]).toEqual([400, 0]);
      expect(page.text).toContain(`value="${kept}"`);
      expect(page.text).toContain('aria-invalid="true"');
      expect(textOf(page)).toContain(why);
      expect((await admin.open(`${tool.url}/admin/receipts/replay?state=kept&${asked}`)).status).toBe(400);
      const whole = await admin.open(`${tool.url}/admin/receipts/replay?state=kept`);
      const fields = Object.fromEntries(new URLSearchParams(asked));
      const done = await admin.submit(whole, { action: "/receipts/replay", fields });
      expect([done.status, textOf(done)]).toEqual([400, expect.stringContaining("times-unreadable")]);
    },
  );
});
