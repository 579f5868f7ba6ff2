import { describe, expect, test } from "vitest";
import {
  allGradeScopes,
  type Reply,
  type ServiceLms,
  startServiceLms,
} from "../../support/stand-ins/service-lms.ts";
import { forEachTest } from "../../support/for-all-tests.ts";

let lms: ServiceLms;
const restart = async (family: "moodle" | "canvas" | "other") => {
  await lms.close();
  lms = await startServiceLms({ family });
};
forEachTest(async () => (lms = await startServiceLms()));

const scoreTarget = (path = "/lineitems/2/lineitem?type_id=1") => ({
  registration: lms.registration,
  lineItemUrl: `${lms.url}${path}`,
  scopes: allGradeScopes,
});
const columns = (path = "/2/lineitems?type_id=1") => ({
  registration: lms.registration,
  lineItemsUrl: `${lms.url}${path}`,
  scopes: allGradeScopes,
});
const score = {
  sub: "9",
  score: 93.33,
  maximum: 100,
  comment: "(2x100 + 80) / 3",
  at: Date.UTC(2026, 10, 21, 9, 0, 1, 5),
};

describe("access tokens", () => {
  const get = () => lms.accessTokens.get(lms.registration, ["b", "a", "b"]);

  test("are requested once and reused until their last minute", async () => {
    expect(await get()).toBe("token-1");
    lms.state.now += 3600_000 - 61_000;
    expect(await get()).toBe("token-1");
    lms.state.now += 2_000;
    expect(await get()).toBe("token-2");
    expect(lms.assertions).toHaveLength(2);
  });

  test("are requested once by ten callers at the same moment", async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, get));
    expect(new Set(tokens)).toEqual(new Set(["token-1"]));
    expect(lms.assertions).toHaveLength(1);
  });

  test("come for an assertion as in the security framework, back-dated", async () => {
    await get();
    lms.state.now += 4_000_000;
    await get();
    const [first, second] = lms.assertions;
    expect(first).toMatchObject({
      header: { alg: "RS256" },
      payload: { iss: "client-1", sub: "client-1", aud: `${lms.url}/token` },
      scope: "a b",
    });
    expect(first?.payload["iat"]).toBeLessThan(Date.now() / 1000);
    expect(first?.payload["jti"]).not.toBe(second?.payload["jti"]);
    const published = await lms.toolKeys.publicKeys();
    expect(first?.header).toMatchObject({ kid: published[0]?.kid });
  });

  test("of an LMS with its own authorization server have that as audience", async () => {
    await lms.accessTokens.get({ ...lms.registration, tokenAudience: "https://auth.lms.test" }, ["a"]);
    expect(lms.assertions[0]?.payload["aud"]).toBe("https://auth.lms.test");
  });

  test.each([
    ["none is known", [], undefined],
    ["it is the only one", [["d1", "accepted"]], "d1"],
    [
      "the others are refused",
      [
        ["d1", "refused"],
        ["d2", "accepted"],
      ],
      "d2",
    ],
    [
      "there are several",
      [
        ["d1", "accepted"],
        ["d2", "accepted"],
      ],
      undefined,
    ],
    ["the LMS has renamed it", [["old", "accepted"]], "new"],
  ] as const)("are requested with the right deployment if %s", async (_where, known, named) => {
    const { id: registrationId } = lms.registration;
    for (const [deploymentId, status] of known)
      await lms.stores.deployments.record({ registrationId, deploymentId, status, firstSeenAt: 1 });
    const renamedDeployments = [{ told: "new", kept: "old" }];
    await lms.accessTokens.get({ ...lms.registration, renamedDeployments }, ["a"]);
    expect(lms.assertions[0]?.payload["https://purl.imsglobal.org/spec/lti/claim/deployment_id"]).toBe(named);
  });

  test("are never stored readable", async () => {
    await get();
    expect(JSON.stringify([...lms.stores.accessTokens.all.values()])).not.toContain("token-1");
  });

  test("are refused with the LMS's reason, even in Moodle's broken JSON", async () => {
    lms.state.tokenAnswer = () => ({ status: 400, body: '{"error" : ""kid" invalid, invalid_client"}' });
    await expect(get()).rejects.toMatchObject({ code: "lms-key-refused", temporary: true });
    lms.state.now += 61_000;
    lms.state.tokenAnswer = () => ({ status: 503, headers: { "retry-after": "7" } });
    await expect(get()).rejects.toMatchObject({ temporary: true, details: { retryAfterMs: 7000 } });
  });

  test("with a 401 that stays a 401 are tried twice, not forever", async () => {
    lms.state.answer = () => ({ status: 401, body: "" });
    await expect(lms.lineItems.list(columns())).rejects.toMatchObject({ code: "lms-not-allowed" });
    expect(lms.seen).toHaveLength(2);
    expect(lms.assertions).toHaveLength(2);
  });
});

