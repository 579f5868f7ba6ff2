import { createHmac, generateKeyPairSync, sign } from "node:crypto";
import { exportJWK, generateKeyPair } from "jose";
import { describe, expect, test } from "vitest";
import type { Registration } from "../../src/domain/registration.ts";
import {
  instructorRole,
  launchClaimsOf,
  launchWith,
  ltiClaims,
  learnerRole,
  makeSigningKey,
  post,
  postLaunch,
  registered,
  type SigningKey,
  signedLaunch,
  startLogin,
  startPlatform,
  startTool,
  type TinyTool,
  type TokenChanges,
  launchesIntoTool,
} from "../support/stand-ins/signed-launch.ts";

// The headings of the 1EdTech certification, case by case. What launch.test.ts and launch-legal.test.ts hold
// already (audiences, times, jku, none and HS256, replays, browsers, deployments) is not said again here.
const seconds = () => Math.floor(Date.now() / 1000);
const longest = "i".repeat(255);

let tool: TinyTool;
let registration: Registration;

const { platform, launch, signed, begun } = await launchesIntoTool((made) => {
  ({ tool, registration } = made);
});

async function expectRefused(response: Response, code: string): Promise<void> {
  expect(await response.json()).toEqual({ code });
  expect(response.status).toBeGreaterThanOrEqual(400);
  expect(response.status).toBeLessThan(500);
  expect(tool.launches).toEqual([]);
  expect(tool.errors).toEqual([]);
}

function expectAccepted(response: Response, launch: object): void {
  expect(tool.refusals).toEqual([]);
  expect(tool.errors).toEqual([]);
  expect(response.status).toBe(200);
  expect(tool.launches[0]).toMatchObject(launch);
}

/** An object with names that only JSON can create. */
function parsed(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  return typeof value === "object" && value !== null ? { ...value } : {};
}

/** A token made by hand, as a library refuses to sign it. */
function rawToken(header: object, payload: string, signature: string | ((signed: string) => string)): string {
  const part = (text: string) => Buffer.from(text).toString("base64url");
  const signed = `${part(JSON.stringify(header))}.${part(payload)}`;
  return `${signed}.${typeof signature === "string" ? signature : signature(signed)}`;
}

