import { createServer, type IncomingMessage } from "node:http";
import { describe, expect, test, vi } from "vitest";
import { createExchanges } from "../../../src/classroom/exchange.ts";
import { type ClassroomClient } from "../../../src/classroom/client.ts";
import { createThrottle } from "../../../src/classroom/throttle.ts";
import { joinUrl } from "../../../src/domain/join-settings.ts";
import { defaultJoinSettings } from "../../../src/settings/options.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import type {
  StandInClassroom,
  StandInClassroomOptions,
} from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { classroomClient } from "../../support/stand-ins/classroom-client.ts";
import { closed, listening } from "../../support/stand-ins/local-server.ts";
import { memoryThrottleStore } from "./memory-throttle-store.ts";
import { quickClassroom } from "../../support/stand-ins/quick-classroom.ts";
import { dialectOf } from "../../support/stand-ins/dialects.ts";
import { ada as someAda, entering, failureOf } from "./answering-service.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

const apiKey = "key-that-must-stay-secret";
const ada = { ...someAda, role: "participant" } as const;

type ClientOptions = Parameters<typeof classroomClient>[1];

const clientOf = (apiUrl: string, appUrl: string, options: ClientOptions = {}) =>
  classroomClient(
    { apiUrl, appUrl },
    {
      apiKey,
      throttle: createThrottle({
        store: memoryThrottleStore(),
        key: apiKey,
        clock: systemClock,
        ids: randomIds,
      }),
      ...options,
    },
  );

/** The stand-in and a client for it. */
async function withClassroom(
  options: Partial<StandInClassroomOptions> = {},
  clientOptions: ClientOptions = {},
): Promise<{ classroom: StandInClassroom; client: ClassroomClient }> {
  const classroom = closedAfterTest(await quickClassroom({ apiKey, ...options }));
  return { classroom, client: clientOf(classroom.apiUrl, classroom.appUrl, clientOptions) };
}

/** A service that gives the same answer to everything. */
async function withAnswer(
  status: number,
  body: string | ((request: IncomingMessage) => string),
  clientOptions: ClientOptions = {},
  headers: Record<string, string> = {},
) {
  const requests: IncomingMessage[] = [];
  const server = createServer((request, response) => {
    requests.push(request);
    response.writeHead(status, { "content-type": "application/json", ...headers });
    response.end(typeof body === "string" ? body : body(request));
  });
  const url = await listening(server);
  closedAfterTest({ close: () => closed(server) });
  return { client: clientOf(`${url}/v1`, "https://app.example", clientOptions), requests };
}

