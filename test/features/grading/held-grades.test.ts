import { beforeEach, describe, expect, test } from "vitest";
import { gradeWords } from "../../../src/modules/attendance/pages/my-attendance-view.ts";
import { showAttendance } from "../../../src/modules/attendance/show-attendance.ts";
import { attendanceColumn, sessionColumn } from "../../../src/modules/grading/rules/column.ts";
import { changeSending } from "../../../src/modules/grading/change-policy.ts";
import { releaseGrades, resendCourse, syncCourse } from "../../../src/modules/grading/send-again.ts";
import { showProof } from "../../../src/modules/grading/show-grades.ts";
import { courseTimes } from "../../../src/web/course-times.ts";
import { createTranslator } from "../../../src/web/translate.ts";
import { policyWith, ruleWith } from "../../support/builders/grading-course.ts";
import { openRegisterCourse } from "../../support/builders/register-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { required } from "../../support/required.ts";

const course = await forAllTests(openRegisterCourse());
const { deps, place, key } = course;
const t = createTranslator()("en");
const lastDay = "2026-09-14";
const day = 24 * 3_600_000;
const everything = { state: null, sectionId: null, search: "", page: 1 };

beforeEach(async () => {
  await course.empty();
  await course.enrol("Ann");
});

async function sets(rule: Parameters<typeof changeSending>[3]): Promise<void> {
  await changeSending(deps, await course.course(), "per-Ina", rule, () => "");
  await course.regrade();
}
async function attends(name: string, eventId: string, status: "PRESENT" | "LATE" | "ABSENT"): Promise<void> {
  await course.fact(`per-${name}`, eventId, status);
  await course.grade(`per-${name}`);
}
/** An instructor releases one grade, or all, and the woken worker sends them. @returns what was sent */
async function release(id: string | null = null): Promise<string[]> {
  const sent: Promise<string[]>[] = [];
  await releaseGrades({ ...deps, wake: () => void sent.push(course.deliver()) }, place, id, "per-Ina");
  return (await Promise.all(sent)).flat();
}
const kept = () => course.stores.deliveries.countKept(key);
/** As an instructor sees them, with what is kept back. */
const listed = async () => {
  const { rows } = await showProof(course.stores, await course.course(), everything);
  return rows.map(({ name, delivery }) => [name, delivery.unreleased?.score]);
};

/** The grade that a learner, or an instructor, sees. */
async function reads(name: string, reader: "self" | "instructor" = "self") {
  const member = required(await course.stores.members.find(key.registrationId, key.courseId, `per-${name}`));
  const shown = await showAttendance(deps, await course.course(), member, attendanceColumn);
  const grade = gradeWords({ t, times: courseTimes({ timeZone: "UTC" }, "en") }, shown, null, reader);
  return grade.note === null ? [grade.number, ...grade.steps.slice(-1)] : [grade.note];
}

describe("After the last day for grades", () => {
  beforeEach(async () => {
    await attends("Ann", "e1", "PRESENT");
    await sets({ gradesUntil: lastDay });
    await course.deliver();
    course.pass(day);
  });

  test("a late webhook changes what instructors see, but not the gradebook until somebody sends it", async () => {
    await attends("Ann", "e2", "ABSENT");
    expect(await course.deliver()).toEqual([]);
    expect(await course.deliveryOf("per-Ann")).toMatchObject({
      state: "delivered",
      accepted: { score: 100 },
      desired: { score: 100 },
      unreleased: { score: 50 },
    });
    expect((await reads("Ann", "instructor"))[0]).toBe("50");
    expect(await reads("Ann")).toEqual([
      "100",
      "The last day for grades was Mon 14 Sept 2026. Changes since then don’t change your grade, unless an instructor sends them.",
    ]);
    expect([await release(), await kept()]).toEqual([["per-Ann attendance 50"], 0]);
    expect((await reads("Ann"))[0]).toBe("50");
    expect(await release(), "pressed twice").toEqual([]);
    expect(await course.stores.deliveries.countByState()).toMatchObject({ delivered: 1 });
  });

  test("a change that is undone leaves nothing to send", async () => {
    await attends("Ann", "e2", "ABSENT");
    await course.correct("per-Ann", "e2", "PRESENT");
    await course.grade("per-Ann");
    expect([await kept(), await release()]).toEqual([0, []]);
  });

  test("newer scores are not sent by another policy or by sending again", async () => {
    await attends("Ann", "e2", "ABSENT");
    await course.setPolicy(policyWith({ points: 10 }));
    await course.regrade();
    await syncCourse(deps, place, "per-Ina");
    await resendCourse(deps, place, "per-Ina");
    expect(await course.deliver()).toEqual(["per-Ann attendance 100"]);
    expect(await course.deliveryOf("per-Ann")).toMatchObject({ unreleased: { score: 5, maximum: 10 } });
  });

  test("a new learner sees no grade, and theirs can be sent alone", async () => {
    for (const name of ["Ben", "Cem"]) {
      await course.enrol(name);
      await attends(name, "e1", "LATE");
    }
    expect(await course.deliver()).toEqual([]);
    expect((await reads("Ben"))[0]).toBe("No grade yet");
    expect(await listed()).toEqual([
      ["Ann", undefined],
      ["Ben", 80],
      ["Cem", 80],
    ]);
    const ben = (await course.deliveryOf("per-Ben"))?.id ?? "";
    expect([await release(ben), await kept()]).toEqual([["per-Ben attendance 80"], 1]);
    await release("dlv_of_another_course");
    expect(await kept()).toBe(1);
  });

  test("an older score that could not be sent still arrives", async () => {
    course.time.now -= day;
    await attends("Ann", "e2", "ABSENT");
    course.pass(day);
    await attends("Ann", "e3", "ABSENT");
    expect(await course.deliver()).toEqual(["per-Ann attendance 50"]);
    expect(await course.deliveryOf("per-Ann")).toMatchObject({ unreleased: { score: 33.33 } });
  });

  test("a later last day sends what was waiting, even for people who have left", async () => {
    await attends("Ann", "e2", "ABSENT");
    await course.changed("Ann", { active: false });
    await sets({ gradesUntil: "2026-10-01" });
    expect([await kept(), await course.deliver()]).toEqual([0, ["per-Ann attendance 50"]]);
  });
});

