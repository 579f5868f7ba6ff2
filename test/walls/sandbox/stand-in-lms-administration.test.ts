import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { demoSeed } from "../../../src/sandbox/demo-seed.ts";
import { startStandInLms } from "../../../src/sandbox/stand-in-lms/start-stand-in-lms.ts";
import type { StandInLms } from "../../../src/sandbox/stand-in-lms/start-stand-in-lms.ts";
import { startPretendTool } from "./pretend-tool.ts";
import type { PretendTool } from "./pretend-tool.ts";

let lms: StandInLms;
let tool: PretendTool;

beforeAll(async () => {
  tool = await startPretendTool();
});
afterAll(() => tool.close());
afterEach(() => lms.close());

async function start(manners: "moodle" | "canvas", publicHost?: string) {
  lms = await startStandInLms({
    port: 0,
    clock: systemClock,
    logger: createLogger("silent"),
    seed: demoSeed,
    manners,
    ...(publicHost === undefined ? {} : { publicHost }),
  });
}

const toolConfiguration = "https://purl.imsglobal.org/spec/lti-tool-configuration";

describe("Updating a registration in Moodle", () => {
  test("keeps the tool's identity, and the token can be used again", async () => {
    await start("moodle");
    await tool.register(lms);
    const [before] = lms.tools().map((one) => ({ ...one }));
    const url = await lms.beginRegistrationUpdate(before?.id ?? "", `${tool.url}/register`);
    expect((await tool.register(lms, { client_name: "Renamed" }, url)).status).toBe(200);
    expect((await tool.register(lms, { client_name: "Renamed" }, url)).status).toBe(200);
    expect(lms.tools()).toMatchObject([
      { name: "Renamed", clientId: before?.clientId, deploymentId: before?.deploymentId, state: "active" },
    ]);
    const token = new URL(url).searchParams.get("registration_token") ?? "";
    const current = await fetch(`${lms.url}/mod/lti/openid-registration.php`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(await current.json()).toMatchObject({ client_id: before?.clientId, client_name: "Renamed" });
  });

  test("a deleted tool gets no token any more", async () => {
    await start("moodle");
    await tool.register(lms);
    const clientId = tool.registeredClientId(lms);
    lms.deleteTool(lms.tools()[0]?.id ?? "");
    expect((await tool.token(lms, ["x"], { sub: clientId, iss: clientId })).status).toBe(400);
  });
});

describe("A course that is reset", () => {
  test("loses learners and grades and keeps its columns", async () => {
    await start("moodle");
    lms.overrideGrade("2", "11", 5);
    lms.resetCourse("2");
    const { columns, learners } = lms.gradebook("2");
    expect(columns).toHaveLength(1);
    expect(learners).toEqual([]);
  });
});

describe("A Canvas developer key", () => {
  const key = () => ({
    title: "Pretend tool",
    description: "For trying",
    target_link_uri: `${tool.url}/launch`,
    oidc_initiation_url: `${tool.url}/login`,
    public_jwk_url: `${tool.url}/keys`,
    scopes: ["https://purl.imsglobal.org/spec/lti-ags/scope/score"],
    custom_fields: { sectionIds: "$Canvas.course.sectionIds" },
    extensions: [
      {
        platform: "canvas.instructure.com",
        privacy_level: "public",
        settings: {
          placements: [
            { placement: "course_navigation", message_type: "LtiResourceLinkRequest", default: "disabled" },
            { placement: "link_selection", message_type: "LtiDeepLinkingRequest" },
          ],
        },
      },
    ],
  });

  test("makes a tool that works at once", async () => {
    await start("canvas");
    const made = await lms.addToolByJson(key());
    expect(made).toMatchObject({
      ignored: [],
      tool: {
        state: "active",
        deepLinkingUrl: `${tool.url}/launch`,
        shares: { names: true, email: true },
        placements: ["course_navigation", "link_selection"],
      },
    });
  });

  test.each([
    ["without a title", { title: undefined }, "/title"],
    ["with an unknown scope", { scopes: ["https://example.test/scope"] }, "/scopes/0"],
    ["without a key", { public_jwk_url: undefined }, "public jwk"],
    [
      "with an unknown placement",
      {
        extensions: [
          { platform: "canvas.instructure.com", settings: { placements: [{ placement: "moon" }] } },
        ],
      },
      "/extensions/0/settings/placements/0/placement",
    ],
    [
      "with content selection from the navigation",
      {
        extensions: [
          {
            platform: "canvas.instructure.com",
            settings: {
              placements: [{ placement: "course_navigation", message_type: "LtiDeepLinkingRequest" }],
            },
          },
        ],
      },
      "message type",
    ],
  ])("is refused %s", async (_what, change, complaint) => {
    await start("canvas");
    const made = await lms.addToolByJson({ ...key(), ...change });
    expect("errors" in made ? made.errors.join("\n") : "").toContain(complaint);
    expect(lms.tools()).toEqual([]);
  });

  test("tells which members Canvas takes no notice of", async () => {
    await start("canvas");
    expect(await lms.addToolByJson({ ...key(), titel: "typo" })).toMatchObject({ ignored: ["/titel"] });
  });
});

describe("Registering in Canvas", () => {
  test.each([
    ["an unknown scope", { scope: "https://example.test/scope" }, "/scope"],
    [
      "a message Canvas does not know",
      {
        [toolConfiguration]: {
          domain: "x.test",
          claims: [],
          messages: [{ type: "LtiSubmissionReviewRequest" }],
        },
      },
      "/messages/0/type",
    ],
    ["no implicit grant", { grant_types: ["client_credentials"] }, "/grant_types"],
  ])("is 422 for %s", async (_what, change, complaint) => {
    await start("canvas");
    const { status, text } = await tool.register(lms, change);
    expect(status).toBe(422);
    expect(text).toContain(complaint);
  });
});

describe("An LMS under another name", () => {
  test("uses it in its addresses and lets browsers send its cookie from foreign frames", async () => {
    await start("moodle", "lms.localhost");
    expect(lms.url).toMatch(/^http:\/\/lms\.localhost:\d+$/);
    const answer = await fetch(lms.url.replace("lms.localhost", "127.0.0.1") + "/login", {
      method: "POST",
      body: new URLSearchParams({ user: "student1", next: "/course/2" }),
      redirect: "manual",
    });
    expect(answer.headers.get("location")).toBe("/course/2");
    expect(answer.headers.get("set-cookie")).toMatch(/Secure; SameSite=None/);
  });
});
