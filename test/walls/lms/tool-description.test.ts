import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { ToolDescribed } from "../../../src/domain/registration.ts";
import { messageOf } from "../../../src/kernel/errors.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { registerByDynamicRegistration } from "../../../src/lms/dynamic-registration.ts";
import { describeTool, registrationRequest } from "../../../src/lms/registration-request.ts";
import { createRequester } from "../../../src/lms/requester.ts";
import { createToolDescriptions, descriptionLines } from "../../../src/lms/tool-description.ts";
import {
  platformConfiguration,
  score,
  startRegistering,
  toolConfiguration,
} from "../../support/stand-ins/registering-lms.ts";
import { type Reply, startServiceLms } from "../../support/stand-ins/service-lms.ts";
import { forEachTest } from "../../support/for-all-tests.ts";

const scope = "https://purl.imsglobal.org/spec/lti-reg/scope/registration";
const tool = describeTool("https://tool.example");
const offer = {
  scopes: [score, scope],
  claims: [],
  messages: [{ type: "LtiResourceLinkRequest", placements: ["course_navigation"] }],
};
const today = registrationRequest(tool, { family: "canvas", ...offer });
const object = z.record(z.string(), z.unknown());
const todaysTool = object.parse(today[toolConfiguration]);
const lines = (body: unknown) => descriptionLines(body) ?? [];
/** What Canvas answers: its own members, and neither policies nor our empty members. */
const shown = (change: Record<string, unknown> = {}) => ({
  ...today,
  client_id: "client-1",
  scope: `${scope} ${score} openid`,
  tos_uri: undefined,
  [toolConfiguration]: {
    ...todaysTool,
    "https://canvas.instructure.com/lti/registration_config_url": "https://canvas.test/view",
    ...change,
  },
});

let lms: Awaited<ReturnType<typeof startServiceLms>>;
beforeEach(async () => {
  lms = await startServiceLms({ family: "canvas" });
  describedAs({});
  lms.state.answer = () => ({ body: { ...shown(), client_id: lms.registration.clientId } });
});
afterEach(() => lms.close());

function describedAs(change: Partial<ToolDescribed>): void {
  const uri = `${lms.url}/api/lti/registrations/7`;
  lms.registration.description = { uri, offer, lines: lines(today), sentAt: null, ...change };
}

describe("Comparing a description", () => {
  test.each<[string, Record<string, unknown>, { added: string[]; gone: string[] } | null]>([
    [
      "finds nothing in another order",
      { claims: ["locale", "sub", "email", "name", "iss", "given_name", "family_name"] },
      null,
    ],
    ["ignores empty members that the LMS adds", { secondary_domains: [], vendor: null }, null],
    [
      "finds another text",
      { description: "Old" },
      {
        added: [
          "description: A persistent online classroom for your course, with attendance that becomes grades.",
        ],
        gone: ["description: Old"],
      },
    ],
    [
      "finds a new parameter",
      {
        custom_parameters: {
          ...object.parse(todaysTool["custom_parameters"]),
          spaces_section_ids: undefined,
        },
      },
      { added: ["custom_parameters.spaces_section_ids: $Canvas.course.sectionIds"], gone: [] },
    ],
    [
      "finds a removed parameter",
      { custom_parameters: { ...object.parse(todaysTool["custom_parameters"]), old: "1" } },
      { added: [], gone: ["custom_parameters.old: 1"] },
    ],
  ])("%s", (_name, change, gap) => {
    describedAs({ lines: lines(shown(change)) });
    expect(descriptions().gap(lms.registration)).toEqual(gap);
  });

  test("finds a new message", () => {
    describedAs({ lines: lines(shown({ messages: [] })) });
    const gap = descriptions().gap(lms.registration);
    expect(gap?.gone).toEqual([]);
    expect(gap?.added).toContain("messages.LtiResourceLinkRequest.placements: course_navigation");
    expect(gap?.added).toContain("messages.LtiResourceLinkRequest.custom_parameters.space_learners: near");
  });

  test("is limited, whatever an LMS answers", () => {
    const parameters = Object.fromEntries(
      Array.from({ length: 2_000 }, (_, at) => [`p${at}`, "x".repeat(5_000)]),
    );
    const deep: unknown = JSON.parse(`${'{"a":'.repeat(500)}1${"}".repeat(500)}`);
    const found = lines({ [toolConfiguration]: { custom_parameters: parameters, deep } });
    expect(found.length).toBe(300);
    expect(Math.max(...found.map((line) => line.length))).toBeLessThanOrEqual(300);
  });

  test("finds nothing for an LMS that was added by hand", () => {
    delete lms.registration.description;
    expect(descriptions().gap(lms.registration)).toBeNull();
  });
});

function descriptions() {
  const clock = { now: () => lms.state.now, sleep: () => Promise.resolve() };
  return createToolDescriptions({
    request: createRequester(fetch, { timeoutMs: 300, maxBytes: 100_000 }),
    deployments: lms.stores.deployments,
    toolKeys: lms.toolKeys,
    sealer: createSealer("a secret key of at least thirty-two bytes"),
    clock,
    ids: randomIds,
    tool,
  });
}