describe("When instructors release grades", () => {
  beforeEach(() => sets({ gradesRelease: "hand" }));

  test("what was released stays, and later changes wait for the next release", async () => {
    await attends("Ann", "e1", "LATE");
    expect([await course.deliver(), await reads("Ann")]).toEqual([
      [],
      ["No grade yet", "An instructor releases the grades. Newer attendance isn’t in this grade yet."],
    ]);
    expect(await release()).toEqual(["per-Ann attendance 80"]);
    await attends("Ann", "e2", "PRESENT");
    expect([await course.deliver(), (await reads("Ann"))[0], await kept()]).toEqual([[], "80", 1]);
  });

  test("each session's own grade waits, too, and is listed", async () => {
    await course.setPolicy({ kind: "column-per-session", ...ruleWith({}) });
    await attends("Ann", "e1", "PRESENT");
    expect(await course.deliver()).toEqual([]);
    expect((await course.stores.deliveries.countByScoreState(key)).idle).toBe(1);
    expect(await release()).toEqual([`per-Ann ${sessionColumn("e1")} 100`]);
  });

  test("a grade that the course no longer gives cannot be released", async () => {
    await course.setPolicy({ kind: "column-per-session", ...ruleWith({}) });
    await attends("Ann", "e1", "PRESENT");
    await course.setPolicy(policyWith({}));
    await course.regrade();
    expect([await kept(), await release()]).toEqual([1, ["per-Ann attendance 100"]]);
  });

  test("a grade that is in the gradebook is wanted again after another policy, and reaches a new column", async () => {
    await attends("Ann", "e1", "LATE");
    await release();
    for (const policy of [{ kind: "column-per-session", ...ruleWith({}) }, policyWith({})] as const) {
      await course.setPolicy(policy);
      await course.regrade();
    }
    await course.stores.deliveries.retryColumn({ ...key, columnKey: attendanceColumn }, course.clock.now());
    expect([await kept(), await course.deliver()]).toEqual([0, ["per-Ann attendance 80"]]);
  });

  test("a grade of somebody who teaches now is neither listed nor released, until they learn again", async () => {
    await course.enrol("Ben");
    for (const name of ["Ann", "Ben"]) await attends(name, "e1", "PRESENT");
    await course.changed("Ann", { student: false });
    await course.stores.deliveries.standDown(key, ["per-Ann"], "no-learner");
    expect([await listed(), await release()]).toEqual([[["Ben", 100]], ["per-Ben attendance 100"]]);
    await course.changed("Ann", { student: true });
    await course.stores.deliveries.retryPeople(key, ["per-Ann"], course.clock.now());
    await course.grade("per-Ann");
    expect([(await listed())[0], await release()]).toEqual([["Ann", 100], ["per-Ann attendance 100"]]);
  });

  test("what is kept back in a new term is listed", async () => {
    await attends("Ann", "e1", "PRESENT");
    await course.stores.deliveries.beginTerm({ ...key, columnKey: attendanceColumn });
    await attends("Ann", "e2", "LATE");
    expect(await listed()).toEqual([["Ann", 90]]);
  });

  test("a teacher's own grade is still asked about before anything replaces it", async () => {
    await attends("Ann", "e1", "PRESENT");
    await release();
    await attends("Ann", "e2", "ABSENT");
    const id = (await course.deliveryOf("per-Ann"))?.id ?? "";
    await course.stores.deliveries.resend(key, [id], course.clock.now());
    const now = course.clock.now();
    const claimed = required(await course.stores.deliveries.claimDue("x", now, now + 1_000));
    const foreign = { score: 95, maximum: 100, seenAt: now };
    const held = { state: "held", foreign } as const;
    await course.stores.deliveries.settle(id, "x", claimed.desired?.revision ?? 0, held);
    expect(await release()).toEqual([]);
    expect(await course.deliveryOf("per-Ann")).toMatchObject({ state: "held", desired: { score: 50 } });
  });

  test("a release and new facts at the same time are both kept", async () => {
    await attends("Ann", "e1", "PRESENT");
    await course.fact("per-Ann", "e2", "ABSENT");
    await Promise.all([release(), course.grade("per-Ann")]);
    await course.deliver();
    const { accepted, unreleased } = required(await course.deliveryOf("per-Ann"));
    expect(unreleased?.score ?? accepted?.score, "the newest is sent, or waits").toBe(50);
    await release();
    expect((await course.deliveryOf("per-Ann"))?.accepted?.score).toBe(50);
  });
});
