import { createServer } from "node:http";
import express from "express";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { replacedContext } from "../../../src/domain/course.ts";
import { createBackground } from "../../../src/kernel/async.ts";
import { endApiKey, makeApiKey, type NewKey } from "../../../src/modules/api/api-keys.ts";
import { apiRoutes } from "../../../src/modules/api/pages/api-routes.ts";
import { apiScopes } from "../../../src/modules/api/rules/api-key.ts";
import { erasePerson } from "../../../src/modules/privacy/erase.ts";
import { runErasure } from "../../../src/modules/privacy/run-erasure.ts";
import { launchedCourse, newCourse } from "../../support/builders/launched-course.ts";
import { openRecordedCourse } from "../../support/builders/recorded-course.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { closed, listening } from "../../support/stand-ins/local-server.ts";

const course = await forAllTests(openRecordedCourse());
const { stores, key: of } = course;
const background = createBackground(course.deps.logger);
const app = { ...course.deps, background, publicUrl: "https://tool.test", who: "console" as const };
const server = createServer(express().use("/api/v1", apiRoutes(app)));
let url: string;
beforeAll(async () => {
  url = `${await listening(server)}/api/v1`;
});
afterAll(() => closed(server));

const hour = 3_600_000;
const attended = `/courses/${of.courseId}/attendance`;
const graded = `/courses/${of.courseId}/grades`;
const people = `/courses/${of.courseId}/people`;

beforeEach(async () => {
  await course.restart();
  // The allowance of earlier tests' keys is full again.
  course.pass(hour);
  for (const id of ["reg_1", "reg_2"])
    await stores.registrations.insert(registrationOf({ id, clientId: `client of ${id}` }));
  for (const name of ["Ann", "Ben"]) await course.enrol(name);
  await course.lesson("lesson");
});

const day = (days: number) => new Date(course.clock.now() + days * 24 * hour).toISOString().slice(0, 10);
const keyFor = async (wanted: Partial<NewKey> = {}) => {
  const all = { registrationId: of.registrationId, deploymentId: null, name: "Dropout report" };
  return (await makeApiKey(app, { ...all, scopes: apiScopes, until: day(30), ...wanted })).key;
};
type Asked = { method?: string; headers?: Record<string, string> };
const ask = (path: string, key: string | null, init: Asked = {}) =>
  fetch(url + path, {
    ...init,
    // fetch itself would ask to bypass caches.
    headers: {
      "cache-control": "max-age=0",
      ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      ...init.headers,
    },
  });
const page = z.object({ data: z.array(z.record(z.string(), z.unknown())), next: z.string().nullable() });
const read = async (path: string, key: string) => page.parse(await (await ask(path, key)).json());
const problem = z.object({ code: z.string(), status: z.number(), detail: z.string() });
const refused = async (path: string, key: string | null, init?: Asked) => {
  const answer = await ask(path, key, init);
  expect(answer.headers.get("content-type")).toMatch(/^application\/problem\+json/);
  const { code, status } = problem.parse(await answer.json());
  expect(status).toBe(answer.status);
  return [status, code];
};

