import { describe, expect, test, vi } from "vitest";
import { jobNames } from "../../src/modules/operations/rules/job.ts";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { patience } from "../support/patience.ts";
import { get, logIn, send, startConsoleTool } from "../support/tool/console-tool.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const tool = await forAllTests(startConsoleTool());

const textOf = (text: string) => text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

/** A job's row in the list, as text. */
async function rowOf(name: string, cookie: string): Promise<string> {
  const { text } = await get(`${tool.url}/admin/jobs`, cookie);
  return textOf(text.split('<tr role="row">').find((row) => row.includes(`/admin/jobs/${name}/run`)) ?? "");
}

describe("an operator", () => {
  test("sees every job, runs one now, and sees its result", async () => {
    const { cookie, form } = await logIn(tool.url);
    const page = await get(`${tool.url}/admin/jobs`, cookie);
    for (const name of jobNames) expect(page.text).toContain(`action="/admin/jobs/${name}/run"`);
    expect(await rowOf("purge", cookie)).toMatch(
      /Not run yet .*Next run: \w{3} \d{1,2} \w{3,4} \d{4}, \d\d:\d\d UTC/,
    );
    const german = await get(`${tool.url}/admin/jobs`, cookie, { "accept-language": "de" });
    expect(german.text).toMatch(
      /<time datetime="[^"]*Z">\w{2}\., \d{1,2}\. [^<]* \d{4}, \d\d:\d\d UTC<\/time>/,
    );
    const pressed = await send(`${tool.url}/admin/jobs/purge/run`, { form }, cookie);
    expect(pressed.location).toBe("/admin/jobs?note=purge");
    expect(textOf((await get(`${tool.url}${pressed.location ?? ""}`, cookie)).text)).toContain(
      "Started: Delete expired records.",
    );
    await vi.waitFor(async () => {
      expect(await rowOf("purge", cookie)).toMatch(/Latest run .* Done /);
    }, patience);
    const runs = await get(`${tool.url}/admin/jobs?job=purge`, cookie);
    expect(textOf(runs.text)).toContain("Items: 0");
    const { text } = await get(`${tool.url}/metrics`);
    expect(text).toMatch(/spaces_lti_job_last_success_timestamp_seconds\{job="purge"\} \d+/);
    const audit = await get(`${tool.url}/admin/audit`, cookie);
    expect(textOf(audit.text)).toContain("Job started by hand Delete expired records");
  });

  test("filters runs by job and outcome, and keeps the filter after running one", async () => {
    const opened = await openEmptyStores(tool.databaseUrl);
    const { jobs } = opened.stores;
    const problem = `People could not be prepared. ${"It goes on for long. ".repeat(20)}And here it ends.`;
    await vi.waitFor(async () => {
      const startedAt = (await jobs.find("prepare-people"))?.dueAt ?? 0;
      const begun = { startedAt, endedAt: null, outcome: null, done: null, problem };
      const run = { id: "run_1", process: "test", ...begun };
      const ended = { ...run, endedAt: startedAt + 1, outcome: "failed" } as const;
      expect(await jobs.begin("prepare-people", run, startedAt + 1, startedAt)).toBe(true);
      await jobs.end("prepare-people", ended, startedAt + 86_400_000);
    }, patience);
    await opened.close();

    const { cookie, form } = await logIn(tool.url);
    const found = async (asked: string) => {
      const { text } = await get(`${tool.url}/admin/jobs?${asked}`, cookie);
      return { text, names: [...text.matchAll(/\/admin\/jobs\/([\w-]+)\/run/g)].map(([, name]) => name) };
    };
    const failed = await found("outcome=failed");
    expect(failed.names).toEqual(["prepare-people"]);
    expect(textOf(failed.text)).toContain("Matching runs: 1 of the latest ");
    expect(failed.text, "the whole reason").toContain(problem);
    expect((await found("outcome=done")).names).toContain("purge");
    expect((await found("outcome=done&job=purge")).names).toEqual(["purge"]);
    const nothing = await found("outcome=failed&job=purge");
    expect(nothing.names).toEqual([]);
    expect(textOf(nothing.text)).toContain("No job has such a run");
    expect((await found("outcome=lost&job=%3Cb%3E")).names).toHaveLength(jobNames.length);
    const asked = { form, job: "purge", outcome: "done" };
    const pressed = await send(`${tool.url}/admin/jobs/purge/run`, asked, cookie);
    expect(pressed.location).toBe("/admin/jobs?job=purge&outcome=done&note=purge");
  });

  test("sees a run that caught up on one missed while the tool was down", async () => {
    tool.pass(2 * 24 * 3_600_000);
    await tool.restart();
    const { cookie } = await logIn(tool.url);
    await vi.waitFor(async () => {
      expect(await rowOf("renew-keys", cookie)).toContain("Latest run");
    }, patience);
    expect(await rowOf("read-rosters", cookie)).not.toContain("Not run yet");
  });
});
