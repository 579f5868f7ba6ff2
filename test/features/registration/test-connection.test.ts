import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Course } from "../../../src/domain/course.ts";
import type { PlatformFamily } from "../../../src/domain/lms-product.ts";
import { testConnection } from "../../../src/modules/registration/test-connection.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import { createConnectionProbes } from "../../../src/lms/connection-probes.ts";
import { createRequester } from "../../../src/lms/requester.ts";
import { describeTool } from "../../../src/lms/registration-request.ts";
import { createToolDescriptions } from "../../../src/lms/tool-description.ts";
import { createServiceCalls } from "../../../src/lms/service-calls.ts";
import {
  allGradeScopes,
  type Reply,
  type SeenRequest,
  startServiceLms,
} from "../../support/stand-ins/service-lms.ts";
import { keptCourse } from "../../support/builders/launched-course.ts";

const lti = "https://purl.imsglobal.org/spec";
const scope = {
  lineItem: `${lti}/lti-ags/scope/lineitem`,
  result: `${lti}/lti-ags/scope/result.readonly`,
  score: `${lti}/lti-ags/scope/score`,
  roster: `${lti}/lti-nrps/scope/contextmembership.readonly`,
};
const key = { kty: "RSA", kid: "k", n: "x".repeat(342), e: "AQAB", alg: "RS256", use: "sig" };

let lms: Awaited<ReturnType<typeof startServiceLms>>;
let courses: { course: Course; lastLaunchAt: number | null }[];

async function startWith(family: PlatformFamily): Promise<void> {
  lms = await startServiceLms({ family });
  lms.stores.registrations.all.push(lms.registration);
  lms.state.answer = answer;
  courses = [{ course: course({}), lastLaunchAt: Date.UTC(2026, 10, 20, 9, 30) }];
}
beforeEach(() => startWith("moodle"));
afterEach(() => lms.close());

function course(change: Partial<Course>): Course {
  return keptCourse({
    lineItemsUrl: `${lms.url}/lineitems?type_id=1`,
    gradeScopes: allGradeScopes,
    membershipsUrl: `${lms.url}/memberships?x=1`,
    ...change,
  });
}

/** An LMS where everything works. */
function answer({ url }: SeenRequest): Reply {
  if (url.startsWith("/jwks")) return { body: { keys: [key] } };
  if (url.startsWith("/memberships")) return { body: { members: [] } };
  if (url.startsWith("/lineitems"))
    return { body: [{ id: `${lms.url}/item?type_id=1`, label: "Attendance", scoreMaximum: 100 }] };
  return { body: [] };
}

/** The LMS gives tokens only for these scopes; it refuses whole requests, or grants less than was asked. */
function grantsOnly(granted: readonly string[], manner: "refuses" | "grants less"): void {
  lms.state.tokenAnswer = () => {
    const asked = (lms.assertions.at(-1)?.scope ?? "").split(" ");
    const given = asked.filter((one) => granted.includes(one));
    const refused = manner === "refuses" ? given.length < asked.length : given.length === 0;
    return refused
      ? { status: 400, body: { error: "invalid_scope" } }
      : { body: { access_token: "token", token_type: "bearer", scope: given.join(" ") } };
  };
}

async function report() {
  const clock = { now: () => lms.state.now, sleep: () => Promise.resolve() };
  const request = createRequester(fetch, { timeoutMs: 500, maxBytes: 100_000 });
  const calls = createServiceCalls({ request, accessTokens: lms.accessTokens, pauses: lms.pauses, clock });
  const sealer = createSealer("a secret key of at least thirty-two bytes");
  const { toolKeys, stores } = lms;
  const own = { request, deployments: stores.deployments, toolKeys, sealer, clock, ids: randomIds };
  const probes = createConnectionProbes({ ...own, calls });
  const tool = describeTool("https://tool.example");
  const { checks } = await testConnection(
    {
      registrations: {
        ...lms.stores.registrations,
        setDescription: (_of, told) => {
          described = told;
          return Promise.resolve(true);
        },
      },
      toolDescriptions: createToolDescriptions({ ...own, tool }),
      courses: { latestOf: () => Promise.resolve(courses) },
      probes,
      pauses: lms.pauses,
      lineItems: lms.lineItems,
      scores: lms.scores,
      clock,
    },
    "reg_1",
  );
  return checks;
}

/** The LMS's stored description. */
let described: { lines: readonly string[]; sentAt: number | null } | null = null;

/** "step outcome" of each check. */
async function outcomes(): Promise<string[]> {
  return (await report()).map(({ step, outcome }) => `${step} ${outcome}`);
}

const allWorks = ["keys", "launch", "token", "roster", "line-items", "results"].map(
  (step) => `${step} works`,
);

