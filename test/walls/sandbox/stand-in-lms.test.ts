import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import type { StandInLms } from "../../../sandbox/stand-in-lms/start-stand-in-lms.ts";
import { authorize, callAt, finalScore, initiate, launchAt, scope, startLms } from "./launch-at.ts";
import { startPretendTool } from "./pretend-tool.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const grades = "https://purl.imsglobal.org/spec/lti-ags/claim/endpoint";
const media = {
  lineItem: "application/vnd.ims.lis.v2.lineitem+json",
  lineItems: "application/vnd.ims.lis.v2.lineitemcontainer+json",
  results: "application/vnd.ims.lis.v2.resultcontainer+json",
};
const biology = "2";
const zoe = "11";

let now: number;
let lms: StandInLms;

beforeEach(async () => {
  now = Date.parse("2026-03-02T09:00:00Z");
  lms = await startLms("moodle", () => now);
});

const tool = await forAllTests(startPretendTool(() => now));

afterEach(() => lms.close());

const where = () => ({ lms, tool, manners: "moodle" as const });
const begin = () => initiate(where(), "student1", lms.launchPath("1"));
const gradeAddresses = async () => (await launchAt(where(), "teacher1", lms.launchPath("1")))[grades];

function inPath(url: string, suffix: string): string {
  const address = new URL(url);
  address.pathname += suffix;
  return address.href;
}

const postScore = (lineItem: string, score: Record<string, unknown>) =>
  callAt(where(), scope.score, inPath(lineItem, "/scores"), finalScore({ userId: zoe, ...score }, now));

async function resultsOf(lineItem: string): Promise<unknown> {
  const answer = await callAt(where(), scope.result, inPath(lineItem, "/results"), {
    headers: { accept: media.results },
  });
  return answer.json();
}

async function createColumn(lineItems: string, item: Record<string, unknown>): Promise<Response> {
  return callAt(where(), scope.lineItem, lineItems, {
    method: "POST",
    headers: { "content-type": media.lineItem },
    body: JSON.stringify(item),
  });
}

const createdSchema = z.looseObject({ id: z.string() });

describe("launching", () => {
  beforeEach(async () => {
    await tool.register(lms);
  });

  test("the message hint works once, then the LMS shows its own error page", async () => {
    const begun = await begin();
    expect(Object.keys(begun.fields)).toEqual(
      expect.arrayContaining(["iss", "target_link_uri", "login_hint", "client_id", "lti_deployment_id"]),
    );
    expect((await authorize(where(), begun)).fields).toHaveProperty("id_token");
    const again = await authorize(where(), begun);
    expect(again.status).toBe(404);
    expect(again.fields).not.toHaveProperty("id_token");
  });

  test.each([
    [{ scope: "profile" }, "invalid_scope"],
    [{ response_type: "code" }, "unsupported_response_type"],
    [{ response_mode: "query" }, "invalid_request"],
    [{ prompt: "login" }, "invalid_request"],
    [{ nonce: "" }, "invalid_request"],
    [{ login_hint: "12" }, "access_denied"],
    [{ client_id: "other" }, "unauthorized_client"],
  ])("a request with %o is answered with %s at the tool", async (change, error) => {
    const { action, fields } = await authorize(where(), await begin(), { parameters: change });
    expect(action).toBe(`${tool.url}/launch`);
    expect(fields).toMatchObject({ error, state: "s-1" });
    expect(fields).not.toHaveProperty("id_token");
  });
});

describe("tokens", () => {
  beforeEach(async () => {
    await tool.register(lms);
  });

  test("a token is JSON that calls itself HTML, and lives an hour", async () => {
    const answer = await tool.token(lms, [scope.score, "https://example.test/unknown"]);
    expect(answer.headers.get("content-type")).toBe("text/html; charset=utf-8");
    expect(await answer.json()).toMatchObject({ token_type: "Bearer", expires_in: 3600, scope: scope.score });
  });

  test.each([
    [{ sub: "nobody" }, "invalid_client"],
    [{ exp: 1000 }, "Expired token"],
    [{ iat: 2_000_000_000 }, "Cannot handle token with iat prior to 2033-05-18T03:33:20+0000"],
  ])("an assertion with %o is refused: %s", async (claims, error) => {
    const answer = await tool.token(lms, [scope.score], claims);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toEqual({ error });
  });
});

