import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { patience } from "../support/patience.ts";
import { pressEnter } from "../support/tool/in-queue.ts";
import { instructorRole, learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf, type TinyWorld } from "../support/tool/tiny-world.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const lis = "http://purl.imsglobal.org/vocab/lis/v2";
const testUser = "http://purl.imsglobal.org/vocab/lti/system/person#TestUser";

let world: TinyWorld;
let event = "";
beforeAll(async () => {
  world = await startTinyWorld();
  await world.launch({ claims: claimsOf({ sub: "first", name: "Tessa First" }) });
  const spaceId = await vi.waitFor(
    async () => (await world.courseOf("2")).spaceId ?? fail("no Space yet"),
    patience,
  );
  const now = Date.now();
  const lesson = { spaceId, title: "Lesson", startsAt: now - 3_600_000, endsAt: now };
  event = world.classroom.createEvent(lesson).eventId;
});
afterAll(() => world.close());

function fail(why: string): never {
  throw new Error(why);
}

/** Our records of somebody in the course. */
async function knownAs(sub: string) {
  const course = await world.courseOf("2");
  const { registrationId, deploymentId } = course;
  const known = (one: string) => world.stores.people.findBySub({ registrationId, deploymentId, sub: one });
  const person = (await known(sub)) ?? (await known(`preview-student-of-${course.id}`));
  if (person === null) throw new Error(`${sub} is not known`);
  const member = await world.stores.members.find(registrationId, course.id, person.id);
  const key = { registrationId, courseId: course.id, personId: person.id };
  return {
    person,
    member,
    attendance: await world.stores.attendance.listOfPerson(registrationId, course.id, person.id),
    delivery: await world.stores.deliveries.find({ ...key, columnKey: "attendance" }),
  };
}

describe("who comes with which roles", () => {
  let count = 0;
  const cases: [string, readonly string[], { teaches: boolean; graded: boolean }][] = [
    ["an instructor", [instructorRole], { teaches: true, graded: false }],
    ["an instructor by the short name", ["Instructor"], { teaches: true, graded: false }],
    [
      "a teaching assistant",
      [`${lis}/membership/Instructor#TeachingAssistant`],
      { teaches: true, graded: false },
    ],
    ["a course designer", [`${lis}/membership#ContentDeveloper`], { teaches: true, graded: false }],
    [
      "a site administrator whom the LMS calls an instructor (Moodle)",
      [`${lis}/institution/person#Administrator`, instructorRole, `${lis}/system/person#Administrator`],
      { teaches: true, graded: false },
    ],
    [
      "a graduate assistant who teaches one section and learns in another",
      [instructorRole, `${lis}/membership/Instructor#TeachingAssistant`, learnerRole],
      { teaches: true, graded: true },
    ],
    ["a learner", [learnerRole], { teaches: false, graded: true }],
    ["a learner by the short name", ["Learner"], { teaches: false, graded: true }],
    [
      "a learner who teaches elsewhere in the institution",
      [`${lis}/institution/person#Faculty`, `${lis}/institution/person#Instructor`, learnerRole],
      { teaches: false, graded: true },
    ],
    ["a preview student", [learnerRole, testUser], { teaches: false, graded: false }],
    ["the preview student after a reset", [learnerRole, testUser], { teaches: false, graded: false }],
    ["a mentor (Canvas observer)", [`${lis}/membership#Mentor`], { teaches: false, graded: false }],
    [
      "an administrator of the account without a role in the course",
      [`${lis}/institution/person#Administrator`, `${lis}/system/person#SysAdmin`],
      { teaches: false, graded: false },
    ],
    ["somebody with a role nobody knows", ["urn:x-lms:Wizard"], { teaches: false, graded: false }],
    ["somebody without a role", [], { teaches: false, graded: false }],
    ["somebody with one blank role", [""], { teaches: false, graded: false }],
  ];

  test.each(cases)("%s", async (_who, roles, { teaches, graded }) => {
    count += 1;
    const sub = `role-${count}`;
    const page = await world.launch({ claims: claimsOf({ sub, name: `Kim Number${count}`, roles }) });
    expect(page.status).toBe(200);
    expect(textOf(page).includes("Needs your attention")).toBe(teaches);
    const { parameters, userId } = await pressEnter(world.classroom, page.visitor, page);
    expect(parameters["startCall"]).toBe(teaches ? "true" : undefined);

    world.classroom.markAttendance({ eventId: event, userId, status: "PRESENT" });
    await vi.waitFor(async () => {
      expect((await knownAs(sub)).attendance).toHaveLength(1);
    }, patience);
    if (graded) {
      await vi.waitFor(async () => {
        expect((await knownAs(sub)).delivery?.desired?.score).toBe(100);
      }, patience);
    } else {
      // A learner marked later has a score already: so this person's would be there if it were coming.
      await aLearnerIsGraded();
      expect((await knownAs(sub)).delivery).toBeNull();
    }
  });

  let witnesses = 0;
  async function aLearnerIsGraded(): Promise<void> {
    witnesses += 1;
    const sub = `witness-${witnesses}`;
    const page = await world.launch({ claims: claimsOf({ sub, roles: [learnerRole] }) });
    const { userId } = await pressEnter(world.classroom, page.visitor, page);
    world.classroom.markAttendance({ eventId: event, userId, status: "PRESENT" });
    await vi.waitFor(async () => {
      expect((await knownAs(sub)).delivery?.desired?.score).toBe(100);
    }, patience);
  }
});

