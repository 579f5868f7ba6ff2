import { randomBytes } from "node:crypto";
import { beforeAll, describe, expect, test, vi } from "vitest";
import { weekOf } from "../../src/modules/usage/rules/usage.ts";
import { manyInstitutions } from "../support/builders/many-institutions.ts";
import { startConsoleTool } from "../support/tool/console-tool.ts";
import { otherNames } from "../../src/inbox/rules/webhook.ts";
import { recordingReadings } from "../../src/modules/recordings/recording-readings.ts";
import { launchedCourse, newCourse } from "../support/builders/launched-course.ts";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { findingsOfWords, findingsOnEveryScreen } from "../support/browser/browser.ts";
import { consoleInBrowser, findingsAlsoWide } from "../support/browser/console-in-browser.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { patience, patienceOfPages } from "../support/patience.ts";
import { firstInGate } from "../support/nightly.ts";

const secretKey = randomBytes(48).toString("base64");
const { tool, entered } = await consoleInBrowser(startConsoleTool({ SECRET_KEY: secretKey }));
const { stores, connection } = await forAllTests(openEmptyStores(tool.databaseUrl));

const day = 24 * 3_600_000;
const bodies = {
  attendance: {
    eventId: "event_biology_7",
    userId: "user_of_a_learner",
    timestamp: "2026-09-14T08:00:00Z",
    updatedBy: "user_of_a_teacher",
    prevStatus: { status: "ABSENT" },
    currentStatus: { status: "PRESENT", notes: "Came <b>late</b> by bus & train, see mail" },
  },
  unreadable: { currentStatus: { status: "PRESENT" } },
};

beforeAll(async () => {
  await fill();
  await fillMore();
});

/** Webhooks and scores in every state. */
async function fill(): Promise<void> {
  const now = Date.now();
  const later = now + 30 * day;
  const keep = async (id: string, state: "failed" | "unmatched" | "done" | "kept", more: object = {}) => {
    await stores.receipts.insert({
      id,
      environment: "production",
      digest: id,
      body: JSON.stringify(bodies.attendance),
      family: "ATTENDANCE",
      receivedAt: now - 5 * day,
      state,
      attempts: 4,
      nextTryAt: later,
      reason: null,
      ...more,
    });
  };
  const unmatched = {
    reason: "Event event_biology_7 is not linked to a Space.",
    code: "event-unknown",
    waitsFor: "event:production:event_biology_7",
  };
  await keep("rcp_unmatched", "unmatched", unmatched);
  await keep("rcp_failed", "failed", {
    body: JSON.stringify(bodies.unreadable),
    reason: "The attendance webhook lacks or misspells: eventId, userId, timestamp.",
    code: "unreadable",
  });
  for (let number = 0; number < 60; number += 1)
    await keep(`rcp_done_${number}`, "done", { receivedAt: now - number * 60_000 });
  await keep("rcp_kept", "kept", { family: "SOMETHING_NEW", body: '{"_type":"SOMETHING_NEW"}' });
  for (const name of ["17", "18", "a-much-longer-identifier-of-a-person-0123456789"]) {
    await stores.deliveries.setDesired(
      { registrationId: "reg_1", courseId: "crs_biology" },
      [
        {
          personId: `per_${name}`,
          sub: name,
          scores: new Map([["attendance", { score: 80, maximum: 100, comment: null }]]),
          seen: { regrade: 1, summary: 1 },
          left: false,
        },
      ],
      { now: later, newId: () => `dlv_${name}` },
    );
    await stores.deliveries.claimDue("test", later, later + 1);
    await stores.deliveries.settle(`dlv_${name}`, "test", 1, {
      state: "refused",
      refusal: "lms-status-422",
      nextTryAt: now,
    });
  }
}

