import { afterAll, afterEach, describe, expect, test } from "vitest";
import { lmsFamilies, type PlatformFamily } from "../../../src/domain/lms-product.ts";
import { saveLaunchFacts } from "../../../src/modules/members/roster-readings.ts";
import { switchRegistration } from "../../../src/modules/operations/change-registration.ts";
import { launchedCourse, newCourse } from "../../support/builders/launched-course.ts";
import { gradebookNotes } from "../../../src/modules/grading/column-questions.ts";
import {
  closeGradebooks,
  type GradebookCourse,
  learnerIds,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";
import { allGradeScopes } from "../../support/stand-ins/service-lms.ts";
import { capabilitiesOf } from "../../../src/lms/products/products.ts";

let world: GradebookCourse;
afterEach(() => world.end());
afterAll(closeGradebooks);

/** The course with one learner's score of 80 in the gradebook. */
async function withEighty(...given: Parameters<typeof openGradebookCourse>): Promise<void> {
  world = await openGradebookCourse(...given);
  await world.want("11", 80);
  await world.deliver();
  expect(world.grade("11")).toBe(80);
}
const column = () => world.columns()[0]?.id ?? "";
async function attendanceMakes(id: string, score: number | null): Promise<void> {
  world.pass(2_000);
  await world.want(id, score);
  await world.deliver();
}
function teacherGives(id: string, value: number | null): void {
  world.pass(2_000);
  world.lms.overrideGrade(column(), id, value);
}

/** A teacher has given a different grade than ours, which becomes 90. */
async function changedByTeacher(family: PlatformFamily): Promise<void> {
  await withEighty(family);
  teacherGives("11", 44);
  await attendanceMakes("11", 90);
}

describe.each(lmsFamilies)("a teacher changes a grade in %s", (family) => {
  test("and nothing is sent over it", async () => {
    await withEighty(family);
    teacherGives("11", 44);
    const posted = world.calls("scores").length;
    await attendanceMakes("11", 90);
    expect(world.grade("11")).toBe(44);
    expect(world.calls("scores")).toHaveLength(posted);
    expect(await world.find("11")).toMatchObject({
      state: "held",
      desired: { score: 90 },
      accepted: { score: 80 },
      foreign: { score: 44, maximum: 100 },
      waitingSince: null,
    });
  });

  test("it survives new scores and 'send again', while the score that should be sent keeps changing", async () => {
    await changedByTeacher(family);
    await attendanceMakes("11", 95);
    await world.stores.deliveries.retryCourse("reg_1", world.place.courseId, world.clock.now());
    await world.stores.deliveries.resendCourse(world.place, world.clock.now());
    await world.deliver();
    expect(world.grade("11")).toBe(44);
    expect(await world.find("11")).toMatchObject({ state: "held", desired: { score: 95 } });
  });

  test("'leave theirs' leaves it for good, without reminders", async () => {
    await changedByTeacher(family);
    expect((await world.stores.deliveries.countOfCourse(world.place)).held).toBe(1);
    expect(await world.answer("11", "leave-theirs")).toBe(1);
    await attendanceMakes("11", 100);
    expect(world.grade("11")).toBe(44);
    expect(await world.find("11")).toMatchObject({ state: "held", desired: { score: 100 } });
    expect((await world.stores.deliveries.countOfCourse(world.place)).held).toBe(0);
  });

  test("another change after 'send ours' was pressed holds the score again", async () => {
    await changedByTeacher(family);
    await world.answer("11", "send-ours");
    teacherGives("11", 50);
    await world.deliver();
    expect(world.grade("11")).toBe(50);
    expect(await world.find("11")).toMatchObject({ state: "held", foreign: { score: 50 } });
  });

  test("a score whose answer was lost is not taken for the teacher's, and not sent twice", async () => {
    world = await openGradebookCourse(family);
    world.lms.faults.add({ on: "scores", how: "lose-answer", times: 1 });
    await world.want("11", 80, "one of one");
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "waiting", accepted: null });
    world.pass(10_000);
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "delivered", unconfirmed: [] });
    expect(world.cells("11")).toMatchObject([{ value: 80, comment: "one of one" }]);
    expect(world.calls("scores")).toHaveLength(1);
  });

  test("a score whose answer was lost is replaced by a newer one", async () => {
    world = await openGradebookCourse(family);
    world.lms.faults.add({ on: "scores", how: "lose-answer", times: 1 });
    await world.want("11", 80);
    await world.deliver();
    await world.want("11", 90);
    world.pass(10_000);
    await world.deliver();
    expect(world.grade("11")).toBe(90);
    expect(await world.find("11")).toMatchObject({ state: "delivered", unconfirmed: [] });
  });

  test("a score at the same moment as the last one is stamped a second later", async () => {
    await withEighty(family);
    const before = (await world.find("11"))?.lastSentAt ?? 0;
    await world.want("11", 90);
    await world.deliver();
    expect(world.grade("11")).toBe(90);
    const after = (await world.find("11"))?.lastSentAt ?? 0;
    expect(Math.floor(after / 1_000)).toBeGreaterThan(Math.floor(before / 1_000));
    expect(world.calls("scores")).not.toContain("POST 409");
  });

  test("a score that is replaced while the gradebook is read is not sent", async () => {
    await withEighty(family);
    world.pass(2_000);
    await world.want("11", 90);
    const { deliveries } = world.stores;
    world.deps.deliveries = {
      ...deliveries,
      sending: async (...given) => {
        world.deps.deliveries = deliveries;
        await world.want("11", 95);
        return deliveries.sending(...given);
      },
    };
    const posted = world.calls("scores").length;
    await world.deliver();
    expect(world.grade("11")).toBe(95);
    expect(world.calls("scores")).toHaveLength(posted + 1);
  });

  test("without the right to read results ours is sent, and a page can say that nobody looked", async () => {
    const scopes = allGradeScopes.filter((scope) => !scope.endsWith("result.readonly"));
    await withEighty(family, { scopes });
    expect(gradebookNotes(world.deps, capabilitiesOf({ family }).gradebook, world.course, null).checked).toBe(
      "nobody",
    );
    await attendanceMakes("11", 90);
    expect(world.cells("11")[0]?.sent).toBe(90);
    expect(world.calls("results")).toEqual([]);
  });

  test("results that fail keep the score waiting, and nothing is sent unchecked", async () => {
    await withEighty(family);
    teacherGives("11", 44);
    world.lms.faults.add({ on: "results", how: "answer", status: 503, times: 1 });
    await attendanceMakes("11", 90);
    expect(await world.find("11")).toMatchObject({ state: "waiting" });
    expect(world.grade("11")).toBe(44);
    world.pass(60_000);
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "held" });
  });
});