describe("Core: bad payloads", () => {
  const bad: [string, string, Record<string, unknown>][] = [
    ["no LTI version", "launch-incomplete", { version: undefined }],
    ["an LTI version that is a number", "launch-incomplete", { version: 1.3 }],
    ["a short LTI version", "launch-incomplete", { version: "1.3" }],
    ["an LTI version to come", "launch-incomplete", { version: "11.3.0" }],
    ["no message type", "launch-incomplete", { message_type: undefined }],
    ["a blank message type", "message-unsupported", { message_type: "" }],
    ["a message type in lower case", "message-unsupported", { message_type: "ltiresourcelinkrequest" }],
    ["two message types", "launch-incomplete", { message_type: ["LtiResourceLinkRequest"] }],
    ["an LTI 1.1 message", "message-unsupported", { message_type: "basic-lti-launch-request" }],
    ["an exp that is text", "token-times", { exp: String(seconds() + 60) }],
    ["an iat that is text", "token-times", { iat: String(seconds()) }],
    ["an iat in milliseconds", "token-times", { iat: Date.now() }],
    ["no issuer", "token-issuer", { iss: undefined }],
    ["two issuers", "token-issuer", { iss: ["https://lms.test"] }],
    ["no audience", "token-audience", { aud: undefined }],
    ["a blank audience", "token-audience", { aud: "" }],
    ["an empty list of audiences", "token-audience", { aud: [] }],
    ["audiences without us", "token-audience", { aud: ["client-2", "client-3"], azp: "client-1" }],
    ["an audience that only begins like us", "token-audience", { aud: "client-1 client-2" }],
    ["our client id in other letters", "token-audience", { aud: "CLIENT-1" }],
    ["an azp that is a list", "launch-incomplete", { azp: ["client-1"] }],
    ["a nonce that is blank", "token-nonce", { nonce: "" }],
    ["a nonce in a list", "token-nonce", { nonce: ["n"] }],
    ["a user id of 256 characters", "id-unusable", { sub: `${longest}i` }],
    ["a user id with a control character", "id-unusable", { sub: "user-7\u0000" }],
    ["a user id with half a character", "id-unusable", { sub: "user-\ud800" }],
    ["a user id in a list", "id-unusable", { sub: ["user-7"] }],
    ["a blank deployment", "launch-incomplete", { deployment_id: "" }],
    ["a deployment that is null", "launch-incomplete", { deployment_id: null }],
    ["a deployment that is a number", "id-unusable", { deployment_id: 1 }],
    ["a deployment of 256 characters", "id-unusable", { deployment_id: `${longest}i` }],
    ["a link without id", "launch-incomplete", { resource_link: { title: "Classroom" } }],
    ["a link with a blank id", "launch-incomplete", { resource_link: { id: "" } }],
    ["a link whose id is a number", "id-unusable", { resource_link: { id: 5 } }],
    ["a course whose id is a number", "id-unusable", { context: { id: 7 } }],
    ["a course id of 256 characters", "id-unusable", { context: { id: `${longest}i` } }],
    ["a course id that ends a line", "id-unusable", { context: { id: "7\n" } }],
    ["a link that is text", "launch-incomplete", { resource_link: "5" }],
    ["a link id of 256 characters", "id-unusable", { resource_link: { id: `${longest}i` } }],
    ["roles that are null", "launch-incomplete", { roles: null }],
    ["roles that are an object", "launch-incomplete", { roles: { 0: instructorRole } }],
    ["a blank target", "launch-incomplete", { target_link_uri: "" }],
    ["a target that is null", "launch-incomplete", { target_link_uri: null }],
    ["a target that is no address", "target-foreign", { target_link_uri: "/lti/launch" }],
    ["a target that is a script", "target-foreign", { target_link_uri: "javascript:alert(1)" }],
    ["a target in a list", "launch-incomplete", { target_link_uri: ["https://x.test"] }],
    [
      "a submission review without a learner",
      "launch-incomplete",
      { message_type: "LtiSubmissionReviewRequest" },
    ],
    [
      "a deep linking request with no address to return to",
      "launch-incomplete",
      { message_type: "LtiDeepLinkingRequest", deep_linking: { accept_types: ["ltiResourceLink"] } },
    ],
    [
      "a deep linking request that returns to a script",
      "launch-incomplete",
      {
        message_type: "LtiDeepLinkingRequest",
        deep_linking: { deep_link_return_url: "javascript:alert(1)", accept_types: ["ltiResourceLink"] },
      },
    ],
  ];
  test.each(bad)("%s", async (_name, code, claims) => expectRefused(await launch({ claims }), code));

  test("the nonce of another launch of the same browser", async () => {
    const [mine, other] = [await startLogin(tool, registration), await startLogin(tool, registration)];
    const token = await signed(other);
    await expectRefused(await postLaunch(tool, { ...mine }, token), "token-nonce");
  });
});

