import { describe, expect, test, vi } from "vitest";
import type { Course } from "../../src/domain/course.ts";
import { type GradePolicy, ruleDefaults } from "../../src/domain/grade-policy.ts";
import { defaultJoinSettings, type JoinSettings } from "../../src/settings/options.ts";
import type { Seen, Visitor } from "../../sandbox/visitor.ts";
import { patience } from "../support/patience.ts";
import { pressEnter } from "../support/tool/in-queue.ts";
import { learnerRole } from "../support/stand-ins/signed-launch.ts";
import { claimsOf, startTinyWorld, textOf, type TinyLaunch } from "../support/tool/tiny-world.ts";
import { forAllTests } from "../support/for-all-tests.ts";

const lti = "https://purl.imsglobal.org/spec/lti/claim";
const question = "was copied from";
const settings: JoinSettings = {
  ...defaultJoinSettings,
  galleryView: true,
  language: "fr",
  learners: "near",
};
const policy: GradePolicy = {
  kind: "one-column",
  points: 20,
  credit: { PRESENT: 100, LATE: 50, ABSENT: 0, EXCUSED: null },
  comment: false,
  ...ruleDefaults,
};

const world = await forAllTests(startTinyWorld());

type Where = { course: string; history?: string } & Pick<TinyLaunch, "framed" | "registration">;

function opens(person: "teacher" | "learner", { framed = true, registration, ...where }: Where) {
  const who = person === "teacher" ? { sub: "t1" } : { sub: "s1", roles: [learnerRole] };
  return world.launch({
    claims: claimsOf({ ...who, ...where }),
    framed,
    ...(registration === undefined ? {} : { registration }),
  });
}

async function spaceOf(contextId: string): Promise<string> {
  return vi.waitFor(async () => {
    const { spaceId } = await world.courseOf(contextId);
    if (spaceId === null) throw new Error("no Space yet");
    return spaceId;
  }, patience);
}

/** A course in use, with its own settings unless `usual`. */
async function courseInUse(contextId: string, usual = false): Promise<Course> {
  await opens("teacher", { course: contextId });
  await spaceOf(contextId);
  const course = await world.courseOf(contextId);
  if (!usual) await world.stores.courses.answerCopy(course.id, { settings, policy, checkIn: true });
  return world.courseOf(contextId);
}

/** Presses one of the question's buttons. */
async function answers(
  page: Seen & { visitor: Visitor },
  answer: "take" | "decline",
): Promise<Seen & { visitor: Visitor }> {
  const fields = { answer };
  return {
    ...(await page.visitor.submit(page, { action: "/course/copied", fields })),
    visitor: page.visitor,
  };
}