describe("a lower role at the next launch", () => {
  test("takes effect at once, also on a page that was opened before", async () => {
    const asInstructor = await world.launch({ claims: claimsOf({ sub: "demoted" }) });
    expect(asInstructor.text).toContain("Needs your attention");
    const asLearner = await world.launch({ claims: claimsOf({ sub: "demoted", roles: [learnerRole] }) });
    expect(asLearner.text).not.toContain("Needs your attention");
    const old = {
      ...asInstructor,
      text: asInstructor.text.replace('action="/enter"', 'action="/course/grades/sync"'),
    };
    expect((await asInstructor.visitor.submit(old, { action: "/course/grades/sync" })).status).toBe(401);
    const login = await pressEnter(world.classroom, asLearner.visitor, asLearner);
    expect(login.parameters).not.toHaveProperty("startCall");
  });

  test("a higher one gives nothing to a page that was opened before", async () => {
    const before = await world.launch({ claims: claimsOf({ sub: "promoted", roles: [learnerRole] }) });
    await world.launch({ claims: claimsOf({ sub: "promoted" }) });
    const forged = {
      ...before,
      text: before.text.replace('action="/enter"', 'action="/course/grades/sync"'),
    };
    expect((await before.visitor.submit(forged, { action: "/course/grades/sync" })).status).toBe(403);
  });
});

describe("what the LMS does not say", () => {
  test("somebody it does not name at all is told to log in as themselves, and is nobody here", async () => {
    const page = await world.launch({ claims: claimsOf({ roles: [learnerRole], course: "by-nobody" }) });
    expect(page.status).toBe(403);
    expect(textOf(page)).toContain("Your LMS didn’t share who you are");
    expect(page.text).not.toContain('action="/enter"');
    expect(await world.stores.courses.findByContexts(world.registration.id, ["by-nobody"])).toEqual([]);
  });

  test("a launch from outside a course is told to come from one", async () => {
    const claims = { ...claimsOf({ sub: "s1", roles: [learnerRole] }), [`${lti}/context`]: undefined };
    const page = await world.launch({ claims });
    expect(page.status).toBe(200);
    expect(textOf(page)).toContain("Open this link from a course page");
  });

  test("an observer stays out where the course says so, and learners don't", async () => {
    const { id, settings, settingsRevision, door, spaceAccess } = await world.courseOf("2");
    const to = { settings: { ...settings, guests: "out" as const }, door, spaceAccess };
    expect(await world.stores.courses.changeSettings(id, settingsRevision, to)).toBe(true);
    const claims = (sub: string, role: string) => ({ claims: claimsOf({ sub, roles: [role] }) });
    const shut = "This classroom is for learners and instructors";
    expect(textOf(await world.launch(claims("observer", `${lis}/membership#Mentor`)))).toContain(shut);
    expect(textOf(await world.launch(claims("learner", learnerRole)))).not.toContain(shut);
  });

  test("a course without title and label still gets its Space", async () => {
    const claims = { ...claimsOf({ sub: "s1", roles: [learnerRole] }), [`${lti}/context`]: { id: "bare" } };
    const page = await world.launch({ claims, framed: false });
    expect(page.status).toBe(303);
    expect(world.classroom.spaces().map(({ name }) => name)).toContain("Online classroom");
  });

  test.each([
    ["a learner", [learnerRole], "77", "Learner 77"],
    ["an instructor", [instructorRole], "78", "Instructor 78"],
    ["a learner with a long id", [learnerRole], "0c52-4f6e-97aa-a1b2c3d4", "Learner a1b2c3d4"],
  ])("%s without a name goes by a pseudonym that stays the same", async (_who, roles, sub, name) => {
    for (let visits = 0; visits < 2; visits += 1) {
      const page = await world.launch({ claims: claimsOf({ sub, roles }) });
      await pressEnter(world.classroom, page.visitor, page);
    }
    const named = world.classroom.users().filter((user) => user.name === name);
    expect(named).toMatchObject([{ email: null }]);
  });
});