describe("Canvas", () => {
  test("is called below the registration's address, with a token for that scope alone, which is not stored", async () => {
    expect(new Set(await descriptions().read(lms.registration))).toEqual(new Set(lines(shown())));
    expect(lms.seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      "GET /api/lti/registrations/7/configuration",
    ]);
    expect(lms.assertions.map((one) => one.scope)).toEqual([scope]);
    expect([...lms.stores.accessTokens.all]).toEqual([]);
  });

  test("gets today's complete registration", async () => {
    await descriptions().send(lms.registration);
    expect(lms.seen[0]).toMatchObject({ method: "PUT", contentType: "application/json" });
    expect(JSON.parse(lms.seen[0]?.body ?? "")).toEqual(JSON.parse(JSON.stringify(today)));
  });

  test.each<[string, Reply | "hang" | "cut", string, RegExp]>([
    [
      "does not have the feature",
      { status: 404, body: "<html>" },
      "description-not-taken",
      /Register the tool there again/,
    ],
    [
      "refuses the right",
      { status: 401, body: { errorMessage: "Insufficient permissions" } },
      "description-not-allowed",
      /answers with 401.*Admin/,
    ],
    [
      "refuses the content",
      { status: 422, body: { errors: ["scope is invalid"] } },
      "registration-refused",
      /refused the change \(status 422\): scope is invalid/,
    ],
    ["fails", { status: 500 }, "lms-failed", /500/],
    ["asks for a pause", { status: 403, body: "403 Forbidden (Rate Limit Exceeded)" }, "lms-busy", /./],
    [
      "redirects to its login",
      { status: 302, headers: { location: "https://evil.example/" } },
      "lms-moved",
      /elsewhere/,
    ],
    ["answers with an HTML page", { body: "<html>" }, "lms-reply-unreadable", /./],
    ["answers with other JSON", { body: { client_id: "client-1" } }, "lms-reply-unreadable", /description/],
    [
      "answers about another tool",
      { body: { ...shown(), client_id: "other" } },
      "lms-reply-unreadable",
      /description/,
    ],
    ["does not answer", "hang", "lms-unreachable", /127\.0\.0\.1/],
    ["hangs up", "cut", "lms-unreachable", /127\.0\.0\.1/],
  ])("%s: the administrator gets an explanation", async (_what, answer, code, words) => {
    lms.state.answer = () => answer;
    const thrown: unknown = await descriptions()
      .send(lms.registration)
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code });
    expect(messageOf(thrown)).toMatch(words);
    expect(lms.seen.length).toBe(1);
  });

  test("withholds the scope: the message says where to allow it, and no other call to this LMS is paused", async () => {
    lms.state.tokenAnswer = () => ({ status: 400, body: { error: "invalid_scope" } });
    const thrown: unknown = await descriptions()
      .read(lms.registration)
      .catch((error: unknown) => error);
    expect(thrown).toMatchObject({ code: "description-not-allowed" });
    expect(messageOf(thrown)).toContain(scope);
    expect([...lms.stores.lmsPauses.all]).toEqual([]);
  });
});

describe("Registering", () => {
  let world: Awaited<ReturnType<typeof startRegistering>>;
  forEachTest(async () => (world = await startRegistering()));

  async function registered(product: string, offered: string[], uri: (url: string) => unknown) {
    world.lms.configuration["scopes_supported"] = offered;
    world.lms.configuration[platformConfiguration] = { product_family_code: product };
    const body = { client_id: "abc", registration_client_uri: uri(world.url) };
    world.lms.answer = () => ({ status: 200, body });
    const { registration } = await registerByDynamicRegistration(world.deps, world.request);
    const asked = String(world.seen[1]?.body["scope"]).split(" ").includes(scope);
    return { asked, description: registration.description };
  }
  const at = (path: string) => (url: string) => `${url}${path}`;

  test("requests the scope if Canvas offers it, and stores the registration's address", async () => {
    const { asked, description } = await registered("canvas", [score, scope], at("/api/lti/registrations/7"));
    expect(asked).toBe(true);
    expect(description).toMatchObject({ uri: `${world.url}/api/lti/registrations/7`, sentAt: null });
    expect(description?.lines).toContain(`scope: ${scope}`);
  });

  test.each<[string, string[], (url: string) => unknown]>([
    ["the scope is not offered", [score], at("/api/lti/registrations/7")],
    ["the LMS gives no address", [score, scope], () => undefined],
    ["the address is not a text", [score, scope], () => 7],
    ["the address is invalid", [score, scope], () => "registrations/7"],
    ["the address is on another host", [score, scope], () => "https://evil.example/api/lti/registrations/7"],
    ["the address is on another port", [score, scope], (url) => url.replace(/:\d+$/, ":1/x")],
  ])("allows no changes if %s, but the registration works", async (_why, offered, uri) => {
    const { asked, description } = await registered("canvas", offered, uri);
    expect(asked).toBe(offered.includes(scope));
    expect(description).toMatchObject({ uri: null });
  });

  test("leaves out credentials and queries of the address", async () => {
    const { description } = await registered(
      "canvas",
      [scope],
      (url) => `${url.replace("//", "//user:word@")}/r/7?a=1#b`,
    );
    expect(description?.uri).toBe(`${world.url}/r/7`);
  });

  test.each(["moodle", "sakai"])(
    "never requests it from %s, whatever is offered, and stores nothing",
    async (product) => {
      const { asked, description } = await registered(product, [score, scope], at("/r/7"));
      expect({ asked, description }).toEqual({ asked: false, description: undefined });
    },
  );
});
