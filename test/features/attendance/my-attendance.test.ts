import { beforeEach, describe, expect, test } from "vitest";
import { policyWith, ruleWith } from "../../support/builders/grading-course.ts";
import { openLearnerCourse } from "../../support/builders/learner-course.ts";
import { textOf } from "../../support/tool/tiny-world.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const course = await forAllTests(openLearnerCourse());
beforeEach(() => course.startAnew());

/** What a page shows somebody, in one line. */
async function reads(path: string, person = "Ann", fields: Record<string, string> = {}): Promise<string> {
  const answer = await course.post(path, { ...fields, session: await course.sessionOf(person) });
  expect(answer.status).toBe(200);
  return textOf({ text: await answer.text() });
}
const myPage = (person = "Ann") => reads("/course/my-sessions", person);
const home = (person = "Ann") => reads("/course/home", person);

/** A past session in which somebody was marked. */
async function attended(eventId: string, hoursAgo: number, status: string, person = "Ann"): Promise<void> {
  await course.lesson(eventId, -hoursAgo);
  await course.classroomSays(person, eventId, status, hoursAgo);
}

describe("my attendance", () => {
  test("is always one's own, whatever a form asks for", async () => {
    await course.enrol("Ben", ["a"]);
    await attended("e1", 5, "ABSENT", "Ben");
    await course.corrects("Ben", "e1", "EXCUSED", "get well soon");
    await attended("e1", 5, "PRESENT");
    for (const fields of [{ person: "per-Ben" }, { personId: "per-Ben" }, { sub: "sub-per-Ben" }, {}]) {
      const text = await reads("/course/my-sessions", "Ann", fields);
      expect(text).toContain("You attended 1 of 1 session");
      expect(text).not.toMatch(/well soon|Ben|Excused Left/);
    }
    expect(await myPage("Ben")).toContain("get well soon");
    expect(await home("Ben")).toMatch(/(?<!session) – 1 excused/);
  });

  test("needs a valid session of somebody in the course", async () => {
    const path = "/course/my-sessions";
    const refusals = await Promise.all([
      course.post(path, { session: "forged" }),
      course.post(path, {}),
      course.post(path, { session: await course.sessionOf("Ann", { only: "entry" }) }),
      course.post(path, { session: await course.sessionOf("Nobody") }),
    ]);
    expect(refusals.map(({ status }) => status)).toEqual([401, 401, 401, 403]);
  });

  test("lists sessions of one's sections, and every one that one attended", async () => {
    await course.lesson("of-a", 10);
    await course.says("of-a", { sectionIds: ["a"] });
    await course.lesson("of-b", 11);
    await course.says("of-b", { sectionIds: ["b"] });
    await attended("visited", 5, "PRESENT");
    await course.says("visited", { sectionIds: ["b"] });
    await course.classroomSays("Ann", "of which nothing is known", "LATE", 1);
    const text = await myPage();
    expect(text).toContain("Lesson of-a");
    expect(text).not.toContain("Lesson of-b");
    expect(text).toMatch(/Lesson visited .* ✓ Present/);
    expect(text).toMatch(/Session Time unknown ◔ Late/);
  });

  test("says what is live, next and past, what is not marked, and what was cancelled", async () => {
    await course.lesson("now", -0.5);
    await course.lesson("later", 30);
    await course.lesson("off", 20, { cancelled: true });
    await course.lesson("unmarked", -5);
    const text = await myPage();
    expect(text).toMatch(
      /On now Lesson now .* Upcoming Lesson off .* Cancelled Lesson later .* Past Lesson unmarked .* Not recorded yet/,
    );
  });

  test("shows the term with a letter for each session, and compares the latest with those before", async () => {
    for (const [n, status] of [
      "ABSENT",
      "ABSENT",
      "LATE",
      "PRESENT",
      "EXCUSED",
      "PRESENT",
      "PRESENT",
    ].entries())
      await attended(`e${n}`, 90 - 10 * n, status);
    await course.lesson("next", 30);
    const text = await myPage();
    expect(text).toMatch(/A \d+ Lesson e0, [^:]+:[^:]+:\d\d: Absent .*E \d+ Lesson e4, .*: Excused/);
    expect(text).toMatch(/Today .*\d+ Lesson next, .*: Upcoming/);
    expect(text).toContain("Latest 4 sessions: 100%. Before: 0%.");
  });

  test("says corrected only if the classroom recorded something else", async () => {
    await course.lesson("by-hand", -9);
    await course.corrects("Ann", "by-hand", "PRESENT", "");
    expect(await myPage()).not.toContain("Corrected");
    await attended("agreed", 7, "PRESENT");
    await course.corrects("Ann", "agreed", "PRESENT", "");
    expect(await myPage()).not.toContain("Corrected");
    await attended("changed", 5, "ABSENT");
    await course.corrects("Ann", "changed", "LATE", "");
    expect((await myPage()).match(/Corrected by your instructor/g)).toHaveLength(1);
  });

  test("says what the first grade waits for", async () => {
    await course.lesson("e1", -5);
    expect(await myPage()).toContain("No grade yet A grade follows after your first session that counts.");
    await course.setPolicy(policyWith({ minimumSessions: 3 }));
    expect(await myPage()).toContain("A grade follows after 3 sessions that count.");
    await attended("e1", 5, "EXCUSED");
    expect(await myPage()).toMatch(/A grade follows after 3 sessions that count\. No session counts yet\./);
  });

  test("leaves out marks in a session that an instructor cancelled, until that is undone", async () => {
    await attended("e1", 9, "PRESENT");
    await attended("e2", 5, "ABSENT");
    expect(await myPage()).toContain("50 of 100 points so far");
    const { events } = course.deps;
    await events.cancelHere("production", "e2", course.clock.now());
    const text = await myPage();
    expect(text).toMatch(/You attended 1 of 1 session .*100 of 100 points so far/);
    expect(text).toMatch(/Lesson e2 [^✗]* Cancelled Lesson e1/);
    await events.restoreHere("production", "e2", course.clock.now());
    expect(await myPage()).toContain("50 of 100 points so far");
  });

  test("says on home that a future session is cancelled, and counts down to the next one", async () => {
    await course.lesson("off", 20);
    await course.lesson("on", 30);
    await course.deps.events.cancelHere("production", "off", course.clock.now());
    expect(await home()).toMatch(/Lesson on .* Lesson off .* Cancelled .*Lesson on/);
  });

  test("says whether the gradebook has the grade, or a different one", async () => {
    await attended("e1", 5, "LATE");
    await course.grade("per-Ann");
    expect(await myPage()).toContain("You attended 1 of 1 session ◔ 1 late");
    await course.deliver();
    expect(await myPage()).toMatch(/In the gradebook since \w+ \d+ \w+ \d{4}, \d\d:\d\d\./);
    await attended("e2", 4, "PRESENT");
    expect(await myPage(), "recomputed, but not sent yet").toContain("On its way to the gradebook.");
  });

  test("does not tell learners why the gradebook refused", async () => {
    await attended("e1", 5, "LATE");
    await course.grade("per-Ann");
    const { deliveries } = course.stores;
    const claimed = await deliveries.claimDue("x", course.clock.now(), course.clock.now() + 1_000);
    await deliveries.settle(claimed?.id ?? "", "x", claimed?.desired?.revision ?? 0, {
      state: "refused",
      refusal: "grade-locked",
      waitingSince: null,
    });
    const text = await myPage();
    expect(text).toContain("The gradebook hasn’t accepted it yet. Your instructor can see why.");
    expect(text).not.toContain("locked");
  });

  test("in a course with a column for each session shows each one's grade", async () => {
    await course.setPolicy({ kind: "column-per-session", ...ruleWith({ points: 5 }) });
    await attended("e1", 9, "PRESENT");
    await attended("e2", 5, "LATE");
    await course.grade("per-Ann");
    await course.deliver();
    const text = await myPage();
    expect(text).toContain("Each session has its own grade");
    expect(text).toMatch(/Lesson e2 .* ◔ Late 4 of 5 In the gradebook since/);
    expect(text).toMatch(/Lesson e1 .* ✓ Present 5 of 5 In the gradebook since/);
  });

  test("in a course without grades shows attendance alone", async () => {
    await course.setPolicy({ kind: "no-grades" });
    await attended("e1", 5, "LATE");
    const text = await myPage();
    expect(text).toContain("Attendance isn’t graded in this course.");
    expect(text).toMatch(/Lesson e1 .* ◔ Late/);
    expect(text).not.toMatch(/points|gradebook/);
  });

  test("says where the page is shortened", async () => {
    await Promise.all(Array.from({ length: 103 }, (_, n) => course.lesson(`e${n}`, -2 * n - 5)));
    await Promise.all(Array.from({ length: 102 }, (_, n) => course.lesson(`n${n}`, 2 * n + 5)));
    expect(await myPage()).toMatch(/2 more sessions aren’t listed\..*3 more sessions aren’t listed\./);
  });
});