describe("The connection test", () => {
  test("reports that everything works and what it saw, by reading only", async () => {
    expect(await outcomes()).toEqual(allWorks);
    const checks = await report();
    expect(checks.map(({ message }) => message).join("\n")).toMatch(/Keys: 1\.[^]*“Biology”[^]*there: 1\./);
    expect(new Set(lms.seen.map(({ method }) => method))).toEqual(new Set(["GET"]));
    expect(lms.seen.some(({ url }) => url.startsWith("/item/results?type_id=1"))).toBe(true);
    expect(lms.seen.find(({ url }) => url.startsWith("/memberships"))?.url).toContain("limit=1");
  });

  test("stores no token", async () => {
    await report();
    const kept = [...lms.stores.accessTokens.all.values()].map(({ scopes }) => scopes);
    expect(kept).not.toContain(Object.values(scope).sort().join(" "));
  });

  test.each(["refuses", "grants less"] as const)(
    "names the missing scope and where to allow it when the LMS %s",
    async (manner) => {
      grantsOnly([scope.lineItem, scope.result, scope.score], manner);
      const checks = await report();
      const missing = checks.filter(({ missingScope }) => missingScope !== null);
      expect(missing.map(({ step, missingScope }) => [step, missingScope])).toEqual([
        ["token", scope.roster],
      ]);
      expect(missing[0]?.message).toMatch(/In Moodle: .*Names and Role Provisioning/);
      expect(checks.find(({ step }) => step === "roster")?.outcome).toBe("not-tried");
      expect(checks.find(({ step }) => step === "line-items")?.outcome).toBe("works");
    },
  );

  test("says that a Canvas has an older description of the tool, and stores what it has", async () => {
    await lms.close();
    await startWith("canvas");
    const offer = { scopes: [], claims: [], messages: [] };
    lms.registration.description = { uri: `${lms.url}/7`, offer, lines: ["a"], sentAt: 5 };
    const older = { client_id: lms.registration.clientId, client_name: "Old" };
    lms.state.answer = (request) =>
      request.url === "/7/configuration"
        ? { body: { ...older, "https://purl.imsglobal.org/spec/lti-tool-configuration": {} } }
        : answer(request);
    const last = (await report()).at(-1);
    expect(last).toMatchObject({ step: "description", outcome: "works" });
    expect(last?.message).toContain("an older description");
    expect(described).toEqual({ lines: ["client_name: Old"], sentAt: 5 });
  });

  test("names each of several missing scopes in Canvas's words", async () => {
    await lms.close();
    await startWith("canvas");
    grantsOnly([scope.lineItem, scope.roster], "refuses");
    const token = (await report()).filter(({ step }) => step === "token");
    expect(token.map(({ missingScope }) => missingScope).sort()).toEqual([scope.result, scope.score].sort());
    expect(token.map(({ message }) => message).join(" ")).toMatch(
      /Developer Keys.*Can create and update submission results/,
    );
  });

  test("says that the LMS refuses the tool itself, and skips useless steps", async () => {
    lms.state.tokenAnswer = () => ({ status: 400, body: { error: "invalid_client" } });
    expect(await outcomes()).toEqual([
      "keys works",
      "launch works",
      "token fails",
      "roster not-tried",
      "line-items not-tried",
      "results not-tried",
    ]);
    expect(lms.assertions).toHaveLength(1);
  });

  test("tries what it can before the first launch", async () => {
    courses = [];
    const checks = await report();
    expect(checks.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      "keys works",
      "launch not-tried",
      "token works",
      "roster not-tried",
      "line-items not-tried",
      "results not-tried",
    ]);
    expect(checks[1]?.message).toContain("Open its link in a course once");
  });

  test("skips a course whose launches bring no services", async () => {
    courses.unshift({ course: course({ lineItemsUrl: null, membershipsUrl: null }), lastLaunchAt: null });
    expect(await outcomes()).toEqual(allWorks);
  });

  test("says when launches bring no services at all", async () => {
    courses = [
      { course: course({ lineItemsUrl: null, membershipsUrl: null, gradeScopes: [] }), lastLaunchAt: 0 },
    ];
    const checks = await report();
    expect(checks.map(({ step, outcome }) => `${step} ${outcome}`)).toEqual([
      "keys works",
      "launch fails",
      "token works",
      "roster fails",
      "line-items fails",
      "results not-tried",
    ]);
    expect(checks.map(({ missingScope }) => missingScope)).toEqual([
      null,
      null,
      null,
      scope.roster,
      scope.lineItem,
      null,
    ]);
  });

  test.each([
    [[], "line-items", scope.lineItem],
    [[scope.lineItem], "results", scope.result],
    [[scope.lineItem, scope.result], "results", scope.score],
  ])("names the right that a launch with %j lacks", async (gradeScopes, step, missing) => {
    courses = [{ course: course({ gradeScopes }), lastLaunchAt: 0 }];
    const failing = (await report()).filter(({ outcome }) => outcome === "fails");
    expect(failing.map((check) => [check.step, check.missingScope])).toEqual([[step, missing]]);
  });

  test.each<[string, string, string]>([
    ["/jwks", "keys", "key set"],
    ["/memberships", "roster", "list of people"],
    ["/lineitems", "line-items", "grade columns"],
    ["/item/results", "results", "grades of a column"],
  ])("of %s that answers 404 names the step and the request", async (path, step, words) => {
    lms.state.answer = (request) => (request.url.startsWith(path) ? { status: 404 } : answer(request));
    const failing = (await report()).filter(({ outcome }) => outcome === "fails");
    expect(failing.map((check) => check.step)).toEqual([step]);
    expect(failing[0]?.message).toContain(words);
  });

  test.each<[string, Reply | "cut" | "hang"]>([
    ["an HTML page", { body: "<html>" }],
    ["not a key set", { body: {} }],
    ["an empty key set", { body: { keys: [] } }],
    ["without usable keys", { body: { keys: [{ kty: "oct", kid: "k", k: "secret" }] } }],
    ["a broken connection", "cut"],
    ["silence", "hang"],
  ])("of a key set that is %s explains it in words", async (_name, reply) => {
    lms.state.answer = (request) => (request.url === "/jwks" ? reply : answer(request));
    const [keys] = await report();
    expect([keys?.outcome, typeof keys?.coded?.code]).toEqual(["fails", "string"]);
    expect(keys?.message).not.toMatch(/undefined|ZodError|<html>|secret/);
  });

  test("of an unknown registration is refused", async () => {
    lms.stores.registrations.all.length = 0;
    await expect(report()).rejects.toMatchObject({ code: "no-such-registration" });
  });
});