describe("Core: bad tokens", () => {
  const headers: [string, string, Record<string, unknown>][] = [
    ["a key id nobody publishes", "token-key-unknown", { kid: "platform-key-2" }],
    ["no key id", "token-key-unknown", { kid: undefined }],
    ["a blank key id", "token-key-unknown", { kid: "" }],
    ["a key id that is a path", "token-key-unknown", { kid: "../../../dev/null" }],
    ["a key id every object has", "token-key-unknown", { kid: "constructor" }],
  ];
  test.each(headers)("%s", async (_name, code, header) => expectRefused(await launch({ header }), code));

  test.each(["x5c", "x5u", "jwk"])("a key included in the header %s", async (name) => {
    const key = await makeSigningKey("platform-key-1");
    const brought = { x5c: ["MIIB"], x5u: "https://evil.example/cert.pem", jwk: key.jwk }[name];
    const changes: TokenChanges = { key, header: { [name]: brought } };
    await expectRefused(await launch(changes), "token-signature");
  });

  test.each(["HS384", "HS512", "NONE", "nOnE", "RS1", "EdDSA", "dir", ""])(
    "the algorithm %j",
    async (alg) => {
      const login = await startLogin(tool, registration);
      const payload = JSON.stringify(launchClaimsOf(tool.url, registration, login.nonce));
      const secret = JSON.stringify(platform.keys[0]?.jwk);
      const token = rawToken({ alg, kid: "platform-key-1" }, payload, (signed) =>
        createHmac("sha512", secret).update(signed).digest("base64url"),
      );
      await expectRefused(await postLaunch(tool, login, token), "token-algorithm");
    },
  );

  test.each([[undefined], [null], [["RS256"]]])("an algorithm that is %j", async (alg) => {
    const login = await startLogin(tool, registration);
    const payload = JSON.stringify(launchClaimsOf(tool.url, registration, login.nonce));
    const token = rawToken({ alg, kid: "platform-key-1" }, payload, "AAAA");
    await expectRefused(await postLaunch(tool, login, token), "token-algorithm");
  });

  const broken: [string, (token: string) => string][] = [
    ["without a signature", (token) => token.split(".").slice(0, 2).join(".")],
    ["with a blank signature", (token) => `${token.split(".").slice(0, 2).join(".")}.`],
    ["in five parts", (token) => `${token}.AAAA.AAAA`],
    ["with a broken header", (token) => token.replace(/^[^.]*/, "e30x")],
  ];
  test.each(broken)("a token %s", async (_name, breakIt) => {
    const login = await startLogin(tool, registration);
    const token = breakIt(await signed(login));
    const response = await postLaunch(tool, login, token);
    expect(response.status).toBe(401);
    expect(tool.launches).toEqual([]);
    expect(tool.errors).toEqual([]);
  });

  test("a token whose roles were changed after it was signed", async () => {
    const login = await startLogin(tool, registration);
    const roles = { roles: [learnerRole] };
    const token = await signed(login, { claims: roles });
    const changed = {
      ...launchClaimsOf(tool.url, registration, login.nonce),
      ...ltiClaims({ roles: [instructorRole] }),
    };
    const [header, , signature] = token.split(".");
    const payload = Buffer.from(JSON.stringify(changed)).toString("base64url");
    await expectRefused(
      await postLaunch(tool, login, [header, payload, signature].join(".")),
      "token-signature",
    );
  });

  test("a token with the signature of another token", async () => {
    const login = await startLogin(tool, registration);
    const [header, payload] = (await signed(login)).split(".");
    const other = await signed(login, { claims: { sub: "user-8" } });
    await expectRefused(
      await postLaunch(tool, login, [header, payload, other.split(".")[2]].join(".")),
      "token-signature",
    );
  });

  test("a token that another registered LMS signed", async () => {
    const other = await startPlatform();
    await registered(tool, other, { clientId: "client-1" });
    const login = await startLogin(tool, registration);
    const token = await signedLaunch(tool, other, registration, login);
    await expectRefused(await postLaunch(tool, login, token), "token-signature");
    await other.close();
  });

  /** Posts a token that the LMS signed with a key of this size, with this header and payload. */
  const postSigned = async (bits: number, header: object, payloadOf: (nonce: string) => string) => {
    const pair = generateKeyPairSync("rsa", { modulusLength: bits });
    const jwk = { ...(await exportJWK(pair.publicKey)), kid: "own", alg: "RS256", use: "sig" };
    platform.keys.push({ kid: "own", privateKey: pair.privateKey, jwk });
    const login = await startLogin(tool, registration);
    const token = rawToken({ alg: "RS256", kid: "own", ...header }, payloadOf(login.nonce), (signed) =>
      sign("sha256", Buffer.from(signed), pair.privateKey).toString("base64url"),
    );
    const response = await postLaunch(tool, login, token);
    platform.keys.pop();
    return response;
  };
  const ordinary = (nonce: string) => JSON.stringify(launchClaimsOf(tool.url, registration, nonce));

  test.each(["[1]", "null", '"text"', "{", "{}"])("a signed payload that is %s", async (payload) => {
    const response = await postSigned(2048, {}, () => payload);
    expect(response.status).toBe(401);
    expect(tool.launches).toEqual([]);
    expect(tool.errors).toEqual([]);
  });

  test("a key that is too short", async () => {
    await expectRefused(await postSigned(1024, {}, ordinary), "token-key-unknown");
  });

  test("a key that is long enough, which proves the three above", async () => {
    expect((await postSigned(2048, {}, ordinary)).status).toBe(200);
  });

  test("an extension that we would have to understand", async () => {
    const header = { crit: ["urn:x"], "urn:x": true };
    await expectRefused(await postSigned(2048, header, ordinary), "token-malformed");
  });
});

