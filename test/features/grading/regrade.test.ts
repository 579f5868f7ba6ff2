import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { defaultGradePolicy, type GradePolicy } from "../../../src/domain/grade-policy.ts";
import {
  enqueueRegrade,
  gradeAfterChange,
  regradeCourse,
  regradeProgress,
  runPendingRegrades,
} from "../../../src/modules/grading/regrade.ts";
import { courseRightsOf } from "../../../src/domain/course-rights.ts";
import { recordLaunch } from "../../../src/modules/launch/record-launch.ts";
import { gradeMembers } from "../../../src/modules/grading/grade-members.ts";
import { comparePoliciesOfFew, previewPolicy } from "../../../src/modules/grading/change-policy.ts";
import { openGradingCourse, policyWith, ruleWith } from "../../support/builders/grading-course.ts";
import { personIdOf, seedGrading } from "../../support/builders/seed-grading.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { eventOf } from "../../support/builders/event.ts";
import { recordPerson } from "../../support/builders/give-api-user.ts";
import { registrationOf } from "../../support/builders/registration.ts";
import { testAccounts } from "../../support/builders/test-accounts.ts";

const course = await forAllTests(openGradingCourse());
beforeEach(() => course.empty());

const half = policyWith({ credit: { PRESENT: 50, LATE: 40, ABSENT: 0, EXCUSED: null } });
const perSession: GradePolicy = { kind: "column-per-session", ...ruleWith({}) };

/** Ann was there, Bob was not, Eve has no session yet. */
async function threeLearners(): Promise<void> {
  for (const name of ["ann", "bob", "eve"]) await course.learner(name);
  await course.fact("ann", "e1", "PRESENT");
  await course.fact("bob", "e1", "ABSENT");
  for (const name of ["ann", "bob", "eve"]) await course.grade(name);
}

test("Sessions of an earlier term count for nobody: old learners have no grade, and those who return start again", async () => {
  await threeLearners();
  await course.sessionChanged("e1");
  await course.regrade();
  const from = { ...(await course.course()), countsFrom: 2 };
  await course.stores.courses.setCountsFrom(from.id, 2);
  await enqueueRegrade(course.deps, from.id);
  await course.regrade();
  expect(await course.scores()).toEqual({});
  await course.stores.events.save(
    eventOf({ eventId: "e2", title: "e2", startsAt: 3, endsAt: 4, courseId: from.id, readAt: 3 }),
  );
  await course.fact("ann", "e2", "LATE");
  await course.grade("ann");
  expect(await course.scores()).toEqual({ "ann attendance": 80 });
});

const delivered = async () => (await course.deliver()).sort();
const annLeaves = () =>
  course.stores.members.applyRoster(course.key, 10, {
    made: [],
    changed: [{ personId: "ann", id: "mem_ann", to: { active: false } }],
  });

