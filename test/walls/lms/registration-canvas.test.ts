import { readFile } from "node:fs/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { canvasConfiguration } from "../../../src/lms/products/canvas.ts";
import { registerByDynamicRegistration } from "../../../src/lms/dynamic-registration.ts";
import { describeTool } from "../../../src/lms/registration-request.ts";
import { canvasRegistrationProblems, developerKeyProblems } from "../../support/stand-ins/canvas-rules.ts";
import {
  platformConfiguration,
  roster,
  score,
  startRegistering,
  toolConfiguration,
} from "../../support/stand-ins/registering-lms.ts";

const canvas = "https://canvas.instructure.com/lti";
const tool = describeTool("https://tool.example:8443");
const anyObject = z.record(z.string(), z.unknown());

let world: Awaited<ReturnType<typeof startRegistering>>;
beforeEach(async () => {
  world = await startRegistering();
  Object.assign(world.lms.configuration, {
    authorization_server: "canvas.test",
    scopes_supported: ["openid", score, roster, `${canvas}/public_jwk/scope/update`],
    claims_supported: ["sub", "picture", "email", "name", "given_name", "family_name", "locale"],
    [platformConfiguration]: {
      product_family_code: "canvas",
      version: "OpenSource",
      messages_supported: [
        {
          type: "LtiResourceLinkRequest",
          placements: ["account_navigation", "course_navigation", "link_selection"],
        },
        {
          type: "LtiDeepLinkingRequest",
          placements: ["assignment_selection", "editor_button", "link_selection"],
        },
      ],
      [`${canvas}/account_name`]: "Test University",
    },
  });
  world.lms.answer = () => ({ status: 201, body: { client_id: 10000000000042 } });
});
afterEach(() => world.close());

const register = (more: Partial<typeof world.deps> = {}) =>
  registerByDynamicRegistration({ ...world.deps, ...more }, world.request);

/** What was sent to Canvas, with its tool configuration. */
function sent() {
  const body = world.seen[1]?.body ?? {};
  return { body, configuration: anyObject.parse(body[toolConfiguration]) };
}

/** Canvas offers these placements for its two messages. */
function offers(resourceLink: string[] | undefined, deepLinking: string[] | undefined): void {
  world.lms.configuration[platformConfiguration] = {
    product_family_code: "canvas",
    messages_supported: [
      { type: "LtiResourceLinkRequest", placements: resourceLink },
      { type: "LtiDeepLinkingRequest", placements: deepLinking },
    ],
  };
}

