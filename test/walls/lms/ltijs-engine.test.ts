import { generateKeyPairSync, type KeyObject } from "node:crypto";
import { SignJWT } from "jose";
import { describe, expect, test } from "vitest";
import { createLtijsEngine } from "../../../src/lms/ltijs-engine.ts";
import { registrationOf } from "../../support/builders/registration.ts";

const engine = createLtijsEngine({
  secretKey: "a secret key of at least thirty-two bytes",
  secureCookies: true,
});
const registration = registrationOf();
const pair = generateKeyPairSync("rsa", { modulusLength: 2048 });
const lti = "https://purl.imsglobal.org/spec/lti/claim";

/** A token signed by the LMS, with these claims changed; undefined leaves one out. */
async function tokenWith(changed: Record<string, unknown>): Promise<string> {
  const now = Math.floor(Date.now() / 1000);
  const claims = {
    iss: registration.issuer,
    aud: registration.clientId,
    sub: "lena",
    iat: now,
    exp: now + 600,
    nonce: "n",
    [`${lti}/message_type`]: "LtiResourceLinkRequest",
    [`${lti}/version`]: "1.3.0",
    [`${lti}/deployment_id`]: "1",
    [`${lti}/target_link_uri`]: "https://tool.test/lti/launch",
    [`${lti}/roles`]: [],
    [`${lti}/resource_link`]: { id: "5" },
    ...changed,
  };
  return new SignJWT(claims).setProtectedHeader({ alg: "RS256", kid: "k" }).sign(pair.privateKey);
}

/** ltijs's verdict on a token. */
async function saidOf(idToken: string, key: KeyObject = pair.publicKey): Promise<unknown> {
  return engine.check(registration, key, idToken).then(
    () => "accepted",
    (thrown: unknown) => thrown,
  );
}

describe("ltijs's own check of an id_token", () => {
  test("a learner's launch and a deep linking request are accepted", async () => {
    expect(await saidOf(await tokenWith({}))).toBe("accepted");
    const deepLinking = {
      [`${lti}/message_type`]: "LtiDeepLinkingRequest",
      [`${lti}/resource_link`]: undefined,
    };
    expect(await saidOf(await tokenWith(deepLinking))).toBe("accepted");
  });

  test.each([
    ["of another LMS", { iss: "https://other.test" }, "ISS_CLAIM_DOES_NOT_MATCH"],
    ["for another tool", { aud: "client-of-another" }, "UNREGISTERED_PLATFORM"],
    ["that has expired", { exp: 1 }, "jwt expired"],
    ["for another version of LTI", { [`${lti}/version`]: "1.1" }, "WRONG_LTI_VERSION_CLAIM"],
    ["without roles", { [`${lti}/roles`]: undefined }, "NO_ROLES_CLAIM"],
    ["without a user", { sub: undefined }, "NO_SUB_CLAIM"],
  ])("a token %s is refused, with ltijs's reason", async (_what, changed, reason) => {
    expect(await saidOf(await tokenWith(changed))).toMatchObject({
      refusal: "token-malformed",
      details: { ltijs: reason },
    });
  });

  test("a token signed by another key is refused", async () => {
    const other = generateKeyPairSync("rsa", { modulusLength: 2048 });
    expect(await saidOf(await tokenWith({}), other.publicKey)).toMatchObject({
      refusal: "token-malformed",
      details: { ltijs: "invalid signature" },
    });
  });

  test("concurrent checks do not mix", async () => {
    const tokens = await Promise.all([tokenWith({}), tokenWith({ exp: 1 }), tokenWith({})]);
    const said = await Promise.all(tokens.map((token) => saidOf(token)));
    expect(said.map((one) => one === "accepted")).toEqual([true, false, true]);
  });
});

describe("a login through ltijs", () => {
  test("leads to the LMS's address with the standard's parameters", async () => {
    const location = await engine.loginLocation(registration, {
      iss: registration.issuer,
      client_id: registration.clientId,
      login_hint: "hint",
      target_link_uri: "https://tool.test/lti/launch",
    });
    const { origin, pathname, searchParams } = new URL(location);
    expect(origin + pathname).toBe(registration.authorizationUrl);
    expect(Object.fromEntries(searchParams)).toMatchObject({
      response_type: "id_token",
      response_mode: "form_post",
      scope: "openid",
      prompt: "none",
      client_id: registration.clientId,
      login_hint: "hint",
      redirect_uri: "https://tool.test/lti/launch",
    });
  });

  test("fails by name if ltijs does not answer with an address", async () => {
    await expect(engine.loginLocation(registration, { iss: registration.issuer })).rejects.toThrow(
      "ltijs answered",
    );
  });
});