describe("grade columns", () => {
  const item = (n: number) => ({
    id: `${lms.url}/2/lineitems/${n}/lineitem?type_id=1`,
    label: `L${n}`,
    scoreMaximum: 10,
  });

  test("are filtered beside the query of their address, with the exact media type", async () => {
    lms.state.answer = () => ({ body: [item(1)] });
    await lms.lineItems.list(columns(), { resourceId: "spaces attendance", tag: "t&g" });
    expect(lms.seen[0]).toMatchObject({
      method: "GET",
      url: "/2/lineitems?type_id=1&resource_id=spaces+attendance&tag=t%26g",
      accept: "application/vnd.ims.lis.v2.lineitemcontainer+json",
    });
  });

  test("are read over Moodle's malformed page links, with typographic quotes and escaped ampersands", async () => {
    lms.state.answer = ({ url }) => {
      const link = Buffer.from(
        `<${lms.url}/2/lineitems?type_id=1&amp;from=0>; rel=“first”, <${lms.url}/2/lineitems?type_id=1&amp;from=2>; rel=“next”, <${lms.url}/x>; rel=“last”`,
      ).toString("latin1");
      return url.includes("from=2") ? { body: [item(3)] } : { headers: { link }, body: [item(1), item(2)] };
    };
    const found = await lms.lineItems.list(columns());
    expect(found.map(({ label }) => label)).toEqual(["L1", "L2", "L3"]);
    expect(lms.seen[1]?.url).toBe("/2/lineitems?type_id=1&from=2");
  });

  test.each([
    ['; title="a, <b>; rel=last"; rel="next"', ["L1", "L2"]],
    ['; rel="next"; title="c:\\\\, <d>; rel=last"', ["L1", "L2"]],
    ['; title="say \\"x\\"; rel=next"; rel="last"', ["L1"]],
  ])("are read over a page link with %s", async (parameters, labels) => {
    const link = `<${lms.url}/2/lineitems?from=2>${parameters}`;
    lms.state.answer = ({ url }) =>
      url.includes("from=2") ? { body: [item(2)] } : { headers: { link }, body: [item(1)] };
    const found = await lms.lineItems.list(columns());
    expect(found.map(({ label }) => label)).toEqual(labels);
  });

  test("fail, and are never a short list, if pages form a circle or lead to another host", async () => {
    lms.state.answer = () => ({
      headers: { link: `<${lms.url}/2/lineitems?type_id=1>; rel="next"` },
      body: [],
    });
    await expect(lms.lineItems.list(columns())).rejects.toMatchObject({ code: "lms-list-broken" });
    lms.state.answer = () => ({ headers: { link: `<https://evil.example/>; rel="next"` }, body: [] });
    await expect(lms.lineItems.list(columns())).rejects.toMatchObject({ code: "lms-list-broken" });
  });

  test.each([
    ["moodle", 255],
    ["canvas", 255],
    ["other", 100],
  ] as const)("have a label cut to the length for %s", async (family, length) => {
    await restart(family);
    lms.state.answer = ({ body }) => ({ status: 201, body: { ...Object(JSON.parse(body)), id: item(4).id } });
    const made = await lms.lineItems.create(columns(), { label: "A".repeat(300), scoreMaximum: 100 });
    expect(made.label).toHaveLength(length);
  });

  const posted = () => lms.seen.map(({ body }) => /"resourceLinkId":"([^"]*)"/.exec(body)?.[1] ?? null);
  const tied = { label: "Attendance", scoreMaximum: 100, resourceLinkId: "link-7" };

  test.each([
    ["moodle", [null]],
    ["canvas", [null]],
    ["other", ["link-7"]],
  ] as const)("are tied to their link if others may not be shown: %s", async (family, links) => {
    await restart(family);
    lms.state.answer = () => ({ status: 201, body: item(4) });
    await lms.lineItems.create(columns(), tied);
    expect(posted()).toEqual(links);
  });

  test.each([400, 404, 422])("have no link if it is refused with %i", async (status) => {
    lms.state.answer = ({ body }) =>
      body.includes("resourceLinkId") ? { status } : { status: 201, body: item(4) };
    expect(await lms.lineItems.create(columns(), tied)).toMatchObject({ id: item(4).id });
    expect(posted()).toEqual(["link-7", null]);
  });

  test.each([403, 500, 503])("are not tried without their link after %i", async (status) => {
    lms.state.answer = () => ({ status });
    await expect(lms.lineItems.create(columns(), tied)).rejects.toThrow();
    expect(posted()).toEqual(["link-7"]);
  });

  test("are written back whole, with unknown fields; 204 is a success", async () => {
    const whole = { ...item(2), resourceLinkId: "7", tag: "quiz", "https://x.test/ext": { a: 1 } };
    lms.state.answer = ({ method }) => (method === "PUT" ? { status: 204 } : { body: whole });
    const changed = await lms.lineItems.update(columns(), whole.id, { label: "New" });
    expect(changed).toMatchObject({ label: "New", resourceLinkId: "7", tag: "quiz" });
    expect(JSON.parse(lms.seen[1]?.body ?? "")).toEqual({ ...whole, label: "New" });
  });

  test("of another tool on another host are left out", async () => {
    lms.state.answer = () => ({ body: [{ ...item(1), id: "https://evil.example/lineitems/1" }, item(2)] });
    expect(await lms.lineItems.list(columns())).toMatchObject([{ label: "L2" }]);
  });

  test.each(["spaces-lti-attendance", "spaces-lti-session-evt_1"])(
    "with our mark %s on another host fail with what to do, and do not count as missing",
    async (resourceId) => {
      const elsewhere = { ...item(1), id: "https://evil.example/lineitems/1", resourceId };
      lms.state.answer = ({ method }) => ({ body: method === "POST" ? elsewhere : [elsewhere] });
      const told = { code: "line-item-elsewhere", temporary: true, details: { itemHost: "evil.example" } };
      await expect(lms.lineItems.list(columns())).rejects.toMatchObject(told);
      const made = lms.lineItems.create(columns(), { label: "A", scoreMaximum: 1, resourceId });
      await expect(made).rejects.toMatchObject(told);
    },
  );

  test("are never accepted from another host, whatever their mark, body or Location says", async () => {
    const replies: Reply[] = [
      { status: 201, body: { ...item(1), id: "https://evil.example/lineitems/1" } },
      { status: 201, headers: { location: "https://evil.example/lineitems/1" } },
    ];
    for (const reply of replies) {
      lms.state.answer = () => reply;
      const made = lms.lineItems.create(columns(), { label: "A", scoreMaximum: 1 });
      await expect(made).rejects.toMatchObject({ code: "line-item-elsewhere" });
    }
  });

  test("keep their address when they are read or changed", async () => {
    lms.state.answer = () => ({ body: { ...item(1), id: "https://evil.example/lineitems/1" } });
    expect(await lms.lineItems.get(columns(), item(1).id)).toMatchObject({ id: item(1).id });
    const changed = await lms.lineItems.update(columns(), item(1).id, { label: "New" });
    expect(changed).toMatchObject({ id: item(1).id });
  });

  test("that were deleted are reported as such", async () => {
    lms.state.answer = () => ({ status: 404 });
    await expect(lms.lineItems.get(columns(), item(1).id)).rejects.toMatchObject({ code: "lms-not-found" });
  });

  test("are not requested without the right, and the sentence says what to do", async () => {
    await expect(lms.lineItems.list({ ...columns(), scopes: [] })).rejects.toThrow(/administrator/);
    expect(lms.seen).toEqual([]);
  });
});