describe("Security: signatures other than RS256", () => {
  const withKey = async (alg: string, published: Record<string, unknown>): Promise<SigningKey> => {
    const pair = await generateKeyPair(alg, { extractable: true });
    return {
      kid: alg,
      privateKey: pair.privateKey,
      jwk: { ...(await exportJWK(pair.publicKey)), kid: alg, ...published },
    };
  };
  const launchSigned = async (alg: string, key: SigningKey) => {
    platform.keys.push(key);
    const response = await launch({ key, header: { alg } });
    platform.keys.pop();
    return response;
  };

  test.each(["RS384", "RS512", "ES256", "ES384", "ES512"])(
    "%s is accepted, with or without alg in the key",
    async (alg) => {
      expectAccepted(await launchSigned(alg, await withKey(alg, { alg })), { kind: "resource-link" });
      const second = await startTool();
      const theirs = await registered(second, platform);
      const key = await withKey(alg, { alg: undefined });
      platform.keys.push(key);
      expect((await launchWith(second, platform, theirs, { key, header: { alg } })).status).toBe(200);
      platform.keys.pop();
      await second.close();
    },
  );

  test("a key for RS256 signs nothing else", async () => {
    const key = await withKey("RS512", { alg: "RS256" });
    await expectRefused(await launchSigned("RS512", key), "token-algorithm");
  });
});