describe("A change of one learner's facts", () => {
  test("gives a score once: computing it again changes nothing", async () => {
    await course.learner("ann");
    await course.fact("ann", "e1", "PRESENT");
    await course.fact("ann", "e2", "LATE");
    await course.grade("ann");
    expect(await course.scores()).toEqual({ "ann attendance": 90 });
    expect(await course.deliver()).toEqual(["ann attendance 90"]);
    await course.grade("ann");
    expect(await course.deliver()).toEqual([]);
    expect(await course.deliveryOf("ann")).toMatchObject({ state: "delivered", desired: { revision: 1 } });
  });

  test("that is undone before it was sent is not sent", async () => {
    await course.learner("ann");
    await course.fact("ann", "e1", "PRESENT");
    await course.grade("ann");
    await course.deliver();
    await course.correct("ann", "e1", "ABSENT");
    await course.grade("ann");
    await course.correct("ann", "e1", null);
    await course.grade("ann");
    expect(await course.deliveryOf("ann")).toMatchObject({ state: "delivered", desired: { score: 100 } });
    expect(await course.deliver()).toEqual([]);
  });

  test("clears a sent score if no countable session is left, and sends nothing if none was sent", async () => {
    await threeLearners();
    await course.deliver();
    await course.correct("ann", "e1", "EXCUSED");
    await course.correct("eve", "e1", "EXCUSED");
    await course.grade("ann");
    await course.grade("eve");
    expect(await course.deliver()).toEqual(["ann attendance null"]);
  });

  test("sends nothing for instructors, preview students and people who are not listed as students", async () => {
    const { key, stores } = course;
    const facts = { role: "learner", testUser: false, student: true, listName: "", lastLaunchAt: 1 } as const;
    const others = {
      teacher: { role: "instructor", student: false },
      preview: { testUser: true },
      mentor: { student: false },
    } as const;
    for (const [personId, change] of Object.entries(others)) {
      const who = { ...key, personId };
      await stores.members.recordLaunch(who, { ...facts, ...change }, null, `mem_${personId}`);
      await course.fact(personId, "e1", "PRESENT");
      await course.grade(personId);
    }
    await enqueueRegrade(course.deps, key.courseId);
    await course.regrade();
    expect(await course.scores()).toEqual({});
  });

  test("for a whole class gives the same as one by one", async () => {
    const names = Array.from({ length: 120 }, (_none, at) => `p${String(at).padStart(3, "0")}`);
    for (const [at, name] of names.entries()) {
      await course.learner(name);
      await course.fact(name, "e1", at % 2 === 0 ? "PRESENT" : "LATE");
    }
    await gradeMembers(course.deps, course.place, names.map(course.person));
    const scores = await course.scores();
    expect(Object.keys(scores)).toHaveLength(120);
    expect([scores["p000 attendance"], scores["p119 attendance"]]).toEqual([100, 80]);
  });
});

