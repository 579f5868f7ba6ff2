import { beforeAll, expect, test } from "vitest";
import { weekOf } from "../../src/modules/usage/rules/usage.ts";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { school, taughtWeek } from "../support/builders/taught-week.ts";
import { get, logIn, send, startConsoleTool } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";

let session: { cookie: string; form: string };
const day = 24 * 3_600_000;
const monday = weekOf(Date.now()) - 7 * day;

const tool = await forAllTests(startConsoleTool());
const { stores, connection } = await forAllTests(openEmptyStores(tool.databaseUrl));
beforeAll(async () => {
  await taughtWeek(stores, { registrationId: "reg_a", account: "production" }, monday);
  await school(stores, { registrationId: "reg_b", account: "production" });
  await connection
    .collection<{ _id: string }>("registrations")
    .updateOne({ _id: "reg_a" }, { $set: { name: "=HYPERLINK(1)" } });
  session = await logIn(tool.url);
});

const page = async (query = "") => (await get(`${tool.url}/admin/usage${query}`, session.cookie)).text;
const rowOf = (text: string, name: string) =>
  [...text.matchAll(/<tr>([\s\S]*?)<\/tr>/g)]
    .map(([, row = ""]) =>
      row
        .replace(/<[^>]*>/g, " ")
        .replace(/\s+/g, " ")
        .trim(),
    )
    .find((row) => row.startsWith(name));

async function counted(): Promise<void> {
  const before = (await stores.jobs.list()).find(({ name }) => name === "count-usage")?.succeededAt ?? 0;
  await send(`${tool.url}/admin/jobs/count-usage/run`, { form: session.form }, session.cookie);
  await expect
    .poll(async () => (await stores.jobs.list()).find(({ name }) => name === "count-usage")?.succeededAt ?? 0)
    .toBeGreaterThan(before);
}

test("a week of classes is in the report, by LMS and account, and counting twice changes nothing", async () => {
  await counted();
  const first = await page();
  expect(rowOf(first, "=HYPERLINK(1)")).toBe("=HYPERLINK(1) 1 3 3 4 2 1 0");
  expect(rowOf(first, "Production")).toBe("Production 1 3 3 4 2 1 0");
  expect(rowOf(first, "LMS reg_b")).toBeUndefined();
  expect(first.match(/<svg class="bars"/g)).toHaveLength(7);
  await counted();
  const again = await page();
  expect(rowOf(again, "Production")).toBe("Production 1 3 3 4 2 1 0");
  expect(await page("?lms=reg_b")).toContain("Nothing was counted in this period.");
  expect(rowOf(await page("?account=production&weeks=52"), "=HYPERLINK(1)")).toBeDefined();
});

test("the file has the same numbers, and nothing that a spreadsheet would compute", async () => {
  const file = await get(`${tool.url}/admin/usage/file?lms=reg_a`, session.cookie);
  expect(file.headers.get("content-disposition")).toBe("attachment; filename=usage.csv");
  const [head, row, end] = file.text.replace("\ufeff", "").split("\r\n");
  expect(head).toBe(
    "week,lms,registration,account,courses,sessions,people,minutes,grades,failedLaunches,refusedScores",
  );
  const date = new Date(monday).toISOString().slice(0, 10);
  expect(row).toBe(`${date},"'=HYPERLINK(1)",reg_a,production,1,3,3,210,2,1,0`);
  expect(end).toBe("");
});
