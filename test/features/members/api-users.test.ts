import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type ClassroomRole, noApiUsers, userIdsOf } from "../../../src/domain/person.ts";
import { type ApiUsersApp, ensureApiUser } from "../../../src/modules/members/api-users.ts";
import { namesOfUsers } from "../../../src/modules/members/people.ts";
import { personSubject } from "../../../src/modules/privacy/erase.ts";
import { type Clock, systemClock } from "../../../src/kernel/clock.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { leaseMs, requireClaims } from "../../../src/kernel/with-claim.ts";
import { askFolder, storeClock } from "../../../src/storage/store-clock.ts";
import { memoryThrottleStore } from "../../walls/classroom/memory-throttle-store.ts";
import { openRosterCourse } from "../../support/builders/roster-course.ts";
import { passingClock } from "../../support/passing-clock.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
let course: Awaited<ReturnType<typeof openRosterCourse>>;
/** What the classroom answers for a reference and an address. */
let answer: (user: { reference: string; email: string | null }) => string;
let usersHaveRoles: boolean;
let made: string[];
let told: string[];
beforeEach(async () => {
  course = await openRosterCourse("canvas", database);
  answer = ({ reference }) => `user of ${reference}`;
  usersHaveRoles = true;
  made = [];
  told = [];
});
afterEach(() => course.close());

const ensureDeps = (): ApiUsersApp => ({
  people: course.stores.people,
  classroomOf: () => ({
    usersHaveRoles,
    createApiUser: (user) => {
      made.push(user.reference);
      return Promise.resolve({ userId: answer(user) });
    },
  }),
  onMatchable: ({ id }) => {
    told.push(id);
    return Promise.resolve();
  },
  clock: systemClock,
  ids: randomIds,
});

async function somebody(registrationId = "reg_1", email = "ada@example.org") {
  const key = { registrationId, deploymentId: "1", sub: "ada" };
  const facts = { name: "Ada", givenName: null, familyName: null, email };
  return course.stores.people.record(key, facts, { id: randomIds.id("per"), environment: "production" });
}

async function enters(role: ClassroomRole, registrationId?: string): Promise<string> {
  return ensureApiUser(ensureDeps(), await somebody(registrationId), role);
}

const problemOf = async (role: ClassroomRole, registrationId?: string): Promise<unknown> =>
  enters(role, registrationId).catch((thrown: unknown) => thrown);

describe("somebody who teaches one course and learns in another", () => {
  test("has a user for each, and keeps them", async () => {
    const { id } = await somebody();
    const first = [await enters("participant"), await enters("host")];
    expect(first).toEqual([`user of ${id}-participant`, `user of ${id}-host`]);
    expect([await enters("participant"), await enters("host")]).toEqual(first);
    expect(made).toEqual([`${id}-participant`, `${id}-host`]);
    expect(told).toEqual(first);
  });

  test("has two of them, even if both are created twice at the same moment", async () => {
    const roles = ["host", "participant", "host", "participant"] as const;
    const users = await Promise.all(roles.map((role) => enters(role)));
    expect(new Set(users).size).toBe(2);
    expect(made).toHaveLength(2);
  });

  test("is the person of both users", async () => {
    const users = [await enters("participant"), await enters("host")];
    const { id } = await somebody();
    const found = await course.stores.people.listByApiUsers("production", users);
    const { members, people, personalRecords } = course.stores;
    const subject = await personSubject({ members, people, personalRecords }, await somebody());
    expect(subject.soleUserIds.toSorted(), "all is erased and exported of both").toEqual(users.toSorted());
    expect(found.map(({ userId, role, person }) => [userId, role, person.id])).toEqual([
      [users[1], "host", id],
      [users[0], "participant", id],
    ]);
  });
});

test("a process that was stopped before its call does not create a user that another one has since", async () => {
  const person = await somebody();
  const reached = Promise.withResolvers();
  const woken = Promise.withResolvers();
  const [stopped, other] = [passingClock(), passingClock()];
  const process = (name: string, clock: Clock, beforeCall: () => Promise<unknown>) => {
    const classroom = {
      usersHaveRoles,
      createApiUser: async () => {
        await beforeCall();
        await requireClaims();
        made.push(name);
        return { userId: `user made by the ${name}` };
      },
    };
    return ensureApiUser({ ...ensureDeps(), clock, classroomOf: () => classroom }, person, "participant");
  };
  const first = process("stopped one", stopped.clock, () => {
    reached.resolve(null);
    return woken.promise;
  });
  await reached.promise;
  const settled = () => Promise.resolve();
  await other.pass(leaseMs + 1_000, settled);
  const second = process("other", other.clock, settled);
  expect(await second).toBe("user made by the other");
  await stopped.pass(30_000, settled);
  woken.resolve(null);
  expect(await first).toBe("user made by the other");
  expect(made).toEqual(["other"]);
});

