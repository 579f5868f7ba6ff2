import { createServer } from "node:http";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createSealer } from "../../../src/kernel/sealer.ts";
import {
  registerByDynamicRegistration,
  registerByInvitation,
} from "../../../src/lms/dynamic-registration.ts";
import { registerByHand } from "../../../src/lms/manual-registration.ts";
import { isPublicAddress, outsideAddress } from "../../../src/lms/outside-address.ts";
import { createOutsideFetch } from "../../../src/lms/outside-fetch.ts";
import { createToolKeys } from "../../../src/lms/tool-keys.ts";
import { createLmsStores } from "../../support/lms-stores.ts";
import { closed, listening } from "../../support/signed-launch.ts";

const toolConfiguration = "https://purl.imsglobal.org/spec/lti-tool-configuration";
const platformConfiguration = "https://purl.imsglobal.org/spec/lti-platform-configuration";
const score = "https://purl.imsglobal.org/spec/lti-ags/scope/score";
const roster = "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly";

const anyObject = z.record(z.string(), z.unknown());
const jsonObject = (text: string) => anyObject.parse(JSON.parse(text === "" ? "{}" : text));

/** An LMS that registers tools, Moodle's way unless told otherwise, and the tool's side of it. */
async function startRegistering() {
  const seen: {
    method: string;
    url: string;
    authorization: string | undefined;
    body: Record<string, unknown>;
  }[] = [];
  const lms: {
    configuration: Record<string, unknown>;
    answer: () => { status: number; body: unknown };
  } = {
    configuration: {},
    answer: () => ({
      status: 200,
      body: { client_id: "abc", [toolConfiguration]: { deployment_id: "1" } },
    }),
  };
  const server = createServer((request, response) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (text += chunk));
    request.on("end", () => {
      const { method = "", url = "" } = request;
      seen.push({
        method,
        url,
        authorization: request.headers.authorization,
        body: jsonObject(text),
      });
      const { status, body } = method === "POST" ? lms.answer() : { status: 200, body: lms.configuration };
      response.writeHead(status);
      response.end(typeof body === "string" ? body : JSON.stringify(body));
    });
  });
  const url = await listening(server);
  lms.configuration = {
    issuer: url,
    authorization_endpoint: `${url}/auth`,
    token_endpoint: `${url}/token`,
    jwks_uri: `${url}/jwks`,
    registration_endpoint: `${url}/register`,
    token_endpoint_auth_methods_supported: ["private_key_jwt"],
    token_endpoint_auth_signing_alg_values_supported: ["RS256"],
    scopes_supported: [score, roster, "openid"],
    claims_supported: ["sub", "iss", "name", "email"],
    [platformConfiguration]: {
      product_family_code: "moodle",
      version: "4.5.6",
      messages_supported: [
        { type: "LtiResourceLinkRequest" },
        { type: "LtiDeepLinkingRequest", placements: ["ContentArea"] },
      ],
      variables: ["Context.id"],
    },
  };
  const stores = createLmsStores();
  const deps = {
    ...stores,
    toolKeys: createToolKeys({
      toolKeys: stores.toolKeys,
      sealer: createSealer("a secret key of at least thirty-two bytes"),
      clock: systemClock,
      ids: randomIds,
    }),
    fetch: createOutsideFetch(true),
    clock: systemClock,
    ids: randomIds,
    tool: { publicUrl: "https://tool.test:8443", name: "Classroom", description: "A classroom" },
    allowPrivate: true,
  };
  const request = {
    openidConfigurationUrl: `${url}/config?x=1`,
    registrationToken: "reg-token",
    environment: "production" as const,
  };
  return { url, lms, seen, stores, deps, request, close: () => closed(server) };
}

let world: Awaited<ReturnType<typeof startRegistering>>;
beforeEach(async () => {
  world = await startRegistering();
});
afterEach(() => world.close());

const register = () => registerByDynamicRegistration(world.deps, world.request);