const membersSchema = z.object({
  members: z.array(z.looseObject({ user_id: z.string(), roles: z.array(z.string()) })),
});

describe("the roster", () => {
  beforeEach(async () => {
    await tool.register(lms);
  });

  const members = async () => {
    const path = "/mod/lti/services.php/CourseSection/3/bindings/1/memberships";
    const answer = await callAt(where(), scope.roster, lms.url + path);
    return { link: answer.headers.get("link"), ...membersSchema.parse(await answer.json()) };
  };

  test("everybody comes together, with short role names, and a non-editing teacher is a learner", async () => {
    const { members: all, link } = await members();
    expect(all).toHaveLength(20);
    expect(link).toBeNull();
    expect(all.find((member) => member.user_id === "3")?.roles).toEqual(["Learner"]);
    expect(all.find((member) => member.user_id === "4")?.roles).toEqual(["Instructor"]);
  });
});

describe("columns", () => {
  let lineItems: string;
  let coupled: string;

  beforeEach(async () => {
    await tool.register(lms);
    const addresses = await gradeAddresses();
    lineItems = addresses.lineitems;
    coupled = addresses.lineitem ?? "";
  });

  const list = (query = "", accept = media.lineItems) =>
    callAt(where(), scope.lineItem, lineItems + query, { headers: { accept } });

  test.each(["*/*", "application/json", media.lineItem])(
    "a list asked with Accept %s is 400",
    async (accept) => {
      expect((await list("", accept)).status).toBe(400);
    },
  );

  test.each([
    ["no label", { scoreMaximum: 1 }, 400],
    ["a link nobody knows", { scoreMaximum: 1, label: "x", resourceLinkId: "999" }, 403],
    ["a label of 300 letters", { scoreMaximum: 1, label: "x".repeat(300) }, 502],
    ["a maximum of zero", { scoreMaximum: 0, label: "x" }, 201],
  ])("a column with %s", async (_what, item, status) => {
    expect((await createColumn(lineItems, item)).status).toBe(status);
  });

  test("replacing a column empties what is left out and rescales its grades", async () => {
    await postScore(coupled, { scoreGiven: 50, scoreMaximum: 100 });
    const answer = await callAt(where(), scope.lineItem, coupled, {
      method: "PUT",
      headers: { "content-type": `${media.lineItem}; charset=utf-8` },
      body: JSON.stringify({ label: "Attendance", scoreMaximum: 10 }),
    });
    expect(answer.status).toBe(200);
    const item = await callAt(where(), scope.lineItem, coupled, { headers: { accept: media.lineItem } });
    expect(await item.json()).toEqual({
      id: coupled,
      label: "Attendance",
      scoreMaximum: 10,
      resourceId: "",
      tag: "",
    });
    expect(await resultsOf(coupled)).toMatchObject([{ resultScore: 5, resultMaximum: 10 }]);
    expect((await gradeAddresses()).lineitem).toBeUndefined();
  });
});

