import { describe, expect, test } from "vitest";
import type { RosterFilter } from "../../../src/lms/roster.ts";
import { type Reply, type ServiceLms, startServiceLms } from "../../support/stand-ins/service-lms.ts";
import { forEachTest } from "../../support/for-all-tests.ts";

const lis = "http://purl.imsglobal.org/vocab/lis/v2/membership";
const customClaim = "https://purl.imsglobal.org/spec/lti/claim/custom";
const outcomeClaim = "https://purl.imsglobal.org/spec/lti-bo/claim/basicoutcome";

let lms: ServiceLms;
forEachTest(async () => (lms = await startServiceLms()));

const list = (filter?: RosterFilter, onListed?: (count: number) => Promise<void>) =>
  lms.roster.list(
    { registration: lms.registration, membershipsUrl: `${lms.url}/names_and_roles?x=1` },
    filter,
    onListed,
  );
const answer = (members: unknown[]) => {
  lms.state.answer = () => ({ body: { id: "x", context: { id: "2" }, members } });
};
/** Pages of one member each, at opaque addresses like Canvas's. */
const paged = (pages: number, at: Record<number, Reply | "cut"> = {}) => {
  lms.state.answer = ({ url }) => {
    const page = Number(/bookmark-(\d+)/.exec(url)?.[1] ?? 1);
    const particular = at[page];
    if (particular !== undefined) return particular;
    const next = `<${lms.url}/opaque?page=bookmark-${page + 1}>; rel="next"`;
    const current = `<${lms.url}/opaque?page=x>; rel="current"`;
    return {
      headers: { link: page < pages ? `${current},${next}` : current },
      body: { members: [{ user_id: `u${page}`, roles: [`${lis}#Learner`] }] },
    };
  };
};

describe("a member", () => {
  test.each([
    [
      "Moodle's short roles",
      { roles: ["Instructor"] },
      { rights: { role: "instructor", staffRole: "teacher", testUser: false } },
    ],
    ["a number as id", { user_id: 17 }, { sub: "17" }],
    ["no status, which means active", {}, { active: true }],
    ["null as status", { status: null }, { active: true }],
    ["a status in small letters", { status: "active" }, { active: true }],
    ["Inactive", { status: "Inactive" }, { active: false }],
    ["Deleted", { status: "Deleted" }, { active: false }],
    ["an unknown status", { status: "Paused" }, { active: false }],
    ["names that are null", { name: null, given_name: null, email: null }, { name: null, email: null }],
    ["names that are blank", { name: " ", email: "" }, { name: null, email: null }],
    [
      "an invisible name",
      { name: "\u200b", given_name: "Ann", family_name: "\u3164" },
      { name: null, givenName: "Ann", familyName: null },
    ],
    ["invalid roles", { roles: [7, null] }, { rights: { role: "learner" }, learner: false }],
    ["no roles at all", { roles: undefined }, { rights: { role: "learner" }, learner: false }],
    ["an invalid message", { message: "hello" }, { custom: {} }],
    [
      "a user name in place of the e-mail address",
      { name: " Ann ", email: "ann" },
      { name: "Ann", email: null },
    ],
    ["an e-mail address in white space", { email: " ann@example.edu " }, { email: "ann@example.edu" }],
    ["an ID number", { lis_person_sourcedid: " M-１７ " }, { idNumber: "M-17" }],
    ["an ID number that is a number", { lis_person_sourcedid: 17 }, { idNumber: "17" }],
    ["an ID number that is empty", { lis_person_sourcedid: "" }, { idNumber: null }],
    ["an ID number that is too long", { lis_person_sourcedid: "x".repeat(256) }, { idNumber: null }],
    ["an ID number that is a list", { lis_person_sourcedid: ["17"] }, { idNumber: null }],
    ["groups, by number", { group_enrollments: [{ group_id: 7 }] }, { groupIds: ["7"] }],
    ["no information about groups", {}, { groupIds: null }],
  ])("with %s", async (_what, given, expected) => {
    answer([{ user_id: "1", roles: ["Learner"], ...given }]);
    expect(await list()).toMatchObject([expected]);
  });

  test.each([
    ["no id", { roles: ["Learner"] }],
    ["null as id", { user_id: null }],
    ["an empty id", { user_id: "" }],
    ["an id that is too long", { user_id: "x".repeat(256) }],
    ["half a character in its id", { user_id: "a\ud800" }],
    ["nothing but a text", "somebody"],
  ])("with %s is left out, and the others are read", async (_what, odd) => {
    answer([odd, { user_id: "2", roles: ["Learner"] }]);
    expect((await list()).map(({ sub }) => sub)).toEqual(["2"]);
  });

  test("has the custom parameters of the message that carries some", async () => {
    answer([
      {
        user_id: "1",
        roles: ["Learner"],
        message: [
          { [outcomeClaim]: { lis_result_sourcedid: "x" } },
          { [customClaim]: { spaces_section_ids: "7", spaces_canvas_groups: "$Canvas.group.contextIds" } },
        ],
      },
    ]);
    expect((await list({ resourceLinkId: "ctx" }))[0]?.custom).toEqual({ spaces_section_ids: "7" });
  });

  test("listed twice is one person with the roles and groups of all active entries", async () => {
    answer([
      { user_id: "1", roles: [`${lis}#Learner`], group_enrollments: [{ group_id: "a" }] },
      { user_id: "2", roles: [`${lis}#Learner`] },
      { user_id: "1", roles: [`${lis}#Instructor`], name: "Both", group_enrollments: [{ group_id: "b" }] },
    ]);
    expect(await list()).toMatchObject([
      {
        sub: "1",
        rights: { role: "instructor" },
        learner: true,
        active: true,
        name: "Both",
        groupIds: ["a", "b"],
      },
      { sub: "2" },
    ]);
    const taught = { user_id: "1", roles: [`${lis}#Instructor`], status: "Inactive" };
    const learns = { user_id: "1", roles: [`${lis}#Learner`], name: "Both" };
    for (const both of [
      [taught, learns],
      [learns, taught],
    ]) {
      answer(both);
      expect(await list()).toMatchObject([{ rights: { role: "learner" }, active: true, name: "Both" }]);
    }
    answer([taught, { ...learns, status: "Inactive" }]);
    expect(await list()).toMatchObject([{ rights: { role: "instructor" }, active: false }]);
  });
});

