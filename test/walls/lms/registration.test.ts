import { beforeEach, describe, expect, test } from "vitest";
import {
  registerByDynamicRegistration,
  registerByInvitation,
} from "../../../src/lms/dynamic-registration.ts";
import { registerByHand } from "../../../src/lms/manual-registration.ts";
import {
  platformConfiguration,
  roster,
  score,
  startRegistering,
  toolConfiguration,
} from "../../support/stand-ins/registering-lms.ts";
import { forEachTest } from "../../support/for-all-tests.ts";

const lti = "https://purl.imsglobal.org/spec";
const allScopes = [
  ...["lineitem", "lineitem.readonly", "result.readonly", "score"].map(
    (one) => `${lti}/lti-ags/scope/${one}`,
  ),
  roster,
  `${lti}/lti-gs/scope/contextgroup.readonly`,
  `${lti}/lti/scope/noticehandlers`,
];

let world: Awaited<ReturnType<typeof startRegistering>>;
forEachTest(async () => (world = await startRegistering()));

const register = () => registerByDynamicRegistration(world.deps, world.request);

describe("dynamic registration", () => {
  test("Moodle gets a request it accepts, and both sides then know each other", async () => {
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

  test("an LMS that registers the tool again on its side finds its registration unchanged", async () => {
    const first = await register();
    expect(first.known).toBe(false);
    world.lms.configuration["token_endpoint"] = `${world.url}/another-token`;
    world.lms.configuration["jwks_uri"] = `${world.url}/another-key-set`;
    world.lms.answer = () => ({
      status: 200,
      body: { client_id: "abc", [toolConfiguration]: { deployment_id: "another" } },
    });
    const again = await register();
    expect(again).toMatchObject({ known: true, registration: first.registration });
    expect(world.stores.registrations.all).toEqual([first.registration]);
    expect(world.stores.deployments.all.map(({ deploymentId }) => deploymentId)).toEqual(["1"]);
    expect(await world.deps.toolKeys.publicKeys()).toHaveLength(1);
  });

  test("one LMS may have the tool under several client ids", async () => {
    const first = await register();
    world.lms.answer = () => ({ status: 200, body: { client_id: "def" } });
    const second = await register();
    expect(second.known).toBe(false);
    expect(second.registration.id).not.toBe(first.registration.id);
    expect(world.stores.registrations.all.map(({ clientId }) => clientId)).toEqual(["abc", "def"]);
  });

  test("a right that the LMS withholds is named with the place where it is allowed", async () => {
    world.lms.answer = () => ({ status: 200, body: { client_id: "abc", scope: score } });
    const { withheld } = await register();
    expect(withheld.map(({ scope }) => scope)).toEqual([roster]);
    expect(withheld[0]?.where).toContain("Names and Role Provisioning");
  });

  test.each([{}, ["x"], null, "", "x".repeat(256), true])(
    "an answer with the client id %j is refused, and nothing is stored",
    async (clientId) => {
      world.lms.answer = () => ({ status: 201, body: { client_id: clientId } });
      await expect(register()).rejects.toMatchObject({ code: "registration-unreadable" });
      expect(world.stores.registrations.all).toEqual([]);
    },
  );

  test.each([
    [12, "12"],
    [{}, null],
    [["1"], null],
  ])("an answer with the deployment id %j gives %j", async (given, deploymentId) => {
    world.lms.answer = () => ({ status: 201, body: { client_id: "abc", deployment_id: given } });
    expect((await register()).deploymentId).toBe(deploymentId);
  });

  test.each([undefined, null, "", `openid ${roster} ${score}`, 7])(
    "an answer with the scope %j withholds nothing",
    async (scope) => {
      world.lms.answer = () => ({ status: 200, body: { client_id: "abc", scope } });
      expect((await register()).withheld).toEqual([]);
    },
  );

  test("only scopes, messages and placements that the LMS lists are requested", async () => {
    Object.assign(world.lms.configuration, {
      scopes_supported: [...allScopes, "https://lms.example/scope/of-its-own"],
      [platformConfiguration]: {
        product_family_code: "sakai",
        messages_supported: [
          { type: "LtiResourceLinkRequest" },
          { type: "LtiDeepLinkingRequest", placements: ["RichTextEditor"] },
          { type: "LtiSubmissionReviewRequest" },
          { type: "LtiStartProctoring" },
          "nonsense",
        ],
      },
    });
    await register();
    const [, sent] = world.seen;
    expect(String(sent?.body["scope"]).split(" ").sort()).toEqual([...allScopes].sort());
    expect(sent?.body[toolConfiguration]).toMatchObject({
      messages: [
        { type: "LtiResourceLinkRequest" },
        { type: "LtiDeepLinkingRequest" },
        { type: "LtiSubmissionReviewRequest" },
      ],
      custom_parameters: { spaces_link_history: "$ResourceLink.id.history" },
    });
    expect(JSON.stringify(sent?.body)).not.toMatch(/placements|canvas/);
  });

  test("the token is sent to no host except the configuration's", async () => {
    world.lms.configuration["registration_endpoint"] = "http://127.0.0.1:9/register";
    await expect(register()).rejects.toMatchObject({ code: "endpoint-elsewhere" });
    expect(world.seen.map(({ method }) => method)).toEqual(["GET"]);
    expect(world.stores.registrations.all).toEqual([]);
  });

  test("Canvas names the endpoint on the account's own host, and gets the token there", async () => {
    Object.assign(world.lms.configuration, {
      registration_endpoint: `${world.url.replace("127.0.0.1", "localhost")}/register`,
      [platformConfiguration]: { product_family_code: "canvas", messages_supported: [] },
    });
    expect((await register()).registration.family).toBe("canvas");
    expect(world.seen[1]).toMatchObject({ method: "POST", authorization: "Bearer reg-token" });
  });

  describe("Blackboard", () => {
    // As in the portal, in Anthology's article 000090618.
    const portal = "https://developer.blackboard.com";
    const configuration = {
      issuer: "https://blackboard.com",
      authorization_endpoint: `${portal}/api/v1/gateway/oidcauth`,
      token_endpoint: `${portal}/api/v1/gateway/oauth2/jwttoken`,
      token_endpoint_auth_methods_supported: ["private_key_jwt"],
      token_endpoint_auth_signing_alg_values_supported: ["RS256", "RS512"],
      jwks_uri: `${portal}/.well-known/jwks.json`,
      registration_endpoint: `${portal}/api/v1/gateway/registerLti?registrationToken=7570`,
      [platformConfiguration]: { product_family_code: "BlackboardLearn", messages_supported: [] },
    };
    const fetched: typeof fetch = (_address, init) =>
      Promise.resolve(
        init?.method === "POST" ? Response.json({ client_id: "bb-1" }) : Response.json(configuration),
      );
    const from = (host: string) =>
      registerByDynamicRegistration(
        { ...world.deps, fetch: fetched, allowPrivate: false },
        { ...world.request, openidConfigurationUrl: `${host}/.well-known/openid-configuration` },
      );

    test("registers from its developer portal, and every institution is then accepted by hand", async () => {
      const { registration } = await from(portal);
      expect(registration).toMatchObject({
        issuer: "https://blackboard.com",
        product: "BlackboardLearn",
        newDeployments: "refuse",
      });
    });

    test.each(["https://blackboard.example", "https://developer.blackboard.com.example"])(
      "cannot be registered by %s",
      async (host) => {
        await expect(from(host)).rejects.toMatchObject({ code: "issuer-mismatch" });
      },
    );
  });

  test("an LMS that lists no messages gets only links", async () => {
    world.lms.configuration[platformConfiguration] = { product_family_code: "x" };
    await register();
    expect(world.seen[1]?.body[toolConfiguration]).toMatchObject({
      messages: [{ type: "LtiResourceLinkRequest" }],
    });
  });

  test("a configuration for another LMS is refused before anything is sent to it", async () => {
    world.lms.configuration["issuer"] = "https://victim.example";
    await expect(register()).rejects.toMatchObject({ code: "issuer-mismatch" });
    world.lms.configuration["issuer"] = world.url.replace(/\d+$/, "1");
    await expect(register()).rejects.toMatchObject({ code: "issuer-mismatch" });
    expect(world.seen.filter(({ method }) => method === "POST")).toEqual([]);
    expect(world.stores.registrations.all).toEqual([]);
  });

  test.each(["issuer", "authorization_endpoint", "token_endpoint", "jwks_uri", "registration_endpoint"])(
    "a configuration without %s is refused by its name",
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

  test("neither an HTML error page nor the token is repeated", async () => {
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

  test("is used by only one of two registrations at the same moment", async () => {
    const both = await Promise.allSettled([invited(), invited()]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  });

  test("can be used again if the LMS did not accept, but not if it did", async () => {
    world.lms.answer = () => ({ status: 400, body: "no" });
    await expect(invited()).rejects.toMatchObject({ code: "registration-refused" });
    world.lms.answer = () => ({ status: 200, body: {} });
    await expect(invited()).rejects.toMatchObject({ code: "registration-unreadable" });
    await expect(invited()).rejects.toMatchObject({ code: "invitation-invalid" });
  });

  test("is used up by an LMS that registers again, and does not move it to another environment", async () => {
    const first = await register();
    expect(first.registration.environment).toBe("production");
    expect(await invited()).toMatchObject({ known: true, registration: { environment: "production" } });
    await expect(invited()).rejects.toMatchObject({ code: "invitation-invalid" });
    expect(world.stores.registrations.all).toEqual([first.registration]);
  });

  test("does not work after it expires", async () => {
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

  test("is stored with its deployment and a recognizable name", async () => {
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
    ["an invalid address", { authorizationUrl: "auth" }, /authorization address is not a full web address/],
    ["a password in it", { issuer: "https://u:p@lms.example" }, /issuer must not hold/],
    ["no client id", { clientId: " " }, /client ID/],
  ])("with %s is refused, and the field is named", async (_name, change, words) => {
    await expect(byHand(change)).rejects.toThrow(words);
  });
});