describe("scores", () => {
  let coupled: string;
  let standalone: string;

  beforeEach(async () => {
    await tool.register(lms);
    const addresses = await gradeAddresses();
    coupled = addresses.lineitem ?? "";
    const created = await createColumn(addresses.lineitems, { label: "Attendance", scoreMaximum: 50 });
    standalone = createdSchema.parse(await created.json()).id;
  });

  const cell = (label: string) => {
    const book = lms.gradebook(biology);
    const column = book.columns.find((candidate) => candidate.label === label);
    const learner = book.learners.find((candidate) => candidate.personId === zoe);
    return learner?.grades.find((grade) => grade.columnId === column?.id);
  };

  test.each([
    [75, 50],
    [-5, 0],
  ])("a score of %i out of 50 becomes %i", async (given, value) => {
    await postScore(standalone, { scoreGiven: given, scoreMaximum: 50 });
    expect(cell("Attendance")?.value).toBe(value);
  });

  test("within the same second and before it a score is refused, a second later it is not", async () => {
    await postScore(coupled, { scoreGiven: 10, scoreMaximum: 100 });
    for (const later of [0, 300, -60_000]) {
      const timestamp = new Date(now + later).toISOString();
      const answer = await postScore(coupled, { scoreGiven: 20, scoreMaximum: 100, timestamp });
      expect(answer.status).toBe(409);
      expect(answer.statusText).toContain("Refusing score with an earlier timestamp");
    }
    const timestamp = new Date(now + 1000).toISOString();
    expect((await postScore(coupled, { scoreGiven: 20, scoreMaximum: 100, timestamp })).status).toBe(200);
    expect(cell("Online classroom")?.value).toBe(20);
  });

  test.each(["Pending", "PendingManual", "NotReady", "Failed"])(
    "a score that is %s clears the grade and its comment",
    async (gradingProgress) => {
      await postScore(coupled, { scoreGiven: 10, scoreMaximum: 100, comment: "well" });
      now += 2000;
      await postScore(coupled, { scoreGiven: 90, scoreMaximum: 100, gradingProgress });
      expect(cell("Online classroom")).toMatchObject({ value: null, comment: null });
      expect(await resultsOf(coupled)).toEqual([]);
    },
  );

  test("clearing a standalone column keeps the server's time, and lists the person without a value", async () => {
    const past = now - 3_600_000;
    await postScore(standalone, { scoreGiven: 1, scoreMaximum: 50, timestamp: new Date(past).toISOString() });
    const next = new Date(past + 5000).toISOString();
    await postScore(standalone, { gradingProgress: "NotReady", timestamp: next });
    expect(await resultsOf(standalone)).toEqual([
      { id: `${inPath(standalone, "/results")}&user_id=${zoe}`, userId: zoe },
    ]);
    const later = new Date(past + 10_000).toISOString();
    expect((await postScore(standalone, { scoreGiven: 2, scoreMaximum: 50, timestamp: later })).status).toBe(
      409,
    );
  });

  test("a teacher's own grade stays, whatever the tool sends", async () => {
    await postScore(coupled, { scoreGiven: 10, scoreMaximum: 100, comment: "tool" });
    now += 1000;
    lms.overrideGrade("2", zoe, 44, "Teacher says hi");
    now += 1000;
    expect((await postScore(coupled, { scoreGiven: 20, scoreMaximum: 100, comment: "tool" })).status).toBe(
      200,
    );
    expect(cell("Online classroom")).toMatchObject({
      value: 44,
      sent: 20,
      comment: "Teacher says hi",
      overridden: true,
    });
    expect(await resultsOf(coupled)).toMatchObject([{ resultScore: 44, comment: "Teacher says hi" }]);
  });

  test.each([
    ["a teacher", { userId: "3" }, 400],
    ["nobody known", { userId: "99999" }, 400],
    ["a user id that is no number", { userId: "abc" }, 502],
    ["an epoch timestamp", { timestamp: 1795200000 }, 400],
    ["an RFC 822 timestamp", { timestamp: "Fri, 20 Nov 2026 10:00:00 GMT" }, 400],
    ["no timestamp", { timestamp: undefined }, 400],
    ["no maximum", { scoreMaximum: undefined }, 400],
    ["no grading progress", { gradingProgress: undefined }, 400],
    ["an unknown activity progress", { activityProgress: "Done" }, 200],
    ["a number as text", { scoreGiven: "20" }, 200],
    ["a time without zone", { timestamp: "2026-03-02T09:00:00" }, 200],
    ["only a date", { timestamp: "2026-03-02" }, 200],
    ["a name in it", { userId: "99999", comment: "Zoë\nÅkesson “quoted”" }, 400],
  ])("a score with %s", async (_what, change, status) => {
    expect((await postScore(coupled, { scoreGiven: 1, scoreMaximum: 100, ...change })).status).toBe(status);
  });

  test("a locked column answers 500, a hidden one takes scores", async () => {
    lms.setColumn("2", { locked: true });
    expect((await postScore(coupled, { scoreGiven: 1, scoreMaximum: 100 })).status).toBe(500);
    lms.setColumn("2", { locked: false, hidden: true });
    expect((await postScore(coupled, { scoreGiven: 1, scoreMaximum: 100 })).status).toBe(200);
  });
});
