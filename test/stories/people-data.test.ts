import { randomBytes, randomUUID } from "node:crypto";
import { noBranding } from "../../src/modules/courses/rules/branding.ts";
import { expect, test, vi } from "vitest";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { textsInFiles } from "../support/tool/search-files.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { onlyUserOf } from "../support/builders/give-api-user.ts";
import { forAllTests } from "../support/for-all-tests.ts";
import { follow, operatorAt, rightPassword } from "../support/tool/console-tool.ts";
import { patience } from "../support/patience.ts";

const webhookSecret = randomBytes(18).toString("base64url");

const world = await forAllTests(
  startTinyWorld(undefined, {
    ADMIN_PASSWORD: rightPassword,
    CLASSROOM_WEBHOOK_SECRET_PREVIOUS: webhookSecret,
  }),
);

const lena = () =>
  world.launch({ claims: claimsOf({ sub: "lena-1", name: "Lena Learner", roles: [learnerRole] }) });
const personOf = async (sub: string) => {
  const key = { registrationId: world.registration.id, deploymentId: "1", sub };
  return world.stores.people.findBySub(key);
};
const page = (operator: Visitor, path: string) => operator.open(`${world.toolUrl}/admin/${path}`);
const search = async (operator: Visitor, q: string) =>
  operator.submit(await page(operator, "people"), { action: "/admin/people", fields: { q } });
/** The erasure's page as soon as its first round is over. */
const erased = (operator: Visitor, begun: Seen) =>
  vi.waitFor(async () => {
    const shown = textOf(await follow(operator, begun));
    expect(shown).toContain("Erased, being checked");
    return shown;
  }, patience);

test("a learner gets all data about her, is erased, stays away, and comes back as somebody new", async () => {
  const teacher = await world.launch({ claims: claimsOf({ sub: "t", name: "Tess Teacher" }) });
  await teacher.visitor.submit(teacher, { action: "/enter" });
  const entering = await lena();
  await entering.visitor.submit(entering, { action: "/enter" });
  const before = await vi.waitFor(async () => {
    const person = await personOf("lena-1");
    expect(onlyUserOf(person)).toBeTypeOf("string");
    return person;
  }, patience);
  const operator = await operatorAt(world.toolUrl);
  expect(textOf(await search(operator, "nobody at all"))).toContain("Nobody found.");
  const found = await search(operator, "learner");
  expect(textOf(found)).toContain("Lena Learner");
  expect(textOf(found)).not.toContain("Tess");
  const shown = await page(operator, `people/${before?.id ?? ""}`);
  expect(textOf(shown)).toMatch(/Person Records: 1 Course memberships Records: 1/);
  expect(textOf(shown)).toContain(`Their classroom user is ${onlyUserOf(before) ?? ""}.`);

  const file = await operator.submit(shown, { action: "/export" });
  expect(JSON.parse(file.text)).toMatchObject({
    format: "spaces-lti/person",
    records: { person: [{ sub: "lena-1", name: "Lena Learner" }] },
  });
  expect(file.text).not.toContain("Tess");

  const mistyped = await operator.submit(shown, { action: "/erase", fields: { typed: "lena" } });
  expect([mistyped.status, await personOf("lena-1")]).toEqual([400, before]);
  const begun = await operator.submit(shown, { action: "/erase", fields: { typed: "lena-1" } });
  const outcome = await erased(operator, begun);
  expect(outcome).toContain("The classroom’s user and the LMS’s gradebook stay");
  expect(outcome).toContain("Person Records: 1");
  expect(await personOf("lena-1")).toBeNull();
  expect(textOf(await search(operator, "lena"))).toContain("Nobody found.");

  // Two minutes later, twice.
  await vi.waitFor(
    async () => {
      await world.hurryErasures();
      expect(textOf(await follow(operator, begun))).toContain("Erased, with no trace left in the database");
    },
    { timeout: 60_000, interval: 500 },
  );
  const needles = ["Lena Learner", "lena-1", before?.id ?? "", onlyUserOf(before) ?? ""];
  if (world.folder !== null) expect(await textsInFiles(world.folder, needles)).toEqual([]);

  const course = await world.courseOf("2");
  const late = await fetch(`${world.toolUrl}/webhooks/production`, {
    method: "POST",
    headers: { authorization: `Bearer ${webhookSecret}`, "content-type": "application/json" },
    body: JSON.stringify({
      _type: "SPACE_USER",
      spaceId: course.spaceId,
      sessionId: randomUUID(),
      eventType: "joinSpace",
      userId: onlyUserOf(before),
      userTabId: "tab",
      roomId: "room",
      timestamp: new Date().toISOString(),
    }),
  });
  expect(late.status).toBe(202);
  await vi.waitFor(async () => {
    const rows = await world.stores.personalRecords.list("Receipt", { state: "done" }, "", 100);
    expect(rows.map((row) => row["body"])).toContain('{"_type":"ERASED"}');
  }, patience);
  expect(await world.stores.personalRecords.list("Presence", {}, "", 10)).toEqual([]);

  await lena();
  const anew = await personOf("lena-1");
  expect(anew?.id).not.toBe(before?.id);
  const log = textOf(await page(operator, "audit"));
  expect(log).toContain("Person erased");
  expect(log).toContain("Person’s data exported");
  expect(log).not.toContain("Lena");
  expect(textOf(await page(operator, "erasures"))).toMatch(/A person Requested: .* Erased/);
});

test("a course is exported and erased, and an LMS uninstalled, after their names are typed", async () => {
  const operator = await operatorAt(world.toolUrl);
  const { id } = await world.courseOf("2");
  const shown = await page(operator, `courses/${id}`);
  const file = await operator.submit(shown, { action: "/export" });
  expect(JSON.parse(file.text)).toMatchObject({
    format: "spaces-lti/course",
    records: { courses: [{ id }] },
  });
  const table = await operator.submit(shown, { action: "/export", fields: { as: "csv" } });
  expect(table.text).toMatch(/^session,eventId,startsAt,name,lmsUserId,status,source,notes,reason\r\n/);
  expect((await operator.submit(shown, { action: "/erase", fields: { typed: "2" } })).status).toBe(400);
  const begun = await operator.submit(shown, { action: "/erase", fields: { typed: "Course 2" } });
  expect(await erased(operator, begun)).toContain("Course 2");
  expect((await page(operator, `courses/${id}`)).status).toBe(404);

  const look = { ...noBranding(world.registration.id), name: "Northfield", logo: null, logoDark: null };
  expect(await world.stores.brandings.change(look)).toBe(true);
  const registration = await page(operator, `registrations/${world.registration.id}?tab=off`);
  const wrong = await operator.submit(registration, { action: "/uninstall", fields: { typed: "tiny" } });
  expect(wrong.status).toBe(400);
  const leaving = await operator.submit(registration, {
    action: "/uninstall",
    fields: { typed: "Tiny LMS" },
  });
  await erased(operator, leaving);
  expect(await world.stores.registrations.find(world.registration.id)).toBeNull();
  for (const kind of ["Person", "InstitutionLook"])
    expect(await world.stores.personalRecords.list(kind, {}, "", 10), kind).toEqual([]);
  expect(textOf(await page(operator, "people"))).toContain("No LMS is registered yet");
  expect(textOf(await page(operator, "audit"))).toContain("LMS uninstalled Tiny LMS");
});
