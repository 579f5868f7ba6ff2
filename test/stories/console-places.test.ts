import { randomBytes } from "node:crypto";
import { beforeAll, expect, test, vi } from "vitest";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { follow, get, operatorAt, rightPassword } from "../support/tool/console-tool.ts";
import { patience } from "../support/patience.ts";

const previousSecret = randomBytes(18).toString("base64url");

let courseId: string;

const world = await forAllTests(
  startTinyWorld(undefined, {
    ADMIN_PASSWORD: rightPassword,
    CLASSROOM_WEBHOOK_SECRET_PREVIOUS: previousSecret,
  }),
);
beforeAll(async () => {
  const teacher = await world.launch({ claims: claimsOf({ sub: "t", name: "Tess Teacher" }) });
  await teacher.visitor.submit(teacher, { action: "/enter" });
  courseId = (await world.courseOf("2")).id;
});

const page = (operator: Visitor, path: string) => operator.open(`${world.toolUrl}/admin/${path}`);

test("at midnight an operator finds a course by its Space, reads its roster again and retries its scores", async () => {
  const operator = await operatorAt(world.toolUrl);
  const course = await vi.waitFor(async () => {
    const found = await world.courseOf("2");
    expect(found.spaceId).not.toBeNull();
    return found;
  }, patience);
  const address = `${world.classroom.appUrl}/spaces/${course.spaceId ?? ""}`;
  const list = await page(operator, `courses?q=${encodeURIComponent(address)}`);
  expect(textOf(list)).toContain("Course 2 C2 · Tiny LMS");
  const shown = await page(operator, `courses/${courseId}`);
  const text = textOf(shown);
  expect(text).toContain(address);
  expect(text).toContain("link-2 opens the course’s Space");
  expect(text).toContain("Learners: 0 · Instructors: 1 · Left the course: 0");
  expect(text).toContain("The LMS doesn’t share this roster");
  expect(text).toContain("Everything is matched");
  expect(text).not.toContain("Tess");

  for (const [what, note] of [
    ["sync", "Retried."],
    ["resend", "Sending all scores again."],
  ] as const) {
    const after = await follow(
      operator,
      await operator.submit(shown, { action: "/again", fields: { what } }),
    );
    expect(textOf(after)).toContain(note);
  }
  expect((await operator.submit(shown, { action: "/again", fields: { what: "nonsense" } })).status).toBe(400);
  expect(textOf(await page(operator, "audit"))).toMatch(/All scores sent again Course 2 .*Scores retried/);
  expect((await page(operator, "courses/crs_nothing")).status).toBe(404);
});

test("a connection test's result is on the registration's page until the next test", async () => {
  const operator = await operatorAt(world.toolUrl);
  const path = `registrations/${world.registration.id}?tab=connection`;
  const before = await page(operator, path);
  expect(textOf(before)).toContain("Asks the LMS for keys");
  const { status, location } = await operator.submit(before, { action: "/test" });
  expect([status, location]).toEqual([303, `${world.toolUrl}/admin/${path}`]);
  const overview = await page(operator, `registrations/${world.registration.id}`);
  expect(textOf(overview)).toContain("Some tests failed.");
  const later = textOf(await page(operator, path));
  expect(later).toContain("Some tests failed.");
  expect(later).toContain("The LMS’s key set answers. Keys: 1.");
  expect(later).toMatch(/1 Accepted \w+ .*UTC \w+ .*UTC Refuse/); // first seen, last launch
  const address = `${world.toolUrl}/admin/${path}`;
  const german = await get(address, operator.cookiesFor(address), { "accept-language": "de" });
  expect(textOf(german)).toMatch(
    /weder das Notenbuch noch die Personenliste mit\. Erlauben Sie dem Tool im LMS/,
  );
});

test("two operators who run the doctor together run it once, and both see the result", async () => {
  const [one, other] = await Promise.all([operatorAt(world.toolUrl), operatorAt(world.toolUrl)]);
  const pages = await Promise.all([one, other].map((operator) => page(operator, "classroom")));
  expect(textOf(pages[0] ?? { text: "" })).toContain("Not run yet.");
  const answers = await Promise.all(
    [one, other].map((operator, at) =>
      operator.submit(pages[at] ?? nowhere, { action: "/admin/classroom/doctor" }),
    ),
  );
  const notes = answers.map(({ location }) => new URL(location ?? "").searchParams.get("note"));
  expect(notes.toSorted()).toEqual(["asked", "underWay"]);
  const found = await vi.waitFor(
    async () => {
      const text = textOf(await page(other, "classroom"));
      expect(text).toContain("Run the doctor again");
      return text;
    },
    { timeout: 60_000, interval: 500 },
  );
  expect(found).toMatch(/(No problems|Problems) found/);
  expect(found).toContain("A secret is set, and the previous one still works.");
  const entries = await world.stores.audit.list(null, 100);
  expect(entries.filter(({ what }) => what === "doctor-asked")).toHaveLength(1);
});
const nowhere: Seen = { status: 0, url: "", location: null, text: "" };

test("the classroom's page says that people who join later aren't added to a Space, and how to change that", async () => {
  const text = textOf(await page(await operatorAt(world.toolUrl), "classroom"));
  expect(text).toContain("They aren’t added to its Space: the dialect has no addToSpace");
  expect(text).toContain("operations.addToSpace.routes");
});

test("the classroom's page shows only the end of keys, and which webhook secret was used last", async () => {
  const operator = await operatorAt(world.toolUrl);
  const post = (secret: string, alertId: string) =>
    fetch(`${world.toolUrl}/webhooks/production`, {
      method: "POST",
      headers: { authorization: `Bearer ${secret}`, "content-type": "application/json" },
      body: JSON.stringify({
        alertId,
        alertType: "EVENT_NO_SHOW",
        timestamp: new Date().toISOString(),
        eventType: "CREATE_ALERT",
        updatedBy: null,
        _type: "CONTROL_CENTER_ALERT",
      }),
    });
  const shown = async () => textOf(await page(operator, "classroom"));
  const before = await page(operator, "classroom");
  expect(before.text).not.toContain(world.apiKey);
  expect(before.text).not.toContain(previousSecret);
  expect(textOf(before)).toContain(`ends in ${world.apiKey.slice(-4)}`);
  expect(textOf(before)).toContain("Last webhook with the previous secret never");

  expect((await post(previousSecret, "al-1")).status).toBe(202);
  await vi.waitFor(
    async () => expect(await shown()).toContain("The classroom still uses the previous webhook secret"),
    patience,
  );
});

test("the keys of every LMS are on one page, where they can be rotated", async () => {
  const operator = await operatorAt(world.toolUrl);
  const before = await page(operator, "keys");
  expect(textOf(before)).toMatch(/Tiny LMS .*key_\w+ Signing Age: 0 days/);
  expect(textOf(before)).toContain("Under SECRET_KEY_PREVIOUS 0");
  const after = await follow(operator, await operator.submit(before, { action: "/rotate" }));
  expect(textOf(after)).toContain("Published, not in use");
  expect((await page(operator, "keys")).text).not.toContain('value="reseal"');
});