describe("dynamic registration", () => {
  test("Moodle gets a request it accepts, and both sides know each other afterwards", async () => {
    const { registration, deploymentId } = await register();
    expect(registration).toMatchObject({
      issuer: world.url,
      clientId: "abc",
      family: "moodle",
      authorizationUrl: `${world.url}/auth`,
      environment: "production",
      active: true,
    });
    expect(deploymentId).toBe("1");
    expect(world.stores.deployments.all).toMatchObject([{ deploymentId: "1", status: "accepted" }]);
    expect(await world.deps.toolKeys.publicKeys()).toHaveLength(1);
    const [configuration, sent] = world.seen;
    expect(configuration).toMatchObject({ url: "/config?x=1", authorization: "Bearer reg-token" });
    expect(sent).toMatchObject({
      method: "POST",
      authorization: "Bearer reg-token",
      body: {
        application_type: "web",
        grant_types: ["implicit", "client_credentials"],
        initiate_login_uri: "https://tool.test:8443/lti/login",
        redirect_uris: ["https://tool.test:8443/lti/launch"],
        jwks_uri: "https://tool.test:8443/lti/keys",
        scope: `${score} ${roster}`,
        [toolConfiguration]: {
          domain: "tool.test:8443",
          claims: ["iss", "sub", "name", "email"],
          custom_parameters: {
            spaces_moodle_groups: "$Moodle.Person.userGroupIds",
            spaces_context_history: "$Context.id.history",
          },
        },
      },
    });
  });

  test("Canvas answers 201 without a deployment and gets placements and its section variables", async () => {
    Object.assign(world.lms.configuration, {
      [platformConfiguration]: {
        product_family_code: "canvas",
        messages_supported: [{ type: "LtiResourceLinkRequest" }],
      },
      authorization_server: "canvas.test",
    });
    world.lms.answer = () => ({ status: 201, body: { client_id: 10000000000042 } });
    const { registration, deploymentId } = await register();
    expect(registration).toMatchObject({
      family: "canvas",
      clientId: "10000000000042",
      tokenAudience: "canvas.test",
    });
    expect(deploymentId).toBeNull();
    expect(world.seen[1]?.body[toolConfiguration]).toMatchObject({
      messages: [{ type: "LtiResourceLinkRequest", placements: ["course_navigation"] }],
      custom_parameters: { spaces_section_ids: "$Canvas.course.sectionIds" },
    });
  });

  test("registering again changes nothing that is there", async () => {
    const { registration } = await register();
    await expect(register()).rejects.toMatchObject({ code: "registration-exists" });
    expect(world.stores.registrations.all).toEqual([registration]);
  });

  test("a configuration that speaks for another LMS is refused before anything is sent to it", async () => {
    world.lms.configuration["issuer"] = "https://victim.example";
    await expect(register()).rejects.toMatchObject({ code: "issuer-mismatch" });
    world.lms.configuration["issuer"] = world.url.replace(/\d+$/, "1");
    await expect(register()).rejects.toMatchObject({ code: "issuer-mismatch" });
    expect(world.seen.filter(({ method }) => method === "POST")).toEqual([]);
    expect(world.stores.registrations.all).toEqual([]);
  });

  test.each(["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint"])(
    "a configuration without %s is refused by name",
    async (field) => {
      world.lms.configuration = Object.fromEntries(
        Object.entries(world.lms.configuration).filter(([name]) => name !== field),
      );
      await expect(register()).rejects.toThrow(new RegExp(field));
    },
  );

  test("an LMS that cannot use our kind of key is refused", async () => {
    world.lms.configuration["token_endpoint_auth_methods_supported"] = ["client_secret_basic"];
    await expect(register()).rejects.toMatchObject({ code: "configuration-unsupported" });
  });

  test.each([
    [
      "RFC 7591",
      { error: "invalid_redirect_uri", error_description: "Must be https" },
      /invalid_redirect_uri, Must be https/,
    ],
    ["Canvas", { errors: [{ field: "domain", message: "missing" }] }, /domain.*missing/],
    ["Moodle", "token_already_used", /token_already_used/],
  ])("the words of %s reach the administrator", async (_name, body, words) => {
    world.lms.answer = () => ({ status: 422, body });
    await expect(register()).rejects.toThrow(words);
    expect(world.stores.registrations.all).toEqual([]);
  });

  test("an HTML error page is not repeated, nor is the token", async () => {
    world.lms.answer = () => ({ status: 500, body: "<html>reg-token</html>" });
    const thrown: unknown = await register().catch((error: unknown) => error);
    expect(String(thrown)).not.toMatch(/html|reg-token/);
    expect(thrown).toMatchObject({ temporary: true });
  });
});