describe("a learner's home", () => {
  test("shows the current session, and until when it lasts", async () => {
    await course.lesson("now", -0.5);
    await course.lesson("later", 5);
    expect(await home()).toMatch(/On now Lesson now .* Join Opens in a new tab\. .*Next sessions/);
  });

  test("counts down only to a near session that is for the reader", async () => {
    await course.lesson("of-b", 2);
    await course.says("of-b", { sectionIds: ["b"] });
    await course.lesson("off", 3, { cancelled: true });
    await course.lesson("mine", 0.4);
    expect(await home()).toMatch(/Next session in 24 minutes Lesson mine /);
    await course.lesson("mine", 30);
    expect(await home()).toMatch(/Next session Lesson mine /);
  });

  test("shows at most three sessions, and only published recordings", async () => {
    for (const n of [1, 2, 3, 4]) await course.lesson(`n${n}`, n * 24);
    const text = await home();
    expect(text).toContain("Lesson n3");
    expect(text).not.toContain("Lesson n4");
    expect(text).toContain("None published yet.");
  });

  test("has only the way in if its session is only for entering", async () => {
    await attended("e1", 5, "PRESENT");
    const answer = await course.post("/course/home", {
      session: await course.sessionOf("Ann", { only: "entry" }),
    });
    const text = await answer.text();
    expect(text).toContain("Join");
    expect(text).not.toMatch(/Lesson e1|Present|<nav|course\/my-sessions/);
  });

  test("mentions a waiting room, or a list of invited people", async () => {
    await course.isSaidToBe("waiting-room");
    expect(await home()).toContain("This classroom has a waiting room: an instructor will let you in.");
    await course.isSaidToBe("invited-only");
    expect(await home()).toContain("Ask your instructor to add you");
  });

  test("has everything but the way in before entry opens", async () => {
    await course.opensAroundSessions();
    await course.lesson("next", 5);
    await attended("e1", 50, "PRESENT");
    const text = await home();
    expect(text).toMatch(/The classroom isn’t open yet Opens: .*Paris/);
    expect(text).not.toContain("Join ");
    expect(text).toContain("You attended 1 of 1 session");
    await course.lesson("next", 0.1);
    expect(await home()).toMatch(/Join .*The classroom is open until /);
  });

  test("names the groups that may enter, and the reader's own, if entry is for others", async () => {
    await course.opensFor(["b", "c"]);
    expect(await home()).toContain("only for: Group b Group c You’re in: Group a.");
    await course.enrol("Zoe", []);
    expect(await home("Zoe")).toContain("You’re in no group yet.");
  });

  test("says when the session of a link is over or was cancelled", async () => {
    const { key, stores } = course;
    const name = {
      registrationId: key.registrationId,
      deploymentId: "1",
      courseId: key.courseId,
      linkId: "one",
    };
    await stores.courseLinks.record(name, null, "lnk_1");
    await stores.courseLinks.choose("lnk_1", { kind: "session", eventId: "only" });
    await course.opensAroundSessions();
    const seen = async () => {
      const session = await course.sessionOf("Ann", { courseLinkId: "lnk_1" });
      return textOf({ text: await (await course.post("/course/home", { session })).text() });
    };
    await course.lesson("only", -50);
    expect(await seen()).toContain("This session is over");
    await course.lesson("only", 50, { cancelled: true });
    expect(await seen()).toContain("This session was cancelled");
    await course.lesson("only", 50, { cancelled: true, deleted: true });
    expect(await seen()).toContain("This session was deleted");
  });

  test("names who can help if the classroom is not configured, in words for learners", async () => {
    course.configured.yes = false;
    const text = await home();
    expect(text).toContain("The classroom isn’t ready yet");
    expect(text).not.toMatch(/CLASSROOM_|configured|Join /);
  });
});