describe("Core: valid payloads", () => {
  const nobody = { name: undefined, given_name: undefined, family_name: undefined, email: undefined };
  const valid: [string, Record<string, unknown>, object][] = [
    [
      "an institution role beside a context role",
      { roles: ["urn:x", learnerRole] },
      { rights: { role: "learner" } },
    ],
    [
      "a role nobody knows beside one we know",
      { roles: ["", instructorRole] },
      { rights: { role: "instructor" } },
    ],
    ["a short learner role", { roles: ["Learner"] }, { rights: { role: "learner" } }],
    [
      "only an e-mail address",
      { ...nobody, email: "t@x.test" },
      { person: { name: null, email: "t@x.test" } },
    ],
    ["only a full name", { ...nobody, name: "Tessa" }, { person: { name: "Tessa", email: null } }],
    ["only a given name", { ...nobody, given_name: "Tessa" }, { person: { name: null, givenName: "Tessa" } }],
    ["only a family name", { ...nobody, family_name: "T" }, { person: { familyName: "T" } }],
    ["names of any script", { name: "Zoë 李小龙 עברית 👩‍🏫" }, { person: { name: "Zoë 李小龙 עברית 👩‍🏫" } }],
    ["a name that is not text", { name: { first: "T" } }, { person: { name: null } }],
    ["an anonymous user whose id is null", { sub: null }, { person: null }],
    ["an anonymous user whose id is blank", { sub: "" }, { person: null }],
    [
      "ids as long as they may be",
      { sub: longest, deployment_id: longest },
      { deploymentId: longest, person: { sub: longest } },
    ],
    [
      "course and link ids as long as they may be",
      { context: { id: longest }, resource_link: { id: longest } },
      { course: { id: longest }, link: { id: longest } },
    ],
    [
      "ids in capitals stay as they are",
      { sub: "UsEr", context: { id: "CoUrSe " } },
      { person: { sub: "UsEr" }, course: { id: "CoUrSe " } },
    ],
    [
      "ids that are not ASCII",
      { sub: "käyttäjä-1", context: { id: "курс/1?#&=%20" } },
      { course: { id: "курс/1?#&=%20" } },
    ],
    [
      "a course with nothing but an id",
      { context: { id: "2" } },
      { course: { id: "2", title: "", label: "" } },
    ],
    [
      "a course of an unknown type",
      { context: { id: "2", type: ["urn:x"], title: null } },
      { course: { id: "2" } },
    ],
    ["a course that is null", { context: null }, { course: null }],
    ["a course that is an empty list, as PHP writes it", { context: [] }, { course: null }],
    [
      "a link with nothing but an id",
      { resource_link: { id: "5", description: null } },
      { link: { id: "5", title: "" } },
    ],
    ["an azp beside one audience", { azp: "client-1" }, {}],
    ["an azp that is null", { azp: null }, {}],
    ["one audience in a list with azp", { aud: ["client-1"], azp: "client-1" }, {}],
    ["a token that lives for ten years", { exp: seconds() + 10 * 365 * 86_400 }, {}],
    ["a token that lives for ever", { exp: 1e300 }, {}],
    [
      "custom parameters of odd types",
      { custom: { a: 7, b: [1], c: { d: 1 }, e: null, f: false } },
      { custom: { a: "7", f: "false" } },
    ],
    ["custom parameters that are an empty list, as PHP writes it", { custom: [] }, { custom: {} }],
    ["custom parameters that are null", { custom: null }, { custom: {} }],
    [
      "custom parameters named like parts of every object",
      { custom: parsed('{"__proto__":"x","constructor":"y","a":"b"}') },
      { custom: { a: "b" } },
    ],
    [
      "a presentation nobody knows",
      { launch_presentation: { document_target: "hologram", width: "9", locale: 5 } },
      { presentation: { target: "unknown", returnUrl: null } },
    ],
    ["a presentation that is a list", { launch_presentation: [] }, { presentation: { target: "unknown" } }],
    [
      "a return address that is a script",
      { launch_presentation: { return_url: "javascript:alert(1)" } },
      { presentation: { returnUrl: null } },
    ],
    ["a locale beside the presentation", { locale: "fi-FI" }, { presentation: { locale: "fi-FI" } }],
    [
      "a window of its own",
      { launch_presentation: { document_target: "window" } },
      { presentation: { target: "window" } },
    ],
    [
      "optional claims that are null",
      { grades: null, roster: null, lis: null, tool_platform: null, ext: null },
      { grades: null, membershipsUrl: null },
    ],
    [
      "optional claims of other types",
      { grades: "x", roster: 5, lis: [], tool_platform: true },
      { grades: null, membershipsUrl: null },
    ],
    [
      "a grade service with columns but none of this link",
      { grades: { scope: ["s"], lineitems: "https://lms.test/li?t=1" } },
      { grades: { lineItemsUrl: "https://lms.test/li?t=1", lineItemUrl: null, scopes: ["s"] } },
    ],
    [
      "a grade service with a blank column",
      { grades: { scope: ["s"], lineitems: "https://lms.test/li", lineitem: "" } },
      { grades: { lineItemUrl: null } },
    ],
    [
      "a grade service whose addresses are none",
      { grades: { scope: "s", lineitems: "/li", lineitem: "file:///etc/passwd" } },
      { grades: { lineItemsUrl: null, lineItemUrl: null, scopes: [] } },
    ],
    [
      "a roster whose address has a query",
      { roster: { context_memberships_url: "https://lms.test/m?c=1&d=%2F", service_versions: ["2.0"] } },
      { membershipsUrl: "https://lms.test/m?c=1&d=%2F" },
    ],
    [
      "a mentor with the people they care for",
      { roles: ["http://purl.imsglobal.org/vocab/lis/v2/membership#Mentor"], role_scope_mentor: ["user-9"] },
      { rights: { role: "learner" } },
    ],
    [
      "a preview student",
      { roles: [learnerRole, "http://purl.imsglobal.org/vocab/lti/system/person#TestUser"] },
      { rights: { role: "learner", testUser: true } },
    ],
    ["a target whose address has a fragment", { target_link_uri: "TARGET#top" }, {}],
    [
      "claims named like parts of every object",
      parsed('{"__proto__":{"sub":"x"},"constructor":1,"toString":2}'),
      { person: { sub: "user-7" } },
    ],
    [
      "a submission review with its link and column",
      {
        message_type: "LtiSubmissionReviewRequest",
        for_user: { user_id: "9", name: "L" },
        grades: { scope: [], lineitem: "https://lms.test/li/1" },
      },
      { kind: "submission-review", forUser: "9", link: { id: "5" } },
    ],
    [
      "a deep linking request with nothing optional",
      {
        message_type: "LtiDeepLinkingRequest",
        resource_link: undefined,
        deep_linking: {
          deep_link_return_url: "https://lms.test/r?a=1&b=%3C",
          accept_types: ["ltiResourceLink"],
          accept_presentation_document_targets: ["iframe"],
        },
      },
      {
        kind: "deep-linking",
        deepLinking: {
          returnUrl: "https://lms.test/r?a=1&b=%3C",
          acceptMultiple: false,
          acceptLineItem: null,
          data: null,
        },
      },
    ],
    [
      "a deep linking request whose data is odd text",
      {
        message_type: "LtiDeepLinkingRequest",
        deep_linking: {
          deep_link_return_url: "https://lms.test/r",
          accept_types: ["link", 7],
          accept_multiple: "yes",
          accept_lineitem: true,
          data: " <b>\u0000é\r\n\"'&amp; ",
        },
      },
      {
        deepLinking: {
          acceptTypes: ["link"],
          acceptMultiple: false,
          acceptLineItem: true,
          data: " <b>\u0000é\r\n\"'&amp; ",
        },
      },
    ],
  ];
  test.each(valid)("%s", async (_name, claims, expected) => {
    const target = claims["target_link_uri"];
    if (typeof target === "string") {
      claims["target_link_uri"] = target.replace("TARGET", `${tool.url}/lti/launch`);
    }
    expectAccepted(await launch({ claims }), expected);
  });

  test("a name that every object has never changes what a custom parameter is", async () => {
    const claims = { custom: parsed('{"__proto__":{"role":"instructor"}}') };
    expectAccepted(await launch({ claims }), { custom: {} });
    expect(Object.getPrototypeOf(tool.launches[0]?.custom)).toBe(Object.prototype);
  });

  test("custom parameters of sixty kilobytes", async () => {
    const claims = { custom: { long: "x".repeat(45_000) } };
    expectAccepted(await launch({ claims }), {});
    expect(tool.launches[0]?.custom["long"]).toHaveLength(45_000);
  });

  test.each([undefined, "at+jwt", "jwt"])("a header whose type is %s", async (typ) => {
    expectAccepted(await launch({ header: { typ } }), {});
  });

  test("other fields than token and state, as Canvas sends them", async () => {
    const login = await startLogin(tool, registration);
    const fields = {
      id_token: await signed(login),
      state: login.state,
      authenticity_token: "x",
      lti_storage_target: "_parent",
      utf8: "✓",
    };
    expectAccepted(await post(`${tool.url}/lti/launch`, fields, login.cookie), {});
  });
});

