import { exportJWK, generateKeyPair, SignJWT } from "jose";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { demoSeed } from "../../../sandbox/demo-seed.ts";
import { canvasAddresses, canvasIds } from "../../../sandbox/stand-in-lms/canvas-claims.ts";
import { moodleAddresses } from "../../../sandbox/stand-in-lms/moodle-claims.ts";
import { startStandInLms } from "../../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { createVisitor } from "../../../sandbox/visitor.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

/** What the stand-ins refuse: if they were less strict, no other test would fail. The tests that use them check the rest. */

const ags = "https://purl.imsglobal.org/spec/lti-ags/scope";
const jsonOf = "application/vnd.ims.lis.v2.lineitem";
const biology = "2";
const zoe = "11";
let now = Date.parse("2026-03-02T09:00:00Z");
const pair = await generateKeyPair("RS256");
const jwk = { ...(await exportJWK(pair.publicKey)), kid: "key" };

async function open(manners: "moodle" | "canvas", tokenPath: string, askPath: string) {
  const lms = await forAllTests(
    startStandInLms({
      port: 0,
      clock: { ...systemClock, now: () => now },
      logger: createLogger("silent"),
      seed: demoSeed,
      manners,
      fetch: () => Promise.resolve(Response.json({ keys: [jwk] })),
    }),
  );
  const tool = lms.addToolByHand({
    name: "Spaces",
    loginUrl: "https://tool.test/login",
    launchUrl: "https://tool.test/launch",
    jwksUrl: "https://tool.test/keys",
  });
  const token = async (scope: string, change: Record<string, unknown> = {}) => {
    const [iat, iss] = [Math.floor(now / 1000), tool.clientId];
    const claims = { iss, sub: iss, aud: lms.url + tokenPath, jti: crypto.randomUUID(), iat, exp: iat + 300 };
    return fetch(lms.url + tokenPath, {
      method: "POST",
      body: new URLSearchParams({
        grant_type: "client_credentials",
        client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
        client_assertion: await new SignJWT({ ...claims, ...change })
          .setProtectedHeader({ alg: "RS256", kid: "key" })
          .sign(pair.privateKey),
        scope,
      }),
    });
  };
  const call = async (scope: string, url: string, init: RequestInit) => {
    const answer = z.object({ access_token: z.string() }).parse(await (await token(scope)).json());
    const headers = new Headers(init.headers);
    headers.set("authorization", `Bearer ${answer.access_token}`);
    return fetch(url, { ...init, headers });
  };
  const postScore = (lineItem: URL, score: Record<string, unknown>) => {
    const { href } = Object.assign(new URL(lineItem), { pathname: `${lineItem.pathname}/scores` });
    const final = { activityProgress: "Completed", gradingProgress: "FullyGraded" };
    return call(`${ags}/score`, href, {
      method: "POST",
      headers: { "content-type": "application/vnd.ims.lis.v1.score+json" },
      body: JSON.stringify({ ...final, timestamp: new Date(now).toISOString(), ...score }),
    });
  };
  /** Begins a launch. @returns the LMS's answer to the tool's request for a token, as often as it asks */
  const begin = async () => {
    const visitor = createVisitor();
    visitor.addCookie(lms.url, lms.cookieFor("student1"));
    const { text } = await visitor.open(lms.url + lms.launchPath("1"));
    const decoded = text.replaceAll("&#34;", '"');
    const field = (name: string) => new RegExp(`name="${name}" value="(.*?)" ?/?>`).exec(decoded)?.[1] ?? "";
    return async (change: Record<string, string> = {}) => {
      const hints = { login_hint: field("login_hint"), lti_message_hint: field("lti_message_hint") };
      const asked = {
        scope: "openid",
        response_type: "id_token",
        response_mode: "form_post",
        prompt: "none",
      };
      const own = {
        client_id: tool.clientId,
        redirect_uri: "https://tool.test/launch",
        nonce: "n",
        state: "s",
      };
      const query = new URLSearchParams({ ...asked, ...own, ...hints, ...change }).toString();
      return (await visitor.open(`${lms.url}${askPath}?${query}`)).text;
    };
  };
  return { lms, tool, token, call, postScore, begin };
}

const [moodle, canvas] = await Promise.all([
  open("moodle", "/mod/lti/token.php", "/mod/lti/auth.php"),
  open("canvas", "/login/oauth2/token", "/api/lti/authorize_redirect"),
]);

beforeEach(() => {
  now += 10_000; // each test's scores are later than those before
});

const columnOf = ({ lms }: typeof moodle) => lms.gradebook(biology).columns[0]?.id ?? "";