describe.each(["moodle", "other"] as const)(
  "an instructor wants ours in place of a teacher's grade that %s keeps",
  (family) => {
    test("the LMS accepts it but shows the teacher's: the page says so until the teacher's is removed", async () => {
      await changedByTeacher(family);
      world.pass(2_000);
      expect(await world.answer("11", "send-ours")).toBe(1);
      await world.deliver();
      expect(world.cells("11")).toMatchObject([{ value: 44, sent: 90 }]);
      expect(await world.find("11")).toMatchObject({ state: "held", accepted: { score: 90 } });
      teacherGives("11", null);
      await world.answer("11", "send-ours");
      await world.deliver();
      expect(world.grade("11")).toBe(90);
      expect(await world.find("11")).toMatchObject({ state: "delivered", foreign: null, overruled: null });
    });

    test("a first score for a cell with a teacher's grade is held", async () => {
      await withEighty(family);
      teacherGives("12", 55);
      await attendanceMakes("12", 70);
      expect(world.grade("12")).toBe(55);
      expect(await world.find("12")).toMatchObject({ state: "held", accepted: null, foreign: { score: 55 } });
    });
  },
);

describe("in Moodle", () => {
  test.each([false, true])(
    "distinguishes zero from no grade if the LMS reports it (zero untold: %s)",
    async (zeroUnreported) => {
      await withEighty("moodle");
      world.lms.setQuirks({ zeroUnreported });
      await attendanceMakes("11", 0);
      expect(world.grade("11")).toBe(0);
      await attendanceMakes("11", 50);
      await attendanceMakes("11", null);
      expect(world.grade("11")).toBeNull();
      await attendanceMakes("11", 60);
      expect(world.grade("11")).toBe(60);
      expect(await world.find("11")).toMatchObject({ state: "delivered" });
    },
  );

  test("a teacher's grade with a later time (409) is found, and not overwritten", async () => {
    const scopes = allGradeScopes;
    await withEighty("moodle", { scopes });
    world.pass(2_000);
    await world.want("11", 90);
    // The reading comes just before the teacher's click, and the LMS's clock is ahead.
    const { scores } = world.deps;
    const readResult = scores.readResult.bind(scores);
    let looked = 0;
    scores.readResult = async (...given) => {
      const shown = await readResult(...given);
      looked += 1;
      if (looked === 1) {
        world.lms.overrideGrade(column(), "11", 44);
        const cell = world.lms.world.grades.get(`${column()} 11`);
        if (cell !== undefined) cell.modifiedAt += 3_600;
      }
      return shown;
    };
    await world.deliver();
    expect(world.calls("scores").at(-1)).toBe("POST 409");
    expect(await world.find("11")).toMatchObject({ state: "held", foreign: { score: 44 } });
  });

  test("a locked column is explained and not retried, except by 'send again'", async () => {
    await withEighty("moodle");
    world.lms.setColumn(column(), { locked: true });
    await attendanceMakes("11", 90);
    expect(await world.find("11")).toMatchObject({ state: "refused", refusal: "grade-locked" });
    world.lms.setColumn(column(), { locked: false });
    world.pass(3_600_000);
    await world.deliver();
    expect(world.grade("11")).toBe(80);
    await world.stores.deliveries.retryCourse("reg_1", world.place.courseId, world.clock.now());
    await world.deliver();
    expect(world.grade("11")).toBe(90);
  });

  test("a comment is sent each time, and removed when it is switched off", async () => {
    world = await openGradebookCourse("moodle");
    await world.want("11", 80, "4 of 5");
    await world.deliver();
    world.pass(2_000);
    await world.want("11", 90, "4 of 5");
    await world.deliver();
    expect(world.cells("11")).toMatchObject([{ value: 90, comment: "4 of 5" }]);
    world.pass(2_000);
    await world.want("11", 90, null);
    await world.deliver();
    expect(world.cells("11")).toMatchObject([{ value: 90, comment: null }]);
  });

  test("in a large course in Moodle, two scores cost one list", async () => {
    world = await openGradebookCourse("moodle", { learners: 100 });
    for (const id of learnerIds(100)) await world.want(id, 80);
    await world.deliver();
    const before = world.calls("results").length;
    world.pass(4_000);
    for (const id of learnerIds(2)) await world.want(id, 90);
    await world.deliver();
    expect(world.calls("results")).toHaveLength(before + 1);
  });

  test("a class is read at once: one list for twenty-five scores", async () => {
    world = await openGradebookCourse("moodle", { learners: 60 });
    for (const id of learnerIds(60)) await world.want(id, 80);
    await world.deliver();
    expect(world.calls("results")).toHaveLength(3);
    world.pass(2_000);
    world.lms.overrideGrade(column(), "20", 44);
    world.pass(2_000);
    for (const id of learnerIds(60)) await world.want(id, 90);
    await world.deliver(3);
    expect(learnerIds(60).filter((id) => world.grade(id) !== 90)).toEqual(["20"]);
    expect(world.calls("results").length).toBeLessThan(15);
    expect(world.calls("scores")).toHaveLength(60 + 59);
  });
});

