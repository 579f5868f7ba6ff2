import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import {
  startStandInClassroom,
  type StandInClassroom,
} from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";

let classroom: StandInClassroom;
let space: string;

beforeEach(async () => {
  classroom = await startStandInClassroom({
    port: 0,
    clock: systemClock,
    logger: createLogger("silent"),
    apiKey: "key-1",
    webhookSecret: "secret",
    // Pace is not what is looked at here.
    replyTimes: null,
    institution: { endRedirect: { url: "https://tool.test/ended?from=classroom" } },
  });
  const made = await fetch(`${classroom.apiUrl}/spaces/create`, {
    method: "POST",
    headers: { authorization: "Bearer key-1", "content-type": "application/json" },
    body: JSON.stringify({ name: "Biology" }),
  });
  expect(made.status).toBe(201);
  space = classroom.spaces()[0]?.spaceId ?? "";
});
afterEach(() => classroom.close());

const leave = async (): Promise<{ location: URL | null; text: string }> => {
  const answer = await fetch(`${classroom.appUrl}/spaces/${space}/end?user=u1`, { redirect: "manual" });
  const location = answer.headers.get("location");
  return { location: location === null ? null : new URL(location), text: await answer.text() };
};
const set = (path: string, body: string, type = "application/json") =>
  fetch(`${classroom.appUrl}${path}`, {
    method: "POST",
    redirect: "manual",
    headers: { "content-type": type },
    body,
  });

describe("The stand-in's end-of-session redirect", () => {
  test("adds which Space, which user, and which event and session when there are any", async () => {
    expect(Object.fromEntries((await leave()).location?.searchParams ?? [])).toEqual({
      from: "classroom",
      spaceId: space,
      userId: "u1",
    });
    await fetch(`${classroom.appUrl}/spaces/${space}`);
    const now = Date.now();
    const event = classroom.createEvent({
      title: "Lesson",
      spaceId: space,
      startsAt: now - 1,
      endsAt: now + 1,
    });
    classroom.createEvent({
      title: "Later",
      spaceId: space,
      startsAt: now + 7_200_000,
      endsAt: now + 7_300_000,
    });
    const { sessionId } = classroom.endSession({ spaceId: space });
    expect(Object.fromEntries((await leave()).location?.searchParams ?? [])).toEqual({
      from: "classroom",
      spaceId: space,
      userId: "u1",
      eventId: event.eventId,
      sessionId,
    });
  });

  test("uses the parameter names it is given, and leaves out the ones it should", async () => {
    const answer = await set(
      "/sandbox/actions/setEndRedirect",
      JSON.stringify({ url: "http://tool.test/e", names: { spaceId: "space_id", userId: null } }),
    );
    expect(answer.status).toBe(200);
    expect((await leave()).location?.href).toBe(`http://tool.test/e?space_id=${space}`);
  });

  test("is taken away by an empty address in the host controls: people stay", async () => {
    const form = "application/x-www-form-urlencoded";
    expect((await set("/host/setEndRedirect", "url=", form)).status).toBe(303);
    const { location, text } = await leave();
    expect(location).toBeNull();
    expect(text).toContain("You have left the Space.");
    await set("/host/setEndRedirect", "url=https%3A%2F%2Ftool.test%2Fx", form);
    expect((await leave()).location?.pathname).toBe("/x");
  });

  test.each(["not an address", "javascript:alert(1)"])("is not %j", async (url) => {
    expect((await set("/sandbox/actions/setEndRedirect", JSON.stringify({ url }))).status).toBe(400);
    expect((await leave()).location?.host).toBe("tool.test");
  });
});