describe.each(["a", "b", "c", "d", "clients"] as const)(
  "with the service in spelling %s, the client",
  (spelling) => {
    test("brings a person into a Space with the parameters on the Space URL", async () => {
      const { classroom, client } = await withClassroom({ spelling }, { dialect: dialectOf(spelling) });
      const { userId } = await client.createApiUser(ada, entering);
      const { spaceId, elsewhere } = await client.createSpace(
        { name: "Algebra", access: "Public", waitingRoom: true },
        entering,
      );
      expect(elsewhere).toBeNull();
      const redirectUrl = joinUrl({
        appUrl: classroom.appUrl,
        spaceId,
        settings: { ...defaultJoinSettings, language: "pt" },
        role: "host",
        locale: null,
        mobile: false,
      });
      const login = new URL((await client.authorize({ userId, redirectUrl }, entering)).url);
      expect([...login.searchParams.keys()]).toEqual(["loginMethod", "loginType", "token"]);
      expect(classroom.users()).toMatchObject([{ userId, name: "Ada Lovelace", externalId: "per_1" }]);
      expect(classroom.spaces()).toMatchObject([{ spaceId, access: "Public", enableWaitingRoom: true }]);
      expect(classroom.authorizations()[0]?.parameters).toEqual({
        startCall: "true",
        standalone: "true",
        language: "pt",
      });
    });

    test("schedules a session, and reads it and its attendance back", async () => {
      const { classroom, client } = await withClassroom({ spelling }, { dialect: dialectOf(spelling) });
      const { userId } = await client.createApiUser(ada, entering);
      const { spaceId } = await client.createSpace(
        { name: "Algebra", access: "Public", waitingRoom: false },
        entering,
      );
      const startsAt = Date.parse("2026-03-02T09:00:00Z");
      const session = { title: "Week 1", spaceId, startsAt, endsAt: startsAt + 3_600_000 };
      const { eventId } = await client.createEvent(session, entering);
      expect(await client.readEvent(eventId, entering)).toEqual({ eventId, ...session, cancelled: false });
      expect((await client.readAttendance(eventId, entering)).entries).toEqual([]);
      classroom.markAttendance({ eventId, userId, status: "LATE", notes: "bus", at: startsAt });
      expect((await client.readAttendance(eventId, entering)).entries).toEqual([
        { userId, status: "LATE", notes: "bus", updatedAt: startsAt },
      ]);
      classroom.cancelEvent({ eventId });
      expect(await client.readEvent(eventId, entering)).toMatchObject({ cancelled: true });
    });

    test("reads cohorts, alerts and recordings", async () => {
      const { classroom, client } = await withClassroom({ spelling }, { dialect: dialectOf(spelling) });
      const { spaceId } = await client.createSpace(
        { name: "Algebra", access: "Public", waitingRoom: false },
        entering,
      );
      const { cohortId, programId } = classroom.createCohort({
        name: "A",
        organizerIds: ["t"],
        attendeeIds: ["x", "y"],
      });
      const alert = classroom.raiseAlert({ alertType: "EVENT_NO_SHOW" });
      const recording = classroom.publishRecording({ spaceId });
      expect(await client.readCohort({ programId, cohortId }, entering)).toEqual({
        cohortId,
        programId,
        name: "A",
        organizers: [{ userId: "t", name: null }],
        attendees: [
          { userId: "x", name: null },
          { userId: "y", name: null },
        ],
        cut: null,
      });
      expect(await client.readAlert(alert.alertId, entering)).toMatchObject({
        alertType: "EVENT_NO_SHOW",
        status: "OPEN",
      });
      const { recordingId, title, url, startedAt } = recording;
      expect(await client.readRecordings(spaceId, entering)).toMatchObject({
        recordings: [{ recordingId, spaceId, title, url, startedAt, durationSeconds: 3_600, state: "ready" }],
      });
      classroom.deleteCohort({ cohortId });
      expect(await client.readCohort({ programId, cohortId }, entering)).toBeNull();
      expect(await client.readEvent("nobody-knows", entering)).toBeNull();
    });
  },
);