describe("a list of many pages", () => {
  test("is read to the end, whatever its addresses look like, and reports its progress", async () => {
    paged(120);
    const counts: number[] = [];
    const people = await list({}, (count) => Promise.resolve(void counts.push(count)));
    expect(people).toHaveLength(120);
    expect(counts).toEqual(Array.from({ length: 120 }, (_none, n) => n + 1));
  });

  test.each([
    ["503", { status: 503 }, { code: "lms-failed", temporary: true }],
    [
      "Canvas's throttling, again and again",
      { status: 403, headers: { "content-type": "text/plain" }, body: "403 Forbidden (Rate Limit Exceeded)" },
      { temporary: true },
    ],
    ["a refusal", { status: 403 }, { code: "lms-not-allowed", temporary: false }],
    ["a broken connection", "cut", { code: "lms-unreachable", temporary: true }],
    ["a page that is no list", { body: { members: "none" } }, { code: "lms-reply-unreadable" }],
    ["a page that is not JSON", { body: "<html>" }, { code: "lms-reply-unreadable" }],
  ] as const)("fails completely if page 3 is %s", async (_what, third, error) => {
    paged(100, { 3: third });
    await expect(list()).rejects.toMatchObject(error);
  });

  test("ends after twenty minutes, because others wait", async () => {
    paged(100);
    const slowly = () => Promise.resolve(void (lms.state.now += 60_000));
    await expect(list({}, slowly)).rejects.toMatchObject({ code: "lms-list-broken" });
    expect(lms.seen).toHaveLength(21);
  });

  test("stops when its caller says so", async () => {
    paged(100);
    await expect(list({}, () => Promise.reject(new Error("stop")))).rejects.toThrow("stop");
    expect(lms.seen).toHaveLength(1);
  });

  test("of 5,000 people on one page lets other work run while it is parsed", async () => {
    await lms.close();
    lms = await startServiceLms({}, { timeoutMs: 5_000, maxBytes: 8_000_000 });
    answer(
      Array.from({ length: 5_000 }, (_none, n) => ({ user_id: `u${n}`, roles: ["Learner"], name: `N ${n}` })),
    );
    let turns = 0;
    const counting = setInterval(() => (turns += 1), 1);
    expect(await list()).toHaveLength(5_000);
    clearInterval(counting);
    expect(turns).toBeGreaterThan(5);
  });
});

