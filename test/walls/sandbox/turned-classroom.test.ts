import { expect, test } from "vitest";
import { z } from "zod";
import { lazily } from "../../../src/kernel/async.ts";
import type { Clock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { assumptionNames, lmsAssumptions, nothingTurned, type Turned } from "../../../sandbox/assumptions.ts";
import { startStandInClassroom } from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { service } from "../classroom/answering-service.ts";
import { closedAfterTest } from "../../support/for-all-tests.ts";

const monday = Date.parse("2026-09-14T10:00:00.123Z");

/** A clock that a test moves; sleepers wake immediately, and their times are recorded. */
function movedClock() {
  let now = monday;
  const slept: number[] = [];
  const clock: Clock = {
    now: () => now,
    sleep: (ms) => {
      slept.push(ms);
      return Promise.resolve();
    },
  };
  return { clock, slept, move: (ms: number) => (now += ms) };
}

const idIn = (text: string, ...names: string[]) =>
  names
    .map((name) => new RegExp(`"${name}":"?([^",}]+)`).exec(text)?.[1])
    .find((found) => found !== undefined) ?? "";

/** Everything that a classroom sends, in a fixed course of events; ids and addresses are normalized. */
async function heardOf(turned: Turned): Promise<unknown> {
  const { clock, slept, move } = movedClock();
  // Refuses the first webhook, answers the second with 202 and the others with 200.
  const statuses = [503, 202];
  const hook = await service((_asked, response) => response.writeHead(statuses.shift() ?? 200).end());
  const classroom = await startStandInClassroom({
    port: 0,
    clock,
    watchStalls: false,
    logger: createLogger("silent"),
    apiKey: "key-1",
    webhookSecret: "secret",
    webhookUrl: `${hook.url}/`,
    turned,
    institution: { autoAttendance: true, endRedirect: { url: "http://tool.example/ended" } },
  });
  closedAfterTest(classroom);
  const heard: unknown[] = [];
  const call = async (method: string, path: string, body?: unknown, key = "key-1"): Promise<string> => {
    move(2_600);
    return callNow(method, path, body, key);
  };
  const callNow = async (method: string, path: string, body?: unknown, key = "key-1"): Promise<string> => {
    const answer = await fetch(classroom.apiUrl + path, {
      method,
      headers: { authorization: `Bearer ${key}`, "x-api-key": key, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    const { headers, status } = answer;
    heard.push([method, status, headers.get("content-type"), headers.get("retry-after"), text]);
    return text;
  };
  const page = async (url: string) => {
    const answer = await fetch(url, { redirect: "manual" });
    heard.push([answer.status, answer.headers.get("location"), await answer.text()]);
  };

  const asBearer = { headers: { authorization: "Bearer key-1" } };
  heard.push((await fetch(`${classroom.apiUrl}/events/none`, asBearer)).status);
  await call("GET", "/events/none", undefined, "wrong-key");
  for (const email of ["ada@example.org", "ada@example.org", null])
    await call("POST", "/users/createAPIUser", { name: "Ada", role: "host", externalId: "per_1", email });
  await call("POST", "/users/createAPIUser", { name: "Ada", role: "host", email: "ada" });
  await call("POST", "/users/createAPIUser", { name: "Ada", userRole: "Teacher", email: "a@b.example" });
  const bea = { name: "Bea", email: "bea@example.org", externalId: "per_2" };
  await call("POST", "/users/createAPIUser", { ...bea, role: "participant" });
  await call("POST", "/users/createAPIUser", { ...bea, userRole: "Student" });
  await call("POST", "/spaces/create", { name: "Algebra" });
  await call("POST", "/spaces/create", { title: "Algebra", visibility: "public" });
  await call("POST", "/spaces/create", { name: "" });
  await call("GET", "/nowhere");
  const spaceId = classroom.spaces()[0]?.spaceId ?? "";
  const host = classroom.users().find(({ role }) => role === "host")?.userId ?? "";
  const learner = classroom.users().find(({ name }) => name === "Bea")?.userId ?? "";
  const redirectUrl = `${classroom.appUrl}/spaces/${spaceId}?broadcastEvents=true`;
  await call("POST", `/users/${learner}/authorize`, { redirectUrl: encodeURIComponent(redirectUrl) });
  const inQuery = `/users/${learner}/authorize?redirectUrl=${encodeURIComponent(redirectUrl)}`;
  const login = idIn(await call("POST", inQuery), "url");
  const times = { startsAt: monday, endsAt: monday + 3_600_000 };
  await call("POST", "/events", {
    title: "Lesson",
    spaceId,
    ...times,
    attendeeIds: [learner, host],
    cohortIds: ["c1"],
  });
  await call("POST", "/events", { name: "Lesson", space: spaceId, start: monday, end: monday + 3_600_000 });
  const { eventId } = classroom.createEvent({ title: "Class", spaceId, ...times, attendeeIds: [learner] });
  for (const minutes of [-20, 10])
    classroom.createEvent({ title: `${minutes}`, spaceId, startsAt: clock.now() + minutes * 60_000 });
  await call("GET", `/attendance/${eventId}`);
  await page(login);
  await page(login);
  classroom.changeRoom({ spaceId, userId: learner, roomId: "room-2" });
  await page(`${classroom.appUrl}/spaces/${spaceId}/end?user=${learner}`);
  classroom.endSession({ spaceId });
  classroom.markAttendance({ eventId, userId: learner, status: "EXCUSED" });
  const cohort = classroom.createCohort({ name: "Group", attendeeIds: [learner] });
  const alert = classroom.raiseAlert({ alertType: "EVENT_NO_SHOW", eventId });
  for (let number = 0; number < 26; number += 1)
    classroom.publishRecording({ spaceId, title: `No ${number}` });
  classroom.publishTranscript({ recordingId: classroom.recordings()[0]?.recordingId ?? "" });
  await call("GET", `/events/${eventId}`);
  await call("GET", `/attendance/${eventId}`);
  await call("GET", `/programs/${cohort.programId}/cohorts/${cohort.cohortId}`);
  await call("GET", `/alerts/${alert.alertId}`);
  classroom.removeRecording({ recordingId: classroom.recordings()[0]?.recordingId ?? "" });
  await call("GET", `/spaces/recordings?spaceId=${spaceId}`);
  classroom.deleteEvent({ eventId });
  await call("GET", `/events/${eventId}`);
  await call("POST", "/spaces/create", { name: "Closed", access: "Private" });
  const closed = classroom.spaces().find(({ access }) => access === "Private");
  if (closed !== undefined && host !== "")
    try {
      classroom.enterSpace({ spaceId: closed.spaceId, userId: host });
      heard.push("the host is in");
    } catch {
      heard.push("the host is out");
    }
  await call("POST", "/spaces/create", {
    name: "Told",
    access: "Private",
    participants: [{ userId: learner }],
  });
  const told = classroom.spaces().find(({ name }) => name === "Told");
  if (told !== undefined && learner !== "")
    try {
      classroom.enterSpace({ spaceId: told.spaceId, userId: learner });
      heard.push("the learner is in");
    } catch {
      heard.push("the learner is out");
    }
  await call("POST", `/spaces/${spaceId}/users`, { userId: learner, role: "participant" });
  await call("GET", "/analytics/sessions");
  await call("GET", "/analytics/sessions");
  for (let number = 0; number < 4; number += 1) await callNow("GET", `/events/${eventId}`);
  move(500);
  for (let number = 0; number < 4; number += 1) await callNow("GET", `/events/${eventId}`);
  move(600);
  await callNow("GET", `/events/${eventId}`);
  await classroom.webhooksSettled();
  const counted = classroom.calls().map(({ at, countedAt }) => countedAt === null || countedAt >= at);
  const came = hook.asked.map(({ headers, body }) => [
    headers.authorization,
    headers["authentication"],
    headers["content-type"],
    body,
  ]);
  return alike([heard, came, slept.length, counted, slept.reduce((sum, ms) => sum + Math.round(ms), 0)]);
}

function alike(heard: unknown): unknown {
  const text = JSON.stringify(heard)
    .replace(/\b[a-z]+_[0-9a-f]{24}\b/g, "an-id")
    .replace(/token=[\w-]+/g, "token=")
    .replace(/http:\/\/(127\.0\.0\.1|localhost):\d+/g, "$1");
  return z.unknown().parse(JSON.parse(text));
}

const names = assumptionNames.filter((name) => !(name in lmsAssumptions));
const usual = lazily(() => heardOf(nothingTurned));

test("a classroom sends the same twice", async () => {
  expect(await heardOf(nothingTurned)).toEqual(await usual());
});

test.each(names)("a classroom with %s reversed sends something else", async (name) => {
  expect(await heardOf(new Set([name]))).not.toEqual(await usual());
});
