import { afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { openCourseLink } from "../../sandbox/open-course-link.ts";
import { createVisitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import {
  arrive,
  arriveAndWait,
  type Arrival,
  askState,
  keepEverybodyWaiting,
  listen,
  lookAsOwner,
  ticketOf,
  waitingAddressOf,
} from "../support/tool/in-queue.ts";
import { hiddenField } from "../support/browser/dialog.ts";
import { startWorld, walkIn } from "../support/tool/start-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const biology = "1";

/** Users in the classroom by the person's name in the LMS. */
const userIds = new Map<string, string>();
const world = await forAllTests(startWorld({ learners: 2 }));
beforeAll(async () => {
  for (const person of ["student1", "student2"]) userIds.set(person, await walkIn(world, person, biology));
});
afterEach(() => {
  world.classroom.clearFaults();
});

/** Somebody who has to wait, because the classroom asks for pauses until its faults are cleared. */
async function waits(person: string): Promise<Arrival> {
  keepEverybodyWaiting(world.classroom, "authorize");
  const arrival = await arriveAndWait(world.lms, person, biology);
  waitingAddressOf(arrival);
  return arrival;
}

/** The classroom answers again, and somebody's turn comes. */
async function untilReady(ticket: string): Promise<void> {
  world.classroom.clearFaults();
  await vi.waitFor(async () => {
    expect(await askState(world.toolUrl, ticket)).toMatchObject({ state: "ready" });
  }, patience);
}

/** A request as a browser makes it; redirects are not followed. */
async function ask(
  path: string,
  init: { method?: string; body?: string; headers?: Record<string, string> } = {},
): Promise<{ status: number; location: string | null; text: string }> {
  const response = await fetch(`${world.toolUrl}${path}`, {
    redirect: "manual",
    ...init,
    headers: { accept: "text/html", ...init.headers },
  });
  return { status: response.status, location: response.headers.get("location"), text: await response.text() };
}

const post = (path: string, body: string) =>
  ask(path, { method: "POST", body, headers: { "content-type": "application/x-www-form-urlencoded" } });
const again = (body: string) => post("/waiting/again", body);

/** As `ask`, for the waiting page in the browser it belongs to. */
async function look(ticket: string, init: Parameters<typeof lookAsOwner>[2] = {}) {
  const response = await lookAsOwner(world.toolUrl, ticket, init);
  return { status: response.status, location: response.headers.get("location"), text: await response.text() };
}

const unknown = "A".repeat(43);

describe.each([
  ["no ticket", ""],
  ["an empty ticket", "place="],
  ["an unknown ticket", `place=${unknown}`],
  ["a malformed ticket", "place=%00%27%7B%24gt%3A%22%22%7D%3Cscript%3E"],
  ["a nested ticket", "place[$gt]="],
  ["a repeated ticket", `place=${unknown}&place=${unknown}`],
  ["a huge ticket", `place=${"A".repeat(8_000)}`],
])("With %s", (_what, query) => {
  test("the waiting page says that there is no position, and what to do", async () => {
    const answer = await ask(`/waiting?${query}`);
    expect(answer.status).toBe(410);
    expect(answer.text).toContain("This tab is no longer in line");
    expect(answer.text).toContain("open the classroom link in your course");
    expect(answer.text).not.toContain("<script>");
  });

  test.each(["events", "state"])("its %s end immediately", async (what) => {
    const answer = await post(`/waiting/${what}`, query);
    if (answer.status !== 413) expect(answer).toMatchObject({ status: 410, text: '{"state":"gone"}' });
  });

  test("nothing can be tried again", async () => {
    const answer = await again(query);
    expect([410, 413]).toContain(answer.status);
    expect(answer.location).toBeNull();
  });
});

test("answers about a queue position may not be cached", async () => {
  for (const path of ["", "/again"]) {
    const response = await fetch(`${world.toolUrl}/waiting${path}?place=${unknown}`);
    expect([path, response.headers.get("cache-control")]).toEqual([path, "no-store"]);
  }
});

describe("A ticket", () => {
  test("lets one browser in, once", async () => {
    const ticket = ticketOf(await waits("student1"));
    await untilReady(ticket);
    const answers = await Promise.all([1, 2, 3, 4].map(() => look(ticket)));
    expect(answers.map(({ status }) => status).sort()).toEqual([303, 410, 410, 410]);
    const late = await look(ticket);
    expect(late).toMatchObject({ status: 410, location: null });
    expect(late.text).toContain("You’ve been let in already");
    expect(late.text).toContain("Biology 101");
    expect(await askState(world.toolUrl, ticket)).toEqual({ state: "entered" });
    const stream = await listen(world.toolUrl, ticket);
    await stream.ended;
    expect(stream.words).toEqual([{ state: "entered" }]);
    const tried = await again(`ticket=${ticket}`);
    expect(tried).toMatchObject({ status: 410, location: null });
    expect(tried.text).toContain("You’ve been let in already");
  });

  test("lets nobody in by prefetching", async () => {
    const ticket = ticketOf(await waits("student1"));
    await untilReady(ticket);
    for (const headers of [
      { "sec-purpose": "prefetch" },
      { "sec-purpose": "prefetch;prerender" },
      { purpose: "prefetch" },
      { "x-moz": "prefetch" },
    ]) {
      expect(await look(ticket, { headers })).toMatchObject({ status: 503, location: null });
    }
    expect(await look(ticket, { method: "HEAD" })).toMatchObject({ location: null });
    expect(await askState(world.toolUrl, ticket)).toMatchObject({ state: "ready" });
    const answer = await look(ticket);
    expect([answer.status, answer.location]).toEqual([303, expect.stringContaining(world.classroom.appUrl)]);
  });

  test("of a person who came again leads nowhere, and the new one has the same position", async () => {
    const first = await waits("student1");
    const [other, second] = await Promise.all([
      arrive(world.lms, "student2", biology),
      arrive(world.lms, "student1", biology),
    ]);
    expect(await look(ticketOf(first))).toMatchObject({ status: 410 });
    expect(await askState(world.toolUrl, ticketOf(second))).toMatchObject({ before: 0 });
    expect(await askState(world.toolUrl, ticketOf(other))).toMatchObject({ before: 1 });
    for (const arrival of [second, other]) {
      await untilReady(ticketOf(arrival));
      expect((await look(ticketOf(arrival))).status).toBe(303);
    }
  });

  test("of another person lets that person in, whatever session is sent with it", async () => {
    const failed = await waits("student1");
    world.classroom.clearFaults();
    world.classroom.addFault({ operation: "authorize", kind: "garbage" });
    await vi.waitFor(async () => {
      expect(await askState(world.toolUrl, ticketOf(failed))).toEqual({ state: "failed" });
    }, patience);
    const before = world.classroom.authorizations().length;
    const enter = await openCourseLink(createVisitor(), world.lms, "student2", biology, { framed: true });
    const answer = await again(`ticket=${ticketOf(failed)}&session=${hiddenField(enter, "session")}`);
    expect([answer.status, answer.location]).toEqual([303, expect.stringContaining(world.classroom.appUrl)]);
    const token = new URL(answer.location ?? "").searchParams.get("token");
    const login = world.classroom
      .authorizations()
      .slice(before)
      .find((one) => one.token === token);
    expect(login?.userId).toBe(userIds.get("student1"));
    // A failed position allows one more attempt, not several.
    expect(await again(`ticket=${ticketOf(failed)}`)).toMatchObject({ status: 410 });
  });
});

describe("A person who has only the address, from a log, a history or a screen", () => {
  const answers: [
    string,
    (address: string) => Promise<{ status: number; location: string | null; text: string }>,
  ][] = [
    ["opens it", (address) => ask(address)],
    [
      "opens it with a ticket of their own",
      (address) => ask(address, { headers: { cookie: owns(address, "B".repeat(32)) } }),
    ],
    [
      "opens it with the address for a ticket",
      (address) => ask(address, { headers: { cookie: owns(address, nameIn(address)) } }),
    ],
    ["posts it", (address) => post("/waiting", `place=${nameIn(address)}`)],
    ["posts it as the ticket", (address) => post("/waiting", `ticket=${nameIn(address)}`)],
    ["tries again with it", (address) => again(`place=${nameIn(address)}`)],
  ];
  const nameIn = (address: string) => new URL(address, world.toolUrl).searchParams.get("place") ?? "";
  const owns = (address: string, value: string) => `place_${nameIn(address)}=${value}`;

  test("is not let in, learns nothing about the person waiting, and is led to the course, while the owner gets in", async () => {
    const arrival = await waits("student1");
    const address = waitingAddressOf(arrival).replace(world.toolUrl, "");
    await untilReady(ticketOf(arrival));
    const calls = world.classroom.authorizations().length;
    for (const [how, answer] of answers) {
      const { status, location, text } = await answer(address);
      expect([how, status, location]).toEqual([how, how.includes("as the ticket") ? 410 : 403, null]);
      expect(text).not.toContain("Biology");
      expect(text).not.toContain(ticketOf(arrival));
      if (status === 403) {
        expect(text).toContain("This place in line belongs to another browser");
        expect(text).toContain(`href="${world.lms.url}`);
      }
    }
    for (const path of ["/waiting/state", "/waiting/events"])
      expect(await post(path, `place=${nameIn(address)}`)).toMatchObject({
        status: 410,
        text: '{"state":"gone"}',
      });
    expect(world.classroom.authorizations().length).toBe(calls);
    const inside = await look(ticketOf(arrival));
    expect([inside.status, inside.location]).toEqual([303, expect.stringContaining(world.classroom.appUrl)]);
  });
});

test("the cookie of a ticket is only for its browser and the waiting page", async () => {
  keepEverybodyWaiting(world.classroom, "authorize");
  const visitor = createVisitor();
  const enter = await openCourseLink(visitor, world.lms, "student1", biology, { framed: true });
  const response = await fetch(`${world.toolUrl}/enter`, {
    method: "POST",
    body: new URLSearchParams({ session: hiddenField(enter, "session") }),
  });
  const cookie = response.headers.getSetCookie().find((one) => one.startsWith("place_"));
  expect(cookie).toMatch(
    /^place_[\w-]{43}=[\w-]{32}; Max-Age=7200; Path=\/waiting; Expires=[^;]+; HttpOnly; SameSite=Lax$/,
  );
  const page = await response.text();
  const [, ticket = ""] = /name="ticket" value="([^"]+)"/.exec(page) ?? [];
  expect(cookie).toContain(`=${ticket};`);
  expect(new URL(response.url).pathname, "no address has the ticket").toBe("/enter");
  expect(page.replaceAll(`value="${ticket}"`, "")).not.toContain(ticket);
  await untilReady(ticket);
  expect(await post("/waiting", `ticket=${ticket}`)).toMatchObject({ status: 303 });
});

test("neither a ticket nor a login is logged", async () => {
  const ticket = ticketOf(await waits("student1"));
  await untilReady(ticket);
  const answer = await look(ticket);
  const token = new URL(answer.location ?? "").searchParams.get("token") ?? "none";
  expect(world.output()).toContain('"path":"/waiting"');
  expect(world.output()).not.toContain(ticket);
  expect(world.output()).not.toContain(token);
});