describe("the client", () => {
  test("finds the address of the second spelling once and remembers it", async () => {
    const { classroom, client } = await withClassroom({ spelling: "b" });
    for (let index = 0; index < 3; index += 1) await client.createApiUser(ada, entering);
    expect(classroom.calls().map((call) => [call.path, call.status])).toEqual([
      ["/users/createAPIUser", 404],
      ["/user/createAPIUser", 201],
      ["/user/createAPIUser", 201],
      ["/user/createAPIUser", 201],
    ]);
  });

  test("stays below the limit of a service that counts, so no call is refused", async () => {
    const { classroom, client } = await withClassroom({ rateLimit: true });
    await Promise.all(Array.from({ length: 14 }, () => client.readEvent("none", { priority: "background" })));
    expect(classroom.callCounts()).toEqual({ accepted: 14, refusedByLimit: 0, mostInOneSecond: 4 });
  });

  test("waits as long as Retry-After says and continues, even with a creation", async () => {
    const { classroom, client } = await withClassroom();
    classroom.addFault({ operation: "createApiUser", kind: "429", times: 2, retryAfterSeconds: 1 });
    await client.createApiUser(ada, entering);
    const [first, , third] = classroom.calls();
    expect((third?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(1_990);
    expect(classroom.users()).toHaveLength(1);
  });

  test("reports a busy classroom when 429 does not end in time", async () => {
    const { client } = await withAnswer(429, "{}", { patienceMs: 500 }, { "retry-after": "30" });
    expect(await failureOf(client.readEvent("e", entering))).toMatchObject({
      code: "classroom-busy",
      temporary: true,
    });
  });

  test("pauses as long as Retry-After says, even if the call itself cannot wait that long", async () => {
    const { client, requests } = await withAnswer(429, "{}", { patienceMs: 500 }, { "retry-after": "3" });
    expect(await failureOf(client.readEvent("e", entering))).toMatchObject({ code: "classroom-busy" });
    const began = Date.now();
    expect(await failureOf(client.readEvent("e", entering))).toMatchObject({ code: "classroom-busy" });
    expect(requests).toHaveLength(2);
    expect(Date.now() - began).toBeGreaterThan(2_700);
  });

  test("repeats a read call after a 500 and after a broken connection", async () => {
    const { classroom, client } = await withClassroom();
    const { eventId } = classroom.createEvent({ title: "Week 1" });
    classroom.addFault({ operation: "readEvent", kind: "500" });
    classroom.addFault({ operation: "readEvent", kind: "drop" });
    expect(await client.readEvent(eventId, entering)).toMatchObject({ title: "Week 1" });
  });

  test("does not repeat a creation with an unknown outcome, and says so", async () => {
    const { classroom, client } = await withClassroom({}, { timeoutMs: 300 });
    for (const kind of ["500", "drop", "slow"] as const) {
      classroom.addFault({ operation: "createApiUser", kind, takesEffect: true, delayMs: 400 });
      const failure = await failureOf(client.createApiUser(ada, entering));
      expect(failure).toMatchObject({
        code: "classroom-unreachable",
        temporary: true,
        details: { outcome: "unknown" },
      });
      expect(failure.message).toContain("It is not known whether it took effect");
    }
    expect(classroom.calls()).toHaveLength(3);
  });

  test("retries a creation that the service certainly never saw, and says that nothing was created", async () => {
    const { classroom, client } = await withClassroom();
    await classroom.close();
    const failure = await failureOf(client.createApiUser(ada, entering));
    expect(failure).toMatchObject({ code: "classroom-unreachable", details: { outcome: "not-done" } });
    expect(failure.message).not.toContain("not known");
  });

  test.each([401, 403])("on %i tells an operator which setting to check", async (status) => {
    const { client } = await withAnswer(status, "{}");
    const failure = await failureOf(
      client.createSpace({ name: "A", access: "Public", waitingRoom: false }, entering),
    );
    expect(failure).toMatchObject({ code: "classroom-unauthorized", temporary: false });
    expect(failure.message).toContain("CLASSROOM_API_KEY");
  });

  test.each([
    ["lacks the id", '{"user":{"name":"Ada Lovelace","email":"ada@example.org","token":"t0k3n"}}'],
    ["is a page, not JSON", "<title>Ada Lovelace</title>"],
    ["is empty", ""],
    ["has a null id", '{"userId":null}'],
  ])("a reply that %s causes a named error with field names but without values", async (_title, body) => {
    const { client } = await withAnswer(200, body);
    const failure = await failureOf(client.createApiUser(ada, entering));
    expect(failure.code).toBe("classroom-reply-unreadable");
    expect(JSON.stringify([failure.message, failure.details])).not.toMatch(/Ada|example\.org|t0k3n/);
  });

  test.each([
    "https://elsewhere.example/spaces/1?token=t",
    "https://app.example.evil.example/spaces/1",
    "https://app.example@evil.example/spaces/1",
    "http://app.example/spaces/1",
    "javascript:alert(1)//https://app.example",
  ])("never sends a person to %s", async (url) => {
    const { client } = await withAnswer(200, JSON.stringify({ url }));
    const failure = await failureOf(
      client.authorize({ userId: "u", redirectUrl: "https://app.example/spaces/1" }, entering),
    );
    expect(failure.code).toBe("classroom-login-elsewhere");
    expect(JSON.stringify([failure.message, failure.details])).not.toContain("token=");
  });

  test("accepts another login origin when the dialect names it", async () => {
    const url = "https://login.example/spaces/1?token=t";
    const { client } = await withAnswer(200, JSON.stringify({ url }), {
      dialect: { loginOrigins: ["https://login.example"] },
    });
    expect(
      await client.authorize({ userId: "u", redirectUrl: "https://app.example/spaces/1" }, entering),
    ).toEqual({ url });
  });

  test("does not send the key to a redirect's target", async () => {
    const { client, requests } = await withAnswer(302, "", {}, { location: "/elsewhere" });
    expect((await failureOf(client.readAlert("a", entering))).code).toBe("classroom-refused");
    expect(requests).toHaveLength(1);
  });

  test("keeps the API key out of every error and log line", async () => {
    const log: string[] = [];
    const failures = [
      await failureOf(
        (await withAnswer(401, `{"key":"${apiKey}"}`, { log })).client.readEvent("e", entering),
      ),
      await failureOf((await withAnswer(200, `"${apiKey}"`, { log })).client.createApiUser(ada, entering)),
      await failureOf(
        clientOf("http://127.0.0.1:9", "https://app.example", { log }).readEvent("e", entering),
      ),
    ];
    for (const failure of failures) {
      expect(
        JSON.stringify([failure.message, failure.details, failure.stack, String(failure.cause)]),
      ).not.toContain(apiKey);
    }
    expect(log.length).toBeGreaterThan(0);
    expect(log.join("")).not.toContain(apiKey);
    const broken = () =>
      clientOf("https://api.example", "https://app.example", { apiKey: "key\nwith break" });
    expect(broken).toThrow(expect.objectContaining({ code: "classroom-key-unusable" }));
    expect(broken).not.toThrow(/with break/);
  });

  test("stops when the person who enters leaves", async () => {
    const { classroom, client } = await withClassroom();
    classroom.addFault({ kind: "slow", delayMs: 5_000 });
    const leaving = new AbortController();
    const entry = client.readEvent("e", { priority: "entry", signal: leaving.signal });
    const left = expect(entry).rejects.toThrow("gone");
    await vi.waitFor(() => expect(classroom.calls()).toHaveLength(1), 30_000);
    leaving.abort(new Error("gone"));
    await left;
  });

  test("leaves out what the LMS withholds", async () => {
    const { classroom, client } = await withClassroom();
    const nameless = { ...ada, name: "Learner 7", givenName: null, familyName: null, email: null };
    await client.createApiUser(nameless, entering);
    expect(classroom.users()).toMatchObject([{ name: "Learner 7", email: null }]);
    expect(classroom.calls()[0]?.body).toEqual({
      name: "Learner 7",
      role: "participant",
      externalId: "per_1",
    });
  });

  test("renames a person only if the dialect has an address for that", async () => {
    expect((await withClassroom()).client.updateApiUser).toBeNull();
    const { client, requests } = await withAnswer(204, "", {
      dialect: {
        operations: {
          updateApiUser: { routes: [{ method: "PATCH", path: "/users/{userId}", body: { name: "{name}" } }] },
        },
      },
    });
    await client.updateApiUser?.({ ...ada, userId: "user_1" }, entering);
    expect(requests).toMatchObject([{ method: "PATCH", url: "/v1/users/user_1" }]);
  });

  test("asks its caller before it queues and before it sends, and sends nothing after a no", async () => {
    const { classroom, client } = await withClassroom();
    classroom.addFault({ operation: "createApiUser", kind: "429", times: 1, retryAfterSeconds: 0 });
    const told: string[] = [];
    const hooks = {
      priority: "background",
      onWait: () => void told.push("waits"),
      onPermit: async () => {
        await new Promise((resolve) => setImmediate(resolve));
        told.push(`sends after ${classroom.calls().length}`);
      },
    } as const;
    await client.createApiUser(ada, hooks);
    expect(told).toEqual(["waits", "sends after 0", "waits", "sends after 1"]);
    const refuse = () => Promise.reject(new Error("not needed any more"));
    await expect(client.createApiUser(ada, { ...hooks, onPermit: refuse })).rejects.toThrow("not needed");
    expect(classroom.calls()).toHaveLength(2);
  });
});

test("a call uses the environment's outgoing proxy, which resolves names", async () => {
  const asked: string[] = [];
  const proxy = createServer((request, response) => {
    asked.push(`${request.method ?? ""} ${request.url ?? ""}`);
    request.resume().on("end", () => response.end("{}"));
  });
  const HTTP_PROXY = await listening(proxy);
  const lookup = () => expect.unreachable("names are the proxy's business");
  const request = { method: "POST", url: "http://classroom.invalid/users", headers: {}, body: "{}" };
  const exchange = createExchanges({ proxyEnv: { HTTP_PROXY }, lookup })(request);
  await exchange.ready;
  await exchange.send();
  expect([(await exchange.answer).status, asked]).toEqual([200, ["POST http://classroom.invalid/users"]]);
  exchange.end();
  await closed(proxy);
});