describe("a program of the institution", () => {
  test("reads sessions, and courses by our id and the LMS's", async () => {
    const key = await keyFor({ scopes: [] });
    const gone = { registrationId: of.registrationId, deploymentId: "1", contextId: replacedContext("gone") };
    await stores.courses.record(gone, launchedCourse(), newCourse("gone"));
    expect((await read("/courses", key)).data).toMatchObject([
      { id: of.courseId, lmsId: "ctx", deploymentId: "1" },
      { id: "gone", lmsId: null },
    ]);
    expect((await read(`/courses/${of.courseId}/sessions`, key)).data).toMatchObject([
      { id: "lesson", title: "Lesson lesson", cancelled: false, counts: true },
    ]);
    // The longest id that a webhook may name.
    await course.lesson("한".repeat(255));
    await course.lesson("힣");
    const { next } = await read(`/courses/${of.courseId}/sessions?limit=2`, key);
    const { data } = await read(`/courses/${of.courseId}/sessions?cursor=${String(next)}`, key);
    expect(data).toMatchObject([{ id: "힣" }]);
  });

  test("reads attendance with its evidence, but no names", async () => {
    const at = course.clock.now();
    await course.fact("per-Ann", "lesson", "ABSENT", at);
    await course.correct("per-Ann", "lesson", "EXCUSED");
    await course.grade("per-Ann");
    const answer = await ask(attended, await keyFor());
    const text = await answer.text();
    expect(page.parse(JSON.parse(text)).data).toMatchObject([
      {
        person: { id: "per-Ann", lmsId: "sub-per-Ann" },
        active: true,
        sessions: [
          {
            sessionId: "lesson",
            status: "EXCUSED",
            source: "instructor",
            minutes: null,
            reports: [
              { status: "ABSENT", source: "classroom", at: new Date(at).toISOString() },
              { status: "EXCUSED", source: "instructor" },
            ],
          },
        ],
      },
    ]);
    expect(text).not.toMatch(/"name"|@|teacher/);
  });

  test("reads whether and when each grade reached the gradebook", async () => {
    const key = await keyFor();
    await course.fact("per-Ann", "lesson", "PRESENT");
    await course.grade("per-Ann");
    expect((await read(graded, key)).data).toMatchObject([
      { person: { id: "per-Ann" }, scores: [{ sessionId: null, state: "waiting", arrived: null }] },
    ]);
    course.pass(hour);
    await course.deliver();
    const { data } = await read(graded, key);
    expect(data).toMatchObject([{ scores: [{ state: "delivered", arrived: { score: 100, maximum: 100 } }] }]);
    const day = new Date(course.clock.now()).toISOString().slice(0, 10);
    expect(JSON.stringify(data)).toMatch(new RegExp(`"at":"${day}T`));
    await stores.courses.setOption(of.courseId, "gradesRelease", "hand");
    await course.correct("per-Ann", "lesson", "ABSENT");
    await course.grade("per-Ann");
    const kept = { wanted: { score: 100, maximum: 100 }, unreleased: { score: 0, maximum: 100 } };
    expect((await read(graded, key)).data).toMatchObject([{ scores: [{ state: "delivered", ...kept }] }]);
  });

  test("reads names and e-mail addresses, until the person is erased", async () => {
    await course.mailable("Cleo");
    const key = await keyFor();
    expect((await read(people, key)).data).toContainEqual(
      expect.objectContaining({
        lmsId: "sub-per-Cleo",
        name: "Cleo",
        email: "Cleo@example.edu",
        graded: true,
      }),
    );
    await course.fact("per-Cleo", "lesson", "PRESENT");
    await course.grade("per-Cleo");
    expect((await read(attended, key)).data).toHaveLength(1);
    const erasing = { ...app, whileSessionsChange: <T>(_of: unknown, change: () => Promise<T>) => change() };
    const { id } = await erasePerson(erasing, "per-Cleo");
    await runErasure(erasing, id);
    for (const path of [people, attended, graded])
      expect(JSON.stringify(await read(path, key))).not.toContain("Cleo");
  });

  test("reads long lists page by page, each row once", async () => {
    await course.enrolMany(205);
    const key = await keyFor();
    const seen: unknown[] = [];
    let [next, pages]: [string | null, number] = ["", 0];
    while (next !== null) {
      const { data, next: more } = await read(`${people}?limit=100&cursor=${next}`, key);
      seen.push(...data.map(({ id }) => id));
      [next, pages] = [more, pages + 1];
    }
    expect([pages, seen.length, new Set(seen).size]).toEqual([3, 207, 207]);
  });

  test("is sent nothing that has not changed, and can ask by HEAD", async () => {
    const key = await keyFor();
    const first = await ask("/courses", key);
    const tag = first.headers.get("etag") ?? "";
    expect([first.headers.get("cache-control"), tag]).toEqual([
      "private, no-cache",
      expect.stringMatching(/./),
    ]);
    const again = () => ask("/courses", key, { headers: { "if-none-match": tag } });
    expect((await again()).status).toBe(304);
    const head = await ask("/courses", key, { method: "HEAD" });
    expect([head.status, await head.text(), head.headers.get("etag")]).toEqual([200, "", tag]);
    await course.otherCourse("crs_2", null);
    expect((await again()).status).toBe(200);
  });

  test("gets answers as the OpenAPI document describes them", async () => {
    await course.fact("per-Ann", "lesson", "PRESENT");
    await course.grade("per-Ann");
    await course.deliver();
    const document = z
      .object({
        openapi: z.string(),
        paths: z.record(z.string(), z.object({ get: z.looseObject({}) })),
        components: z.object({ schemas: z.record(z.string(), z.record(z.string(), z.unknown())) }),
      })
      .parse(await (await ask("/openapi.json", null)).json());
    expect(document.openapi).toBe("3.1.1");
    const schemaNamed = (name: string) => z.fromJSONSchema({ ...document.components.schemas[name] });
    const key = await keyFor();
    for (const [path, { get }] of Object.entries(document.paths)) {
      const [, name = ""] =
        /"items":\{"\$ref":"#\/components\/schemas\/(\w+)"/.exec(JSON.stringify(get)) ?? [];
      const { data } = await read(path.replace("{course}", of.courseId), key);
      expect([path, data.length > 0]).toEqual([path, true]);
      for (const row of data) expect(schemaNamed(name).parse(row)).toEqual(row);
    }
    const missing = await (await ask("/courses", null)).json();
    expect(schemaNamed("Problem").parse(missing)).toEqual(missing);
  });
});

describe("a key", () => {
  test("is stored as a digest, with its latest use to the minute", async () => {
    const key = await keyFor();
    const [id = "", secret = ""] = key.split(".");
    const stored = async () => (await stores.apiKeys.find(id))?.usedAt;
    expect(JSON.stringify(await stores.personalRecords.list("ApiKey", {}, "", 10))).not.toContain(secret);
    expect(await stored()).toBeNull();
    const use = async () => {
      await ask("/courses", key);
      await background.settle();
      return stored();
    };
    const first = await use();
    expect(first).toBeGreaterThan(0);
    expect(await use()).toBe(first);
    course.pass(61_000);
    expect(await use()).toBeGreaterThan(first ?? 0);
  });

  test("reads nothing outside its scopes, whether it exists or not", async () => {
    const key = await keyFor({ scopes: ["attendance:read"] });
    expect((await ask(attended, key)).status).toBe(200);
    for (const path of [graded, people, "/courses/nowhere/people"])
      expect(await refused(path, key)).toEqual([403, "api-scope-missing"]);
  });

  test("reads nothing of another LMS, as if it didn't exist", async () => {
    const theirs = await keyFor({ registrationId: "reg_2" });
    expect((await read("/courses", theirs)).data).toEqual([]);
    const answers = async (id: string) => {
      const paths = ["sessions", "attendance", "grades", "people"].map((name) => `/courses/${id}/${name}`);
      return Promise.all(paths.map(async (path) => problem.parse(await (await ask(path, theirs)).json())));
    };
    expect(await answers(of.courseId)).toEqual(await answers("nowhere"));
    expect((await answers(of.courseId)).map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  test("for a deployment reads only its courses; one for the LMS skips deployments with their own account", async () => {
    const [registrationId, deploymentId] = [of.registrationId, "2"];
    const deployment = { registrationId, deploymentId, status: "accepted" as const, firstSeenAt: 1 };
    await stores.deployments.record(deployment);
    const there = { registrationId, deploymentId, contextId: "there" };
    await stores.courses.record(there, launchedCourse(), newCourse("crs_there"));
    const [whole, one] = [await keyFor(), await keyFor({ deploymentId })];
    const ids = async (key: string) => (await read("/courses", key)).data.map(({ id }) => id);
    expect([await ids(whole), await ids(one)]).toEqual([[of.courseId, "crs_there"], ["crs_there"]]);
    expect(await refused(attended, one)).toEqual([404, "api-not-found"]);
    await stores.deployments.setAccount(registrationId, deploymentId, "their-own");
    expect([await ids(whole), await ids(one)]).toEqual([[of.courseId], ["crs_there"]]);
    expect(await refused("/courses/crs_there/people", whole)).toEqual([404, "api-not-found"]);
  });

  test("for a deployment reads nothing once the deployment is refused", async () => {
    const [registrationId, deploymentId] = [of.registrationId, "1"];
    await stores.deployments.record({ registrationId, deploymentId, status: "accepted", firstSeenAt: 1 });
    const key = await keyFor({ deploymentId });
    expect((await ask("/courses", key)).status).toBe(200);
    await stores.deployments.setStatus(registrationId, deploymentId, "refused");
    expect(await refused("/courses", key)).toEqual([403, "api-lms-off"]);
  });

  test("that expired, was ended, or whose LMS is off reads nothing", async () => {
    const [ending, ended, left] = [await keyFor({ until: day(1) }), await keyFor(), await keyFor()];
    expect((await ask("/courses", ending)).status).toBe(200);
    await endApiKey(app, ended.split(".")[0] ?? "");
    expect(await refused("/courses", ended)).toEqual([401, "api-key-unknown"]);
    course.pass(49 * hour);
    expect(await refused("/courses", ending)).toEqual([401, "api-key-ended"]);
    expect((await ask("/courses", left)).status).toBe(200);
    await stores.registrations.set(of.registrationId, { active: false });
    expect(await refused("/courses", left)).toEqual([403, "api-lms-off"]);
    const log = await stores.audit.list(null, 10, of.registrationId);
    expect(log.map(({ what }) => what)).toEqual([
      "api-key-ended",
      "api-key-made",
      "api-key-made",
      "api-key-made",
    ]);
  });

  test("that asks too often must wait, while another one needn't", async () => {
    const [busy, calm] = [await keyFor(), await keyFor()];
    const answers = await Promise.all(Array.from({ length: 40 }, () => ask("/courses", busy)));
    const late = answers.filter(({ status }) => status === 429);
    expect(late.length).toBeGreaterThan(5);
    expect(Number(late[0]?.headers.get("retry-after"))).toBeGreaterThan(0);
    expect((await ask("/courses", calm)).status).toBe(200);
    course.pass(1_000);
    expect((await ask("/courses", busy)).status).toBe(200);
  });

  test.each([
    ["no key", null],
    ["another word", "secret"],
    ["an unknown key", `spacesapi_0.${"s".repeat(43)}`],
  ])("is required: %s", async (_what, key) => {
    const answer = await ask("/courses", key);
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([
      401,
      expect.stringMatching(/^Bearer/),
    ]);
  });

  test("needs its secret part", async () => {
    const [id = "", secret = ""] = (await keyFor()).split(".");
    const other = secret.startsWith("A") ? "B" : "A";
    expect(await refused("/courses", `${id}.${other}${secret.slice(1)}`)).toEqual([401, "api-key-unknown"]);
  });

  test.each([
    [{ name: " " }, "api-key-name"],
    [{ name: "n".repeat(81) }, "api-key-name"],
    [{ until: "2026-02-31" }, "api-key-until"],
    [{ until: "2020-01-01" }, "api-key-until"],
    [{ until: "2099-01-01" }, "api-key-until"],
    [{ until: "tomorrow" }, "api-key-until"],
    [{ registrationId: "nowhere" }, "no-such-registration"],
    [{ deploymentId: "nowhere" }, "deployment-unknown"],
  ])("can't be made from %j", async (wanted, code) => {
    await expect(keyFor(wanted)).rejects.toMatchObject({ code });
    expect(await stores.apiKeys.list(null)).toEqual([]);
  });
});

describe("the API", () => {
  test.each(["POST", "PUT", "PATCH", "DELETE", "OPTIONS"])("refuses %s", async (method) => {
    const key = await keyFor();
    for (const path of ["/courses", attended, "/openapi.json", "/nowhere"]) {
      expect(await refused(path, key, { method })).toEqual([405, "api-method"]);
      expect((await ask(path, key, { method })).headers.get("allow")).toBe("GET, HEAD");
    }
  });

  test.each([
    ["/courses?limit=0", "api-limit-unreadable"],
    ["/courses?limit=201", "api-limit-unreadable"],
    ["/courses?limit=all", "api-limit-unreadable"],
    ["/courses?limit=1&limit=2", "api-limit-unreadable"],
    ["/courses?cursor=%27", "api-cursor-unreadable"],
    [`/courses?cursor=${"c".repeat(1_101)}`, "api-cursor-unreadable"],
  ])("says what is wrong with %s", async (path, code) => {
    expect(await refused(path, await keyFor())).toEqual([400, code]);
  });

  test("has no other addresses", async () => {
    expect(await refused("/people", null)).toEqual([404, "api-not-found"]);
    expect(await refused("/courses/%E0/people", await keyFor())).toEqual([404, "api-not-found"]);
  });
});
