import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { demoSeed } from "../../../sandbox/demo-seed.ts";
import { type StandInLms, startStandInLms } from "../../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { authorize, callAt, initiate, launchAt } from "./launch-at.ts";
import { startPretendTool } from "./pretend-tool.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const claim = "https://purl.imsglobal.org/spec/lti/claim";
const grades = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
const roster = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice";
const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";
const testUser = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";
const scope = {
  lineItem: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
  score: "https://purl.imsglobal.org/spec/lti-ags/scope/score",
  roster: "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
};

const noticeScope = "https://purl.imsglobal.org/spec/lti/scope/noticehandlers";

let now: number;
let lms: StandInLms;
const where = () => ({ lms, tool, manners: "canvas" as const });

const tool = await forAllTests(startPretendTool(() => now));

beforeEach(async () => {
  now = Date.parse("2026-03-02T09:00:00Z");
  lms = await startStandInLms({
    port: 0,
    clock: { ...systemClock, now: () => now },
    logger: createLogger("silent"),
    seed: demoSeed,
    manners: "canvas",
  });
  await tool.register(lms);
});
afterEach(() => lms.close());

const launch = (user: string, linkId = "1") => launchAt(where(), user, lms.launchPath(linkId));

async function postScore(score: Record<string, unknown> = {}) {
  const claims = await launch("student1");
  return callAt(where(), scope.score, `${claims[grades].lineitem ?? ""}/scores`, {
    method: "POST",
    body: JSON.stringify({
      userId: claims.sub,
      activityProgress: "Completed",
      gradingProgress: "FullyGraded",
      timestamp: new Date(now).toISOString(),
      scoreGiven: 1,
      scoreMaximum: 2,
      ...score,
    }),
  });
}

describe("Canvas's login", () => {
  test("a hint works once, and the second try is told to the tool", async () => {
    const begun = await initiate(where(), "student1", lms.launchPath("1"));
    expect((await authorize(where(), begun)).fields).toHaveProperty("id_token");
    expect((await authorize(where(), begun)).fields).toMatchObject({
      error: "launch_no_longer_valid",
      state: "s-1",
    });
  });

  test("a hint is too old after five minutes", async () => {
    const begun = await initiate(where(), "student1", lms.launchPath("1"));
    now += 5 * 60_000 + 1;
    expect((await authorize(where(), begun)).fields["error"]).toBe("launch_no_longer_valid");
  });

  test.each([
    ["nobody", () => ""],
    ["somebody else", () => lms.cookieFor("student2")],
  ])("login is required when %s is logged in", async (_who, cookie) => {
    const begun = await initiate(where(), "student1", lms.launchPath("1"));
    expect((await authorize(where(), begun, { cookie: cookie() })).fields["error"]).toBe("login_required");
  });

  test("a foreign redirect address is refused by Canvas itself, a query in it is not looked at", async () => {
    const begun = await initiate(where(), "student1", lms.launchPath("1"));
    const foreign = { redirect_uri: "https://evil.example/launch" };
    expect((await authorize(where(), begun, { parameters: foreign })).status).toBe(400);
    const again = await initiate(where(), "student1", lms.launchPath("1"));
    const query = { redirect_uri: `${tool.url}/launch?x=1` };
    expect((await authorize(where(), again, { parameters: query })).fields).toHaveProperty("id_token");
  });

  test("each course a tool is installed in is a deployment, and its copy is another", async () => {
    const [registered] = lms.tools();
    const installed = lms.installInCourse(registered?.id ?? "", "2");
    expect((await launch("teacher1"))[`${claim}/deployment_id`]).toBe(installed);
    const begun = await initiate(where(), "teacher1", lms.launchPath("1"));
    expect(begun.fields).toMatchObject({ lti_deployment_id: installed, deployment_id: installed });
    const elsewhere = (await launch("teacher1", "2"))[`${claim}/deployment_id`];
    const copy = lms.copyCourse("2");
    const copied = (await launch("teacher1", copy.links[0]?.id))[`${claim}/deployment_id`];
    expect(new Set([installed, elsewhere, copied]).size).toBe(3);
  });
});

describe("Canvas's people", () => {
  test("student view is a test user, an observer a mentor, a designer builds content", async () => {
    lms.enrol("2", { id: "301", role: "test-user", username: "preview" });
    lms.enrol("2", { id: "302", role: "observer", username: "parent" });
    lms.enrol("2", { id: "303", role: "designer", username: "designer" });
    expect((await launch("preview"))[`${claim}/roles`]).toContain(testUser);
    const parent = (await launch("parent"))[`${claim}/roles`];
    expect(parent).toContain(`${vocabulary}/membership#Mentor`);
    expect(parent).toContain(`${vocabulary}/institution/person#Observer`);
    expect((await launch("designer"))[`${claim}/roles`]).toContain(
      `${vocabulary}/membership#ContentDeveloper`,
    );
  });

  test("an account admin without a place in the course has no course role and no sections", async () => {
    const claims = await launch("admin");
    expect(claims[`${claim}/roles`].filter((role) => role.includes("/membership"))).toEqual([]);
    expect(claims[`${claim}/custom`]).toMatchObject({ sectionIds: "", sectionNames: "[]" });
  });

  test("from the course navigation the course stands for the link, and there is no column", async () => {
    const path = `/course/2/external_tools/${lms.tools()[0]?.id ?? ""}/launch`;
    const claims = await launchAt(where(), "teacher1", path);
    expect(claims[`${claim}/resource_link`]).toMatchObject({ id: claims[`${claim}/context`].id });
    expect(claims[grades].lineitem).toBeUndefined();
  });
});

