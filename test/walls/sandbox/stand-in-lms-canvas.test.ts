import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { StandInLms } from "../../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { authorize, callAt, finalScore, initiate, launchAt, scope, startLms } from "./launch-at.ts";
import { startPretendTool } from "./pretend-tool.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const claim = "https://purl.imsglobal.org/spec/lti/claim";
const grades = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
const roster = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice";
const submission = "https://canvas.instructure.com/lti/submission";

let now: number;
let lms: StandInLms;

const tool = await forAllTests(startPretendTool(() => now));

beforeEach(async () => {
  now = Date.parse("2026-03-02T09:00:00Z");
  lms = await startLms("canvas", () => now);
  await tool.register(lms);
});
afterEach(() => lms.close());

const where = () => ({ lms, tool, manners: "canvas" as const });
const claimsOf = (user: string, linkId = "1") => launchAt(where(), user, lms.launchPath(linkId));

type Claims = Awaited<ReturnType<typeof claimsOf>>;
const postScore = (claims: Claims, score: Record<string, unknown> = { scoreGiven: 1, scoreMaximum: 2 }) =>
  callAt(
    where(),
    scope.score,
    `${claims[grades].lineitem ?? ""}/scores`,
    finalScore({ userId: claims.sub, ...score }, now),
  );

describe("Canvas's manners", () => {
  test("the configuration needs the registration token, and names no deployment", async () => {
    expect((await fetch(`${lms.url}/api/lti/security/openid-configuration`)).status).toBe(401);
    const answer = await tool.register(lms);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain("deployment_id");
  });

  test("the roster comes fifty at a time, and with rlid it tells everybody's sections", async () => {
    for (let index = 0; index < 40; index += 1) lms.enrol("2", { id: String(200 + index), role: "student" });
    const claims = await claimsOf("teacher1");
    const schema = z.object({
      members: z.array(z.looseObject({ user_id: z.string(), message: z.unknown().optional() })),
    });
    const url = `${claims[roster].context_memberships_url}?rlid=${claims[`${claim}/context`].id}`;
    const first = await callAt(where(), scope.roster, url);
    const { members } = schema.parse(await first.json());
    expect(members).toHaveLength(50);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect(schema.parse(await (await callAt(where(), scope.roster, next)).json()).members).toHaveLength(21);
    const zoe = (await claimsOf("student1")).sub;
    expect(members.find((member) => member.user_id === zoe)?.message).toMatchObject([
      { [`${claim}/custom`]: { sectionIds: "1", sectionNames: '["Section A"]' } },
    ]);
    expect((await callAt(where(), scope.roster, url.replace(/rlid=.*/, "rlid=nonsense"))).status).toBe(400);
  });

  test("an assignment's own column cannot be deleted by its tool, one the tool made can", async () => {
    const claims = await claimsOf("student1");
    const own = claims[grades].lineitem ?? "";
    expect((await callAt(where(), scope.lineItem, own, { method: "DELETE" })).status).toBe(401);
    const made = await callAt(where(), scope.lineItem, claims[grades].lineitems, {
      method: "POST",
      body: JSON.stringify({ label: "Session 1", scoreMaximum: 10 }),
    });
    expect(made.status).toBe(201);
    const { id } = z.looseObject({ id: z.string() }).parse(await made.json());
    expect((await callAt(where(), scope.lineItem, id, { method: "DELETE" })).status).toBe(204);
  });
});

