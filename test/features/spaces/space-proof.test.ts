import { beforeEach, describe, expect, test } from "vitest";
import type { Course, Member } from "../../../src/domain/course.ts";
import { defaultJoinSettings } from "../../../src/settings/options.ts";
import { answerSpaceRequest, withdrawSpace } from "../../../src/modules/spaces/decide-spaces.ts";
import { provenSpaces, usableSpace } from "../../../src/modules/spaces/space-rights.ts";
import { systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const day = 24 * 3_600_000;
const now = Date.UTC(2026, 10, 23);
const tess = "per_tess";

const database = await forAllTests(openEmptyStores());
/** The course with the Space "hall", and another one of Tess. */
let first: Course;
let second: Course;
/** What the LMS says of Tess in the first course. */
let member: Member;

beforeEach(async () => {
  await database.empty();
  first = await courseOf("first");
  second = await courseOf("second");
  await database.stores.spaceRegister.own(first, "hall", 1);
  await database.stores.courses.replaceSpace(first, null, "hall");
  member = {
    id: "mem_1",
    registrationId: "reg_1",
    courseId: first.id,
    personId: tess,
    role: "instructor",
    roleFrom: "launch",
    testUser: false,
    student: false,
    active: true,
    sectionIds: [],
    sectionsTold: false,
    lastLaunchAt: now - day,
    lastEntry: null,
  };
});

function courseOf(contextId: string, deploymentId = "1"): Promise<Course> {
  const key = { registrationId: "reg_1", deploymentId, contextId };
  const facts = { title: contextId, label: "", history: [], gradeScopes: [], lineItemsUrl: null };
  const services = { membershipsUrl: null, groupsUrl: null, groupSetsUrl: null };
  const begins = { settings: defaultJoinSettings, policy: { kind: "no-grades" as const }, createdAt: 1 };
  return database.stores.courses.record(
    key,
    { ...facts, ...services },
    { id: `crs_${contextId}`, environment: "production", ...begins },
  );
}

function deps() {
  const members = {
    ...database.stores.members,
    find: (_registrationId: string, courseId: string) =>
      Promise.resolve(courseId === first.id ? member : null),
    listOfPerson: () => Promise.resolve([member]),
  };
  const clock = { ...systemClock, now: () => now };
  return { ...database.stores, members, clock, ids: randomIds, appUrlOf: () => "https://app.test" };
}

const links = (course: Course) => usableSpace(deps(), course, tess, "hall");

describe("A host of a Space in one course may use it in another", () => {
  test("as an instructor by a launch that no roster has contradicted since", async () => {
    expect(await links(second)).toBe("hall");
    expect(await database.stores.courses.mayUse(second, "hall")).toBe(true);
  });

  test.each<[string, Partial<Member>]>([
    ["as a learner there by now", { role: "learner" }],
    ["as an instructor only by the roster", { roleFrom: "roster" }],
    ["without ever opening it", { lastLaunchAt: null }],
    ["after leaving it", { active: false }],
    [
      "after a roster contradicted the launch, as for somebody who was made a student",
      { listed: { role: "learner", since: now - 3_600_000 }, sessionsFrom: now - 3_600_000 },
    ],
  ])("but not %s", async (_who, change) => {
    member = { ...member, ...change };
    await expect(links(second)).rejects.toMatchObject({ code: "space-needs-approval" });
    expect(await provenSpaces(deps(), second, tess)).toEqual([]);
    expect(await database.stores.courses.mayUse(second, "hall")).toBe(false);
  });

  test("but not in another deployment, which may be another institution", async () => {
    const elsewhere = await courseOf("elsewhere", "2");
    await expect(links(elsewhere)).rejects.toMatchObject({ code: "space-needs-approval" });
  });

  test("but not when the first course has changed to another Space", async () => {
    await database.stores.courses.replaceSpace(first, "hall", "attic");
    await expect(links(second)).rejects.toMatchObject({ code: "space-needs-approval" });
  });
});

describe("Administrators who decide", () => {
  const decider = { who: "console" } as const;
  const audit = () => ({ ...deps(), ...decider });
  const request = async () => {
    await usableSpace(deps(), second, tess, "by-hand").catch(() => undefined);
    const [asked] = await database.stores.spaceRequests.listOfCourse("reg_1", second.id, 1);
    return asked?.id ?? "";
  };

  test("at the same moment, to approve and to refuse, reach one decision", async () => {
    for (let round = 0; round < 5; round += 1) {
      await database.stores.spaceRegister.take(second.id, { environment: "production", spaceId: "by-hand" });
      const id = await request();
      const both = await Promise.all([
        answerSpaceRequest(audit(), id, "approve", null),
        answerSpaceRequest(audit(), id, "refuse", null),
      ]);
      expect(both).toContain("late");
      const decided = (await database.stores.spaceRequests.find(id))?.state;
      expect(both).toContain(decided);
      expect(await database.stores.courses.mayUse(second, "by-hand")).toBe(decided === "approved");
      if (decided === "refused") break;
    }
  });

  test("to approve another LMS's Space leave the request waiting for the operator", async () => {
    const theirs = { ...second, id: "crs_theirs", registrationId: "reg_2" };
    await database.stores.spaceRegister.own(theirs, "by-hand", 1);
    const id = await request();
    expect(await answerSpaceRequest(audit(), id, "approve", "reg_1")).toBe("operator");
    expect((await database.stores.spaceRequests.find(id))?.state).toBe("open");
  });

  test("for another LMS are refused, and decide nothing", async () => {
    const id = await request();
    for (const answer of ["approve", "refuse"] as const)
      await expect(answerSpaceRequest(audit(), id, answer, "reg_2")).rejects.toMatchObject({
        code: "space-request-unknown",
      });
    expect((await database.stores.spaceRequests.find(id))?.state).toBe("open");
  });

  test("to withdraw a Space keep it for courses that have it through that course, without saying through which", async () => {
    await links(second);
    expect(await withdrawSpace(audit(), first, "hall")).toBe(true);
    const rights = await database.stores.spaceRegister.rightsTo([
      { environment: "production", spaceId: "hall" },
    ]);
    expect(rights).toMatchObject([{ courseId: second.id, way: "proven", throughCourseId: null }]);
    await expect(usableSpace(deps(), await courseOf("third"), tess, "hall")).rejects.toMatchObject({
      code: "space-needs-approval",
    });
  });
});
