import { decodeJwt } from "jose";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { systemClock } from "../../../src/kernel/clock.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { demoSeed } from "../../../sandbox/demo-seed.ts";
import { type StandInLms, startStandInLms } from "../../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { authorize, initiate } from "./launch-at.ts";
import { startPretendTool } from "./pretend-tool.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const claim = "https://purl.imsglobal.org/spec/lti/claim";
const grades = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
const roster = "https://purl.imsglobal.org/spec/lti-nrps/claim/namesroleservice";
const submission = "https://canvas.instructure.com/lti/submission";
const vocabulary = "http://purl.imsglobal.org/vocab/lis/v2";
const scope = {
  lineItem: "https://purl.imsglobal.org/spec/lti-ags/scope/lineitem",
  score: "https://purl.imsglobal.org/spec/lti-ags/scope/score",
  result: "https://purl.imsglobal.org/spec/lti-ags/scope/result.readonly",
  roster: "https://purl.imsglobal.org/spec/lti-nrps/scope/contextmembership.readonly",
};

const claimsSchema = z.looseObject({
  sub: z.string(),
  [`${claim}/context`]: z.looseObject({ id: z.string() }),
  [grades]: z.object({ lineitems: z.string(), lineitem: z.string().optional() }),
  [roster]: z.object({ context_memberships_url: z.string() }),
});

let now: number;
let lms: StandInLms;

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

async function launch(user: string, linkId: string) {
  const where = { lms, tool, manners: "canvas" } as const;
  const begun = await initiate(where, user, lms.launchPath(linkId));
  const token = (await authorize(where, begun)).fields["id_token"] ?? "";
  return { fields: begun.fields, claims: claimsSchema.parse(decodeJwt(token)) };
}

async function call(url: string, scopes: string[], init: RequestInit = {}): Promise<Response> {
  const token = await tool.accessToken(lms, scopes);
  const headers = new Headers(init.headers);
  headers.set("authorization", `Bearer ${token}`);
  return fetch(url, { ...init, headers });
}

describe("Canvas's manners", () => {
  test("the configuration needs the registration token, and names no deployment", async () => {
    expect((await fetch(`${lms.url}/api/lti/security/openid-configuration`)).status).toBe(401);
    const answer = await tool.register(lms);
    expect(answer.status).toBe(200);
    expect(answer.text).not.toContain("deployment_id");
  });

  test("a registration without claims is 422 with a list of errors", async () => {
    const answer = await tool.register(lms, {
      "https://purl.imsglobal.org/spec/lti-tool-configuration": { domain: "x.test", messages: [] },
    });
    expect(answer.status).toBe(422);
    expect(answer.text).toContain('"errors"');
  });

  test("a launch has opaque ids, a storage frame, and roles of every kind", async () => {
    const { fields, claims } = await launch("teacher1", "2");
    expect(fields["lti_storage_target"]).toBe("post_message_forwarding");
    expect(claims).toMatchObject({
      azp: tool.registeredClientId(lms),
      [`${claim}/launch_presentation`]: { document_target: "iframe" },
      [`${claim}/custom`]: { nonsense: "$No.such.variable", sectionIds: "" },
    });
    expect(claims.sub).toMatch(/^[0-9a-f]{8}-/);
    expect(claims[`${claim}/roles`]).toContain(`${vocabulary}/membership/Instructor#TeachingAssistant`);
    expect(claims[`${claim}/roles`]).toContain(`${vocabulary}/institution/person#Instructor`);
  });

  test("the roster comes fifty at a time, and with rlid it tells everybody's sections", async () => {
    for (let index = 0; index < 40; index += 1) lms.enrol("2", { id: String(200 + index), role: "student" });
    const { claims } = await launch("teacher1", "1");
    const schema = z.object({
      members: z.array(z.looseObject({ user_id: z.string(), message: z.unknown().optional() })),
    });
    const url = `${claims[roster].context_memberships_url}?rlid=${claims[`${claim}/context`].id}`;
    const first = await call(url, [scope.roster]);
    const { members } = schema.parse(await first.json());
    expect(members).toHaveLength(50);
    const next = /<([^>]+)>; rel="next"/.exec(first.headers.get("link") ?? "")?.[1] ?? "";
    expect(schema.parse(await (await call(next, [scope.roster])).json()).members).toHaveLength(21);
    const zoe = (await launch("student1", "1")).claims.sub;
    expect(members.find((member) => member.user_id === zoe)?.message).toMatchObject([
      { [`${claim}/custom`]: { sectionIds: "1", sectionNames: '["Section A"]' } },
    ]);
    expect((await call(url.replace(/rlid=.*/, "rlid=nonsense"), [scope.roster])).status).toBe(400);
  });

  test("an assignment's own column cannot be deleted by its tool, one the tool made can", async () => {
    const { claims } = await launch("student1", "1");
    const own = claims[grades].lineitem ?? "";
    expect((await call(own, [scope.lineItem], { method: "DELETE" })).status).toBe(401);
    const made = await call(claims[grades].lineitems, [scope.lineItem], {
      method: "POST",
      body: JSON.stringify({ label: "Session 1", scoreMaximum: 10 }),
    });
    expect(made.status).toBe(201);
    const { id } = z.looseObject({ id: z.string() }).parse(await made.json());
    expect((await call(id, [scope.lineItem], { method: "DELETE" })).status).toBe(204);
  });
});

describe("Canvas's scores", () => {
  let lineItem: string;
  let zoe: string;

  beforeEach(async () => {
    const { claims } = await launch("student1", "1");
    lineItem = claims[grades].lineitem ?? "";
    zoe = claims.sub;
  });

  const post = (score: Record<string, unknown>) =>
    call(`${lineItem}/scores`, [scope.score], {
      method: "POST",
      body: JSON.stringify({
        userId: zoe,
        activityProgress: "Completed",
        gradingProgress: "FullyGraded",
        timestamp: new Date(now).toISOString(),
        ...score,
      }),
    });
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
    const results = async () => (await call(`${lineItem}/results`, [scope.result])).json();
    expect(await results()).toMatchObject([{ userId: zoe, resultScore: 1, resultMaximum: 2 }]);
    lms.setPoints("2", 20);
    expect(await results(), "in the tool's scale").toMatchObject([{ resultScore: 1, resultMaximum: 2 }]);
    lms.overrideGrade("2", "11", 5);
    expect(await results(), "a teacher's too").toMatchObject([{ resultScore: 0.5, resultMaximum: 2 }]);
    lms.excuse("2", "11");
    expect(await results(), "excusing empties it").toMatchObject([{ userId: zoe, resultScore: null }]);
  });
});
