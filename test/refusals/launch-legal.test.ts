import { describe, expect, test } from "vitest";
import type { Registration } from "../../src/domain/registration.ts";
import {
  launchWith,
  learnerRole,
  postLaunch,
  registered,
  startLogin,
  type TinyTool,
  launchesIntoTool,
} from "../support/stand-ins/signed-launch.ts";

const groupsClaim = "https://purl.imsglobal.org/spec/lti-gs/claim/groupsservice";
const groupScope = "https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly";
let tool: TinyTool;
let registration: Registration;

const { platform, launch, signed } = await launchesIntoTool((made) => {
  ({ tool, registration } = made);
});

describe("a legal launch is accepted, however odd", () => {
  test("an instructor opens a link and arrives with their course, link and rights", async () => {
    const response = await launch();
    expect(tool.refusals).toEqual([]);
    expect(response.status).toBe(200);
    expect(tool.launches[0]).toMatchObject({
      registrationId: registration.id,
      deploymentId: "1",
      kind: "resource-link",
      person: { sub: "user-7", name: "Tessa Teacher" },
      rights: { role: "instructor", staffRole: "teacher", testUser: false },
      course: { id: "2", title: "Biology 101", label: "BIO101" },
      link: { id: "5" },
    });
  });

  const now = () => Math.floor(Date.now() / 1000);
  const odd: [string, () => Record<string, unknown>, object][] = [
    ["short role names", () => ({ roles: ["Instructor"] }), { rights: { role: "instructor" } }],
    ["unknown roles", () => ({ roles: ["urn:x:Wizard"] }), { rights: { role: "learner" } }],
    ["no roles", () => ({ roles: [] }), { rights: { role: "learner" } }],
    ["one blank role", () => ({ roles: [""] }), { rights: { role: "learner" } }],
    ["ourselves twice", () => ({ aud: ["client-1", "client-1"], azp: "client-1" }), {}],
    ["one audience in a list", () => ({ aud: ["client-1"] }), {}],
    [
      "no names at all",
      () => ({ name: undefined, given_name: null, family_name: "", email: undefined }),
      { person: { sub: "user-7", name: null, givenName: null, familyName: null, email: null } },
    ],
    [
      "a user name in place of the e-mail address, and names of signs that don't show",
      () => ({ email: "ann", name: "\u200b\u2800", given_name: " Ann ", family_name: "\u00ad" }),
      { person: { name: null, givenName: "Ann", familyName: null, email: null } },
    ],
    ["no course", () => ({ context: undefined }), { course: null }],
    ["no user id (anonymous)", () => ({ sub: undefined }), { person: null }],
    ["nbf five seconds ahead", () => ({ nbf: now() + 5 }), {}],
    ["an nbf in the past", () => ({ nbf: now() - 60 }), {}],
    ["an LMS clock half a minute ahead", () => ({ iat: now() + 30, exp: now() + 90 }), {}],
    ["an LMS clock half a minute behind", () => ({ iat: now() - 30, exp: now() + 30 }), {}],
    ["times with fractions", () => ({ iat: now() + 0.5, exp: now() + 60.25 }), {}],
    [
      "a list of groups that may be read",
      () => ({ [groupsClaim]: { context_groups_url: "https://lms.test/groups", scope: [groupScope] } }),
      { groups: { groupsUrl: "https://lms.test/groups", setsUrl: null } },
    ],
    [
      "a list of groups without the scope for it",
      () => ({ [groupsClaim]: { context_groups_url: "https://lms.test/groups", scope: [] } }),
      { groups: null },
    ],
    ["claims nobody knows", () => ({ "https://x.test/claim": { a: [1] } }), {}],
    ["a target with a query", () => ({ target_link_uri: `${tool.url}/lti/launch?quiz=1` }), {}],
    [
      "a submission review",
      () => ({
        message_type: "LtiSubmissionReviewRequest",
        for_user: { user_id: "9" },
        resource_link: undefined,
      }),
      { kind: "submission-review", forUser: "9", link: null },
    ],
    [
      "a deep linking request",
      () => ({
        message_type: "LtiDeepLinkingRequest",
        resource_link: undefined,
        deep_linking: {
          deep_link_return_url: "https://lms.test/return",
          accept_types: ["ltiResourceLink"],
          accept_multiple: true,
          data: "keep me",
        },
      }),
      { kind: "deep-linking", deepLinking: { returnUrl: "https://lms.test/return", data: "keep me" } },
    ],
    [
      "custom parameters with unsubstituted variables",
      () => ({ custom: { a: "$Context.id.history", b: "x", c: null, d: "", e: true } }),
      { custom: { b: "x", d: "", e: "true" } },
    ],
  ];
  test.each(odd)("%s", async (_name, claims, expected) => {
    const response = await launch({ claims: claims() });
    expect(tool.refusals).toEqual([]);
    expect(response.status).toBe(200);
    expect(tool.launches[0]).toMatchObject(expected);
  });

  test("with another audience that the operator has named", async () => {
    const trusting = await registered(tool, platform, {
      clientId: "client-2",
      trustedAudiences: ["https://hub.example"],
    });
    const claims = { aud: ["https://hub.example", "client-2"], azp: "client-2" };
    expect((await launchWith(tool, platform, trusting, { claims })).status).toBe(200);
    const another = { ...claims, aud: [...claims.aud, "https://else.example"] };
    expect((await launchWith(tool, platform, trusting, { claims: another })).status).toBe(401);
  });

  test("never as an instructor because of an institution role", async () => {
    const roles = [learnerRole, "http://purl.imsglobal.org/vocab/lis/v2/institution/person#Administrator"];
    await launch({ claims: { roles } });
    expect(tool.launches[0]?.rights.role).toBe("learner");
  });

  test("after a login by GET, which always asks for our own redirect URI", async () => {
    const query = new URLSearchParams({
      iss: registration.issuer,
      login_hint: "7",
      target_link_uri: `${tool.url}/lti/launch?quiz=1`,
      lti_message_hint: '{"cmid":3,"launchid":"a b"}',
      unknown: "ignored",
    });
    const response = await fetch(`${tool.url}/lti/login?${query.toString()}`, { redirect: "manual" });
    expect(tool.refusals).toEqual([]);
    expect(response.status).toBe(302);
    const asked = new URL(response.headers.get("location") ?? "");
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      site: "a b",
      scope: "openid",
      response_type: "id_token",
      response_mode: "form_post",
      prompt: "none",
      client_id: "client-1",
      redirect_uri: `${tool.url}/lti/launch`,
      lti_message_hint: '{"cmid":3,"launchid":"a b"}',
    });
    expect(tool.stores.nonces.all.size, "nothing is written down yet").toBe(0);
    expect(response.headers.get("set-cookie")).toMatch(/HttpOnly/);
    expect(response.headers.get("set-cookie")).not.toMatch(/Secure/);
  });

  test("an LMS that is slow in one tab does not disturb another tab of the same browser", async () => {
    const first = await startLogin(tool, registration);
    const second = await startLogin(tool, registration);
    const cookies = `${first.cookie}; ${second.cookie}`;
    for (const login of [second, first]) {
      const token = await signed(login);
      expect((await postLaunch(tool, login, token, cookies)).status).toBe(200);
    }
  });

  test("keys are fetched from the LMS once for many launches", async () => {
    const before = platform.jwks.fetches;
    for (let i = 0; i < 5; i += 1) await launch();
    expect(tool.launches).toHaveLength(5);
    expect(platform.jwks.fetches - before).toBe(1);
  });

  test("our pages keep our own headers, without those of ltijs", async () => {
    const response = await launch();
    expect(response.headers.get("content-security-policy")).toBe("default-src 'self'");
    for (const name of [
      "cross-origin-embedder-policy",
      "cross-origin-opener-policy",
      "strict-transport-security",
    ]) {
      expect(response.headers.get(name)).toBeNull();
    }
  });
});