describe("Canvas's refusals of scores", () => {
  test("an unpublished activity takes none and learners do not see it", async () => {
    const { status } = await postScore();
    expect(status).toBe(200);
    const claims = await launch("student1");
    lms.publish("1", false);
    const answer = await callAt(where(), scope.score, `${claims[grades].lineitem ?? ""}/scores`, {
      method: "POST",
      body: JSON.stringify({
        userId: claims.sub,
        activityProgress: "Completed",
        gradingProgress: "FullyGraded",
        timestamp: new Date(now).toISOString(),
      }),
    });
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("unpublished");
    expect((await initiate(where(), "student1", lms.launchPath("1"))).status).toBe(403);
    expect((await initiate(where(), "teacher1", lms.launchPath("1"))).status).toBe(200);
  });

  test("a concluded course refuses every call about grades", async () => {
    lms.setCourse("2", { concluded: true });
    const claims = await launch("teacher1");
    expect((await postScore()).status).toBe(422);
    expect((await callAt(where(), scope.lineItem, claims[grades].lineitems)).status).toBe(422);
    expect((await callAt(where(), scope.roster, claims[roster].context_memberships_url)).status).toBe(200);
  });

  test("a submission from the future is refused", async () => {
    const submittedAt = new Date(now + 120_000).toISOString();
    expect((await postScore({ submission: { submittedAt } })).status).toBe(400);
  });
});

describe("Canvas's columns", () => {
  test("a line item with a link joins its assignment and has no place in the gradebook", async () => {
    const claims = await launch("teacher1");
    const link = z.object({ id: z.string() }).parse(claims[`${claim}/resource_link`]).id;
    const made = await callAt(where(), scope.lineItem, claims[grades].lineitems, {
      method: "POST",
      body: JSON.stringify({ label: "Extra", scoreMaximum: 5, resourceLinkId: link }),
    });
    expect(made.status).toBe(201);
    expect(lms.gradebook("2").columns).toHaveLength(1);
    const list = await callAt(where(), scope.lineItem, claims[grades].lineitems);
    expect(await list.json()).toHaveLength(2);
  });

  test("columns are listed ten a page", async () => {
    const claims = await launch("teacher1");
    const url = claims[grades].lineitems;
    for (let index = 0; index < 11; index += 1) {
      const body = JSON.stringify({ label: `Session ${index}`, scoreMaximum: 10 });
      await callAt(where(), scope.lineItem, url, { method: "POST", body });
    }
    const first = await callAt(where(), scope.lineItem, url);
    expect(await first.json()).toHaveLength(10);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect(await (await callAt(where(), scope.lineItem, next)).json()).toHaveLength(2);
  });
});

describe("Canvas's throttling", () => {
  test("a full bucket is refused as plain text until it has leaked", async () => {
    lms.setQuirks({ throttle: { full: 100, cost: 60, leakPerSecond: 10 } });
    const url = (await launch("teacher1"))[grades].lineitems;
    const first = await callAt(where(), scope.lineItem, url);
    expect(first.headers.get("x-rate-limit-remaining")).toBe("40");
    await callAt(where(), scope.lineItem, url);
    const refused = await callAt(where(), scope.lineItem, url);
    expect(refused.status).toBe(403);
    expect(refused.headers.get("content-type")).toContain("text/plain");
    expect(await refused.text()).toContain("403 Forbidden (Rate Limit Exceeded)");
    now += 10_000;
    expect((await callAt(where(), scope.lineItem, url)).status).toBe(200);
  });

  test("many calls at once fill it, and newer Canvas says 429", async () => {
    lms.setQuirks({ throttle: { status: 429, callMs: 200 } });
    const url = (await launch("teacher1"))[grades].lineitems;
    const authorization = `Bearer ${await tool.accessToken(lms, [scope.lineItem])}`;
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => fetch(url, { headers: { authorization } })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(12);
    expect(statuses.filter((status) => status === 429)).toHaveLength(8);
  });
});

describe("Canvas's content selection", () => {
  test("makes unpublished activities, and the column has the name the item gave it", async () => {
    const [registered] = lms.tools();
    const path = `/course/2/select-content/${registered?.id ?? ""}/launch?placement=assignment_selection`;
    const begun = await initiate(where(), "teacher1", path);
    const { fields } = await authorize(where(), begun);
    const settings = z
      .looseObject({ deep_link_return_url: z.string() })
      .parse(
        decodeJwt(fields["id_token"] ?? "")[
          "https://purl.imsglobal.org/spec/lti-dl/claim/deep_linking_settings"
        ],
      );
    expect(settings).toMatchObject({ accept_multiple: false, accept_lineitem: true });
    const answer = await fetch(settings.deep_link_return_url, {
      method: "POST",
      headers: { cookie: begun.cookie },
      body: new URLSearchParams({
        JWT: await tool.assertion({
          iss: tool.registeredClientId(lms),
          aud: lms.url,
          "https://purl.imsglobal.org/spec/lti-dl/claim/content_items": [
            { type: "ltiResourceLink", title: "Lesson", lineItem: { scoreMaximum: 12.5, label: "Presence" } },
          ],
        }),
      }),
    });
    expect(answer.status).toBe(200);
    expect(lms.gradebook("2").columns.at(-1)).toMatchObject({
      label: "Presence",
      scoreMaximum: 12.5,
      published: false,
    });
  });
});

describe("Canvas's notices", () => {
  test("a copied course is told once, whatever comes of it", async () => {
    await tool.register(lms, { scope: noticeScope });
    const registered = lms.tools().at(-1);
    registered?.noticeHandlers.set("LtiContextCopyNotice", `${tool.url}/notices`);
    const before = tool.posted().length;
    tool.answerPosts([503]);
    lms.copyCourse("2");
    await lms.noticesSettled();
    expect(tool.posted()).toHaveLength(before + 1);
  });
});
