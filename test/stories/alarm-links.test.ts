import { randomBytes } from "node:crypto";
import { beforeAll, expect, test } from "vitest";
import { createSealer } from "../../src/kernel/sealer.ts";
import { alarmsView } from "../../src/modules/console/pages/alarms-pages.ts";
import { checkReadiness, checkWarnings, type Trouble } from "../../src/modules/operations/health.ts";
import { type Alarm, alarmKinds, listAlarms } from "../../src/modules/operations/list-alarms.ts";
import { pauseReasons } from "../../src/modules/registration/rules/registration.ts";
import { createTranslator } from "../../src/web/translate.ts";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { classroomOverviewOf } from "../support/builders/classroom-overview.ts";
import { sealedAccount } from "../support/builders/many-institutions.ts";
import { registrationOf } from "../support/builders/registration.ts";
import { accountsOf, testAccount } from "../support/builders/test-accounts.ts";
import { get, logIn, startConsoleTool } from "../support/tool/console-tool.ts";

/** Everything that can be wrong at the same time, and what an operator finds behind the button of each. */
const secretKey = randomBytes(48).toString("base64");
const tool = await forAllTests(startConsoleTool({ SECRET_KEY: secretKey }));
const { stores } = await forAllTests(openEmptyStores(tool.databaseUrl));
let cookie: string;
const hour = 3_600_000;
const now = Date.now();

beforeAll(async () => {
  cookie = (await logIn(tool.url)).cookie;
  const lms = (id: string, change: object = {}) =>
    stores.registrations.insert(registrationOf({ id, clientId: id, name: `The LMS ${id}`, ...change }));
  const sealedBy = (id: string, key: string) =>
    stores.classroomAccounts.insert(sealedAccount(id, createSealer(key, undefined)));
  await sealedBy("failing", secretKey);
  await sealedBy("lost", randomBytes(48).toString("base64"));
  await lms("reg_1");
  await lms("reg_off", { environment: "nowhere" });
  await lms("reg_bound", { environment: "nowhere", account: "production" });
  await stores.deployments.record({
    registrationId: "reg_1",
    deploymentId: "1",
    status: "refused",
    firstSeenAt: now,
  });
  for (const why of pauseReasons)
    await stores.lmsPauses.begin({
      registrationId: "reg_1",
      why,
      since: now,
      triedAt: now,
      nextTryAt: now + hour,
      tries: 1,
      status: 401,
      error: null,
      refused: [],
      ofScopes: false,
      grades: true,
    });
  const check = {
    step: "token" as const,
    outcome: "fails" as const,
    message: "No token.",
    missingScope: null,
  };
  await stores.connectionTests.keep({ registrationId: "reg_1", checkedAt: now, checks: [check] });
  for (let n = 0; n < 3; n += 1)
    await stores.refusedLaunches.add(
      { registrationId: "reg_1", issuer: "", clientId: "", code: "token-signature" },
      { at: now, references: [`reference-${n}`] },
    );
});

const rightClock = { lead: () => ({ ms: 0, doubtMs: 0 }) };
const wrongClock = { lead: () => ({ ms: hour, doubtMs: 0 }) };

/** The title of the page behind an alarm without an LMS or account. */
const titles: Readonly<Partial<Record<Alarm["what"], string>>> = {
  receipts: "<h1>Webhooks</h1>",
  "failed-webhooks": "<h1>Webhooks</h1>",
  "unmatched-webhooks": "<h1>Webhooks</h1>",
  scores: "<h1>Scores</h1>",
  "refused-scores": "<h1>Scores</h1>",
  jobs: "<h1>Scheduled jobs</h1>",
};
const [english, german] = [createTranslator()("en"), createTranslator()("de")];
/** The advice of an alarm without a page. */
const advice: Readonly<Partial<Record<Alarm["what"], RegExp>>> = {
  store: /Check DATABASE_URL/,
  process: /Start it again/,
  clock: /Set both by NTP/,
};