test.each([
  ["the time of their store", 1],
  ["their own clocks, which is wrong", 2],
])("machines 15 seconds ahead and behind, by %s, create a user this often: %i", async (_title, often) => {
  const isByStore = often === 1;
  const person = await somebody();
  const [real, records] = [passingClock(), memoryThrottleStore()];
  const machine = (skew: number): Clock => ({
    now: () => real.clock.now() + skew,
    elapsed: real.clock.now,
    sleep: real.clock.sleep,
  });
  const [reached, answered] = [Promise.withResolvers(), Promise.withResolvers()];
  const enter = async (skew: number) => {
    const clock = machine(skew);
    const classroom = {
      usersHaveRoles,
      createApiUser: async () => {
        made.push(`by the machine at ${String(skew)}`);
        if (made.length === 1) reached.resolve(null);
        if (made.length === 1) await answered.promise;
        return { userId: `user ${String(made.length)}` };
      },
    };
    const at = isByStore ? await storeClock(askFolder(records, clock), clock) : clock;
    return ensureApiUser({ ...ensureDeps(), clock: at, classroomOf: () => classroom }, person, "participant");
  };
  const behind = enter(-15_000);
  await reached.promise;
  const waits = Promise.withResolvers();
  const claims = vi.spyOn(course.stores.people, "claimApiUser").mockImplementationOnce(async (...claim) => {
    claims.mockRestore();
    const isTaken = await course.stores.people.claimApiUser(...claim);
    waits.resolve(null);
    return isTaken;
  });
  const ahead = enter(15_000);
  await waits.promise;
  answered.resolve(null);
  const first = await behind;
  await real.pass(1_000, () => Promise.resolve());
  expect(await ahead).toBe(first);
  expect(made).toHaveLength(often);
});

describe("if the classroom answers with the same user for both roles", () => {
  beforeEach(() => {
    answer = ({ email }) => `user of ${email}`;
  });

  test.each([
    ["host", "participant"],
    ["participant", "host"],
  ] as const)("a %s does not enter as a %s, and the reason says what to do", async (first, second) => {
    const own = await enters(first);
    const problem = await problemOf(second);
    expect(problem).toMatchObject({ code: "classroom-user-shared", temporary: false });
    expect(String(problem)).toContain("usersHaveRoles");
    expect(await enters(first)).toBe(own);
    expect((await somebody()).apiUsers).toEqual({ ...noApiUsers, [first]: { id: own, name: "Ada" } });
  });

  test("only one of two who come at the same moment enters", async () => {
    const came = await Promise.allSettled([enters("host"), enters("participant")]);
    expect(came.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    expect(userIdsOf(await somebody())).toEqual(["user of ada@example.org"]);
  });

  test("a host from one LMS does not enter as a participant from another, with a host's rights", async () => {
    await enters("host", "reg_1");
    expect(await problemOf("participant", "reg_2")).toMatchObject({ code: "classroom-user-shared" });
    await enters("host", "reg_2");
  });

  test("a person is named in each LMS in which they are known, and nowhere else", async () => {
    const userId = await enters("host", "reg_1");
    expect(await enters("host", "reg_2")).toBe(userId);
    const named = async (registrationId: string, deploymentId = "1") => {
      const place = { registrationId, deploymentId, environment: "production" } as const;
      return [...(await namesOfUsers(course.stores, place, [userId, userId, null, "the key's account"]))];
    };
    expect(await named("reg_1")).toEqual([[userId, "Ada"]]);
    expect(await named("reg_2")).toEqual([[userId, "Ada"]]);
    expect([await named("reg_1", "another institution"), await named("reg_3")]).toEqual([[], []]);
  });

  test("and has no roles, one user serves both, created once", async () => {
    usersHaveRoles = false;
    const { id } = await somebody();
    const users = await Promise.all([enters("host"), enters("participant"), enters("host")]);
    expect(new Set(users)).toEqual(new Set(["user of ada@example.org"]));
    expect(made).toEqual([id]);
    expect(await course.stores.people.withoutApiUser([id], "host")).toEqual([]);
    const [found, ...others] = await course.stores.people.listByApiUser("production", users[0]);
    expect([found?.role, found?.person.id, others]).toEqual([null, id, []]);
  });

  test("an operator's later setting helps people who were refused, and can be undone", async () => {
    const own = await enters("participant");
    usersHaveRoles = false;
    expect(await enters("host")).toBe(own);
    usersHaveRoles = true;
    answer = ({ reference }) => `user of ${reference}`;
    const { id } = await somebody();
    expect([await enters("host"), await enters("participant")]).toEqual([
      `user of ${id}-host`,
      `user of ${id}-participant`,
    ]);
    expect((await somebody()).apiUsers.unknown?.id).toBe(own);
  });
});

test("nobody enters as a user with an unknown role, who stays theirs", async () => {
  const { people } = course.stores;
  const { id } = await somebody();
  await people.claimApiUser(id, "unknown", "an earlier release", { now: 1, until: 2 });
  await people.keepApiUser(id, "unknown", "an earlier release", { id: "old user", name: "Ada" });
  expect(await enters("participant")).toBe(`user of ${id}-participant`);
  expect(await people.listByApiUser("production", "old user")).toMatchObject([{ person: { id } }]);
  answer = () => "old user";
  expect(await problemOf("host")).toMatchObject({ code: "classroom-user-shared" });
});
