import { describe, expect, test } from "vitest";
import type { Registration } from "../../src/domain/registration.ts";
import { registerByDynamicRegistration } from "../../src/lms/dynamic-registration.ts";
import { startRegistering } from "../support/stand-ins/registering-lms.ts";
import { registrationOf } from "../support/builders/registration.ts";
import { forEachTest } from "../support/for-all-tests.ts";

let world: Awaited<ReturnType<typeof startRegistering>>;
forEachTest(async () => (world = await startRegistering()));

/** What the administrator reads after this answer of the LMS. */
async function saidAbout(status: number, body: unknown): Promise<string> {
  world.lms.answer = () => ({ status, body });
  const thrown: unknown = await registerByDynamicRegistration(world.deps, world.request).catch(
    (error: unknown) => error,
  );
  const notAllowed = status === 401 || status === 403;
  expect(thrown).toMatchObject({ code: notAllowed ? "registration-not-allowed" : "registration-refused" });
  expect(world.stores.registrations.all).toEqual([]);
  return thrown instanceof Error ? thrown.message : "";
}

describe("The administrator reads why the LMS refused a registration", () => {
  test.each<[string, number, unknown, RegExp]>([
    [
      "Canvas, a list of words",
      422,
      { errors: ["scope is invalid", "claims is required"] },
      /: scope is invalid; claims is required\.$/,
    ],
    ["Canvas, one word", 422, { errors: "Invalid JSON" }, /: Invalid JSON\.$/],
    [
      "Canvas, a list for each field",
      422,
      { errors: { redirect_uris: ["can't be blank"], scopes: ["is bad"] } },
      /redirect_uris: can't be blank; scopes: is bad/,
    ],
    [
      "Canvas, its own error objects",
      422,
      { errors: { domain: [{ attribute: "domain", type: "invalid", message: "is not a host" }] } },
      /: domain: is not a host\.$/,
    ],
    [
      "Canvas, objects with a field",
      422,
      { errors: [{ field: "domain", message: "missing" }] },
      /: domain: missing\.$/,
    ],
    [
      "Canvas, one object with a message",
      422,
      { errors: { message: "The token is for another account" } },
      /: The token is for another account\.$/,
    ],
    ["Canvas, the account", 404, { errorMessage: "Account not found" }, /: Account not found\.$/],
    ["a bare message", 400, { message: "Not today" }, /: Not today\.$/],
    ["words as JSON", 400, '"just words"', /: just words\.$/],
    [
      "RFC 7591",
      400,
      { error: "invalid_redirect_uri", error_description: "Must be https" },
      /: invalid_redirect_uri, Must be https\.$/,
    ],
    [
      "RFC 7591 without a description",
      400,
      { error: "invalid_client_metadata" },
      /: invalid_client_metadata\.$/,
    ],
    ["Moodle", 400, "Invalid or missing initiate_login_uri.", /: Invalid or missing initiate_login_uri\.$/],
    ["Moodle, a used token", 401, "token_already_used", /: token_already_used\. Begin again in the LMS/],
  ])("%s", async (_name, status, body, words) => {
    const said = await saidAbout(status, body);
    expect(said).toMatch(words);
    expect(said).toContain(`status ${status}`);
    expect(said).not.toMatch(/[{}[\]"<>]/);
  });

  test.each<[string, number, unknown]>([
    ["an HTML page", 500, "<!doctype html><h1>reg-token</h1>"],
    ["HTML inside JSON", 422, { errors: ["<script>alert(1)</script>"] }],
    ["nothing", 500, ""],
    ["JSON without words", 422, { errors: [1, null, true, {}] }],
    ["null", 400, "null"],
  ])("only the status for %s", async (_name, status, body) => {
    expect(await saidAbout(status, body)).toMatch(
      new RegExp(`^The LMS refused the registration \\(status ${status}\\)\\.`),
    );
  });

  test("long answers are cut, and deep ones are ignored", async () => {
    let deep: unknown = "treasure";
    for (let level = 0; level < 50; level += 1) deep = { errors: deep };
    expect(await saidAbout(422, deep)).not.toContain("treasure");
    const many = Array.from({ length: 500 }, (_unused, index) => `problem ${index}`);
    expect(await saidAbout(422, { errors: many })).toMatch(/problem 4\.$/);
    expect((await saidAbout(400, "x".repeat(5_000))).length).toBeLessThan(400);
  });

  test("a failure of the LMS may be retried, but not a refusal", async () => {
    for (const [status, temporary] of [
      [500, true],
      [429, true],
      [422, false],
      [401, false],
    ] as const) {
      world.lms.answer = () => ({ status, body: "" });
      await expect(registerByDynamicRegistration(world.deps, world.request)).rejects.toMatchObject({
        temporary,
      });
    }
  });
});

describe("An LMS that poses as another one to get its tokens", () => {
  const victim: Registration = registrationOf({
    id: "reg_victim",
    issuer: "https://victim.example",
    clientId: "abc",
    name: "Victim",
    tokenUrl: "https://victim.example/token.php",
    createdAt: 1,
  });
  const register = () => registerByDynamicRegistration(world.deps, world.request);

  test.each([
    ["with its token address, to lead the token elsewhere", { token_endpoint: victim.tokenUrl }],
    ["with an audience to collect an assertion for it", { authorization_server: victim.tokenUrl }],
    ["with the issuer as the audience", { authorization_server: victim.issuer }],
    ["in another spelling", { authorization_server: "HTTPS://Victim.example:443/token.php?" }],
  ])("is refused %s, under its client id", async (_how, claims) => {
    await world.stores.registrations.insert(victim);
    Object.assign(world.lms.configuration, claims);
    await expect(register()).rejects.toMatchObject({ code: "registration-poses" });
    expect(world.stores.registrations.all).toEqual([victim]);
    world.lms.answer = () => ({ status: 200, body: { client_id: "its-own" } });
    expect((await register()).known).toBe(false); // LMSs may share a token server
  });

  test("is refused whichever of the two comes first", async () => {
    const audience = `${world.url}/token`;
    await world.stores.registrations.insert({ ...victim, tokenAudience: audience });
    await expect(register()).rejects.toMatchObject({ code: "registration-poses" });
  });

  test("differs from an LMS that happens to give the same client id", async () => {
    await world.stores.registrations.insert(victim);
    expect((await register()).known).toBe(false);
  });
});