test("every alert leads to the page that fixes it and names what is wrong, or says what to do", async () => {
  const { alarms } = alarmsView(english, await everyAlarm());
  expect(new Set(alarms.map(({ what }) => what))).toEqual(new Set(alarmKinds));
  expect(alarms.filter(({ registration }) => registration?.id === "reg_bound")).toEqual([]);
  for (const { what, link, registration, account, message } of alarms) {
    if (link === null) {
      expect([what, message]).toEqual([what, expect.stringMatching(advice[what] ?? /never/)]);
      continue;
    }
    const [path = "", anchor] = link.split("#");
    const page = await get(tool.url + path, cookie);
    expect([what, link, page.status]).toEqual([what, link, 200]);
    const named = registration?.name ?? (account === "production" ? "Production" : (account ?? titles[what]));
    expect([what, page.text]).toEqual([what, expect.stringContaining(named ?? "no name")]);
    if (anchor !== undefined)
      expect([what, page.text]).toEqual([what, expect.stringContaining(`id="${anchor}"`)]);
  }
});

test("each alert on the page has at most one button", async () => {
  const page = await get(`${tool.url}/admin/alarms`, cookie);
  const lines = page.text.split('class="alarm"').slice(1);
  expect(lines.length).toBeGreaterThan(4);
  for (const line of lines) expect(line.split("</li>")[0]?.match(/class="button/g) ?? []).toHaveLength(1);
});

test("a failed launch leads to what fixes it: from an unknown LMS to its registration, with what it sent", async () => {
  await stores.refusedLaunches.add(
    { registrationId: "", issuer: "https://new.example", clientId: "abc", code: "platform-unknown" },
    { at: now, references: [] },
  );
  const page = await get(`${tool.url}/admin/launches`, cookie);
  expect(page.text).toContain('href="/admin/registrations/reg_1?tab=connection">');
  const [, query = ""] = /href="\/admin\/registrations\/new\?([^"]+)">/.exec(page.text) ?? [];
  const form = await get(`${tool.url}/admin/registrations/new?${query.replaceAll("&amp;", "&")}`, cookie);
  for (const value of ["https://new.example", "abc"]) expect(form.text).toContain(`value="${value}"`);
});

test("the advice for each alert is in the reader's language, and names jobs as pages do", async () => {
  const { alarms } = alarmsView(german, await everyAlarm());
  const inEnglish = alarms.filter(({ text, message }) => text === message);
  // The connection test, and a database that is down, use English.
  expect(new Set(inEnglish.map(({ what }) => what))).toEqual(new Set(["store", "process", "connection"]));
  const late = alarms.find(({ what }) => what === "jobs");
  expect(late?.text).toContain(`fehlgeschlagen: ${german("console.jobs.names.purge")}.`);
});

async function everyAlarm(): Promise<Alarm[]> {
  const old = () => Promise.resolve(now - 48 * hour);
  const many = () => Promise.resolve(2);
  const ended = () => Promise.resolve([now - 12 * hour, now - 11 * hour, now - 10 * hour]);
  const clock = { now: () => now, sleep: () => Promise.resolve() };
  const receipts = { ...stores.receipts, oldestWaiting: old, countUpTo: many, oldestOf: old };
  const deliveries = { ...stores.deliveries, oldestWaiting: old, countUpTo: many };
  const accounts = accountsOf([
    testAccount("production"),
    testAccount("lost", { apiKey: "", paused: true, lacks: "readable-secrets" }),
    testAccount("failing"),
  ]);
  const troubles: Trouble[] = await checkWarnings({
    ...stores,
    receipts,
    deliveries,
    clock,
    unsentAlarmAfter: hour,
    silenceAlarmAfter: hour,
    accounts: accountsOf([testAccount("production")]),
    events: { ...stores.events, endedBetween: ended },
    jobs: {
      ...stores.jobs,
      list: () => Promise.resolve([{ name: "purge", dueAt: now - hour, runs: [], succeededAt: null }]),
    },
    webhookArrivals: { ...stores.webhookArrivals, refusedSince: () => Promise.resolve(["production"]) },
  });
  const ping = () => Promise.resolve();
  const away = await checkReadiness({ storeTime: rightClock, ping: () => Promise.reject(new Error("away")) });
  const wrong = await checkReadiness({ ping, storeTime: wrongClock });
  const stopping = { what: "process" as const, message: "The process is stopping. Start it again." };
  const deps = {
    ...stores,
    receipts,
    deliveries,
    accounts,
    clock,
    classroomOverview: (id: string) => classroomOverviewOf(testAccount(id), id === "failing"),
  };
  const report = (problems: readonly Trouble[], warnings: readonly Trouble[]) => () =>
    Promise.resolve({ ready: false, problems, warnings });
  return [
    ...(await listAlarms({ ...deps, report: report([...away.problems, ...wrong.problems], []) })),
    ...(await listAlarms({ ...deps, report: report([stopping], troubles) })),
  ];
}