describe("A regrade", () => {
  test("computes everybody again under the new policy, and sends only changes", async () => {
    await threeLearners();
    expect(await delivered()).toEqual(["ann attendance 100", "bob attendance 0"]);
    await course.setPolicy(half);
    await course.regrade();
    expect(await course.deliver()).toEqual(["ann attendance 50"]);
    await course.setPolicy(half);
    await course.regrade();
    expect(await course.deliver()).toEqual([]);
    await course.setPolicy(defaultGradePolicy);
    await course.regrade();
    expect(await course.deliver()).toEqual(["ann attendance 100"]);
  });

  test("reports its progress, and when it was done", async () => {
    await threeLearners();
    expect(await regradeProgress(course.deps, course.place)).toMatchObject({ state: "none" });
    await course.setPolicy(half);
    expect(await regradeProgress(course.deps, course.place)).toMatchObject({ state: "waiting" });
    await course.regrade();
    const progress = await regradeProgress(course.deps, course.place);
    expect(progress).toMatchObject({ state: "done", graded: 3, total: 3 });
    expect(progress.finishedAt).not.toBeNull();
  });

  test("with planned sessions follows the plans for each learner's sections, and cancellations", async () => {
    await course.learner("ann", ["red"]);
    await course.fact("ann", "e1", "PRESENT");
    await course.grade("ann");
    await course.setPolicy(policyWith({ denominator: { kind: "planned" } }));
    for (const eventId of ["e1", "e2", "e3", "e4"]) await course.sessionChanged(eventId);
    await course.regrade();
    expect(await course.scores()).toEqual({ "ann attendance": 25 });
    await course.sessionChanged("e4", true);
    await course.sessionChanged("e3", true);
    await course.regrade();
    expect(await course.scores()).toEqual({ "ann attendance": 50 });
  });

  test("into a column for each session stops scores that wait for the one column, and leaves the held ones", async () => {
    await threeLearners();
    await course.deliver();
    await course.fact("ann", "e2", "LATE");
    await course.grade("ann");
    await course.setPolicy(perSession);
    await course.regrade();
    const stopped = { state: "idle", desired: null, accepted: { score: 100 } };
    expect(await course.deliveryOf("ann")).toMatchObject(stopped);
    expect(await delivered()).toEqual(["ann session e1 100", "ann session e2 80", "bob session e1 0"]);
  });

  test("without a session that has its own column clears its grades there", async () => {
    await threeLearners();
    await course.setPolicy(perSession);
    await course.sessionChanged("e1");
    await course.regrade();
    expect(await delivered()).toEqual(["ann session e1 100", "bob session e1 0"]);
    await course.stores.events.cancelHere("production", "e1", course.clock.now());
    await enqueueRegrade(course.deps, course.key.courseId);
    await course.regrade();
    expect(await delivered()).toEqual(["ann session e1 null", "bob session e1 null"]);
  });

  test("back into one column sends only what the gradebook does not have yet", async () => {
    await threeLearners();
    await course.deliver();
    await course.setPolicy(perSession);
    await course.regrade();
    await course.deliver();
    await course.fact("ann", "e2", "LATE");
    await course.grade("ann");
    await course.setPolicy(defaultGradePolicy);
    await course.regrade();
    expect(await course.deliver()).toEqual(["ann attendance 90"]);
    expect(await course.deliveryOf("bob")).toMatchObject({ state: "delivered", desired: { score: 0 } });
    expect(await course.deliveryOf("ann", "session e2")).toMatchObject({ state: "idle" });
  });

  test("leaves alone a grade that a teacher changed in the gradebook, and knows what it should be", async () => {
    await threeLearners();
    await course.deliver();
    const ann = await course.deliveryOf("ann");
    const { deliveries } = course.stores;
    await deliveries.resendCourse(course.key, 1);
    while ((await deliveries.claimDue("worker", 2, 10_000)) !== null);
    const foreign = { score: 77, maximum: 100, seenAt: 1 };
    await deliveries.settle(ann?.id ?? "", "worker", 1, { state: "held", foreign, waitingSince: null });
    await course.setPolicy(half);
    await course.regrade();
    expect(await course.deliveryOf("ann")).toMatchObject({ state: "held", desired: { score: 50 }, foreign });
  });

  test("sends nothing new for people who left; later facts still count, and somebody who returns gets the rest", async () => {
    await threeLearners();
    await course.deliver();
    await annLeaves();
    await course.setPolicy(half);
    await course.regrade();
    expect(await course.deliver()).toEqual([]);
    await course.fact("ann", "e2", "ABSENT");
    await course.grade("ann");
    expect(await course.deliver()).toEqual(["ann attendance 25"]);
    await course.setPolicy(defaultGradePolicy);
    await course.regrade();
    expect(await course.deliver()).toEqual([]);
    await course.learner("ann");
    await course.grade("ann");
    expect(await course.deliver()).toEqual(["ann attendance 50"]);
  });

  test("scores new facts of somebody who left by the policy that was saved during the computation", async () => {
    await course.learner("ann");
    await course.fact("ann", "e1", "PRESENT");
    await course.grade("ann");
    await course.deliver();
    await annLeaves();
    await course.fact("ann", "e2", "LATE");
    let saved = false;
    const deliveries = {
      ...course.deps.deliveries,
      setDesired: async (...scores: Parameters<typeof course.deps.deliveries.setDesired>) => {
        // The regrade ends before the score of the old policy is written, and skips people who left.
        if (!saved) {
          saved = true;
          await course.setPolicy(half);
          await course.regrade();
        }
        return course.deps.deliveries.setDesired(...scores);
      },
    };
    await gradeMembers({ ...course.deps, deliveries }, course.place, [course.person("ann")]);
    expect(await course.scores()).toEqual({ "ann attendance": 45 });
  });

  test.each(["are still on their way", "wait for a right"])(
    "updates scores of people who left that %s",
    async (what) => {
      await threeLearners();
      const { deliveries } = course.stores;
      const claimed = await deliveries.claimDue("worker", course.clock.now(), course.clock.now());
      expect(claimed?.personId).toBe("ann");
      const blocked = { state: "blocked", refusal: "scope-not-granted" } as const;
      if (what === "wait for a right") await deliveries.settle(claimed?.id ?? "", "worker", 1, blocked);
      await annLeaves();
      await course.setPolicy(half);
      await course.regrade();
      expect(await delivered()).toEqual(["ann attendance 50", "bob attendance 0"]);
    },
  );

  test("that fails is shown and retried", async () => {
    await threeLearners();
    await course.setPolicy(half);
    const broken = {
      ...course.deps,
      members: { ...course.deps.members, findMany: () => Promise.reject(new Error("disk full")) },
    };
    expect(await regradeCourse(broken)).toBe(true);
    expect(await regradeProgress(course.deps, course.place)).toMatchObject({ state: "failed" });
    expect(await regradeCourse(course.deps)).toBe(false);
    course.pass(3_000);
    await course.regrade();
    expect(await course.scores()).toEqual({ "ann attendance": 50, "bob attendance": 0 });
    expect(await regradeProgress(course.deps, course.place)).toMatchObject({ state: "done" });
  });

  test("is done by one process at a time, and continued by another one when that was killed", async () => {
    await seedGrading(course, { learners: 900, sessions: 1 });
    await course.setPolicy(half);
    const child = fork(join(import.meta.dirname, "regrader.child.ts"), [course.databaseUrl], {
      execArgv: [],
    });
    const graded = async () => (await regradeProgress(course.deps, course.place)).graded;
    await vi.waitFor(async () => expect(await graded()).toBeGreaterThan(0), { timeout: 20_000, interval: 5 });
    child.kill("SIGKILL");
    await once(child, "exit");
    const before = await graded();
    expect(before).toBeLessThan(900);
    expect(await regradeCourse(course.deps)).toBe(false);
    course.pass(11_000);
    const { listAfter } = course.stores.attendanceSummaries;
    const begun: string[] = [];
    const watched = {
      ...course.deps,
      attendanceSummaries: {
        ...course.stores.attendanceSummaries,
        listAfter: (...given: Parameters<typeof listAfter>) => {
          begun.push(given[1]);
          return listAfter(...given);
        },
      },
    };
    await regradeCourse(watched);
    expect(begun[0]).toBe(personIdOf(before - 1));
    const scores = await course.scores();
    expect(Object.keys(scores).length).toBeGreaterThan(700);
    expect(Math.max(...Object.values(scores))).toBe(50);
  });

  test("starts again when another change comes in between", async () => {
    await seedGrading(course, { learners: 500, sessions: 1 });
    await course.setPolicy(half);
    const { setDesired } = course.stores.deliveries;
    let steps = 0;
    const interrupted = {
      ...course.deps,
      deliveries: {
        ...course.stores.deliveries,
        setDesired: async (...given: Parameters<typeof setDesired>) => {
          steps += 1;
          if (steps === 2) await course.setPolicy(defaultGradePolicy);
          return setDesired(...given);
        },
      },
    };
    await regradeCourse(interrupted);
    expect(steps).toBe(6);
    expect(Math.max(...Object.values(await course.scores()))).toBe(100);
    expect(await regradeProgress(course.deps, course.place)).toMatchObject({ state: "done", graded: 500 });
  });

  test("is left to the next process when this one is being stopped", async () => {
    await threeLearners();
    await course.setPolicy(half);
    const ending = new AbortController();
    ending.abort();
    expect(await regradeCourse({ ...course.deps, ending: ending.signal })).toBe(true);
    expect(await course.scores()).toEqual({ "ann attendance": 100, "bob attendance": 0 });
    await course.regrade();
    expect(await course.scores()).toEqual({ "ann attendance": 50, "bob attendance": 0 });
  });
});

