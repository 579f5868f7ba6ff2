import { describe, expect, test } from "vitest";
import { type NewClassroomSpace } from "../../../src/classroom/client.ts";
import { type Entrant, ensureSpace } from "../../../src/modules/spaces/ensure-space.ts";
import { ensureApiUser } from "../../../src/modules/members/api-users.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { openProvisioning, type ProvisioningCourse } from "../../support/builders/open-provisioning.ts";
import { listedAs } from "../../support/builders/roster-course.ts";
import type { StandInClassroom } from "../../../sandbox/stand-in-classroom/stand-in-classroom.ts";
import { giveApiUser } from "../../support/builders/give-api-user.ts";
import { classroomClient } from "../../support/stand-ins/classroom-client.ts";
import { quickClassroom } from "../../support/stand-ins/quick-classroom.ts";
import { openEmptyStores } from "../../support/builders/open-empty-stores.ts";
import { forAllTests, forEachTest } from "../../support/for-all-tests.ts";

const database = await forAllTests(openEmptyStores());
const teaches = {
  rights: { role: "instructor", staffRole: "teacher", testUser: false },
  learner: false,
} as const;
const teacher = (sub: string, active = true) => listedAs(sub, { ...teaches, name: `Teacher ${sub}`, active });
const entering = { priority: "entry" } as const;

let course: ProvisioningCourse;
forEachTest(async () => (course = await openProvisioning({ from: database })));

const makingDeps = () => ({ ...course.workerDeps, ...course.stores, isSpaceOrigin: () => true });

/** Somebody opens the course's Space, which is created. @returns what was sent to the classroom */
async function openSpace(entrant: Entrant | null): Promise<NewClassroomSpace> {
  const listed: NewClassroomSpace[] = [];
  const { classroomOf } = course.workerDeps;
  const deps = {
    ...makingDeps(),
    classroomOf: () => ({
      ...classroomOf("production"),
      createSpace: (space: NewClassroomSpace) => {
        listed.push(space);
        return Promise.resolve({ spaceId: "space-1", elsewhere: null, listed: [] });
      },
    }),
  };
  await ensureSpace(deps, course.course, entrant, entering);
  const [only, ...others] = listed;
  if (only === undefined || others.length > 0) throw new Error("not one Space was made");
  return only;
}

const userOf = async (sub: string, role: "host" | "participant") =>
  ensureApiUser(course.workerDeps, await course.personOf(sub), role);

describe("a new Space is created with", () => {
  test("the person who enters, and everybody in the course who has a user in their role", async () => {
    await course.read([teacher("t"), teacher("gone", false), listedAs("1"), listedAs("2"), listedAs("3")]);
    const host = await userOf("t", "host");
    const ready = await userOf("1", "participant");
    const comes = await userOf("2", "participant");
    // Teaches elsewhere: their role there means nothing here.
    await userOf("3", "host");
    expect(await openSpace({ userId: comes, role: "learner" })).toMatchObject({
      ownerUserId: host,
      hostUserIds: [host],
      participantUserIds: [comes, ready],
    });
  });

  test("the instructor who enters as the first of its hosts", async () => {
    await course.read([teacher("a"), teacher("b")]);
    const other = await userOf("a", "host");
    const comes = await userOf("b", "host");
    const listed = await openSpace({ userId: comes, role: "instructor" });
    expect(listed).toMatchObject({ ownerUserId: comes, hostUserIds: [comes, other] });
    expect(listed).not.toHaveProperty("participantUserIds");
  });

  test("a few instructors without a user, created first; more would delay the person who enters", async () => {
    await course.read(["a", "b", "c", "d", "e"].map((sub) => teacher(sub)).concat(listedAs("1")));
    const comes = await userOf("1", "participant");
    const before = course.made.length;
    const listed = await openSpace({ userId: comes, role: "learner" });
    const made = course.made.slice(before);
    expect(made.map(({ name, role }) => `${name}, ${role}`)).toEqual([
      "Teacher a, host",
      "Teacher b, host",
      "Teacher c, host",
    ]);
    expect(listed.hostUserIds).toEqual(made.map(({ userId }) => userId));
  });

  test("no host when no host is known: a learner who is first gets in", async () => {
    await course.read([listedAs("1")]);
    const comes = await userOf("1", "participant");
    const listed = await openSpace({ userId: comes, role: "learner" });
    expect(listed).toMatchObject({ ownerUserId: null, participantUserIds: [comes] });
    expect(listed).not.toHaveProperty("hostUserIds");
  });

  test("the other hosts when the classroom refuses an instructor", async () => {
    await course.read([teacher("a"), teacher("b"), listedAs("1")]);
    const comes = await userOf("1", "participant");
    const { answer } = course.classroom;
    course.classroom.answer = (user) =>
      user.name === "Teacher a" ? Promise.reject(new NamedError("classroom-refused", "No.")) : answer(user);
    const listed = await openSpace({ userId: comes, role: "learner" });
    expect(listed.hostUserIds).toEqual([await userOf("b", "host")]);
  });
});