describe("OpenID Connect: login", () => {
  const fieldsOf = (): Record<string, string> => ({
    iss: registration.issuer,
    login_hint: "7",
    target_link_uri: `${tool.url}/lti/launch`,
  });
  const extras: [string, Record<string, string>][] = [
    ["without client id or deployment", {}],
    ["with a client id", { client_id: "client-1" }],
    ["with lti_deployment_id", { client_id: "client-1", lti_deployment_id: "42:abc" }],
    [
      "with deployment_id, as Canvas documents it",
      { deployment_id: "42:abc", canvas_environment: "prod", canvas_region: "us-east-1" },
    ],
    ["with parameters nobody knows", { unknown: "x", another: "" }],
    ["with a blank client id", { client_id: "" }],
  ];
  test.each(extras)("by GET and by POST %s", async (_name, extra) => {
    const fields = { ...fieldsOf(), ...extra };
    const query = new URLSearchParams(fields).toString();
    for (const response of [
      await post(`${tool.url}/lti/login`, fields),
      await fetch(`${tool.url}/lti/login?${query}`, { redirect: "manual" }),
    ]) {
      expect(response.status).toBe(302);
      const asked = new URL(response.headers.get("location") ?? "").searchParams;
      expect(asked.get("client_id")).toBe("client-1");
      expect(asked.get("redirect_uri")).toBe(`${tool.url}/lti/launch`);
      expect(asked.get("response_type")).toBe("id_token");
      expect(asked.get("login_hint")).toBe("7");
      expect(asked.has("lti_message_hint")).toBe(false);
    }
  });

  test.each(["7", "a b+c&d=e%20f#g", "käyttäjä", "x".repeat(4_000)])(
    "the login hint comes back unchanged: %s",
    async (hint) => {
      const fields = { ...fieldsOf(), login_hint: hint, lti_message_hint: hint };
      const response = await post(`${tool.url}/lti/login`, fields);
      const asked = new URL(response.headers.get("location") ?? "").searchParams;
      expect(asked.get("login_hint")).toBe(hint);
      expect(asked.get("lti_message_hint")).toBe(hint);
    },
  );

  const bad: [string, string, Record<string, string>][] = [
    ["without an issuer", "login-incomplete", { iss: "" }],
    ["without a target", "login-incomplete", { target_link_uri: "" }],
    ["without a login hint", "login-incomplete", { login_hint: "" }],
    ["of an unregistered LMS", "platform-unknown", { iss: "https://unknown.example" }],
    ["of an unregistered client id", "platform-unknown", { client_id: "client-9" }],
    ["whose target is on another host", "target-foreign", { target_link_uri: "https://evil.example/steal" }],
    ["whose target hides its host", "target-foreign", { target_link_uri: "TOOL@evil.example/lti/launch" }],
    ["whose issuer has a slash too many", "platform-unknown", { iss: "ISSUER/" }],
    ["whose target is a script", "target-foreign", { target_link_uri: "javascript:alert(1)" }],
    ["whose target is no address", "target-foreign", { target_link_uri: "/lti/launch" }],
    ["whose target has another scheme", "target-foreign", { target_link_uri: "ftp://127.0.0.1/lti/launch" }],
  ];
  test.each(bad)("%s is refused", async (_name, code, change) => {
    const fields = { ...fieldsOf(), ...change };
    for (const [name, value] of Object.entries(fields))
      fields[name] = value.replace("ISSUER", registration.issuer).replace("TOOL", tool.url);
    await expectRefused(await post(`${tool.url}/lti/login`, fields), code);
  });

  test("the same client id at two LMSs means two registrations", async () => {
    const other = await startPlatform();
    const theirs = await registered(tool, other, { authorizationUrl: "https://other.test/auth" });
    const login = await startLogin(tool, theirs);
    expect(login.asked.origin).toBe("https://other.test");
    const token = await signed(login);
    await expectRefused(await postLaunch(tool, login, token), "token-signature");
    await other.close();
  });
});

describe("OpenID Connect: the answer", () => {
  test.each([
    ["a token without a state", { state: "" }],
    ["a state without a token", { id_token: "" }],
    ["a state that is not ours", { state: "../../x" }],
  ])("%s is refused", async (_name, change) => {
    const { login, token } = await begun();
    const fields = { id_token: token, state: login.state, ...change };
    await expectRefused(await post(`${tool.url}/lti/launch`, fields, login.cookie), "request-malformed");
  });

  test("two tokens in one form are refused", async () => {
    const { login, token } = await begun();
    const response = await fetch(`${tool.url}/lti/launch`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded", cookie: login.cookie },
      body: `id_token=${token}&id_token=${token}&state=${login.state}`,
    });
    await expectRefused(response, "request-malformed");
  });

  test.each(["PUT", "DELETE", "PATCH", "OPTIONS"])("%s cannot launch", async (method) => {
    expect((await fetch(`${tool.url}/lti/launch`, { method })).status).toBe(404);
  });
});