describe("Canvas", () => {
  test("gets a registration it accepts", async () => {
    await register();
    expect(canvasRegistrationProblems(sent().body)).toEqual([]);
  });

  test("gets the addresses of the operator's privacy policy and terms", async () => {
    const policies = {
      privacyUrl: "https://university.example/privacy",
      termsUrl: "https://university.example/terms",
    };
    await register({ tool: describeTool("https://tool.test:8443", policies) });
    expect(sent().body).toMatchObject({ policy_uri: policies.privacyUrl, tos_uri: policies.termsUrl });
    expect(canvasRegistrationProblems(sent().body)).toEqual([]);
  });

  test("answers 201 with a numeric client id and no deployment, and is known by its account", async () => {
    const { registration, deploymentId, known } = await register();
    expect(registration).toMatchObject({
      family: "canvas",
      name: "Test University",
      clientId: "10000000000042",
      newDeployments: "accept",
    });
    expect({ deploymentId, known }).toEqual({ deploymentId: null, known: false });
    expect(world.stores.deployments.all).toEqual([]);
  });

  test("gets assertions for its token address, not for the bare host that it names", async () => {
    expect((await register()).registration.tokenAudience).toBeNull();
  });

  test("puts the tool into the course menu for members, and into modules and assignments", async () => {
    await register();
    expect(sent().configuration["messages"]).toEqual([
      {
        type: "LtiResourceLinkRequest",
        target_link_uri: "https://tool.test:8443/lti/launch",
        label: "Online classroom",
        placements: ["course_navigation"],
        custom_parameters: { space_learners: "near" },
        [`${canvas}/course_navigation/default_enabled`]: true,
        [`${canvas}/visibility`]: "members",
        [`${canvas}/display_type`]: "full_width_in_context",
      },
      {
        type: "LtiDeepLinkingRequest",
        target_link_uri: "https://tool.test:8443/lti/launch",
        label: "Online classroom",
        placements: ["link_selection", "assignment_selection"],
      },
    ]);
  });

  test("has sections because the variables are set for the tool", async () => {
    await register();
    const { configuration, body } = sent();
    expect(configuration["custom_parameters"]).toMatchObject({
      spaces_section_ids: "$Canvas.course.sectionIds",
      spaces_section_names: "$com.instructure.User.sectionNames",
      spaces_section_sis_ids: "$Canvas.course.sectionSisSourceIds",
      spaces_section_restricted: "$Canvas.course.sectionRestricted",
    });
    expect(configuration[`${canvas}/privacy_level`]).toBe("public");
    expect(configuration[`${canvas}/tool_id`]).toBe("spaces-lti");
    expect(String(body["scope"]).split(" ").sort()).toEqual([score, roster].sort());
  });

  test.each<[string, string[] | undefined, string[] | undefined, unknown]>([
    [
      "with its own prefix",
      [`${canvas}/course_navigation`],
      ["ContentArea"],
      [[`${canvas}/course_navigation`], ["ContentArea"]],
    ],
    ["not listed", undefined, undefined, [["course_navigation"], ["link_selection", "assignment_selection"]]],
    ["without the course menu", ["account_navigation"], ["link_selection"], [["link_selection"]]],
    ["without any of ours", ["account_navigation"], ["editor_button"], []],
  ])("gets only placements that it offers: %s", async (_name, resourceLink, deepLinking, expected) => {
    offers(resourceLink, deepLinking);
    await register();
    const messages = z.array(anyObject).parse(sent().configuration["messages"]);
    expect(messages.map(({ placements }) => placements)).toEqual(expected);
  });

  test.each([
    ["https://canvas.instructure.com", "https://sso.canvaslms.com"],
    ["https://canvas.beta.instructure.com", "https://canvas.beta.instructure.com"],
    ["https://canvas.test.instructure.com", "https://sso.test.canvaslms.com"],
  ])("in its cloud has the issuer %s for %s", async (issuer, origin) => {
    const configuration = {
      ...world.lms.configuration,
      issuer,
      authorization_endpoint: `${origin}/api/lti/authorize_redirect`,
      token_endpoint: `${origin}/login/oauth2/token`,
      jwks_uri: `${origin}/api/lti/security/jwks`,
      registration_endpoint: `${origin}/api/lti/registrations`,
    };
    const cloud: typeof fetch = (_address, init) =>
      Promise.resolve(
        init?.method === "POST" ? Response.json({ client_id: "1" }) : Response.json(configuration),
      );
    const deps = { ...world.deps, fetch: cloud, allowPrivate: false };
    const from = (host: string) => ({
      ...world.request,
      openidConfigurationUrl: `${host}/api/lti/security/openid-configuration?registration_token=x`,
    });
    const { registration } = await registerByDynamicRegistration(deps, from(origin));
    expect(registration).toMatchObject({ issuer, tokenUrl: `${origin}/login/oauth2/token` });
    await expect(
      registerByDynamicRegistration(deps, from("https://evil.instructure.com.example")),
    ).rejects.toMatchObject({ code: "issuer-mismatch" });
  });
});

describe("Canvas's developer-key configuration", () => {
  test("is accepted by Canvas", () => {
    expect(developerKeyProblems(canvasConfiguration(tool))).toEqual([]);
  });

  test("asks for notices if this Canvas is said to know them, and changes nothing else", () => {
    const notices = "https://purl.imsglobal.org/spec/lti/scope/noticehandlers";
    const { scopes: asked, ...rest } = canvasConfiguration(tool, { notices: true });
    const { scopes: usual, ...others } = canvasConfiguration(tool);
    expect(usual).not.toContain(notices);
    expect(asked).toEqual([...z.array(z.string()).parse(usual), notices]);
    expect(rest).toEqual(others);
  });

  test("names this installation's addresses and nothing else about it", () => {
    const configuration = canvasConfiguration(tool);
    expect(configuration).toMatchObject({
      target_link_uri: "https://tool.example:8443/lti/launch",
      oidc_initiation_url: "https://tool.example:8443/lti/login",
      public_jwk_url: "https://tool.example:8443/lti/keys",
      custom_fields: { spaces_section_ids: "$Canvas.course.sectionIds" },
      extensions: [{ domain: "tool.example:8443", privacy_level: "public" }],
    });
    const hosts = [...JSON.stringify(configuration).matchAll(/https:\/\/([^/"]+)/g)].map(([, host]) => host);
    expect(new Set(hosts)).toEqual(new Set(["tool.example:8443", "purl.imsglobal.org"]));
  });

  test("asks for the same placements as a dynamic registration", async () => {
    await register();
    const inRegistration = z
      .array(z.object({ placements: z.array(z.string()) }))
      .parse(sent().configuration["messages"])
      .flatMap(({ placements }) => placements);
    const { extensions } = z
      .object({
        extensions: z.array(
          z.object({ settings: z.object({ placements: z.array(z.object({ placement: z.string() })) }) }),
        ),
      })
      .parse(canvasConfiguration(tool));
    expect(extensions[0]?.settings.placements.map(({ placement }) => placement)).toEqual(inRegistration);
  });

  test("is in lti-config as the command writes it", async () => {
    const file = new URL("../../../lti-config/canvas.json", import.meta.url);
    const written: unknown = JSON.parse(await readFile(file, "utf8"));
    expect(written).toEqual(canvasConfiguration(describeTool("https://tool.example")));
  });
});
