import { afterAll, afterEach, describe, expect, test, vi } from "vitest";
import { syncCourse } from "../../../src/modules/grading/send-again.ts";
import { refusedPause } from "../../../src/modules/registration/rules/registration.ts";
import { askPausedLmss } from "../../../src/modules/registration/lms-trouble.ts";
import {
  closeGradebooks,
  type GradebookCourse,
  learnerIds,
  openGradebookCourse,
} from "../../support/builders/gradebook-course.ts";
import { required } from "../../support/required.ts";

const minute = 60_000;
let course: GradebookCourse;
afterEach(() => course.end());
afterAll(closeGradebooks);

const learners = ["11", "12", "13"];
const everybody = async (score: number) => {
  for (const id of learners) await course.want(id, score);
};
const states = async () => Promise.all(learners.map(async (id) => (await course.find(id))?.state));
const grades = () => learners.map((id) => course.grade(id));
const refuse = (error: "invalid_client" | "invalid_scope" | "unauthorized_client" = "invalid_client") => {
  course.lms.revokeTokens();
  course.lms.faults.add({ on: "token", how: "answer", status: 400, error });
};
const pauses = () => course.stores.lmsPauses.listOf("reg_1");
const tokenCalls = () => course.calls("token").length;

describe("An LMS that refuses every token", () => {
  test.each(["moodle", "canvas", "other"] as const)(
    "loses no score and gets one call after ten seconds, 1, 5 and 15 minutes, then everything (%s)",
    async (family) => {
      course = await openGradebookCourse(family);
      refuse();
      await everybody(80);
      await course.deliver();
      expect(await states()).toEqual(["waiting", "waiting", "waiting"]);
      expect((await course.find("11"))?.attempts).toBe(0);
      expect((await course.find("11"))?.reason).toBe("lms-key-refused");
      const asked = [tokenCalls()];
      for (const wait of [1 / 6, 1, 5, 15]) {
        course.pass(wait * minute - 5_000);
        await course.deliver(3);
        asked.push(tokenCalls());
        course.pass(6_000);
        await course.deliver(3);
        asked.push(tokenCalls());
      }
      expect(asked).toEqual([1, 1, 2, 2, 3, 3, 4, 4, 5]);
      course.lms.faults.clear();
      await course.deliver();
      expect(grades()).toEqual([undefined, undefined, undefined]);
      course.pass(15 * minute);
      await course.deliver();
      expect(grades()).toEqual([80, 80, 80]);
      expect(await pauses()).toEqual([]);
    },
    30_000,
  );

  test("is called once an hour after a day", () => {
    const day = 24 * 60 * minute;
    expect([day - 1, day].map((now) => refusedPause(9, 0, now) / minute)).toEqual([15, 60]);
  });

  test("is called immediately when an instructor presses the button, and then everything is sent", async () => {
    course = await openGradebookCourse("moodle");
    refuse();
    await everybody(70);
    await course.deliver();
    course.lms.faults.clear();
    await Promise.all([syncCourse(course.deps, course.course, "per-Ina"), course.deliver()]);
    await course.deliver();
    expect(grades()).toEqual([70, 70, 70]);
  });

  test("gets one pause from the calls that it refuses together", async () => {
    course = await openGradebookCourse("other");
    refuse();
    await everybody(60);
    await course.deliver();
    const [pause] = await pauses();
    const { begin, end } = course.stores.lmsPauses;
    expect((await begin(required(pause))).begins).toBe(false);
    await end(required(pause));
    const again = await Promise.all([1, 2, 3, 4].map(() => begin(required(pause))));
    expect(again.filter(({ begins }) => begins)).toHaveLength(1);
  });

  test("gets its next call from another process when the first one died during its call", async () => {
    course = await openGradebookCourse("other");
    refuse();
    await everybody(60);
    await course.deliver();
    const pause = required((await pauses())[0]);
    course.lms.faults.clear();
    course.pass(minute + 1_000);
    const now = course.clock.now();
    expect(await course.stores.lmsPauses.takeTry(pause, now, now + 30_000)).toBe(true);
    expect(await course.stores.lmsPauses.takeTry(pause, now, now + 30_000)).toBe(false);
    await course.deliver();
    expect(grades()).toEqual([undefined, undefined, undefined]);
    course.pass(31_000);
    await course.deliver();
    expect(grades()).toEqual([60, 60, 60]);
  });

  test.each([
    ["ahead", 20],
    ["behind", -20],
  ])("because our clock was %s gets everything soon after it is right again", async (_where, minutes) => {
    course = await openGradebookCourse("moodle");
    course.lms.revokeTokens();
    course.clockIsOff(minutes * minute);
    await everybody(90);
    await course.deliver();
    expect(await states()).toEqual(["waiting", "waiting", "waiting"]);
    expect(await pauses()).toMatchObject([{ why: "refused" }]);
    course.clockIsOff(0);
    course.pass(minute + 1_000);
    await askPausedLmss(course.deps);
    await course.deliver();
    expect(grades()).toEqual([90, 90, 90]);
  });
});