describe("in Canvas", () => {
  test("ours replaces the teacher's when the instructor says so", async () => {
    await withEighty("canvas");
    teacherGives("11", 44);
    await attendanceMakes("11", 90);
    await world.answer("11", "send-ours");
    await world.deliver();
    expect(world.grade("11")).toBe(90);
    expect(await world.find("11")).toMatchObject({ state: "delivered", overruled: null });
  });

  test("a person who was excused after a score stays excused until the instructor decides otherwise", async () => {
    await withEighty("canvas");
    world.lms.excuse(column(), "11");
    await attendanceMakes("11", 90);
    expect(world.cells("11")).toMatchObject([{ excused: true, value: null }]);
    expect(await world.find("11")).toMatchObject({ state: "held", foreign: { score: null } });
    await world.answer("11", "send-ours");
    await world.deliver();
    expect(world.cells("11")).toMatchObject([{ excused: false, value: 90 }]);
  });

  test("somebody without a score is not looked up, and a page can say what sending does", async () => {
    await withEighty("canvas");
    expect(world.calls("results")).toEqual([]);
    expect(
      gradebookNotes(world.deps, capabilitiesOf({ family: "canvas" }).gradebook, world.course, null),
    ).toEqual({ checked: "graded-only", endsExcused: true, keepsTeachersGrade: false, otherPoints: null });
  });

  test("comments are added once, whatever is sent again, and no attempt is opened", async () => {
    world = await openGradebookCourse("canvas");
    await world.want("11", 80, "4 of 5");
    await world.deliver();
    world.pass(2_000);
    await world.want("11", 90, "4 of 5");
    await world.deliver();
    await world.stores.deliveries.resendCourse(world.place, world.clock.now());
    await world.deliver();
    expect(world.cells("11")).toMatchObject([{ value: 90, comment: "4 of 5", attempts: 0 }]);
  });

  test.each([
    ["unpublished", { published: false }, "column-unpublished"],
    ["in a closed grading period", { periodClosed: true }, "grading-period-closed"],
  ] as const)("a column that is %s is named as the cause", async (_what, change, refusal) => {
    await withEighty("canvas");
    world.lms.setColumn(column(), change);
    await attendanceMakes("11", 90);
    expect(await world.find("11")).toMatchObject({ state: "refused", refusal });
  });

  test("an ended course is named as the cause, even without a column", async () => {
    world = await openGradebookCourse("canvas");
    world.lms.setCourse(world.lmsCourse, { concluded: true });
    await world.want("11", 80);
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "blocked", refusal: "course-concluded" });
  });
});

