import { beforeAll, describe, expect, test } from "vitest";
import type { Registration } from "../../src/domain/registration.ts";
import { get, logIn, rightPassword, send } from "../support/tool/console-tool.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const lti = "https://purl.imsglobal.org/spec/lti";
let renewed: Registration;
let elsewhere: Registration;
let admin: { cookie: string; form: string };

const world = await forAllTests(startTinyWorld(undefined, { ADMIN_PASSWORD: rightPassword }));
beforeAll(async () => {
  renewed = await world.register({ clientId: "client-2", name: "Tiny LMS, anew" });
  elsewhere = await world.register({
    issuer: "https://elsewhere.test",
    clientId: "client-3",
    name: "Elsewhere",
  });
  admin = await logIn(world.toolUrl);
});

const opens = (course: string, registration: Registration) =>
  world.launch({ registration, claims: claimsOf({ sub: "tess", name: "Tess Teacher", course }) });
const page = (path: string) => get(`${world.toolUrl}/admin/registrations/${path}`, admin.cookie);
const post = (path: string, fields: Record<string, string>) =>
  send(`${world.toolUrl}/admin/registrations/${path}`, { ...fields, form: admin.form }, admin.cookie);
const trail = async () => textOf(await get(`${world.toolUrl}/admin/audit`, admin.cookie));

describe("An administrator whose LMS was registered again", () => {
  test("sees the consequences, says so once, and its courses continue", async () => {
    const { id } = world.registration;
    expect((await opens("10", world.registration)).status).toBe(200);
    expect((await opens("11", renewed)).status).toBe(200);
    expect((await page(`${renewed.id}?tab=connection`)).text).toContain(
      `/admin/registrations/${renewed.id}/same-as`,
    );

    const choice = await page(`${renewed.id}/same-as`);
    expect(choice.text).toContain(`<option value="${id}">`);
    expect(choice.text, "nothing to confirm yet").not.toContain('class="danger"');
    const plan = await page(`${renewed.id}/same-as?old=${id}`);
    expect(textOf(plan)).toContain(
      "Tiny LMS uses the client ID client-2. Activities added with client-1 still open their course, but send no grades",
    );
    expect(textOf(plan)).toMatch(/moved with everything in them 1 Course 11/);
    expect(await world.stores.registrations.find(renewed.id), "only asked").not.toBeNull();

    const done = await post(`${renewed.id}/same-as`, { old: id });
    expect([done.status, done.location?.split("?")[0]]).toEqual([303, `/admin/registrations/${id}`]);
    const after = await get(new URL(done.location ?? "", world.toolUrl).href, admin.cookie);
    expect(textOf(after)).toContain("Done. The LMS continues with this registration’s courses");
    expect((await world.stores.registrations.find(id))?.clientId).toBe("client-2");
    const courses = await world.stores.courses.findByContexts(id, ["10", "11"]);
    expect(courses.map(({ contextId }) => contextId).sort()).toEqual(["10", "11"]);
    expect(await trail()).toContain("Merged with an earlier registration");
  });

  test("has old activities that open the same course, without their gradebook, and add no new ones", async () => {
    const before = await world.courseOf("10");
    const claims = {
      ...claimsOf({ sub: "lea", name: "Lea Learner", course: "10" }),
      [`${lti}-ags/claim/endpoint`]: { lineitems: "https://lms.test/old/lineitems", scope: [] },
    };
    expect((await world.launch({ registration: world.registration, claims })).status).toBe(200);
    const after = await world.courseOf("10");
    expect([after.id, after.lineItemsUrl]).toEqual([before.id, null]);
    const dialog = {
      [`${lti}/claim/message_type`]: "LtiDeepLinkingRequest",
      [`${lti}-dl/claim/deep_linking_settings`]: {
        deep_link_return_url: "https://lms.test/return",
        accept_types: ["ltiResourceLink"],
        accept_presentation_document_targets: ["window"],
      },
    };
    const refused = await world.launch({
      registration: world.registration,
      claims: { ...claims, ...dialog },
    });
    expect(refused.status).toBe(403);
    expect(textOf(refused)).toContain("Choose that one to add an activity");
  });

  test("reads why another LMS cannot be the same, and nothing is changed", async () => {
    const { id } = world.registration;
    const before = await world.stores.registrations.list();
    const refused = await page(`${elsewhere.id}/same-as?old=${id}`);
    expect(refused.status).toBeGreaterThanOrEqual(400);
    expect(refused.text).toContain('role="alert"');
    expect(refused.text, "it can be chosen otherwise").toContain('<select id="old"');
    expect(refused.text).not.toContain('class="danger"');
    expect((await post(`${elsewhere.id}/same-as`, { old: id })).status).toBe(refused.status);
    expect(await world.stores.registrations.list()).toEqual(before);
  });

  test.each([["unknown"], [""]])("gets no plan for an earlier registration called %j", async (old) => {
    const shown = await page(`${elsewhere.id}/same-as?old=${old}`);
    expect([shown.status, shown.text.includes('class="danger"')]).toEqual([200, false]);
    expect((await post(`${elsewhere.id}/same-as`, { old })).status).toBe(404);
  });
});

describe("further recipients of tokens", () => {
  const stored = async () => (await world.stores.registrations.find(elsewhere.id))?.trustedAudiences ?? [];

  test("are named one a line, shown again, removed, and logged", async () => {
    const typed = " https://proxy.test \r\n\r\nother-client\r\nother-client\r\n";
    expect((await post(`${elsewhere.id}/audiences`, { audiences: typed })).status).toBe(303);
    expect(await stored()).toEqual(["https://proxy.test", "other-client"]);
    expect((await page(`${elsewhere.id}?tab=keys`)).text).toContain(
      "https://proxy.test\nother-client</textarea>",
    );
    expect(await trail()).toContain("Trusted recipients changed");
    await post(`${elsewhere.id}/audiences`, { audiences: "" });
    expect(await stored()).toEqual([]);
  });

  test.each([
    ["too many", Array.from({ length: 21 }, (_, n) => `client-${n}`).join("\n")],
    ["too long", "x".repeat(256)],
  ])("that are %s are refused with an explanation", async (_what, audiences) => {
    const refused = await post(`${elsewhere.id}/audiences`, { audiences });
    expect(refused.status).toBe(422);
    expect(textOf(refused)).toContain("Not saved. Use at most 20 lines of 255 characters each.");
    expect(await stored()).toEqual([]);
  });
});