describe("a list with the sections of each member", () => {
  test.each([
    [400, "lms-refused"],
    [404, "lms-not-found"],
    [412, "lms-not-found"],
  ])("is read without them if the link id is refused with %i", async (status, code) => {
    lms.state.answer = ({ url }) =>
      url.includes("rlid") ? { status } : { body: { members: [{ user_id: "1", roles: ["Learner"] }] } };
    expect(await list({ resourceLinkId: "ctx" })).toMatchObject([{ sub: "1", custom: {} }]);
    lms.state.answer = () => ({ status });
    await expect(list({ resourceLinkId: "ctx" })).rejects.toMatchObject({ code });
  });

  test.each([[500], [429], [403]])("is not read a second time if the LMS answers %i", async (status) => {
    lms.state.answer = () => ({ status });
    await expect(list({ resourceLinkId: "ctx" })).rejects.toMatchObject({ details: { status } });
    expect(lms.seen).toHaveLength(1);
  });

  test("asks for groups if wanted, and keeps the query of the address", async () => {
    answer([]);
    await list({ withGroups: true });
    expect(lms.seen[0]?.url).toBe("/names_and_roles?x=1&groups=true");
  });
});

describe("the groups service", () => {
  const groups = (setsUrl: string | null = null) =>
    lms.groups.list({ registration: lms.registration, groupsUrl: `${lms.url}/groups`, setsUrl });
  const type = "application/vnd.ims.lti-gs.v1.contextgroup";

  test("lists groups over all pages, with ids as numbers or texts, and the names of their sets", async () => {
    lms.state.answer = ({ url }) => {
      if (url === "/sets") return { body: { sets: [{ id: 3, name: "Colours" }] } };
      return url.includes("page=2")
        ? {
            body: {
              groups: [{ id: "b", name: " Blue ", set_id: "3" }, { id: 9, name: "" }, { name: "no id" }],
            },
          }
        : {
            headers: { link: `<${lms.url}/groups?page=2>; rel="next"` },
            body: { groups: [{ id: 1, name: "Red", set_id: 3 }] },
          };
    };
    expect(await groups(`${lms.url}/sets`)).toEqual([
      { id: "1", name: "Red", setName: "Colours" },
      { id: "b", name: "Blue", setName: "Colours" },
      { id: "9", name: null, setName: null },
    ]);
    expect(lms.seen.map(({ accept }) => accept)).toEqual([
      `${type}container+json`,
      `${type}container+json`,
      `${type}setcontainer+json`,
    ]);
    expect(lms.assertions.map(({ scope }) => scope)).toEqual([
      "https://purl.imsglobal.org/spec/lti-gs/scope/contextgroup.readonly",
    ]);
  });

  test("lists the groups of one person, on all pages, and keeps the query of its address", async () => {
    lms.state.answer = ({ url }) =>
      url.includes("page=2")
        ? { body: { groups: [{ id: "b", name: "Blue" }] } }
        : {
            headers: { link: `<${lms.url}/groups?x=1&user_id=u%2B1&page=2>; rel="next"` },
            body: { groups: [{ id: 1, name: "Red" }] },
          };
    const target = { registration: lms.registration, groupsUrl: `${lms.url}/groups?x=1`, setsUrl: null };
    expect(await lms.groups.idsOfPerson(target, "u+1")).toEqual(["1", "b"]);
    expect(lms.seen[0]?.url).toBe("/groups?x=1&user_id=u%2B1");
  });

  test("works without sets if the LMS will not give them", async () => {
    lms.state.answer = ({ url }) =>
      url === "/sets" ? { status: 500 } : { body: { groups: [{ id: "1", name: "Red", set_id: "3" }] } };
    expect(await groups(`${lms.url}/sets`)).toEqual([{ id: "1", name: "Red", setName: null }]);
  });

  test("fails completely if a page of groups does", async () => {
    lms.state.answer = () => ({ status: 403 });
    await expect(groups()).rejects.toMatchObject({ code: "lms-not-allowed" });
    lms.state.answer = () => ({ body: [] });
    await expect(groups()).rejects.toMatchObject({ code: "lms-reply-unreadable" });
  });
});