describe("Canvas's scores", () => {
  let zoe: Claims;

  beforeEach(async () => {
    zoe = await claimsOf("student1");
  });

  const post = (score: Record<string, unknown>) => postScore(zoe, score);
  const cell = () => lms.gradebook("2").learners.find(({ personId }) => personId === "11")?.grades[0];

  test("every score is a new attempt unless it says otherwise", async () => {
    await post({ scoreGiven: 5, scoreMaximum: 10 });
    expect(cell()).toMatchObject({ value: 50, attempts: 1 });
    await post({ scoreGiven: 6, scoreMaximum: 10, [submission]: { new_submission: false } });
    await post({ scoreGiven: 7, scoreMaximum: 10, [submission]: { submission_type: "none" } });
    expect(cell()).toMatchObject({ value: 70, attempts: 1 });
  });

  test("the same time is taken again, an earlier one is not", async () => {
    expect((await post({ scoreGiven: 1, scoreMaximum: 1 })).status).toBe(200);
    expect((await post({ scoreGiven: 1, scoreMaximum: 1 })).status).toBe(200);
    expect(
      (await post({ scoreGiven: 1, scoreMaximum: 1, timestamp: new Date(now - 1).toISOString() })).status,
    ).toBe(400);
  });

  test("comments pile up, and extra credit is kept", async () => {
    await post({ scoreGiven: 12, scoreMaximum: 10, comment: "present" });
    await post({ scoreGiven: 12, scoreMaximum: 10, comment: "present" });
    expect(cell()).toMatchObject({ value: 120, comment: "present\npresent" });
  });

  test("an unfinished score clears even a teacher's grade, unless it preserves it", async () => {
    lms.overrideGrade("2", "11", 44);
    now += 1000;
    await post({ gradingProgress: "Pending", [submission]: { preserve_score: true } });
    expect(cell()?.value).toBe(44);
    await post({ gradingProgress: "Pending" });
    expect(cell()?.value).toBeNull();
  });

  test.each([
    ["for somebody who is no student", { userId: "3" }, 422],
    ["without a maximum", { scoreGiven: 1 }, 422],
    ["below zero", { scoreGiven: -1, scoreMaximum: 1 }, 422],
    ["with a time nobody can read", { timestamp: "yesterday" }, 400],
    ["for a student by their number", { userId: "11", scoreGiven: 1, scoreMaximum: 1 }, 200],
  ])("a score %s", async (_what, change, status) => {
    expect((await post(change)).status).toBe(status);
  });

  test("in a column of 0 points each score is 0, and stays so when it gets points", async () => {
    lms.setPoints("2", 0);
    await post({ scoreGiven: 1, scoreMaximum: 2 });
    lms.setPoints("2", 20);
    expect(cell()?.value).toBe(0);
    expect((await post({ scoreGiven: 0, scoreMaximum: 0 })).status).toBe(422);
  });

  test("results list the people the tool has scored", async () => {
    lms.overrideGrade("2", "12", 10);
    await post({ scoreGiven: 1, scoreMaximum: 2 });
    const results = async () =>
      (await callAt(where(), scope.result, `${zoe[grades].lineitem ?? ""}/results`)).json();
    expect(await results()).toMatchObject([{ userId: zoe.sub, resultScore: 1, resultMaximum: 2 }]);
    lms.setPoints("2", 20);
    expect(await results(), "in the tool's scale").toMatchObject([{ resultScore: 1, resultMaximum: 2 }]);
    lms.overrideGrade("2", "11", 5);
    expect(await results(), "a teacher's too").toMatchObject([{ resultScore: 0.5, resultMaximum: 2 }]);
    lms.excuse("2", "11");
    expect(await results(), "excusing empties it").toMatchObject([{ userId: zoe.sub, resultScore: null }]);
  });
});

describe("Canvas's login", () => {
  test("a hint works once, and the tool hears of the second try", async () => {
    const begun = await initiate(where(), "student1", lms.launchPath("1"));
    expect((await authorize(where(), begun)).fields).toHaveProperty("id_token");
    expect((await authorize(where(), begun)).fields).toMatchObject({
      error: "launch_no_longer_valid",
      state: "s-1",
    });
  });

  test("each course a tool is installed in is a deployment, and its copy is another", async () => {
    const [registered] = lms.tools();
    const installed = lms.installInCourse(registered?.id ?? "", "2");
    expect((await claimsOf("teacher1"))[`${claim}/deployment_id`]).toBe(installed);
    const begun = await initiate(where(), "teacher1", lms.launchPath("1"));
    expect(begun.fields).toMatchObject({ lti_deployment_id: installed, deployment_id: installed });
    const elsewhere = (await claimsOf("teacher1", "2"))[`${claim}/deployment_id`];
    const copy = lms.copyCourse("2");
    const copied = (await claimsOf("teacher1", copy.links[0]?.id))[`${claim}/deployment_id`];
    expect(new Set([installed, elsewhere, copied]).size).toBe(3);
  });
});

describe("Canvas's refusals of scores", () => {
  test("an unpublished activity takes none and learners do not see it", async () => {
    const claims = await claimsOf("student1");
    expect((await postScore(claims)).status).toBe(200);
    lms.publish("1", false);
    const answer = await postScore(claims, {});
    expect(answer.status).toBe(422);
    expect(await answer.text()).toContain("unpublished");
    expect((await initiate(where(), "student1", lms.launchPath("1"))).status).toBe(403);
    expect((await initiate(where(), "teacher1", lms.launchPath("1"))).status).toBe(200);
  });

  test("a concluded course refuses every call about grades", async () => {
    lms.setCourse("2", { concluded: true });
    const claims = await claimsOf("teacher1");
    expect((await postScore(await claimsOf("student1"))).status).toBe(422);
    expect((await callAt(where(), scope.lineItem, claims[grades].lineitems)).status).toBe(422);
    expect((await callAt(where(), scope.roster, claims[roster].context_memberships_url)).status).toBe(200);
  });
});

describe("Canvas's columns", () => {
  test("a line item with a link joins its assignment and has no place in the gradebook", async () => {
    const claims = await claimsOf("teacher1");
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
});

describe("Canvas's throttling", () => {
  test("a full bucket is refused as plain text until it has leaked", async () => {
    lms.setQuirks({ throttle: { full: 100, cost: 60, leakPerSecond: 10 } });
    const url = (await claimsOf("teacher1"))[grades].lineitems;
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
});

describe("Canvas's notices", () => {
  test("a copied course is reported once, whatever the answer", async () => {
    await tool.register(lms, { scope: scope.notices });
    const registered = lms.tools().at(-1);
    registered?.noticeHandlers.set("LtiContextCopyNotice", `${tool.url}/notices`);
    const before = tool.posted().length;
    tool.answerPosts([503]);
    lms.copyCourse("2");
    await lms.noticesSettled();
    expect(tool.posted()).toHaveLength(before + 1);
  });
});