describe("a score whose obstacle ends", () => {
  const listed = async () => world.stores.deliveries.countByScoreState(world.place);

  test("was held back while its LMS was switched off, and is sent once that is on again", async () => {
    await withEighty("moodle");
    const { registrations, deliveries } = world.stores;
    await registrations.set("reg_1", { active: false });
    await attendanceMakes("11", 90);
    const blocked = { state: "blocked", refusal: "platform-inactive", waitingSince: null };
    expect(await world.find("11")).toMatchObject(blocked);
    expect(await listed()).toMatchObject({ waiting: 1, refused: 0 });
    await switchRegistration({ ...world.deps, who: "console" }, "reg_1", true);
    await world.deliver();
    expect(world.grade("11")).toBe(90);
    expect(await deliveries.countByState()).toMatchObject({ blocked: 0, refused: 0 });
  });

  test("lacked a right, and is sent once a launch grants it, while other launches try nothing", async () => {
    world = await openGradebookCourse("moodle", { scopes: [] });
    const member = {
      role: "learner",
      roleFrom: "launch",
      student: true,
      testUser: false,
      personId: world.personOf("12"),
    } as const;
    const launched = async (gradeScopes: readonly string[]) => {
      world.pass(60_000);
      const { lineItemsUrl } = world.course;
      const facts = launchedCourse({
        lineItemsUrl,
        gradeScopes,
        gradesLink: world.course.gradesLink ?? null,
      });
      const key = { registrationId: "reg_1", deploymentId: "1", contextId: world.lmsCourse };
      const known = { ...newCourse(world.course.id), policy: world.course.policy };
      const course = await world.stores.courses.record(
        key,
        { ...facts, lastLaunchAt: world.clock.now() },
        known,
      );
      await saveLaunchFacts(world.deps, course, member, { custom: {} });
      await world.deliver();
    };
    await launched(["https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"]);
    await world.want("11", 80);
    await world.deliver();
    expect(await world.find("11")).toMatchObject({ state: "blocked", refusal: "scope-not-granted" });
    expect(await world.stores.deliveries.unsentOfCourse(world.place)).toMatchObject({ waiting: 1 });
    const tried = world.outcomes.length;
    await launched(["https://purl.imsglobal.org/spec/lti-ags/scope/lineitem"]);
    expect(world.outcomes).toHaveLength(tried);
    await launched(allGradeScopes);
    expect(world.grade("11")).toBe(80);
  });

  test("was for somebody who had left, needs nobody and leaves the page until they come back", async () => {
    await withEighty("moodle");
    const key = { ...world.place, personId: world.personOf("12") };
    const facts = { role: "learner", testUser: false, listName: "b", lastLaunchAt: 1 } as const;
    await world.stores.members.recordLaunch(key, facts, null, "mem_12", false);
    const change = (active: boolean) => ({ personId: key.personId, id: "mem_12", to: { active } });
    await world.stores.members.applyRoster(world.place, 2, { made: [], changed: [change(false)] });
    world.lms.unenrol(world.lmsCourse, "12");
    await attendanceMakes("12", 70);
    expect(await world.find("12")).toMatchObject({ state: "blocked", refusal: "person-left" });
    expect(await listed()).toMatchObject({ waiting: 0, refused: 0, delivered: 1 });
    world.lms.enrol(world.lmsCourse, { id: "12", role: "student" });
    await world.stores.deliveries.retryPeople(world.place, [key.personId], world.clock.now());
    await world.deliver();
    expect(world.grade("12")).toBe(70);
  });

  test("was for a non-editing teacher, listed as a learner and never here, and needs nobody", async () => {
    await withEighty("moodle");
    const facts = {
      role: "learner",
      roleFrom: "roster",
      student: true,
      active: true,
      sectionIds: [],
    } as const;
    const to = { ...facts, listName: "b", joinedAt: null };
    const made = [{ personId: world.personOf("12"), id: "mem_unopened", to }];
    await world.stores.members.applyRoster(world.place, 2, { made, changed: [] });
    world.lms.unenrol(world.lmsCourse, "12");
    await attendanceMakes("12", 70);
    expect(await listed()).toMatchObject({ refused: 0, delivered: 1 });
  });

  test("was refused before the learner left, and no longer needs anybody", async () => {
    await withEighty("moodle");
    world.lms.unenrol(world.lmsCourse, "12");
    await attendanceMakes("12", 70);
    expect(await listed()).toMatchObject({ refused: 1 });
    await world.stores.deliveries.standDown(world.place, [world.personOf("12")], "left");
    expect(await listed()).toMatchObject({ refused: 0, delivered: 1 });
  });

  test("is for somebody who teaches now, leaves the page and comes back with the learner's role", async () => {
    await withEighty("moodle");
    const ids = [world.personOf("11")];
    await world.stores.deliveries.standDown(world.place, ids, "no-learner");
    expect(await listed()).toMatchObject({ waiting: 0, delivered: 0 });
    const [{ deliveries }, now] = [world.stores, world.clock.now()];
    const { id } = (await world.find("11")) ?? { id: "" };
    await deliveries.retryCourse(world.place.registrationId, world.place.courseId, now);
    await deliveries.resendCourse(world.place, now);
    for (const send of [deliveries.resendColumn, deliveries.retryColumn])
      await send({ ...world.place, columnKey: "attendance" }, now);
    await deliveries.compareCourse(world.place, now, now);
    expect([await deliveries.resend(world.place, [id], now), await deliveries.sendAgain([id], now)]).toEqual([
      0, 0,
    ]);
    expect(await listed(), "whatever is sent again").toMatchObject({ waiting: 0, delivered: 0 });
    await world.stores.deliveries.retryPeople(world.place, ids, world.clock.now());
    await world.deliver();
    expect(await listed()).toMatchObject({ delivered: 1 });
  });
});

