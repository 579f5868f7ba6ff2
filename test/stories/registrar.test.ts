import { beforeAll, expect, test } from "vitest";
import { nothingSet } from "../../src/settings/in-effect.ts";
import { eventOf } from "../support/builders/event.ts";
import { attended, school } from "../support/builders/taught-week.ts";
import { openEmptyStores } from "../support/builders/open-empty-stores.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import {
  logInByProvider,
  providerVariables,
  startOpenIdProvider,
} from "../support/stand-ins/openid-provider.ts";
import { get, logIn, send, startConsoleTool } from "../support/tool/console-tool.ts";
import { allConsoleRoutes } from "../support/tool/routes.ts";
import { runCommand } from "../support/tool/run-cli.ts";
import { sessionsOf } from "../support/tool/pages-app.ts";

const regina = { sub: "9", email: "regina@school.test" };
const day = 24 * 3_600_000;
const first = Date.parse("2026-09-14T08:00:00Z");

const provider = await forAllTests(startOpenIdProvider(regina));
const tool = await forAllTests(
  startConsoleTool({
    ...providerVariables(provider),
    OIDC_REGISTRARS: "Regina@school.test",
    OIDC_ADVISERS: "adam@school.test",
  }),
);
const { stores } = await forAllTests(openEmptyStores(tool.databaseUrl));
let cookie = "";
let form = "";

beforeAll(async () => {
  for (const registrationId of ["reg_a", "reg_b"]) {
    const { people, ...held } = await school(stores, { registrationId, account: "production" });
    const key = { registrationId, courseId: held.courseId };
    for (const [n, personId] of people.entries())
      await stores.members.recordLaunch(
        { ...key, personId },
        {
          role: "learner",
          testUser: false,
          student: true,
          listName: `learner ${n + 1}`,
          lastLaunchAt: first,
        },
        [],
        `mem_${personId}`,
      );
    const [one = "", two = ""] = people;
    const lesson = { registrationId, account: "production", ...held };
    await attended(stores, lesson, { eventId: `${registrationId}-1`, startsAt: first, people: [one, two] });
    await attended(stores, lesson, {
      eventId: `${registrationId}-2`,
      startsAt: first + 7 * day,
      people: [one],
    });
    await stores.attendance.correct(
      { ...key, eventId: `${registrationId}-2`, personId: two },
      { status: "ABSENT", notes: null, reason: null, by: "teacher", at: first + 8 * day },
      { id: `att_${registrationId}`, sectionIds: [] },
    );
  }
  await stores.courses.setTimeZone("crs_reg_a", "Pacific/Auckland");
  ({ cookie, form } = await logInByProvider(tool.url, provider, regina));
});

const term = "from=2026-09-01&to=2026-12-18";
const page = (query: string) => get(`${tool.url}/admin/last-attendance?${query}`, cookie);
const textOf = (text: string) => text.replace(/<[^>]+>/g, " ").replace(/\s+/g, " ");

test("a registrar is led to the report, sees who attended until when, and downloads it", async () => {
  expect((await get(`${tool.url}/admin`, cookie)).location).toBe("/admin/last-attendance");
  const { text } = await page(`${term}&lms=reg_a`);
  expect(textOf(text)).toContain(
    "Learner 1 LMS ID: sub-1 Biology BIO First attended: Mon 14 Sept 2026 classroom Last attended: Mon 21 Sept 2026 classroom Sessions attended: 2 of 2 recorded",
  );
  expect(textOf(text)).toContain(
    "Last attended: Mon 14 Sept 2026 classroom Sessions attended: 1 of 2 recorded",
  );
  expect(textOf(text)).toContain("Nothing recorded");
  const file = await page(`${term}&lms=reg_a&as=csv`);
  expect(file.headers.get("content-disposition")).toContain("last-attendance.csv");
  const [head, one, two, three, end] = file.text.replace("\ufeff", "").split("\r\n");
  expect(head).toBe(
    "Course,Short name,Learner,LMS ID,ID number,In the course,First attended,First attended: evidence,Last attended,Last attended: evidence,Sessions attended,Sessions recorded,Note,LMS",
  );
  expect(one).toBe("Biology,BIO,Learner 1,sub-1,,yes,2026-09-14,classroom,2026-09-21,classroom,2,2,,");
  expect(two).toBe("Biology,BIO,Learner 2,sub-2,,yes,2026-09-14,classroom,2026-09-14,classroom,1,2,,");
  expect(three).toBe("Biology,BIO,Learner 3,sub-3,,yes,,,,,0,0,Nothing recorded,");
  expect(end).toBe("");
  const operator = await logIn(tool.url);
  expect(textOf((await get(`${tool.url}/admin/audit`, operator.cookie)).text)).toContain("Last attendance");
});

test("the command line gives the same report", async () => {
  const command = ["report", "last-attendance", "--registration", "reg_a", "--from", "2026-09-01"];
  const ran = await runCommand(tool.variables, [...command, "--to", "2026-12-18", "--csv"]);
  expect(ran).toMatchObject({ code: 0, err: "" });
  expect(ran.out.split("\n")[2]).toBe(
    "Biology,BIO,Learner 2,sub-2,,yes,2026-09-14,classroom,2026-09-14,classroom,1,2,yes",
  );
  const json = await runCommand(tool.variables, [...command, "--to", "2026-12-18", "--json"]);
  expect(JSON.parse(json.out)).toMatchObject([
    { last_day: "2026-09-21" },
    { sessions_attended: 1 },
    { first_day: null },
  ]);
});