describe("A change that nobody repeats after a crash", () => {
  test("of facts still becomes scores, within seconds", async () => {
    await threeLearners();
    const crash = gradeAfterChange(course.deps, course.place, [course.person("ann")], async () => {
      await course.correct("ann", "e1", "LATE");
      throw new Error("killed");
    });
    await expect(crash).rejects.toThrow("killed");
    expect(await course.scores()).toMatchObject({ "ann attendance": 100 });
    await recordPerson(course.stores.people, "ann");
    expect(await runPendingRegrades(course.deps)).toBe(false);
    course.pass(11_000);
    expect(await runPendingRegrades(course.deps)).toBe(true);
    expect(await course.scores()).toMatchObject({ "ann attendance": 80 });
    course.pass(60_000);
    expect(await runPendingRegrades(course.deps)).toBe(false);
  });

  test("of a launch that names a mentor as a student still becomes a score", async () => {
    const { deps, stores, key } = course;
    const { sub, ...names } = await recordPerson(stores.people, "ann");
    const facts = { role: "learner", testUser: false, listName: "", lastLaunchAt: 1 } as const;
    const mentor = { ...facts, student: false };
    await stores.members.recordLaunch({ ...key, personId: "ann" }, mentor, null, "mem_ann");
    await course.fact("ann", "e1", "LATE");
    vi.spyOn(deps.attendance, "listOfPeople").mockRejectedValueOnce(new Error("killed"));
    const none = { makes: false, renames: false };
    const accounts = testAccounts("production");
    const whileSessionsChange = <T>(_of: unknown, change: () => Promise<T>) => change();
    const app = { ...deps, accounts, provisionsOf: () => none, onMatchable: () => Promise.resolve() };
    const where = { registrationId: key.registrationId, deploymentId: "1", kind: "resource-link" } as const;
    const who = { person: { ...names, sub }, rights: courseRightsOf([]), student: true, mentorOf: [] };
    const services = { grades: null, membershipsUrl: null, groups: null, notices: null };
    const inCourse = { id: "ctx", title: "", label: "" };
    const presentation = { target: "window", locale: null, returnUrl: null, courseUrl: null } as const;
    const rest = { link: null, custom: {}, forUser: null, deepLinking: null, presentation };
    const launch = { ...where, ...who, ...services, ...rest, course: inCourse };
    const launched = recordLaunch({ ...app, whileSessionsChange }, registrationOf(), launch);
    await expect(launched).rejects.toThrow("killed");
    expect(await course.scores()).toEqual({});
    course.pass(11_000);
    await runPendingRegrades(deps);
    expect(await course.scores()).toEqual({ "ann attendance": 80 });
  });
});