test("a first score that met a teacher's grade does not replace it when the learner comes back", async () => {
  world = await openGradebookCourse("canvas");
  await world.want("11", 80);
  const { stores, place, clock } = world;
  const claimed = await stores.deliveries.claimDue("worker", clock.now(), clock.now() + 1_000);
  const held = { state: "held", foreign: { score: 44, maximum: 100, seenAt: 1 } } as const;
  await stores.deliveries.settle(claimed?.id ?? "", "worker", claimed?.desired?.revision ?? 0, held);
  await stores.deliveries.standDown(place, [world.personOf("11")], "no-learner");
  await stores.deliveries.retryPeople(place, [world.personOf("11")], clock.now());
  world.deps.scores.readResult = () => Promise.resolve({ sub: "11", score: 44, maximum: 100, comment: null });
  await world.deliver();
  expect(await world.find("11")).toMatchObject({ state: "held", foreign: { score: 44 } });
});

describe.each(["moodle", "canvas"] as const)("a person whom %s does not grade", (family) => {
  test("is named, delays nobody, and is retried when they are a student again", async () => {
    await withEighty(family);
    world.lms.unenrol(world.lmsCourse, "12");
    await world.want("12", 70);
    await attendanceMakes("13", 60);
    expect(world.grade("13")).toBe(60);
    expect(await world.find("12")).toMatchObject({ state: "refused", refusal: "not-gradable" });
    const again = async () => {
      const posted = world.calls("scores").length;
      await world.stores.deliveries.retryPeople(world.place, [world.personOf("12")], world.clock.now());
      await world.deliver();
      world.pass(3_600_000);
      await world.deliver();
      return world.calls("scores").length - posted;
    };
    expect(await again()).toBe(1);
    expect(await world.find("12")).toMatchObject({ state: "refused" });
    world.lms.enrol(world.lmsCourse, { id: "12", role: "student" });
    expect(await again()).toBe(1);
    expect(world.grade("12")).toBe(70);
    expect(await again()).toBe(0);
  });
});

describe("a class of ten whose scores the gradebook refuses with", () => {
  test.each([
    [403, ["refused lms-status-403 10"]],
    [422, ["refused lms-status-422 10"]],
    [401, ["refused lms-status-401 10"]],
    [404, ["waiting lms-failed 10"]],
    [503, ["waiting lms-failed 10"]],
  ] as const)("%i: one cause with their number", async (status, causes) => {
    world = await openGradebookCourse("other", { learners: 10 });
    for (const id of learnerIds(10)) await world.want(id, 80);
    world.lms.faults.add({ on: "scores", how: "answer", status });
    await world.deliver();
    const found = await world.stores.deliveries.causesOf(world.place);
    expect(found.map(({ state, cause, count }) => `${state} ${cause} ${String(count)}`)).toEqual(causes);
  });
});