describe("A refused token for some scopes", () => {
  test("holds back only what needs it, and loses no score", async () => {
    course = await openGradebookCourse("other");
    refuse("invalid_scope");
    await everybody(50);
    await course.deliver();
    expect(await states()).toEqual(["waiting", "waiting", "waiting"]);
    expect((await course.find("11"))?.reason).toBe("lms-token-refused");
    expect(await course.deps.pauses.ofScores("reg_1")).toBeNull();
    course.lms.faults.clear();
    course.pass(minute + 1_000);
    await course.deliver();
    expect(grades()).toEqual([50, 50, 50]);
  });
});

describe("An LMS under maintenance", () => {
  test("is tried every 30 seconds, whatever it promises, and gets everything when it is back", async () => {
    course = await openGradebookCourse("moodle");
    await everybody(40);
    await course.deliver();
    course.lms.clearLog();
    course.lms.faults.add({ on: "all", how: "maintenance" });
    await everybody(45);
    await course.deliver();
    const calls = () => course.lms.log().length;
    const asked = [calls()];
    for (let look = 0; look < 3; look += 1) {
      course.pass(31_000);
      await course.deliver(3);
      asked.push(calls());
    }
    expect(asked).toEqual([1, 2, 3, 4]);
    expect((await course.find("11"))?.reason).toBe("lms-closed");
    course.lms.faults.clear();
    course.pass(31_000);
    await course.deliver();
    expect(grades()).toEqual([45, 45, 45]);
    expect(await pauses()).toEqual([]);
  });

  test("that asks for a pause is not called sooner than it says", async () => {
    course = await openGradebookCourse("other");
    course.lms.faults.add({ on: "scores", how: "answer", status: 429, retryAfter: 120, times: 1 });
    await course.want("11", 30);
    await course.deliver();
    course.pass(100_000);
    await course.deliver();
    expect(course.grade("11")).toBeNull();
    course.pass(21_000);
    await course.deliver();
    expect(course.grade("11")).toBe(30);
  });
});

describe("An LMS that does not answer", () => {
  test("costs a few claims a minute, whatever is waiting, and gets everything when it is back", async () => {
    const many = learnerIds(120);
    course = await openGradebookCourse("moodle", { learners: many.length });
    course.lms.faults.add({ on: "all", how: "hang-up" });
    for (const id of many) await course.want(id, 40);
    course.lms.clearLog();
    const claims = vi.spyOn(course.deps.deliveries, "claimAlso");
    await course.deliver(3);
    const asked = () => [course.lms.log().length, claims.mock.calls.length];
    for (let second = 0; second < 300; second += 5) {
      course.pass(5_000);
      await course.deliver(3);
    }
    const [calls = 0, claimed = 0] = asked();
    // Until it counts as silent, then after 5, 10, 20, 40 seconds and then every minute.
    expect(calls).toBeLessThan(20);
    expect(claimed).toBeLessThan(30);
    expect(await pauses()).toMatchObject([
      { why: "silent", status: 0, error: "it ended the connection, UND_ERR_SOCKET" },
    ]);
    expect((await course.find("11"))?.reason).toBe("lms-unreachable");
    course.lms.faults.clear();
    course.pass(minute + 1_000);
    await course.deliver();
    expect(many.map((id) => course.grade(id))).toEqual(many.map(() => 40));
    expect(await pauses()).toEqual([]);
  });

  test("is retried at growing intervals even if the try ends at the token, and any answer ends them", async () => {
    course = await openGradebookCourse("moodle");
    await everybody(30);
    await course.deliver();
    course.lms.faults.add({ on: "all", how: "hang-up" });
    await everybody(35);
    await course.deliver();
    course.lms.revokeTokens();
    await course.stores.accessTokens.dropAll("reg_1");
    const tries = [];
    for (const wait of [5, 10, 20, 40]) {
      course.pass(wait * 1_000 + 500);
      await course.deliver();
      tries.push((await pauses())[0]?.tries);
    }
    expect(tries).toEqual([2, 3, 4, 5]);
    course.lms.faults.clear();
    course.lms.faults.add({ on: "token", how: "answer", status: 500, times: 1 });
    course.pass(minute + 1_000);
    await course.deliver();
    expect(await pauses()).toEqual([]);
    course.pass(minute);
    await course.deliver();
    expect(grades()).toEqual([35, 35, 35]);
  });

  test.each([
    ["twice", { times: 2 }, 0],
    ["three times", { times: 3 }, 1],
  ])("is paused after three silent calls, but not before: %s", async (_times, fault, silences) => {
    course = await openGradebookCourse("moodle");
    await everybody(30);
    await course.deliver();
    course.lms.faults.add({ on: "all", how: "hang-up", ...fault });
    await everybody(35);
    await course.deliver();
    expect(await pauses()).toHaveLength(silences);
  });
});
