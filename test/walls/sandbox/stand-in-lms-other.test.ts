import { createRemoteJWKSet, decodeJwt, jwtVerify } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { StandInLms } from "../../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { callAt, finalScore, launchAt, scope, startLms } from "./launch-at.ts";
import { startPretendTool } from "./pretend-tool.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const claim = "https://purl.imsglobal.org/spec/lti/claim";
const grades = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
const roster = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice";

let lms: StandInLms;
const where = () => ({ lms, tool, manners: "other" as const });

const tool = await forAllTests(startPretendTool());

beforeEach(async () => {
  lms = await startLms("other");
  const answer = await tool.register(lms, { scope: Object.values(scope).join(" ") });
  expect(answer.status).toBe(201);
});
afterEach(() => lms.close());

const launch = (user: string, linkId = "1") => launchAt(where(), user, lms.launchPath(linkId));

describe("A plain LTI platform", () => {
  test("a copied course tells where its course and its links came from", async () => {
    lms.tools()[0]?.noticeHandlers.clear();
    Object.assign(lms.tools()[0]?.custom ?? {}, {
      link_history: "$ResourceLink.id.history",
      course_history: "$Context.id.history",
    });
    const copy = lms.copyCourse("2");
    const claims = await launch("teacher1", copy.links[0]?.id);
    expect(claims[`${claim}/custom`]).toMatchObject({
      course_history: "site%2F2",
      link_history: "content%2F1%2B",
    });
  });

  test("a score that is not final changes nothing, and an older time is 409", async () => {
    const claims = await launch("student1");
    const half = { timestamp: "2026-01-02T00:00:00.000Z", scoreGiven: 1, scoreMaximum: 2 };
    const url = new URL(claims[grades].lineitem ?? "");
    url.pathname += "/scores";
    const post = (score: Record<string, unknown>) =>
      callAt(where(), scope.score, url.href, finalScore({ ...half, userId: claims.sub, ...score }));
    expect((await post({ gradingProgress: "Pending" })).status).toBe(204);
    const value = () =>
      lms.gradebook("2").learners.find(({ personId }) => personId === "11")?.grades[0]?.value;
    expect(value()).toBeNull();
    expect((await post({})).status).toBe(204);
    expect(value()).toBe(50);
    expect((await post({})).status).toBe(409);
  });
});

describe("Its roster", () => {
  const schema = z.object({ members: z.array(z.looseObject({ user_id: z.string(), status: z.string() })) });

  test("tells later who is new and who is gone", async () => {
    const url = (await launch("teacher1"))[roster].context_memberships_url;
    const all = await callAt(where(), scope.roster, url);
    const later = /<([^>]+)>; rel="differences"/.exec(all.headers.get("link") ?? "")?.[1] ?? "";
    lms.unenrol("2", "13");
    lms.enrol("2", { id: "400", role: "student" });
    const changed = schema.parse(await (await callAt(where(), scope.roster, later)).json()).members;
    expect(changed.map(({ user_id: id, status }) => [id, status])).toEqual([
      ["user:400", "Active"],
      ["user:13", "Deleted"],
    ]);
  });
});

describe("Its notices", () => {
  const noticeOf = (body: string | undefined) =>
    z.object({ notices: z.array(z.object({ jwt: z.string() })) }).parse(JSON.parse(body ?? "{}")).notices[0]
      ?.jwt ?? "";

  async function handler(type: string, url: string) {
    const claims = await launch("teacher1");
    const service = z
      .looseObject({ platform_notification_service_url: z.string() })
      .parse(claims["https://purl.imsglobal.org/spec/lti/claim/platformnotificationservice"]);
    return callAt(where(), scope.notices, service.platform_notification_service_url, {
      method: "PUT",
      body: JSON.stringify({ notice_type: type, handler: url }),
    });
  }

  test("a handler must be of the tool's own domain and is greeted", async () => {
    expect((await handler("LtiHelloWorldNotice", "https://evil.example/notices")).status).toBe(400);
    const before = tool.posted().length;
    expect((await handler("LtiHelloWorldNotice", `${tool.url}/notices`)).status).toBe(200);
    await lms.noticesSettled();
    const keys = createRemoteJWKSet(new URL(`${lms.url}/lti13/keys`));
    const { payload } = await jwtVerify(noticeOf(tool.posted()[before]), keys, {
      issuer: lms.url,
      audience: tool.registeredClientId(lms),
    });
    expect(payload[`${claim}/notice`]).toMatchObject({ type: "LtiHelloWorldNotice" });
  });

  test("a copied course is reported until the tool takes it: the same notice with a new nonce", async () => {
    await handler("LtiContextCopyNotice", `${tool.url}/notices`);
    const before = tool.posted().length;
    tool.answerPosts([500]);
    const copy = lms.copyCourse("2");
    await lms.noticesSettled();
    const [first, second] = tool
      .posted()
      .slice(before)
      .map((body) => decodeJwt(noticeOf(body)));
    expect(first?.[`${claim}/notice`]).toEqual(second?.[`${claim}/notice`]);
    expect(first?.["nonce"]).not.toBe(second?.["nonce"]);
    expect(second).toMatchObject({
      [`${claim}/context`]: { id: `site/${copy.id}` },
      [`${claim}/origin_contexts`]: ["site/2"],
    });
    expect(tool.posted()).toHaveLength(before + 2);
  });
});
