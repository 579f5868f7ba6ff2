import { beforeAll, describe, expect, test } from "vitest";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const lis = "http://purl.imsglobal.org/vocab/lis/v2";

const world = await forAllTests(startTinyWorld());
beforeAll(async () => {
  await world.launch({ claims: claimsOf({ sub: "first", name: "Tessa First" }) });
});

describe("what the LMS does not send", () => {
  test("an unnamed person is asked to log in as themselves, and gets no record", async () => {
    const page = await world.launch({ claims: claimsOf({ roles: [learnerRole], course: "by-nobody" }) });
    expect(page.status).toBe(403);
    expect(textOf(page)).toContain("Your LMS didn’t share who you are");
    expect(page.text).not.toContain('action="/enter"');
    expect(await world.stores.courses.findByContexts(world.registration.id, ["by-nobody"])).toEqual([]);
  });

  test("a person who launches from outside a course is asked to come from one", async () => {
    const claims = { ...claimsOf({ sub: "s1", roles: [learnerRole] }), [`${lti}/context`]: undefined };
    const page = await world.launch({ claims });
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain("Open this link from a course page");
  });

  test("an observer stays out if the course says so, but learners don't", async () => {
    const { id, settings, settingsRevision, door, spaceAccess } = await world.courseOf("2");
    const to = { settings: { ...settings, guests: "out" as const }, door, spaceAccess };
    expect(await world.stores.courses.changeSettings(id, settingsRevision, to)).toBe(true);
    const claims = (sub: string, role: string) => ({ claims: claimsOf({ sub, roles: [role] }) });
    const shut = "This classroom is for learners and instructors";
    expect(textOf(await world.launch(claims("observer", `${lis}/membership#Mentor`)))).toContain(shut);
    expect(textOf(await world.launch(claims("learner", learnerRole)))).not.toContain(shut);
  });

  test("a course without title and label still gets its Space", async () => {
    const claims = { ...claimsOf({ sub: "s1", roles: [learnerRole] }), [`${lti}/context`]: { id: "bare" } };
    const page = await world.launch({ claims, framed: false });
    expect(page.status).toBe(303);
    expect(world.classroom.spaces().map(({ name }) => name)).toContain("Online classroom");
  });
});