/** A course with a long name, alerts with and without a session, unknown kinds, a job that failed. */
async function fillMore(): Promise<void> {
  const now = Date.now();
  await stores.courses.record(
    { registrationId: "reg_1", deploymentId: "1", contextId: "7" },
    launchedCourse({
      title: "Biology of the deep sea, and of whoever lives there all the same: an introduction",
    }),
    { ...newCourse("crs_biology"), createdAt: now },
  );
  await stores.events.save({
    environment: "production",
    eventId: "event_biology_7",
    spaceId: "space_1",
    courseId: "crs_biology",
    title: "Lab hour",
    startsAt: now - day,
    endsAt: now,
    cancelled: false,
    readAt: now,
  });
  for (const [alertId, eventId, closed] of [
    ["alert_of_a_course", "event_biology_7", false],
    ["alert_of_nobody", null, true],
  ] as const)
    await stores.classroomAlerts.insert({
      environment: "production",
      alertId,
      alertType: "EVENT_NO_SHOW",
      eventId,
      closed,
      status: "OPEN",
      priority: "HIGH",
      assigneeId: null,
      history: [],
      seen: null,
      raisedAt: now - day,
      changedAt: now,
      readAt: now,
      revision: 1,
    });
  for (const [family, eventType] of [
    ["A_FAMILY_WITH_A_NAME_THAT_IS_LONGER_THAN_ANYBODY_WOULD_EVER_WRITE", "AND_ITS_EVENT_TYPE_TOO_1"],
    ["SPACE_RECORDING", "TRANSCRIPT_READY"],
    [otherNames, ""],
  ] as const)
    await stores.unknownWebhooks.add({
      environment: "production",
      family,
      eventType,
      count: 12_345,
      firstAt: now - 9 * day,
      lastAt: now,
    });
  const space = { environment: "production", spaceId: "space_1" } as const;
  const { id } = await stores.tasks.open(recordingReadings, space, now);
  const silence = { code: "classroom-unreachable", text: "The classroom did not answer." };
  const failed = { problem: silence, attempts: 3, dueAt: now + day, endedAt: now };
  await connection.collection<{ _id: string }>("tasks").updateOne({ _id: id }, { $set: failed });
  const startedAt = now + 3 * day;
  const problem = `The database could not be asked: connect ECONNREFUSED at ${"a".repeat(90)}. ${"It was tried several times. ".repeat(8)}`;
  const run = { id: "run_1", process: "a-machine-with-a-long-name.example.edu:12345", startedAt, problem };
  const begun = { ...run, endedAt: null, outcome: null, done: null };
  await vi.waitFor(
    async () => expect(await stores.jobs.begin("purge", begun, startedAt + 1, startedAt)).toBe(true),
    patience,
  );
  await stores.jobs.end("purge", { ...begun, endedAt: startedAt + 1, outcome: "failed" }, startedAt);
}

test("every list and every page of one entry looks right", async () => {
  const page = await entered("/receipts");
  for (const path of [
    "receipts",
    "receipts?from=yesterday&to=2026-02-31T10:00",
    "receipts/rcp_failed",
    "receipts/replay?state=failed",
    "receipts/unknown",
    "deliveries",
    "deliveries/again?state=refused",
    "jobs",
    "tasks",
    "alerts",
    "launches",
    "sessions",
    "last-attendance",
    "last-attendance?from=2026-12-20&to=2026-09-01",
    "limits",
    "api-keys",
    "readiness?show=all",
    "readiness/again",
    "api-keys/new",
  ]) {
    await page.goto(`${tool.url}/admin/${path}`);
    expect([path, await findingsOnEveryScreen(page)]).toEqual([path, []]);
  }
});

test("search times are in the reader's zone, and are sent in UTC", async () => {
  const page = await entered("/receipts?from=2026-10-01T08:30");
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Emulation.setTimezoneOverride", { timezoneId: "Asia/Kolkata" });
  await page.reload();
  await expect.poll(() => page.getByLabel("From", { exact: true }).inputValue()).toBe("2026-10-01T14:00");
  await page.getByLabel("To", { exact: true }).fill("2026-10-02T05:30");
  await page.getByRole("button", { name: "Show" }).click();
  await page.waitForURL(/from=2026-10-01T08%3A30&to=2026-10-02T00%3A00/);
});