/** A client of a stand-in, and what is needed to create the course's Space there. */
function inClassroom(classroom: StandInClassroom) {
  const dialect = { email: { synthetic: "{reference}@learners.example.edu" } };
  const client = classroomClient(classroom, { dialect });
  const deps = { ...makingDeps(), classroomOf: () => client };
  return { client, deps };
}

describe("somebody who was deleted in the classroom", () => {
  test.each(["a", "clients"] as const)(
    "keeps nobody else out: the Space is created with the people who come (spelling %s)",
    async (spelling) => {
      const classroom = await quickClassroom({ spelling });
      try {
        const { deps } = inClassroom(classroom);
        await course.read([teacher("t"), listedAs("1"), listedAs("2")]);
        const gone = await course.personOf("2");
        await giveApiUser(course.stores.people, gone.id, { userId: "deleted there" });
        const comes = await ensureApiUser(deps, await course.personOf("1"), "participant", entering);
        await ensureSpace(deps, course.course, { userId: comes, role: "learner" }, entering);
        expect(classroom.spaces().map(({ participantUserIds }) => participantUserIds)).toEqual([[comes]]);
      } finally {
        await classroom.close();
      }
    },
  );

  test.each([
    ["a refusal that concerns nobody", [listedAs("1")], new NamedError("classroom-refused", "No.")],
    ["an answer that was lost", [listedAs("1"), listedAs("2")], new NamedError("classroom-unreachable", "?")],
  ])("is not suspected after %s: at most one Space is created", async (_what, people, problem) => {
    await course.read(people);
    const users = await Promise.all(people.map(({ sub }) => userOf(sub, "participant")));
    let calls = 0;
    const createSpace = () => {
      calls += 1;
      return Promise.reject(problem);
    };
    const deps = {
      ...makingDeps(),
      classroomOf: () => ({ ...course.workerDeps.classroomOf("production"), createSpace }),
    };
    const entrant = { userId: users[0] ?? "", role: "learner" } as const;
    await expect(ensureSpace(deps, course.course, entrant, entering)).rejects.toBe(problem);
    expect(calls).toBe(1);
  });
});

test("a Private Space lets in the people it was created with, with no step besides entering", async () => {
  const classroom = await quickClassroom({ spelling: "clients" });
  try {
    const { appUrl } = classroom;
    const { client, deps } = inClassroom(classroom);
    await course.read([teacher("t"), listedAs("1"), listedAs("2"), listedAs("3")]);
    const { settings, door: entryWindow, spaceAccess, settingsRevision } = course.course;
    await course.stores.courses.changeSettings(course.course.id, settingsRevision, {
      settings,
      door: entryWindow,
      spaceAccess,
      newSpace: { access: "Private", waitingRoom: false },
    });
    const userIn = async (sub: string) =>
      ensureApiUser(deps, await course.personOf(sub), "participant", entering);
    const ready = await userIn("1");
    const first = await userIn("2");
    const spaceId = await ensureSpace(deps, course.course, { userId: first, role: "learner" }, entering);
    const enter = async (userId: string) => {
      const { url } = await client.authorize(
        { userId, redirectUrl: `${appUrl}/spaces/${spaceId}` },
        entering,
      );
      return (await fetch(url)).status;
    };
    expect(classroom.spaces()[0]?.access).toBe("Private");
    expect([await enter(first), await enter(ready)]).toEqual([200, 200]);
    const host = classroom.users().find(({ role }) => role === "host");
    expect(await enter(host?.userId ?? "")).toBe(200);
    expect(await enter(await userIn("3")), "who comes later has to be invited there").toBe(403);
  } finally {
    await classroom.close();
  }
});