describe("an invitation", () => {
  const invited = () => registerByInvitation(world.deps, "inv_1", world.request);
  beforeEach(() => {
    world.stores.invitations.all.push({
      id: "inv_1",
      environment: "staging",
      expiresAt: Date.now() + 60_000,
      usedAt: null,
    });
  });

  test("works once and decides the environment", async () => {
    expect((await invited()).registration.environment).toBe("staging");
    await expect(invited()).rejects.toMatchObject({ code: "invitation-invalid", status: 403 });
  });

  test("of two registrations at the same moment one gets it", async () => {
    const both = await Promise.allSettled([invited(), invited()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("is given back when the LMS did not accept, and stays used when it did", async () => {
    world.lms.answer = () => ({ status: 400, body: "no" });
    await expect(invited()).rejects.toMatchObject({ code: "registration-refused" });
    world.lms.answer = () => ({ status: 200, body: {} });
    await expect(invited()).rejects.toMatchObject({ code: "registration-unreadable" });
    await expect(invited()).rejects.toMatchObject({ code: "invitation-invalid" });
  });

  test("does not work after its time", async () => {
    const [invitation] = world.stores.invitations.all;
    if (invitation !== undefined) invitation.expiresAt = Date.now() - 1;
    await expect(invited()).rejects.toMatchObject({ code: "invitation-invalid" });
  });
});

describe("a registration by hand", () => {
  const given = {
    issuer: "https://lms.example/moodle",
    clientId: "c1",
    family: "moodle",
    authorizationUrl: "https://lms.example/moodle/auth",
    tokenUrl: "https://lms.example/token",
    jwksUrl: "https://lms.example/jwks",
    environment: "production",
  } as const;
  const byHand = (change: object) =>
    registerByHand({ ...world.deps, allowPrivate: false }, { ...given, ...change });

  test("is kept with its deployment and a name people recognise", async () => {
    const registration = await byHand({ deploymentId: "7" });
    expect(registration).toMatchObject({
      issuer: given.issuer,
      name: "lms.example",
      newDeployments: "accept",
    });
    expect(world.stores.deployments.all).toMatchObject([
      { registrationId: registration.id, deploymentId: "7" },
    ]);
    await expect(byHand({ tokenUrl: "https://other.example/token" })).rejects.toMatchObject({
      code: "registration-exists",
    });
  });

  test.each([
    ["plain http", { tokenUrl: "http://lms.example/token" }, /token address must begin with https/],
    [
      "a private address",
      { jwksUrl: "https://192.168.1.2/jwks" },
      /key set address must be on the public internet/,
    ],
    ["no address", { authorizationUrl: "auth" }, /authorization address is not a full web address/],
    ["a password in it", { issuer: "https://u:p@lms.example" }, /issuer must not hold/],
    ["no client id", { clientId: " " }, /client id/],
  ])("with %s is refused and the field is named", async (_name, change, words) => {
    await expect(byHand(change)).rejects.toThrow(words);
  });
});

describe("reaching the LMS and nothing else", () => {
  test.each([
    "127.0.0.1",
    "10.1.2.3",
    "172.31.0.1",
    "192.168.0.1",
    "169.254.169.254",
    "100.64.0.1",
    "0.0.0.0",
    "224.0.0.1",
    "::1",
    "::",
    "fe80::1",
    "fd00::1",
    "ff02::1",
    "::ffff:127.0.0.1",
    "::ffff:7f00:1",
    "64:ff9b::7f00:1",
    "2002:7f00:1::",
    "localhost",
    "",
  ])("%s is not public", (address) => {
    expect(isPublicAddress(address)).toBe(false);
  });
  test.each(["8.8.8.8", "93.184.216.34", "2606:4700::1111"])("%s is public", (address) => {
    expect(isPublicAddress(address)).toBe(true);
  });
  test.each([
    "https://127.0.0.1/",
    "https://[::1]/",
    "https://2130706433/",
    "https://localhost/",
    "https://a.localhost",
    "ftp://x.example",
    "http://x.example",
  ])("%s is not an address to fetch from", (address) => {
    expect(() => outsideAddress(address, false, "It")).toThrow();
  });

  test("a public name that resolves to a private address is not connected to", async () => {
    for (const address of ["127.0.0.1", "169.254.169.254", "::1"]) {
      const outside = createOutsideFetch(false, (_name, _options, callback) => {
        callback(null, [{ address, family: address.includes(":") ? 6 : 4 }]);
      });
      await expect(outside("https://lms.example/config")).rejects.toMatchObject({ code: "EPRIVATE" });
    }
    await expect(createOutsideFetch(false)(`${world.url}/config`)).rejects.toMatchObject({
      code: "bad-address",
    });
    expect(world.seen).toEqual([]);
  });

  test("a redirect is an answer, not a way", async () => {
    const server = createServer((_request, response) => {
      response.writeHead(302, { location: `${world.url}/secret` });
      response.end();
    });
    const url = await listening(server);
    const response = await createOutsideFetch(true)(url);
    expect(response.status).toBe(302);
    await expect(
      registerByDynamicRegistration(world.deps, { ...world.request, openidConfigurationUrl: url }),
    ).rejects.toMatchObject({ code: "registration-refused" });
    expect(world.seen).toEqual([]);
    await closed(server);
  });
});
