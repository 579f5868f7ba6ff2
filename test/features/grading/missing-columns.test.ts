import { afterAll, afterEach, describe, expect, test } from "vitest";
import type { PlatformFamily } from "../../../src/domain/lms-product.ts";
import { attendanceColumn, sessionColumn } from "../../../src/modules/grading/rules/column.ts";
import { defaultGradePolicy, type GradePolicy } from "../../../src/domain/grade-policy.ts";
import { bindColumn } from "../../../src/modules/grading/bind-column.ts";
import {
  answerEmptied,
  answerMissing,
  emptiedAmong,
  missingColumns,
  oldColumn,
  removeOldColumn,
  secondAmong,
} from "../../../src/modules/grading/column-questions.ts";
import { deliveryStep } from "../../../src/modules/grading/deliver-scores.ts";
import { checkDueColumn } from "../../../src/modules/grading/check-column.ts";
import { addColumn } from "../../../sandbox/stand-in-lms/lms-world.ts";
import {
  closeGradebooks,
  familiesPlayed,
  type GradebookCourse,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";

let world: GradebookCourse;
afterEach(() => {
  world.lms.setQuirks({ deletedColumnSays: "unpublished", concludedStatus: 422 });
  return world.end();
});
afterAll(closeGradebooks);

const perSession: GradePolicy = { ...defaultGradePolicy, kind: "column-per-session" };
const minutes = (count: number) => {
  world.pass(count * 60_000);
};
const column = () => world.columns()[0]?.id ?? "";
const labels = () => world.columns().map(({ label }) => label);
const asked = () => missingColumns(world.deps, world.course);
async function attendanceMakes(id: string, scores: Parameters<GradebookCourse["want"]>[1]): Promise<void> {
  world.pass(2_000);
  await world.want(id, scores);
  await world.deliver();
}
async function say(answer: "make" | "leave"): Promise<boolean> {
  const [missing] = await asked();
  const done = await answerMissing(
    world.deps,
    world.course,
    { columnId: missing?.id ?? "", answer },
    "per_ina",
  );
  world.pass(5_000);
  await world.deliver();
  return done;
}
async function twoScores(): Promise<void> {
  await world.want("11", 80);
  await world.want("12", 60);
  await world.deliver();
}
/** Two learners with a score in the gradebook, whose column a teacher deletes. */
async function deletedAfterTwo(family: PlatformFamily): Promise<void> {
  world = await openGradebookCourse(family);
  await twoScores();
  world.lms.deleteColumn(column());
}

describe.each(familiesPlayed)("a teacher deletes the attendance column in %s", (family) => {
  test("it is not created again, the course is asked, and nothing is sent until the answer", async () => {
    await deletedAfterTwo(family);
    await attendanceMakes("11", 90);
    expect(labels()).toEqual([]);
    expect(await asked()).toMatchObject([
      { key: attendanceColumn, missing: { tied: false, leftOut: false } },
    ]);
    const calls = world.lms.log().length;
    await attendanceMakes("12", 70);
    minutes(30);
    await attendanceMakes("13", 50);
    expect(world.lms.log()).toHaveLength(calls);
    const stopped = { state: "idle", desired: { score: 70 }, waitingSince: null };
    expect(await world.find("12")).toMatchObject(stopped);
  });

  test("one click creates it again, with everybody's current score", async () => {
    await deletedAfterTwo(family);
    await attendanceMakes("11", 90);
    expect(await say("make")).toBe(true);
    expect(labels()).toEqual(["Attendance"]);
    expect([world.grade("11"), world.grade("12")]).toEqual([90, 60]);
    expect(await asked()).toEqual([]);
    expect(await say("make"), "pressed twice").toBe(false);
  });

  test("a process that dies during the answer keeps the question, and leaves no score behind", async () => {
    await deletedAfterTwo(family);
    await attendanceMakes("11", 90);
    const [missing] = await asked();
    const command = { columnId: missing?.id ?? "", answer: "make" } as const;
    let calls = 0;
    for (const endsAt of [1, 2, 3]) {
      calls = 0;
      const ends = <T>(work: () => Promise<T>) => {
        calls += 1;
        return calls === endsAt ? Promise.reject(new Error("killed")) : work();
      };
      const { deliveries, columns } = world.stores;
      const deps = {
        ...world.deps,
        deliveries: {
          ...deliveries,
          retryColumn: (...given: Parameters<typeof deliveries.retryColumn>) =>
            ends(() => deliveries.retryColumn(...given)),
        },
        columns: { ...columns, makeAgain: (id: string, at: number) => ends(() => columns.makeAgain(id, at)) },
      };
      await answerMissing(deps, world.course, command, "per_ina").catch(() => undefined);
      await world.deliver();
    }
    world.pass(5_000);
    await world.deliver();
    expect([world.grade("11"), world.grade("12")]).toEqual([90, 60]);
  });

  test("another column with its mark is used without a question, whenever the process dies", async () => {
    await deletedAfterTwo(family);
    const restored = {
      label: "Presence",
      scoreMaximum: 100,
      resourceId: "spaces-lti-attendance",
      tag: "attendance",
    };
    addColumn(world.lms.world, world.lmsCourse, { ...restored, toolId: world.tool.id });
    const { columns, deliveries } = world.stores;
    let writes = 0;
    /** The process dies between the two writes, whichever comes first. */
    const ends = (work: () => Promise<void>) => {
      writes += 1;
      return writes === 2 ? Promise.reject(new Error("killed")) : work();
    };
    world.deps.columns = { ...columns, forget: (...given) => ends(() => columns.forget(...given)) };
    world.deps.deliveries = {
      ...deliveries,
      retryColumn: (...given) => ends(() => deliveries.retryColumn(...given)),
    };
    await attendanceMakes("11", 90);
    for (let minute = 0; minute < 3; minute += 1) {
      minutes(10);
      await world.deliver();
    }
    expect(writes).toBeGreaterThan(2);
    expect(await asked()).toEqual([]);
    expect(labels()).toEqual(["Presence"]);
    expect([world.grade("11"), world.grade("12")]).toEqual([90, 60]);
  });
});

test.each([404, 410])("a score answered with %i reveals a column that is gone", async (status) => {
  world = await openGradebookCourse("other");
  await world.want("11", 80);
  await world.deliver();
  world.lms.deleteColumn(column());
  world.lms.faults.add({ on: "scores", how: "answer", status, times: 1 });
  // Nothing else is read within a minute of the last look, and results do not show it.
  world.lms.faults.add({ on: "results", how: "answer", status: 403, times: 1 });
  await attendanceMakes("11", 90);
  expect(await asked()).toHaveLength(1);
});

describe("a session's column that a teacher deletes", () => {
  const sessions = { [sessionColumn("e1")]: 100, [sessionColumn("e2")]: 80 };
  async function secondDeleted(): Promise<void> {
    world = await openGradebookCourse("moodle", { policy: perSession });
    await world.want("11", sessions);
    await world.deliver();
    world.lms.deleteColumn(column());
    minutes(2);
    await attendanceMakes("11", { [sessionColumn("e1")]: 80, [sessionColumn("e2")]: 80 });
  }

  test("is asked about, other sessions continue, and a new session does not recreate it", async () => {
    await secondDeleted();
    expect(await asked()).toMatchObject([{ key: sessionColumn("e1") }]);
    await attendanceMakes("11", { ...sessions, [sessionColumn("e3")]: 100 });
    expect(labels()).toHaveLength(2);
  });

  test("can be left out of the gradebook for good, and restored", async () => {
    await secondDeleted();
    expect(await say("leave")).toBe(true);
    expect(await asked()).toMatchObject([{ missing: { leftOut: true } }]);
    await attendanceMakes("11", sessions);
    expect(labels()).toHaveLength(1);
    expect(await say("make")).toBe(true);
    expect(labels()).toHaveLength(2);
  });
});

describe("'accept grades' of an activity", () => {
  async function tied() {
    world = await openGradebookCourse("moodle");
    const link = world.lms.addLink(world.lmsCourse, { title: "Online classroom", graded: true });
    const url = () =>
      `${world.lms.url}/mod/lti/services.php/${world.lmsCourse}/lineitems/${column()}/lineitem?type_id=${world.tool.id}`;
    const opened = await world.stores.columns.open(
      { ...world.place, key: attendanceColumn },
      `col_of_${world.lmsCourse}`,
    );
    await world.stores.columns.couple(opened.id, link.id, url());
    await world.want("11", 80);
    await world.deliver();
    return { link, url };
  }

  test("when off: the course is asked, with a text for it and the column's name in the gradebook", async () => {
    await tied();
    world.lms.deleteColumn(column());
    minutes(2);
    await attendanceMakes("11", 90);
    expect(await asked()).toMatchObject([{ label: "Online classroom", missing: { tied: true } }]);
    expect(labels()).toEqual([]);
  });

  test("when on again: the next launch brings the column, and every score", async () => {
    const { link, url } = await tied();
    world.lms.deleteColumn(column());
    minutes(2);
    await attendanceMakes("11", 90);
    addColumn(world.lms.world, world.lmsCourse, {
      label: "Online classroom",
      scoreMaximum: 100,
      resourceId: "",
      tag: "",
      coupledLinkId: link.id,
      resourceLinkId: link.id,
      toolId: world.tool.id,
    });
    const grades = { lineItemUrl: url(), lineItemsUrl: null, scopes: world.course.gradeScopes };
    const launch = { grades, link: { id: link.id, title: "Online classroom" } };
    const deps = world.deps;
    await bindColumn(deps, world.course, launch, attendanceColumn);
    world.pass(5_000);
    await world.deliver();
    expect(await asked()).toEqual([]);
    expect(world.grade("11")).toBe(90);
  });
});

describe("what Moodle does to an activity's column", () => {
  async function opened() {
    world = await openGradebookCourse("moodle");
    const link = world.lms.addLink(world.lmsCourse, { title: "Classroom", graded: true });
    Object.assign(world.lms.world.columns.get(column()) ?? {}, { resourceId: "spaces-lti-attendance" });
    await launched(link.id, column());
    await twoScores();
    return link.id;
  }
  /** An instructor opens a link, and everything due for columns and scores is done. */
  async function launched(linkId: string, columnId: string | null): Promise<void> {
    const path = `${world.lms.url}/mod/lti/services.php/${world.lmsCourse}/lineitems`;
    const lineItemUrl = columnId === null ? null : `${path}/${columnId}/lineitem?type_id=${world.tool.id}`;
    const grades = { lineItemUrl, lineItemsUrl: world.course.lineItemsUrl, scopes: world.course.gradeScopes };
    const rights = { role: "instructor", staffRole: "teacher", testUser: false } as const;
    const launch = { grades, link: { id: linkId, title: "Classroom" }, rights };
    await bindColumn(world.deps, world.course, launch, attendanceColumn);
    await looked();
  }
  async function looked(): Promise<void> {
    while (await checkDueColumn(world.deps));
    world.pass(5_000);
    await world.deliver();
  }
  const second = async () =>
    secondAmong(await world.stores.columns.listOfCourse("reg_1", world.course.id), world.course);

  test("grades off and on: finds the new column, which launches do not name for a day", async () => {
    const linkId = await opened();
    world.lms.switchGradesOff(linkId);
    minutes(2);
    await attendanceMakes("11", 90);
    expect(await asked()).toHaveLength(1);
    world.lms.switchGradesOn(linkId);
    await launched(linkId, null);
    expect(await asked()).toEqual([]);
    expect([world.grade("11"), world.grade("12")]).toEqual([90, 60]);
  });

  test("deleted and restored: the next grade finds it without a launch", async () => {
    await opened();
    const restored = world.lms.world.columns.get(column());
    world.lms.deleteColumn(column());
    minutes(2);
    await attendanceMakes("11", 90);
    expect(await asked()).toHaveLength(1);
    addColumn(world.lms.world, world.lmsCourse, { label: "Classroom", scoreMaximum: 100, ...restored });
    await attendanceMakes("12", 70);
    minutes(1);
    await looked();
    expect([world.grade("11"), world.grade("12")]).toEqual([90, 70]);
  });

  test.each(["opened", "not opened"])(
    "duplicated, %s: the course learns of the extra column",
    async (how) => {
      const linkId = await opened();
      const copy = world.lms.duplicate(linkId);
      const there = world.columns().find(({ resourceLinkId }) => resourceLinkId === copy)?.id ?? "";
      if (how === "opened") await launched(copy, there);
      minutes(24 * 60);
      await looked();
      expect(await second()).toMatchObject({ linkId: copy });
      await attendanceMakes("11", 90);
      expect(world.cells("11").map(({ value }) => value)).toEqual([90, null]);
      world.lms.switchGradesOff(copy);
      if (how === "opened") await launched(copy, null);
      minutes(24 * 60);
      await looked();
      expect(await second()).toBeNull();
    },
  );

  test("points changed within a minute of a check: older scores are sent again", async () => {
    await opened();
    world.lms.setPoints(column(), 200, { rescale: false });
    await attendanceMakes("11", 100);
    minutes(1);
    await looked();
    expect(world.grade("11")).toBe(200);
  });

  test("a dialog is open and no link was launched: no second column is created", async () => {
    world = await openGradebookCourse("moodle");
    const course = { ...world.course, gradesLink: null };
    const deps = { ...world.deps, courses: { ...world.stores.courses, find: () => Promise.resolve(course) } };
    await world.want("11", 80);
    const step = deliveryStep(deps);
    while (await step());
    expect(world.columns()).toEqual([]);
    expect(await world.find("11")).toMatchObject({ state: "blocked", refusal: "no-launched-link" });
  });
});

describe("a course that is reset for a new term", () => {
  const emptied = async () => emptiedAmong(await world.stores.columns.listOfCourse("reg_1", world.course.id));
  const proof = () => world.stores.deliveries.countByScoreState(world.place);
  async function reset(): Promise<void> {
    world = await openGradebookCourse("moodle");
    await twoScores();
    world.lms.resetCourse(world.lmsCourse, { keepLearners: true });
    minutes(24 * 60 + 1);
  }
  const answered = async (answer: "term" | "same") => {
    const done = await answerEmptied(world.deps, world.course, answer, "per_ina");
    world.pass(5_000);
    await world.deliver();
    return done;
  };

  test("is noticed within a day: no grade counts as arrived, and the course is asked", async () => {
    await reset();
    expect(await emptied()).toEqual([]);
    while (await checkDueColumn(world.deps));
    expect(await emptied()).toMatchObject([{ emptied: { grades: 2 } }]);
    expect(await proof()).toMatchObject({ delivered: 0, waiting: 2 });
  });

  test("is noticed before the first grade of the new term, which waits for the answer", async () => {
    await reset();
    await attendanceMakes("11", 90);
    expect(await emptied()).toHaveLength(1);
    expect(world.grade("11")).toBeNull();
    await attendanceMakes("13", 100);
    expect(await world.find("13")).toMatchObject({ state: "blocked", refusal: "gradebook-emptied" });
  });

  test("starts again: nothing of the old term is sent, and only sessions after its last grade count", async () => {
    await reset();
    while (await checkDueColumn(world.deps));
    const [column] = await emptied();
    expect(await answered("term")).toBe(true);
    expect(await emptied()).toEqual([]);
    expect(world.cells("11")[0]?.value).toBeNull();
    expect(await proof()).toMatchObject({ delivered: 0, waiting: 0, refused: 0, idle: 0 });
    const { countsFrom } = (await world.stores.courses.find(world.course.id)) ?? {};
    expect(countsFrom).toBe((column?.emptied.lastAt ?? 0) + 1);
    await attendanceMakes("11", 100);
    expect(world.grade("11")).toBe(100);
    expect(await answered("term"), "pressed twice").toBe(false);
  });

  test("leaves nothing of the old term to send again", async () => {
    await reset();
    while (await checkDueColumn(world.deps));
    await answered("term");
    const former = await world.find("12");
    const due = () => world.stores.deliveries.countDue("reg_1", world.course.id, Number.MAX_SAFE_INTEGER);
    await world.stores.deliveries.retryCourse("reg_1", world.course.id, world.clock.now());
    expect(await due()).toBe(0);
    expect(await world.stores.deliveries.sendAgain([former?.id ?? ""], world.clock.now())).toBe(0);
    expect(await due()).toBe(0);
  });

  test("was not a new term: all grades are sent again", async () => {
    await reset();
    while (await checkDueColumn(world.deps));
    expect(await answered("same")).toBe(true);
    expect([world.grade("11"), world.grade("12")]).toEqual([80, 60]);
    expect(await proof()).toMatchObject({ delivered: 2, waiting: 0 });
  });

  test("is not suspected when a teacher removes one grade", async () => {
    world = await openGradebookCourse("moodle");
    await twoScores();
    world.lms.world.grades.delete(`${column()} 11`);
    minutes(24 * 60 + 1);
    while (await checkDueColumn(world.deps));
    expect(await emptied()).toEqual([]);
  });
});

describe("in Canvas", () => {
  test.each(["unpublished", "not-applicable"] as const)(
    "a deleted column that answers '%s' counts as deleted",
    async (says) => {
      await deletedAfterTwo("canvas");
      world.lms.setQuirks({ deletedColumnSays: says });
      await attendanceMakes("11", 90);
      expect(await asked()).toHaveLength(1);
      expect(await world.find("11")).toMatchObject({ state: "idle", refusal: null });
    },
  );

  test("a column that is only unpublished is reported as such", async () => {
    world = await openGradebookCourse("canvas");
    await world.want("11", 80);
    await world.deliver();
    world.lms.setColumn(column(), { published: false });
    await attendanceMakes("11", 90);
    expect(await world.find("11")).toMatchObject({ state: "refused", refusal: "column-unpublished" });
    expect(await asked()).toEqual([]);
  });

  test("a deleted column without changes is noticed within a day", async () => {
    await deletedAfterTwo("canvas");
    minutes(24 * 60 + 1);
    while (await checkDueColumn(world.deps));
    expect(await asked()).toHaveLength(1);
  });

  test("an ended course does not count as a deleted column, and its grades continue when it reopens", async () => {
    world = await openGradebookCourse("canvas");
    await world.want("11", 80);
    await world.deliver();
    world.lms.setQuirks({ concludedStatus: 404 });
    world.lms.setCourse(world.lmsCourse, { concluded: true });
    minutes(2);
    await attendanceMakes("11", 90);
    expect(await world.find("11")).toMatchObject({ state: "blocked", refusal: "course-gone" });
    expect(await asked()).toEqual([]);
    world.lms.setCourse(world.lmsCourse, { concluded: false });
    minutes(24 * 60 + 5);
    while (await checkDueColumn(world.deps));
    await world.deliver();
    expect(world.grade("11")).toBe(90);
    expect(labels()).toEqual(["Attendance"]);
  });

  test("of two columns with our mark, the one that accepts scores is filled", async () => {
    world = await openGradebookCourse("canvas");
    for (const published of [false, true]) {
      const link = world.lms.addLink(world.lmsCourse, { title: "Classroom", graded: true, published });
      const own = [...world.lms.world.columns.values()].find((one) => one.coupledLinkId === link.id);
      if (own !== undefined) Object.assign(own, { resourceId: "spaces-lti-attendance", published });
    }
    await twoScores();
    world.pass(5_000);
    await world.deliver();
    expect(world.cells("11").map(({ value }) => value)).toEqual([null, 80]);
    expect(world.cells("12").map(({ value }) => value)).toEqual([null, 60]);
  });
});

describe.each(familiesPlayed)("after the change to a column for each session in %s", (family) => {
  test("the old column can be removed if it is ours, and is asked about if the course goes back", async () => {
    world = await openGradebookCourse(family);
    await world.want("11", 80);
    await world.deliver();
    const changed = { ...world.course, policy: perSession };
    expect(await oldColumn(world.deps, world.course)).toBeNull();
    expect(await oldColumn(world.deps, changed)).toMatchObject({ label: "Attendance" });
    const columns = { ...world.stores.columns, lose: () => Promise.reject(new Error("killed")) };
    await expect(removeOldColumn({ ...world.deps, columns }, changed, "per_ina")).rejects.toThrow("killed");
    expect(labels()).toEqual([]);
    const trail = { registrationId: "reg_1", courseId: changed.id, personId: null };
    expect(await world.stores.courseAudit.list(trail, null, 1)).toMatchObject([{ what: "column-removed" }]);
    expect(await removeOldColumn(world.deps, changed, "per_ina"), "it can be repeated").toBe(true);
    expect(await oldColumn(world.deps, changed)).toBeNull();
    expect(await missingColumns(world.deps, changed)).toEqual([]);
    await say("make");
    expect(world.grade("11")).toBe(80);
  });

  test("a column that is tied to a link is never deleted", async () => {
    world = await openGradebookCourse(family);
    await world.want("11", 80);
    await world.deliver();
    const [known] = await world.stores.columns.listOfCourse("reg_1", world.place.courseId);
    const url = known?.lineItemUrl ?? "";
    await world.stores.columns.forget(known?.id ?? "", url);
    await world.stores.columns.couple(known?.id ?? "", "link", url);
    const changed = { ...world.course, policy: perSession };
    expect(await removeOldColumn(world.deps, changed, "per_ina")).toBe(false);
    expect(labels()).toEqual(["Attendance"]);
  });
});