test.each([
  [["--from", "2026-12-18", "--to", "2026-09-01"], "Swap the two days"],
  [["--from", "2026-13-01", "--to", "2026-09-01"], "such as 2026-09-14"],
  [["--from", "2020-09-01", "--to", "2020-12-18"], "No course of this LMS had a session on these days"],
  [["--from", "2026-09-01", "--to", "2026-12-18", "--course", "Chemistry"], 'No course called "Chemistry"'],
])("the command line says what to do about %j", async (days, words) => {
  const command = ["report", "last-attendance", "--registration", "reg_a", ...days];
  const ran = await runCommand(tool.variables, command);
  expect(ran.code).toBe(2);
  expect(ran.err).toContain(words);
});

test.each([
  ["from=2026-12-18&to=2026-09-01", 400, "This is earlier than “Sessions from”. Swap the two dates."],
  ["from=2026-02-30&to=", 400, "Not a date."],
  ["from=2020-09-01&to=2020-12-18", 200, "No course had a session on these days."],
  [`${term}&course=Chemistry`, 200, "No such course had a session on these days."],
])("the page says what to do about %s", async (query, status, words) => {
  const answer = await page(query);
  expect(answer.status).toBe(status);
  expect(textOf(answer.text)).toContain(words);
});

/** Their own routes, and those before a login and for logging out. */
const apart = [
  "GET /",
  "POST /",
  "GET /log-in",
  "GET /log-in/back",
  "GET /last-attendance",
  "POST /lms",
  "POST /log-out",
];

test("every other page and form of the console is closed to a registrar", async () => {
  for (const { method, path } of allConsoleRoutes()) {
    if (apart.includes(`${method} ${path}`)) continue;
    const url = `${tool.url}/admin${path}`;
    const answer = method === "GET" ? await get(url, cookie) : await send(url, { form }, cookie);
    expect([method, path, answer.status]).toEqual([method, path, 404]);
  }
});

test("an adviser is led to the learners who reached a limit of the institution, and sees nothing else", async () => {
  const limits = { list: [{ kind: "absences" as const, number: 1, label: "One absence" }], mail: false };
  const adam = { sub: "10", email: "adam@school.test" };
  const { cookie: own } = await logInByProvider(tool.url, provider, adam);
  const read = async (path: string) => get(`${tool.url}/admin${path}`, own);
  expect((await read("")).location).toBe("/admin/limits");
  expect(textOf((await read("/limits")).text)).toContain("No limits are set.");
  await stores.institutionDefaults.change(
    { ...nothingSet("reg_a"), values: { limits } },
    { regrades: false },
  );
  expect(textOf((await read("/limits")).text)).toContain("Nobody has reached one.");
  const missed = { personId: "per_reg_a_2", sub: "sub-2", seen: 0 };
  await stores.events.save(eventOf({ eventId: "now", courseId: "crs_reg_a", startsAt: Date.now() - day }));
  await stores.attendanceSummaries.publish(
    { registrationId: "reg_a", courseId: "crs_reg_a" },
    [{ ...missed, sessions: [{ eventId: "now", status: "ABSENT" }] }],
    () => "sum",
  );
  expect(textOf((await read("/limits")).text)).toMatch(
    /Learner 2 sub-2 Biology LMS reg_a Limit: One absence Absences: 1/,
  );
  const file = (await read("/limits?as=csv&limit=absences-1")).text.split("\r\n");
  expect(file[1]).toBe("Learner 2,sub-2,,Biology · LMS reg_a,One absence,1,1,");
  expect(textOf((await read("/limits?limit=row-3")).text)).toContain("Nobody has reached one.");
  for (const path of ["/last-attendance", "/audit", "/people", "/usage"])
    expect((await read(path)).status).toBe(404);
  expect((await get(`${tool.url}/admin/limits`, cookie)).status).toBe(404);
});

test("a registrar who enters the console from an LMS becomes its administrator and is no longer a registrar", async () => {
  await stores.registrations.set("reg_a", { administratorsEnter: true });
  const token = await sessionsOf(stores).issue({
    registrationId: "reg_a",
    courseId: "crs_reg_a",
    personId: "per_reg_a_1",
    courseLinkId: null,
    role: "instructor",
    staffRole: "teacher",
    locale: null,
    consoleUntil: Date.now() + 60_000,
  });
  const body = new URLSearchParams({ session: token });
  const asked = { method: "POST", redirect: "manual", body, headers: { cookie } } as const;
  const entered = await fetch(`${tool.url}/admin/lms`, asked);
  const own = entered.headers.getSetCookie().join("; ");
  expect((await get(`${tool.url}/admin/registrations/reg_a`, own)).status).toBe(200);
  expect((await get(`${tool.url}/admin/last-attendance`, cookie)).status).toBe(401);
});