describe("scores", () => {
  test("go to /scores before the query, with comment, maximum and a timestamp to the millisecond", async () => {
    expect(await lms.scores.send(scoreTarget(), score)).toEqual({ kind: "accepted" });
    expect(lms.seen[0]).toMatchObject({
      method: "POST",
      url: "/lineitems/2/lineitem/scores?type_id=1",
      contentType: "application/vnd.ims.lis.v1.score+json",
    });
    expect(JSON.parse(lms.seen[0]?.body ?? "")).toEqual({
      userId: "9",
      timestamp: "2026-11-21T09:00:01.005Z",
      scoreGiven: 93.33,
      scoreMaximum: 100,
      comment: "(2x100 + 80) / 3",
      activityProgress: "Completed",
      gradingProgress: "FullyGraded",
    });
  });

  test("are cleared by sending no score at all", async () => {
    await lms.scores.send(scoreTarget(), { ...score, score: null, comment: null });
    expect(lms.seen[0]?.body).not.toMatch(/scoreGiven|scoreMaximum|comment/);
  });

  const answers: ["moodle" | "canvas" | "other", string, Reply | "hang" | "cut", object][] = [
    ["other", "409", { status: 409 }, { kind: "conflict" }],
    [
      "other",
      "429 with Retry-After",
      { status: 429, headers: { "retry-after": "12" } },
      { kind: "busy", retryAfterMs: 12_000 },
    ],
    ["other", "429 without", { status: 429 }, { kind: "busy", retryAfterMs: null }],
    [
      "other",
      "503 with Retry-After",
      { status: 503, headers: { "retry-after": "3" } },
      { kind: "busy", retryAfterMs: 3_000 },
    ],
    ["other", "500", { status: 500 }, { kind: "unreachable" }],
    ["other", "404", { status: 404 }, { kind: "gone" }],
    ["other", "400", { status: 400 }, { kind: "refused", code: "lms-status-400" }],
    ["other", "403", { status: 403 }, { kind: "refused", code: "lms-status-403" }],
    ["other", "a cut connection", "cut", { kind: "unreachable" }],
    ["other", "silence", "hang", { kind: "unreachable" }],
    ["moodle", "400: not a student", { status: 400, body: [] }, { kind: "refused", code: "not-gradable" }],
    [
      "moodle",
      "500 for a locked column",
      {
        status: 500,
        headers: { "content-type": "application/vnd.ims.lis.v1.score+json; charset=utf-8" },
        body: [],
      },
      { kind: "refused", code: "grade-locked" },
    ],
    ["moodle", "500 for a real failure", { status: 500, body: "<html>" }, { kind: "unreachable" }],
    ["moodle", "502", { status: 502 }, { kind: "unreachable" }],
    [
      "canvas",
      "403 of its throttle",
      { status: 403, headers: { "content-type": "text/plain" }, body: "403 Forbidden (Rate Limit Exceeded)" },
      { kind: "busy", retryAfterMs: null },
    ],
    [
      "canvas",
      "422: ended",
      { status: 422, body: { errors: { message: "This course has concluded" } } },
      { kind: "refused", code: "course-concluded" },
    ],
    [
      "canvas",
      "422: no student",
      { status: 422, body: { errors: { message: "User not found in course or is not a student" } } },
      { kind: "refused", code: "not-gradable" },
    ],
    [
      "canvas",
      "422 of another kind",
      { status: 422, body: "?" },
      { kind: "refused", code: "lms-status-422" },
    ],
    [
      "canvas",
      "400: older timestamp",
      { status: 400, body: { errors: { message: "timestamp before last" } } },
      { kind: "conflict" },
    ],
    ["canvas", "412", { status: 412 }, { kind: "gone" }],
  ];
  test.each(answers)("%s answers %s", async (family, _name, answer, expected) => {
    await restart(family);
    lms.state.answer = () => answer;
    expect(await lms.scores.send(scoreTarget(), score)).toMatchObject(expected);
  });

  test.each(["moodle", "other"] as const)(
    "in %s above a refused maximum say so, and never that the person is not a student",
    async (family) => {
      await restart(family);
      const above = { ...score, score: 100.5 };
      for (const status of family === "moodle" ? [422] : [400, 422]) {
        lms.state.answer = () => ({ status });
        const refused = await lms.scores.send(scoreTarget(), above);
        expect(refused).toMatchObject({ kind: "refused", code: "over-maximum" });
        const within = await lms.scores.send(scoreTarget(), { ...score, score: 100 });
        expect(within, "the maximum itself is not above it").not.toMatchObject({ code: "over-maximum" });
        const cleared = await lms.scores.send(scoreTarget(), { ...score, score: null });
        expect(cleared).not.toMatchObject({ code: "over-maximum" });
      }
      lms.state.answer = () => ({ status: 403 });
      expect(await lms.scores.send(scoreTarget(), above)).toMatchObject({ code: "lms-status-403" });
      lms.state.answer = () => ({ status: 200 });
      expect(await lms.scores.send(scoreTarget(), above)).toEqual({ kind: "accepted" });
    },
  );

  test("without a token have an outcome, not an exception", async () => {
    lms.state.tokenAnswer = () => ({ status: 500 });
    expect(await lms.scores.send(scoreTarget(), score)).toMatchObject({ kind: "unreachable" });
    lms.state.tokenAnswer = () => ({ status: 400, body: { error: "invalid_client" } });
    expect(await lms.scores.send(scoreTarget(), score)).toMatchObject({
      kind: "paused",
      code: "lms-key-refused",
    });
  });

  test("open no new attempt in Canvas and repeat no comment there, while Moodle always gets it", async () => {
    for (const family of ["canvas", "moodle"] as const) {
      await restart(family);
      await lms.scores.send(scoreTarget(), score);
      await lms.scores.send(scoreTarget(), { ...score, lastComment: score.comment });
      const [first, second] = lms.seen.map(({ body }): unknown => JSON.parse(body));
      expect(first).toMatchObject({ comment: score.comment });
      if (family === "canvas") {
        expect(second).not.toHaveProperty("comment");
        expect(second).toMatchObject({
          "https://canvas.instructure.com/lti/submission": { new_submission: false },
        });
      } else {
        expect(second).toEqual(first);
      }
    }
  });

  test("are read for one person, or for all without a limit", async () => {
    lms.state.answer = ({ url }) => ({
      body: url.includes("user_id")
        ? [{ id: "x", userId: "9", resultScore: 50, resultMaximum: 200, comment: "c" }]
        : [
            { userId: "9" },
            { userId: 10, resultScore: 1 },
            { userId: "11", resultScore: "", resultMaximum: null },
            { userId: "12", resultScore: "1.5", resultMaximum: "2" },
            "rubbish",
          ],
    });
    expect(await lms.scores.readResult(scoreTarget(), "9")).toEqual({
      sub: "9",
      score: 50,
      maximum: 200,
      comment: "c",
    });
    expect(await lms.scores.readResult(scoreTarget(), "11")).toBeNull();
    expect(await lms.scores.readResults(scoreTarget())).toEqual([
      { sub: "9", score: null, maximum: 1, comment: null },
      { sub: "10", score: 1, maximum: 1, comment: null },
      { sub: "11", score: null, maximum: 1, comment: null },
      { sub: "12", score: 1.5, maximum: 2, comment: null },
    ]);
    expect(lms.seen.map(({ url }) => url)).toEqual([
      "/lineitems/2/lineitem/results?type_id=1&user_id=9",
      "/lineitems/2/lineitem/results?type_id=1&user_id=11",
      "/lineitems/2/lineitem/results?type_id=1",
    ]);
    expect(lms.seen[0]?.accept).toBe("application/vnd.ims.lis.v2.resultcontainer+json");
  });

  test("fail without repeating a token or what the LMS echoed", async () => {
    lms.state.answer = () => ({ status: 500, body: "Tessa Teacher token-1" });
    const thrown: unknown = await lms.lineItems.list(columns()).catch((error: unknown) => error);
    expect(`${String(thrown)} ${JSON.stringify(thrown)}`).not.toMatch(/Tessa|token-1/);
  });
});