describe("in a course that the LMS says was copied", () => {
  test("an instructor is asked, sees what would change, accepts it, and nothing else is copied", async () => {
    const source = await courseInUse("100");
    const page = await opens("teacher", { course: "101", history: "100" });
    const text = textOf(page);
    expect(text).toContain("This course was copied from Course 100 Use its settings here?");
    expect(text).toContain("Begin in gallery view: Yes");
    expect(text).toContain("When learners open the link: Straight in around sessions, otherwise their page");
    expect(text).toContain("Language of the classroom: French");
    expect(text).toContain("Learners in the room check in by a code.");
    expect(text).toContain("Grades: One grade for all sessions, 20 points at most. Present 100%, Late 50%,");
    const answered = await answers(page, "take");
    expect(textOf(answered)).toContain("Settings taken over.");
    const copy = await world.courseOf("101");
    expect([copy.settings, copy.policy, copy.checkIn, copy.copyAnswer]).toEqual([
      settings,
      policy,
      true,
      "taken",
    ]);
    expect(await spaceOf("101")).not.toBe(source.spaceId);
    const login = await pressEnter(world.classroom, page.visitor, answered);
    expect(login.parameters).toMatchObject({ gv: "true", language: "fr" });
    expect(textOf(await opens("teacher", { course: "101", history: "100" }))).not.toContain(question);
  });

  test("a learner who comes first is not asked and enters the course's own Space; an instructor is asked later", async () => {
    const source = await courseInUse("130");
    const page = await opens("learner", { course: "131", history: "130" });
    expect(textOf(page)).not.toContain(question);
    await pressEnter(world.classroom, page.visitor, page);
    expect(await spaceOf("131")).not.toBe(source.spaceId);
    expect(await world.courseOf("131")).toMatchObject({ copyAnswer: "open", settings: defaultJoinSettings });
    const space = await spaceOf("131");
    await answers(await opens("teacher", { course: "131", history: "130" }), "take");
    expect(await world.courseOf("131")).toMatchObject({ copyAnswer: "taken", settings, spaceId: space });
  });

  test("grades that a learner had before the answer are computed again", async () => {
    await courseInUse("135");
    const page = await opens("learner", { course: "136", history: "135" });
    const { userId } = await pressEnter(world.classroom, page.visitor, page);
    const [startsAt, endsAt] = [Date.now() - 3_600_000, Date.now()];
    const lesson = { spaceId: await spaceOf("136"), title: "Lesson", startsAt, endsAt };
    const { eventId } = world.classroom.createEvent(lesson);
    world.classroom.markAttendance({ eventId, userId, status: "LATE" });
    const copy = await world.courseOf("136");
    const wanted = async () => {
      const [delivery] = await world.stores.deliveries.listOfCourse(copy.registrationId, copy.id);
      return [delivery?.desired?.score, delivery?.desired?.maximum];
    };
    await vi.waitFor(async () => {
      expect(await wanted()).toEqual([80, 100]);
    }, patience);
    await answers(await opens("teacher", { course: "136", history: "135" }), "take");
    await vi.waitFor(async () => {
      expect(await wanted()).toEqual([10, 20]);
    }, patience);
  });

  test("an instructor is asked once before a link in a new tab opens the Space, but a learner never", async () => {
    await courseInUse("160");
    const inTab = { course: "161", history: "160", framed: false };
    expect((await opens("learner", inTab)).status).toBe(303);
    const copy = await world.courseOf("161");
    const { door, spaceAccess, settingsRevision } = copy;
    const straight = { ...copy.settings, instructors: "space" } as const;
    const to = { settings: straight, door, spaceAccess };
    expect(await world.stores.courses.changeSettings(copy.id, settingsRevision, to)).toBe(true);
    const page = await opens("teacher", inTab);
    expect(textOf(page)).toContain(question);
    await answers(page, "decline");
    expect((await opens("teacher", inTab)).status).toBe(303);
  });
});

describe("the origin of a course", () => {
  test("may be another deployment's course in Canvas, where a copied course installs the tool again", async () => {
    const canvas = await world.register({ clientId: "client-canvas", family: "canvas" });
    const launch = (course: string, deployment: string, history: string) =>
      world.launch({
        registration: canvas,
        claims: { ...claimsOf({ sub: "t1", course, history }), [`${lti}/deployment_id`]: deployment },
      });
    await launch("c240", "7:abc", "");
    await vi.waitFor(async () => {
      const [course] = await world.stores.courses.findByContexts(canvas.id, ["c240"]);
      expect(course?.spaceId).not.toBeNull();
    }, patience);
    expect(textOf(await launch("c241", "8:def", "c240"))).toContain("copied from Course c240");
  });

  test("is recognized by a link created in it if the LMS sends neither history nor notices", async () => {
    const source = await courseInUse("250");
    const { registrationId, deploymentId } = source;
    await world.stores.linkChoices.insert({
      id: "chosen-in-250",
      registrationId,
      deploymentId,
      courseId: source.id,
      choice: { kind: "course-space" },
      createdAt: 1,
    });
    const copied = {
      ...claimsOf({ sub: "t1", course: "251" }),
      [`${lti}/custom`]: { spaces_choice: "chosen-in-250" },
    };
    expect(textOf(await world.launch({ claims: copied }))).toContain(
      "This course was copied from Course 250",
    );
    const made = {
      ...claimsOf({ sub: "t1", course: "250" }),
      [`${lti}/custom`]: { spaces_choice: "chosen-in-250" },
    };
    expect(textOf(await world.launch({ claims: made }))).not.toContain(question);
  });
});