describe("a Moodle", () => {
  const addresses = moodleAddresses(moodle.lms.url, biology, moodle.tool.id);
  const column = new URL(addresses.lineItem(columnOf(moodle)));

  test.each([
    [{ scope: "profile" }, "invalid_scope"],
    [{ response_type: "code" }, "unsupported_response_type"],
    [{ response_mode: "query" }, "invalid_request"],
    [{ prompt: "login" }, "invalid_request"],
    [{ nonce: "" }, "invalid_request"],
    [{ login_hint: "12" }, "access_denied"],
    [{ client_id: "other" }, "unauthorized_client"],
  ])("answers a launch with %o by %s to the tool", async (change, error) => {
    const page = await (await moodle.begin())(change);
    expect(page).toMatch(/action="https:(\/\/|&#47;&#47;)tool.test/);
    expect(page).toContain(`value="${error}"`);
    expect(page).not.toContain("id_token");
  });

  test.each([
    [{ sub: "nobody" }, "invalid_client"],
    [{ exp: 1000 }, "Expired token"],
    [{ iat: 2_000_000_000 }, "Cannot handle token with iat prior to 2033-05-18T03:33:20+0000"],
  ])("refuses an assertion with %o: %s", async (claims, error) => {
    const answer = await moodle.token(`${ags}/score`, claims);
    expect([answer.status, await answer.json()]).toEqual([400, { error }]);
  });

  test.each(["*/*", "application/json", `${jsonOf}+json`])(
    "refuses a list requested with Accept %s",
    async (accept) => {
      const answer = await moodle.call(`${ags}/lineitem`, addresses.lineItems, { headers: { accept } });
      expect(answer.status).toBe(400);
    },
  );

  test.each([
    ["no label", { scoreMaximum: 1 }, 400],
    ["an unknown link", { scoreMaximum: 1, label: "x", resourceLinkId: "999" }, 403],
    ["a label of 300 letters", { scoreMaximum: 1, label: "x".repeat(300) }, 502],
    ["a maximum of zero", { scoreMaximum: 0, label: "x" }, 201],
  ])("a column with %s", async (_what, item, status) => {
    const headers = { "content-type": `${jsonOf}+json` };
    const made = { method: "POST", headers, body: JSON.stringify(item) };
    expect((await moodle.call(`${ags}/lineitem`, addresses.lineItems, made)).status).toBe(status);
  });

  test("refuses a score within the second of the last one, or before it", async () => {
    const post = (ms: number) =>
      moodle.postScore(column, {
        userId: zoe,
        scoreGiven: 10,
        scoreMaximum: 100,
        timestamp: new Date(now + ms).toISOString(),
      });
    const answers = [await post(0), await post(0), await post(300), await post(-60_000), await post(1_000)];
    expect(answers.map(({ status }) => status)).toEqual([200, 409, 409, 409, 200]);
  });

  test.each([
    ["a teacher", { userId: "3" }, 400],
    ["an unknown person", { userId: "99999" }, 400],
    ["a user id that is not a number", { userId: "abc" }, 502],
    ["an epoch timestamp", { timestamp: 1795200000 }, 400],
    ["an RFC 822 timestamp", { timestamp: "Fri, 20 Nov 2026 10:00:00 GMT" }, 400],
    ["no timestamp", { timestamp: undefined }, 400],
    ["no maximum", { scoreMaximum: undefined }, 400],
    ["no grading progress", { gradingProgress: undefined }, 400],
    ["an unknown activity progress", { activityProgress: "Done" }, 200],
    ["a number as text", { scoreGiven: "20" }, 200],
    ["a time without zone", { timestamp: "2026-03-03T09:00:00" }, 200],
    ["only a date", { timestamp: "2026-03-04" }, 200],
    ["a name in it", { userId: "99999", comment: "Zoë\nÅkesson “quoted”" }, 400],
  ])("a score with %s", async (_what, change, status) => {
    const usual = { userId: zoe, scoreGiven: 1, scoreMaximum: 100 };
    expect((await moodle.postScore(column, { ...usual, ...change })).status).toBe(status);
  });
});

describe("a Canvas", () => {
  const column = new URL(canvasAddresses(canvas.lms.url, biology).lineItem(columnOf(canvas)));
  const usual = { userId: canvasIds.person(zoe), scoreGiven: 1, scoreMaximum: 1 };

  test("refuses a score before the last one, but not at the same time", async () => {
    const earlier = { ...usual, timestamp: new Date(now - 1).toISOString() };
    const statuses = [];
    for (const score of [usual, usual, earlier])
      statuses.push((await canvas.postScore(column, score)).status);
    expect(statuses).toEqual([200, 200, 400]);
  });

  test.each([
    ["for somebody who is not a student", { userId: "3" }, 422],
    ["without a maximum", { scoreMaximum: undefined }, 422],
    ["below zero", { scoreGiven: -1 }, 422],
    ["with an unreadable time", { timestamp: "yesterday" }, 400],
    ["for a student by their number", { userId: zoe }, 200],
  ])("a score %s", async (_what, change, status) => {
    expect((await canvas.postScore(column, { ...usual, ...change })).status).toBe(status);
  });

  test("refuses a second use of a launch's hint", async () => {
    const ask = await canvas.begin();
    expect(await ask()).toContain("id_token");
    expect(await ask()).toContain("launch_no_longer_valid");
  });
});
