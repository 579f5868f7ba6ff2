import { describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { makeSigningKey } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const world = await forAllTests(startTinyWorld());

let count = 0;
/** The claims of a notice that course `to` was copied from `from`, with changes. */
function copyNotice(to: string, from: readonly string[], change: Record<string, unknown> = {}) {
  count += 1;
  const now = Math.floor(Date.now() / 1000);
  return {
    iss: world.registration.issuer,
    aud: world.registration.clientId,
    iat: now,
    exp: now + 3600,
    nonce: `nonce-${count}`,
    [`${lti}/version`]: "1.3.0",
    [`${lti}/deployment_id`]: "1",
    [`${lti}/notice`]: {
      id: `notice-${count}`,
      timestamp: "2026-11-21T08:00:00Z",
      type: "LtiContextCopyNotice",
    },
    [`${lti}/context`]: { id: to, label: `C${to}`, title: `Course ${to}` },
    [`${lti}/origin_contexts`]: from,
    ...change,
  };
}

async function post(body: unknown, type = "application/json"): Promise<{ status: number; text: string }> {
  const response = await fetch(`${world.toolUrl}/lti/notices`, {
    method: "POST",
    headers: { "content-type": type },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, text: await response.text() };
}

async function send(...claims: Record<string, unknown>[]): Promise<{ status: number; text: string }> {
  return post({ notices: await Promise.all(claims.map(async (one) => ({ jwt: await world.sign(one) }))) });
}

async function originsOf(contextId: string): Promise<readonly string[]> {
  const noted = await world.stores.courseCopies.listOf(world.registration.id, contextId);
  return noted.flatMap(({ origins }) => origins);
}

async function counted(outcome: string): Promise<number> {
  const text = await (await fetch(`${world.toolUrl}/metrics`)).text();
  const line = text
    .split("\n")
    .find((one) => one.startsWith(`spaces_lti_notices_total{outcome="${outcome}"}`));
  return Number(line?.split(" ").at(-1) ?? 0);
}

describe("a notice that a course was copied", () => {
  test("is stored before anybody has opened the copy, and its instructors are asked", async () => {
    await world.launch({ claims: claimsOf({ sub: "t1", name: "Tessa Teacher", course: "10" }) });
    await vi.waitFor(async () => expect((await world.courseOf("10")).spaceId).not.toBeNull(), patience);
    expect((await send(copyNotice("11", ["10"]))).status).toBe(200);
    expect(await originsOf("11")).toEqual(["10"]);
    const page = await world.launch({ claims: claimsOf({ sub: "t1", name: "Tessa Teacher", course: "11" }) });
    expect(textOf(page)).toContain("This course was copied from Course 10");
  });

  test("counts even for a course that was opened before the notice came", async () => {
    await world.launch({ claims: claimsOf({ sub: "s1", course: "12", roles: ["Learner"] }) });
    await send(copyNotice("12", ["10"]));
    const page = await world.launch({ claims: claimsOf({ sub: "t1", course: "12" }) });
    expect(textOf(page)).toContain("This course was copied from Course 10");
  });

  test("sent again with the same id changes nothing and gets 200, with the same nonce or another", async () => {
    const notice = copyNotice("13", ["10"]);
    expect((await send(notice)).status).toBe(200);
    const duplicates = await counted("duplicate");
    expect((await send(notice)).status).toBe(200);
    const again = { ...notice, nonce: "another", [`${lti}/origin_contexts`]: ["99"] };
    expect((await send(again)).status).toBe(200);
    expect(await originsOf("13")).toEqual(["10"]);
    expect(await counted("duplicate")).toBe(duplicates + 2);
  });

  test("may be one of several in a batch", async () => {
    expect((await send(copyNotice("14", ["10"]), copyNotice("15", ["10", "14"]))).status).toBe(200);
    expect(await originsOf("15")).toEqual(["10", "14"]);
  });

  test("without a source is accepted and ignored (Canvas leaves out the claim)", async () => {
    expect((await send(copyNotice("16", [], { [`${lti}/origin_contexts`]: undefined }))).status).toBe(200);
    expect(await originsOf("16")).toEqual([]);
  });

  test("for a list of audiences finds the right registration", async () => {
    const several = { aud: ["x", "client-1"], azp: "client-1" };
    expect((await send(copyNotice("17", ["10"], several))).status, "nobody trusts x").toBe(401);
    expect((await send(copyNotice("18", ["10"], { aud: ["client-1"] }))).status).toBe(200);
    expect(await originsOf("17")).toEqual([]);
    expect(await originsOf("18")).toEqual(["10"]);
  });
});

test.each([
  ["LtiHelloWorldNotice", "hello"],
  ["LtiAssetProcessorSubmissionNotice", "other"],
  ["https://example.test/SomethingNew", "other"],
])("a notice of type %s is accepted and counted", async (type, outcome) => {
  const before = await counted(outcome);
  const notice = copyNotice("20", ["10"]);
  expect((await send({ ...notice, [`${lti}/notice`]: { id: `t-${count}`, type } })).status).toBe(200);
  expect(await counted(outcome)).toBe(before + 1);
  expect(await originsOf("20")).toEqual([]);
});

describe("refused", () => {
  const soon = () => Math.floor(Date.now() / 1000);
  const bent: [string, () => Record<string, unknown>, number][] = [
    ["of an LMS nobody registered", () => ({ iss: "https://other.test" }), 403],
    ["for another tool", () => ({ aud: "client-9" }), 403],
    ["for several audiences without saying which", () => ({ aud: ["client-1", "client-9"] }), 401],
    ["that has expired", () => ({ iat: soon() - 7200, exp: soon() - 3600 }), 401],
    ["from the future", () => ({ iat: soon() + 3600, exp: soon() + 7200 }), 401],
    ["without a nonce", () => ({ nonce: undefined }), 401],
    ["without an end", () => ({ exp: undefined }), 401],
    ["without a deployment", () => ({ [`${lti}/deployment_id`]: undefined }), 400],
    ["of another version", () => ({ [`${lti}/version`]: "1.2" }), 400],
    ["that is a launch and no notice", () => ({ [`${lti}/notice`]: undefined }), 400],
    ["with an issuer that is no text", () => ({ iss: { $ne: "" } }), 401],
    ["with an audience that is no text", () => ({ aud: [{ $ne: "" }] }), 401],
  ];
  test.each(bent)("a notice %s", async (_what, change, status) => {
    const refused = await counted("refused");
    expect((await send(copyNotice("30", ["10"], change()))).status).toBe(status);
    expect(await originsOf("30")).toEqual([]);
    expect(await counted("refused")).toBe(refused + 1);
  });

  test("a notice signed with a key that is not the LMS's", async () => {
    const stranger = await makeSigningKey("platform-key-1");
    const jwt = await world.sign(copyNotice("30", ["10"]), stranger);
    expect((await post({ notices: [{ jwt }] })).status).toBe(401);
    expect(await originsOf("30")).toEqual([]);
  });

  test("a notice without a signature", async () => {
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const jwt = `${part({ alg: "none", kid: "platform-key-1" })}.${part(copyNotice("30", ["10"]))}.`;
    expect((await post({ notices: [{ jwt }] })).status).toBe(401);
    expect(await originsOf("30")).toEqual([]);
  });

  test("another notice with a nonce that was used", async () => {
    const first = copyNotice("31", ["10"]);
    await send(first);
    expect((await send(copyNotice("32", ["10"], { nonce: first.nonce }))).status).toBe(401);
    expect(await originsOf("32")).toEqual([]);
  });

  test("a notice from a deployment that an administrator refused", async () => {
    const from = { [`${lti}/deployment_id`]: "refused" };
    await send(copyNotice("33", ["10"], from));
    await world.stores.deployments.setStatus(world.registration.id, "refused", "refused", Date.now());
    expect((await send(copyNotice("34", ["10"], from))).status).toBe(403);
    expect(await originsOf("34")).toEqual([]);
  });

  test("a notice of an LMS that was switched off", async () => {
    const off = await world.register({ clientId: "client-off", active: false });
    expect((await send(copyNotice("35", ["10"], { aud: off.clientId }))).status).toBe(403);
  });

  test("only the forged one of a batch", async () => {
    const answer = await send(copyNotice("36", ["10"]), copyNotice("37", ["10"], { aud: "client-9" }));
    expect(answer.status).toBe(403);
    expect([await originsOf("36"), await originsOf("37")]).toEqual([["10"], []]);
  });

  test("a whole batch whose first three notices are unsigned", async () => {
    const refused = await counted("refused");
    const strange = () => copyNotice("38", ["10"], { iss: "https://other.test" });
    expect((await send(strange(), strange(), strange(), copyNotice("38", ["10"]))).status).toBe(403);
    expect([await counted("refused"), await originsOf("38")]).toEqual([refused + 3, []]);
  });

  test.each([
    ["nothing", "", "application/json", 400],
    ["text that is not JSON", "{", "application/json", 400],
    ["JSON that is not a batch", '{"jwt":"a.b.c"}', "application/json", 400],
    ["an empty batch", '{"notices":[]}', "application/json", 400],
    ["a batch of something else", '{"notices":[{"jwt":{"$ne":1}}]}', "application/json", 400],
    ["a form", "notices=1", "application/x-www-form-urlencoded", 400],
    ["an invalid token", '{"notices":[{"jwt":"a.b.c"}]}', "application/json", 401],
    ["a body that is too large", `{"notices":[{"jwt":"${"a".repeat(300_000)}"}]}`, "application/json", 413],
  ])("%s", async (_what, body, type, status) => expect((await post(body, type)).status).toBe(status));

  test("any method except POST", async () => {
    const response = await fetch(`${world.toolUrl}/lti/notices`);
    expect([response.status, response.headers.get("allow")]).toEqual([405, "POST"]);
  });

  test("a notice brought to the launch address", async () => {
    const jwt = await world.sign(copyNotice("38", ["10"]));
    const response = await fetch(`${world.toolUrl}/lti/launch`, {
      method: "POST",
      body: new URLSearchParams({ id_token: jwt, state: "a".repeat(50) }),
    });
    expect(response.status).toBe(401);
  });
});

test("the log of the tool contains no token", () => {
  expect(world.output()).toContain("notice received");
  expect(world.output()).not.toMatch(/eyJ[A-Za-z0-9_-]{10}/);
});