test("the page of alarms looks right", async () => {
  tool.pass(60_000); // earlier results are cached for a while
  const page = await entered("/alarms");
  await vi.waitFor(async () => {
    await page.reload();
    expect(await page.locator(".alarm").count()).toBeGreaterThan(2);
  }, patienceOfPages);
  expect(await findingsOnEveryScreen(page)).toEqual([]);
});

test.each(firstInGate(1, ["de", "ar"]))("the lists have room for their texts in %s", async (locale) => {
  const page = await entered("/alarms", locale);
  for (const path of [
    "alarms",
    "receipts?from=yesterday",
    "receipts/unknown",
    "deliveries",
    "jobs",
    "tasks",
    "alerts",
  ]) {
    await page.goto(`${tool.url}/admin/${path}`);
    expect([path, await findingsOfWords(page)]).toEqual([path, []]);
  }
});

test("failed background work is shown with its reason, and retried", async () => {
  const page = await entered("/tasks");
  const lists = page.getByRole("row").filter({ hasText: "Recordings from the classroom" });
  await lists.getByText("The classroom did not answer.").waitFor();
  expect(await lists.innerText()).toContain("classroom-unreachable");
  await page.getByRole("button", { name: "Retry now: Recordings from the classroom" }).press("Enter");
  await page.getByText("Running 1 failed task again.").waitFor();
});

test("by keyboard alone, refused scores are sent again after a page with their number", async () => {
  const page = await entered("/deliveries");
  await page.getByRole("link", { name: "Send all again" }).press("Enter");
  await page.getByText("3 scores match.").waitFor();
  await page.getByRole("button", { name: "Send again" }).press("Enter");
  await page.getByText("Sending 3 scores again.").waitFor();
});

describe("The overview, reports and the search", () => {
  beforeAll(async () => {
    await manyInstitutions({ stores }, { count: 60, now: Date.now(), secretKey });
    for (let n = 0; n < 12 * 13; n += 1)
      await stores.usage.setWeek({
        registrationId: `reg_${n % 12}`,
        account: `school-${n % 12}`,
        week: weekOf(Date.now()) - Math.floor(n / 12) * 7 * 24 * 3_600_000,
        courses: 3,
        sessions: n,
        people: 40 + n,
        minutes: 600 * n,
        grades: 7 * n,
        failedLaunches: n % 5,
        refusedScores: 0,
      });
  });

  test("the overview of sixty institutions looks right", async () => {
    expect(await findingsAlsoWide(await entered(""))).toEqual([]);
  });

  test.each(firstInGate(1, ["ar", "de"]))("the overview looks right in %s", async (locale) => {
    expect(await findingsOfWords(await entered("?lms=good&accounts-page=2", locale))).toEqual([]);
  });

  test("reports look right, and have their numbers also as a table", async () => {
    const page = await entered("/usage");
    expect(await findingsAlsoWide(page)).toEqual([]);
    expect(await page.getByRole("img", { name: /^People by week, from / }).count()).toBe(1);
    expect(await page.getByRole("table", { name: "By week" }).locator("tbody tr").count()).toBe(13);
    await page.getByLabel("LMS", { exact: true }).selectOption({ label: "Institution 003" });
    await page.getByRole("button", { name: "Show" }).click();
    expect(await page.getByRole("table", { name: "By LMS" }).count()).toBe(0);
    for (const [path, language] of firstInGate(1, [
      ["/usage?weeks=52", "de"],
      ["/usage", "ar"],
    ]))
      expect(await findingsOfWords(await entered(path, language))).toEqual([]);
  });

  test("search results look right, with and without a match", async () => {
    const page = await entered("/search");
    expect(await findingsAlsoWide(page)).toEqual([]);
    for (const [typed, heading] of [
      ["institution", "Classroom accounts"],
      ["nobody of that name", null],
    ] as const) {
      await page.getByRole("searchbox", { name: "Search the console" }).fill(typed);
      await page.getByRole("button", { name: "Search" }).click();
      await page.waitForLoadState();
      if (heading !== null) await page.getByRole("heading", { name: heading }).waitFor();
      expect(await findingsOnEveryScreen(page)).toEqual([]);
      expect(page.url()).toBe(`${tool.url}/admin/search`);
    }
  });
});