test("Before a policy is saved, instructors see by name whose grade would change, and how many would not", async () => {
  await threeLearners();
  for (const [id, name] of [
    ["ann", "Ann"],
    ["bob", "Bob"],
  ] as const)
    await recordPerson(course.stores.people, id, { name });
  expect(await previewPolicy(course.deps, await course.course(), half)).toEqual({
    changes: [{ personId: "ann", sub: "sub-ann", name: "Ann", before: 100, after: 50 }],
    unchanged: 1,
    completed: null,
    marked: 0,
    points: [
      { before: 100, after: 50 },
      { before: 0, after: 0 },
    ],
  });
  const stricter = policyWith({ minimumSessions: 2 });
  expect((await previewPolicy(course.deps, await course.course(), stricter)).changes).toMatchObject([
    { name: "Ann", before: 100, after: null },
    { name: "Bob", before: 0, after: null },
  ]);
  expect(await course.scores()).toEqual({ "ann attendance": 100, "bob attendance": 0 });
});

test("While somebody types, only a part of the learners is read, without names, and a large course shows no number", async () => {
  await threeLearners();
  let reads = 0;
  const { attendanceSummaries, people } = course.deps;
  const counted = {
    ...course.deps,
    attendanceSummaries: {
      ...attendanceSummaries,
      listAfter: (...asked: Parameters<typeof attendanceSummaries.listAfter>) => {
        reads += 1;
        return attendanceSummaries.listAfter(...asked);
      },
    },
    people: { ...people, findMany: () => Promise.reject(new Error("names are not needed")) },
  };
  const typed = async () => comparePoliciesOfFew(counted, await course.course(), half);
  expect(await typed()).toMatchObject({ changes: [{ personId: "ann" }], unchanged: 1 });
  expect(reads).toBe(1);
  await seedGrading(course, { learners: 300, sessions: 1 });
  reads = 0;
  expect(await typed()).toBeNull();
  expect(reads).toBe(1);
});
