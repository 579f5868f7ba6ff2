import { describe, expect, test } from "vitest";
import { z } from "zod";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import type {
  StandInClassroom,
  StandInClassroomOptions,
} from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { quickClassroom } from "../../support/stand-ins/quick-classroom.ts";
import { service } from "../classroom/answering-service.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

async function startClassroom(options: Partial<StandInClassroomOptions> = {}): Promise<StandInClassroom> {
  // The clocks of these tests stop with the process.
  const own = { apiKey: "key-1", webhookSecret: "hook-secret", watchStalls: false };
  return closedAfterTest(await quickClassroom({ ...own, ...options }));
}

async function call(classroom: StandInClassroom, method: string, path: string, body?: unknown) {
  const answer = await fetch(classroom.apiUrl + path, {
    method,
    headers: { authorization: "Bearer key-1", "content-type": "application/json" },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const json: unknown = await answer.json();
  return { status: answer.status, json, headers: answer.headers };
}

async function field(
  classroom: StandInClassroom,
  method: string,
  path: string,
  name: string,
  body?: unknown,
) {
  const { json } = await call(classroom, method, path, body);
  return z.string().parse(z.record(z.string(), z.unknown()).parse(json)[name]);
}

async function newUser(classroom: StandInClassroom, role: "host" | "participant", name = "Ada Lovelace") {
  return field(classroom, "POST", "/users/createAPIUser", "userId", { name, role });
}

async function newSpace(classroom: StandInClassroom, extra: object = {}) {
  return field(classroom, "POST", "/spaces/create", "spaceId", { name: "Algebra", ...extra });
}

async function loginUrl(classroom: StandInClassroom, userId: string, spaceId: string, query = "") {
  const redirectUrl = encodeURIComponent(`${classroom.appUrl}/spaces/${spaceId}${query}`);
  return field(classroom, "POST", `/users/${userId}/authorize`, "url", { redirectUrl });
}

async function pageOf(url: string) {
  const answer = await fetch(url, { headers: { accept: "text/html" } });
  return { status: answer.status, text: await answer.text() };
}

describe("the stand-in classroom's API", () => {
  test("answers the fifth call within a second with 429 and Retry-After, and accepts calls a second later", async () => {
    let now = 1_000_000;
    const clock: Clock = { now: () => now, sleep: (ms, signal) => systemClock.sleep(ms, signal) };
    const classroom = await startClassroom({ rateLimit: true, clock });
    const statuses: number[] = [];
    for (let index = 0; index < 5; index += 1) {
      const { status, headers } = await call(classroom, "GET", "/events/none");
      statuses.push(status);
      if (status === 429) expect(headers.get("retry-after")).toBe("1");
      expect(headers.get("keep-alive"), "as long as usual servers and proxies").toBe("timeout=75");
    }
    expect(statuses).toEqual([404, 404, 404, 404, 429]);
    now += 1_000;
    expect((await call(classroom, "GET", "/events/none")).status).toBe(404);
    expect(classroom.callCounts()).toEqual({ accepted: 5, refusedByLimit: 1, mostInOneSecond: 5 });
  });

  test.each([
    ["arrivals", [404, 404, 404, 404, 404]],
    ["replies", [404, 404, 404, 404, 429]],
  ] as const)("counts %s for the limit as configured", async (limitCounts, expected) => {
    let now = 0;
    let delay = 0;
    const clock: Clock = {
      now: () => now,
      sleep: () => {
        now += delay;
        return Promise.resolve();
      },
    };
    const replyTimes = { from: 1, to: 1 };
    const classroom = await startClassroom({ clock, rateLimit: true, limitCounts, replyTimes });
    const statuses: number[] = [];
    // They arrive evenly; all but the last one are answered within a tenth of a second.
    for (const [arrivesAt, takes] of [
      [0, 800],
      [300, 500],
      [600, 200],
      [890, 0],
      [1_010, 0],
    ] as const) {
      now = arrivesAt;
      delay = takes;
      statuses.push((await call(classroom, "GET", "/events/none")).status);
    }
    expect(statuses).toEqual(expected);
  });

  test.each([
    ["not encoded", (url: string) => url],
    ["encoded twice", (url: string) => encodeURIComponent(encodeURIComponent(url))],
    ["on another origin", () => encodeURIComponent("https://elsewhere.example/spaces/1")],
  ])("refuses a redirectUrl that is %s", async (_title, spoil) => {
    const classroom = await startClassroom();
    const userId = await newUser(classroom, "participant");
    const url = `${classroom.appUrl}/spaces/${await newSpace(classroom)}`;
    const { status } = await call(classroom, "POST", `/users/${userId}/authorize`, {
      redirectUrl: spoil(url),
    });
    expect(status).toBe(400);
  });
});

describe("a Space page", () => {
  test("lets a participant start the call only with skipCallHostCheck", async () => {
    const classroom = await startClassroom();
    const ada = await newUser(classroom, "participant");
    const spaceId = await newSpace(classroom);
    const alone = await pageOf(await loginUrl(classroom, ada, spaceId, "?startCall=true"));
    expect(alone.text).toContain("No call yet.");
    const both = await pageOf(
      await loginUrl(classroom, ada, spaceId, "?startCall=true&skipCallHostCheck=true"),
    );
    expect(both.text).toContain("You started the call by joining.");
  });

  test("accepts as hosts users created as hosts, and those that the Space names", async () => {
    const classroom = await startClassroom();
    const [ada, bea, cyd] = [
      await newUser(classroom, "host", "Ada"),
      await newUser(classroom, "host", "Bea"),
      await newUser(classroom, "participant", "Cyd"),
    ];
    const named = { hosts: [{ userId: ada }, { userId: cyd }], participants: [{ userId: bea }] };
    const told = await newSpace(classroom, named);
    const withoutPeople = await newSpace(classroom);
    const roleIn = async (userId: string, spaceId: string) =>
      /id="role"\s*>(\w+)/.exec((await pageOf(await loginUrl(classroom, userId, spaceId))).text)?.[1];
    expect(await Promise.all([ada, bea, cyd].map((userId) => roleIn(userId, told)))).toEqual([
      "host",
      "participant",
      "participant",
    ]);
    expect(await Promise.all([ada, bea, cyd].map((userId) => roleIn(userId, withoutPeople)))).toEqual([
      "host",
      "host",
      "participant",
    ]);
    const startsCall = async (userId: string) =>
      (await pageOf(await loginUrl(classroom, userId, told, "?startCall=true"))).text.includes("You started");
    expect([await startsCall(bea), await startsCall(cyd), await startsCall(ada)]).toEqual([
      false,
      false,
      true,
    ]);
    const nobody = { name: "Algebra", hosts: [{ userId: "user_none" }] };
    expect((await call(classroom, "POST", "/spaces/create", nobody)).status).toBe(404);
  });

  test("accepts a login for one hour and only for its own Space", async () => {
    let now = 1_000_000;
    const clock: Clock = { now: () => now, sleep: (ms, signal) => systemClock.sleep(ms, signal) };
    const classroom = await startClassroom({ clock });
    const ada = await newUser(classroom, "participant");
    const url = await loginUrl(classroom, ada, await newSpace(classroom));
    const other = await newSpace(classroom);
    now += 3_599_999;
    expect((await pageOf(url)).status).toBe(200);
    expect((await pageOf(url.replace(/space_\w+/, other))).status).toBe(403);
    now += 1;
    expect((await pageOf(url)).text).toContain("expired");
  });
});

describe("the stand-in classroom's webhooks", () => {
  test("send an attendance mark with the bearer secret, exactly as in the document", async () => {
    const { url, asked } = await service((_asked, response) => response.end());
    const classroom = await startClassroom({ webhookUrl: `${url}/hook` });
    const userId = await newUser(classroom, "participant");
    const { eventId } = classroom.createEvent({ title: "Week 1", spaceId: await newSpace(classroom) });
    const at = Date.parse("2026-03-02T09:00:00.000Z");
    classroom.markAttendance({ eventId, userId, status: "ABSENT", at });
    await classroom.webhooksSettled();
    classroom.markAttendance({ eventId, userId, status: "LATE", notes: "bus", at: at + 60_000 });
    await classroom.webhooksSettled();
    expect(asked.at(-1)?.headers.authorization).toBe("Bearer hook-secret");
    expect(JSON.parse(asked.at(-1)?.body ?? "")).toEqual({
      eventId,
      userId,
      timestamp: "2026-03-02T09:01:00.000Z",
      updatedBy: "account-of-the-api-key",
      prevStatus: { status: "ABSENT" },
      currentStatus: { status: "LATE", notes: "bus" },
    });
    const reply = await call(classroom, "GET", `/attendance/${eventId}`);
    expect(reply.json).toMatchObject({ attendance: [{ userId, status: "LATE", notes: "bus" }] });
  });
});