describe("the roster", () => {
  const people = (path = "/CourseSection/2/memberships?x=1") => ({
    registration: lms.registration,
    membershipsUrl: `${lms.url}${path}`,
  });

  test("is read on all pages, with the role filtered here if Moodle's next page drops it", async () => {
    lms.state.answer = ({ url }) =>
      url.includes("from=1")
        ? {
            body: {
              members: [
                { user_id: "3", roles: ["Instructor"] },
                { user_id: "4", roles: ["Learner"] },
              ],
            },
          }
        : {
            headers: { link: `<${lms.url}/CourseSection/2/memberships?x=1&from=1>; rel="next"` },
            body: { members: [{ user_id: "2", roles: ["Learner"], name: "Zoë", email: "" }] },
          };
    const learners = await lms.roster.list(people(), { role: "learner" });
    expect(learners.map(({ sub }) => sub)).toEqual(["2", "4"]);
    expect(learners[0]).toMatchObject({
      name: "Zoë",
      email: null,
      active: true,
      rights: { role: "learner" },
    });
    expect(new URL(lms.seen[0]?.url ?? "", lms.url).searchParams.get("role")).toMatch(/membership#Learner$/);
    expect(lms.seen[0]?.url).toMatch(/^\/CourseSection\/2\/memberships\?x=1&/);
    expect(lms.seen[0]?.accept).toBe("application/vnd.ims.lti-nrps.v2.membershipcontainer+json");
  });

  test("is read from Moodle a thousand people at a time, as each takes seconds", async () => {
    lms.state.answer = () => ({ body: { members: [] } });
    await lms.roster.list({ ...people(), registration: { ...lms.registration, family: "moodle" } });
    await lms.roster.list(people());
    const limits = lms.seen.map(({ url }) => new URL(url, lms.url).searchParams.get("limit"));
    expect(limits).toEqual(["1000", null]);
  });

  test("has mentors as guests, assistants as instructors, and marks inactive members", async () => {
    const lis = "http://purl.imsglobal.org/vocab/lis/v2/membership";
    lms.state.answer = () => ({
      body: {
        members: [
          { user_id: "1", roles: [`${lis}#Mentor`] },
          { user_id: 2, roles: [`${lis}/Instructor#TeachingAssistant`] },
          { user_id: "3", roles: [`${lis}#Learner`], status: "Inactive" },
          { roles: ["Learner"] },
        ],
      },
    });
    const all = await lms.roster.list(people());
    expect(all.map(({ sub, learner, active, rights }) => [sub, learner, active, rights.role])).toEqual([
      ["1", false, true, "learner"],
      ["2", false, true, "instructor"],
      ["3", true, false, "learner"],
    ]);
    expect(await lms.roster.list(people(), { role: "learner" })).toHaveLength(1);
    expect(await lms.roster.list(people(), { role: "instructor" })).toHaveLength(1);
  });
});
