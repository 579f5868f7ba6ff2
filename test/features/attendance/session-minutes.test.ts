import {
  type SessionDecision,
  decideSession,
  keepNextPresence,
  keepPresence,
} from "../../../src/modules/attendance/session-minutes.ts";
import { beforeEach, describe, expect, test } from "vitest";
import { minutesOf } from "../../../src/domain/attendance.ts";
import type { MinutesWorth } from "../../../src/domain/grade-working.ts";
import { showRegister } from "../../../src/modules/attendance/show-register.ts";
import { listSessions } from "../../../src/modules/scheduling/list-sessions.ts";
import { runPendingRegrades } from "../../../src/modules/grading/regrade.ts";
import { planReadings } from "../../../src/modules/attendance/attendance-readings.ts";
import { matchUser, undoMatch } from "../../../src/modules/matching/match-user.ts";
import { applyNextMatch } from "../../../src/modules/matching/apply-matches.ts";
import { purge } from "../../../src/modules/operations/upkeep.ts";
import { checkNextSpace } from "../../../src/modules/unplanned/look-for-classes.ts";
import { giveApiUser } from "../../support/builders/give-api-user.ts";
import { policyWith } from "../../support/builders/grading-course.ts";
import { openRecordedCourse } from "../../support/builders/recorded-course.ts";
import { spaceWebhooks, withoutClassroom } from "../../support/builders/space-webhooks.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { eventOf } from "../../support/builders/event.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
const environment = "production" as const;

const course = await forAllTests(openRecordedCourse());
beforeEach(async () => {
  await course.restart();
  for (const name of ["Ada", "Ben"]) await enter(name);
  webhooks.begin();
  await saveLesson({ readAt: 1 });
});

const deps = () => withoutClassroom(course);

async function enter(name: string): Promise<void> {
  await course.enrol(name);
  const user = { userId: `user-${name}`, name, role: "participant" } as const;
  await giveApiUser(course.stores.people, `per-${name}`, user);
}

const webhooks = spaceWebhooks(() => course, deps);
const { at, joins, leaves, there, receive } = webhooks;

/** The session of 50 minutes as the classroom has it, read again. */
const saveLesson = (change: Partial<Parameters<typeof course.stores.events.save>[0]>) =>
  course.stores.events.save(
    eventOf({
      eventId: "lesson",
      startsAt: at(0),
      endsAt: at(50),
      courseId: course.key.courseId,
      readAt: 2,
      ...change,
    }),
  );

/** Moves the clock to a minute, and does what is due by then. */
async function by(minutes: number): Promise<void> {
  webhooks.passTo(minutes);
  await work();
}
async function work(): Promise<void> {
  while ((await checkNextSpace(deps())) || (await keepNextPresence(deps())));
  await course.regrade();
}

const seenOf = async (name: string) => (await course.record(name, "lesson"))?.seen;
/** Such as "42 of 50", "unknown", or "nothing" if nobody saw them. */
async function minutesSeen(name: string): Promise<string> {
  const seen = await seenOf(name);
  if (seen === undefined) return "nothing";
  const minutes = minutesOf(seen);
  if (minutes === null) return "unknown";
  const { present, of, hidden } = minutes;
  return `${present} of ${of}${hidden === undefined ? "" : `, ${hidden} hidden`}`;
}
const scoreOf = async (name: string) => (await course.scores())[`per-${name} attendance`];

const worth: MinutesWorth = {
  kind: "minutes",
  fullFrom: 100,
  tolerance: 0,
  below: "share",
  hidden: "counted",
};
const byMinutes = () => course.setPolicy(policyWith({ worth }));
/** The classroom marks somebody, and their grade follows. */
async function marks(name: string, status: string): Promise<void> {
  await course.fact(`per-${name}`, "lesson", status);
  await course.grade(`per-${name}`);
}

describe("time in the Space during a planned session", () => {
  test("is stored with the session once it is over, cut to its time", async () => {
    await receive(...there("Ada", -10, 42));
    expect(await minutesSeen("Ada")).toBe("nothing");
    await by(80);
    expect(await minutesSeen("Ada")).toBe("42 of 50");
    expect((await seenOf("Ada"))?.stays).toEqual([{ from: at(0), to: at(42) }]);
    expect(await minutesSeen("Ben")).toBe("nothing");
  });

  test("follows the session when its times change afterwards", async () => {
    await receive(...there("Ada", 0, 50));
    await by(80);
    await saveLesson({ endsAt: at(100) });
    await by(110);
    await planReadings(deps());
    await by(120);
    expect(await minutesSeen("Ada")).toBe("50 of 100");
  });

  test("counts for a person an instructor matched later, until that is undone", async () => {
    await course.enrol("Cem");
    await receive(...there("stranger", 0, 30));
    await by(80);
    const wanted = { userId: "user-stranger", personId: "per-Cem", confirmed: true };
    await matchUser(deps(), await course.course(), "per-Ina", wanted);
    while (await applyNextMatch(deps()));
    await by(120);
    expect(await minutesSeen("Cem")).toBe("30 of 50");
    const { registrationId, courseId } = course.key;
    const [match] = await course.stores.userMatches.listOfCourse(registrationId, courseId);
    await undoMatch(deps(), await course.course(), "per-Ina", match?.id ?? "");
    while (await applyNextMatch(deps()));
    await by(160);
    expect(await minutesSeen("Cem")).toBe("nothing");
  });

  test("stays when presence itself is deleted", async () => {
    await receive(...there("Ada", 0, 42));
    await by(80);
    course.pass(91 * day);
    await purge(deps());
    await keepPresence(deps(), { environment, eventId: "lesson" });
    expect(await minutesSeen("Ada")).toBe("42 of 50");
  });

  test.each([
    ["cancelled", { cancelled: true }],
    ["of unknown length", { endsAt: null }],
    ["of no course", { courseId: null }],
  ])("is not stored for a session that is %s", async (_what, change) => {
    await saveLesson(change);
    await receive(...there("Ada", 0, 42));
    await by(80);
    expect(await minutesSeen("Ada")).toBe("nothing");
  });

  test("is written once, even if two processes look at it at the same time", async () => {
    await receive(...there("Ada", 0, 42));
    course.pass(80 * minute);
    await Promise.all([1, 2, 3].map(() => keepPresence(deps(), { environment, eventId: "lesson" })));
    const revision = (await course.record("Ada", "lesson"))?.revision;
    await keepPresence(deps(), { environment, eventId: "lesson" });
    expect((await course.record("Ada", "lesson"))?.revision).toBe(revision);
    expect(await minutesSeen("Ada")).toBe("42 of 50");
  });
});

test("is completed by another process when one dies, and every grade follows", async () => {
  await byMinutes();
  await receive(...there("Ada", 0, 42), ...there("Ben", 0, 25));
  for (const name of ["Ada", "Ben"]) await marks(name, "PRESENT");
  course.pass(80 * minute);
  const whole = deps();
  const dies: typeof whole.attendance.see = (key, ...rest) =>
    key.personId === "per-Ben" ? Promise.reject(new Error("killed")) : whole.attendance.see(key, ...rest);
  const dying = { ...whole, attendance: { ...whole.attendance, see: dies } };
  const session = { environment, eventId: "lesson" };
  await expect(keepPresence(dying, session)).rejects.toThrow("killed");
  expect(await minutesSeen("Ben")).toBe("nothing");
  await work();
  expect([await minutesSeen("Ada"), await minutesSeen("Ben")]).toEqual(["42 of 50", "25 of 50"]);
  course.pass(10 * minute);
  while (await runPendingRegrades(deps()));
  expect([await scoreOf("Ada"), await scoreOf("Ben")]).toEqual([84, 50]);
});

describe("a session that everybody left early", () => {
  const decide = async (decision: SessionDecision) =>
    decideSession(deps(), await course.course(), "lesson", decision, "per-Ina");
  const asked = async () => {
    const filter = { sectionId: null, status: null, page: 1 };
    return (await showRegister(deps(), await course.course(), "lesson", filter))?.leftAt;
  };
  const seenAndEarned = async () => {
    await work();
    const seen = [await minutesSeen("Ada"), await minutesSeen("Ben")];
    return [...seen, await scoreOf("Ada"), await scoreOf("Ben")];
  };

  test("counts minutes until then by one click and until its end by another, both in the change log", async () => {
    await byMinutes();
    await receive(...there("Ada", 0, 36), ...there("Ben", 5, 30));
    for (const name of ["Ada", "Ben"]) await marks(name, "PRESENT");
    await by(40);
    expect(await asked()).toBeNull();
    expect(await decide("shorten")).toBe(false);
    await by(80);
    expect(await seenAndEarned()).toEqual(["36 of 50", "25 of 50", 72, 50]);
    expect(await asked()).toBe(at(36));
    expect(await decide("shorten")).toBe(true);
    expect(await seenAndEarned()).toEqual(["36 of 36", "25 of 36", 100, 69]);
    expect(await asked()).toBeNull();
    expect(await decide("shorten")).toBe(false);
    const [session] = await listSessions(deps(), await course.course());
    expect(session?.countsTo).toBe(at(36));
    expect(await decide("whole")).toBe(true);
    expect(await seenAndEarned()).toEqual(["36 of 50", "25 of 50", 72, 50]);
    expect(await decide("whole")).toBe(false);
    const lines = (await course.audit()).map(({ what, by: { personId } }) => [what, personId]);
    expect(lines).toEqual([
      ["minutes-of-whole-session", "per-Ina"],
      ["minutes-shortened", "per-Ina"],
    ]);
  });

  test("counts as planned once it is moved, and is shortened even if a process dies in between", async () => {
    await byMinutes();
    await receive(...there("Ada", 0, 36), ...there("Ben", 5, 36));
    for (const name of ["Ada", "Ben"]) await marks(name, "PRESENT");
    await by(80);
    const whole = deps();
    let enqueued = 0;
    const enqueue: typeof whole.tasks.enqueue = (...given) => {
      enqueued += 1;
      return enqueued === 1 ? whole.tasks.enqueue(...given) : Promise.reject(new Error("killed"));
    };
    const dying = { ...whole, tasks: { ...whole.tasks, enqueue } };
    const lesson = decideSession(dying, await course.course(), "lesson", "shorten", "per-Ina");
    await expect(lesson).rejects.toThrow("killed");
    course.pass(minute);
    expect(await seenAndEarned()).toEqual(["36 of 36", "31 of 36", 100, 86]);
    await saveLesson({ endsAt: at(45) });
    await keepPresence(deps(), { environment, eventId: "lesson" });
    expect((await seenAndEarned()).slice(0, 2)).toEqual(["36 of 45", "31 of 45"]);
  });

  test.each<[string, string, Partial<MinutesWorth>]>([
    ["some stayed", "0-36 0-50", {}],
    ["only one came", "0-36", {}],
    ["they get full credit anyway", "0-36 0-45", { fullFrom: 90 }],
    ["the missing minutes are within the tolerance", "0-36 0-45", { tolerance: 5 }],
  ])("is not asked about when %s", async (_when, stays, change) => {
    await course.setPolicy(policyWith({ worth: { ...worth, ...change } }));
    for (const [n, stay] of stays.split(" ").entries()) {
      const [from = 0, to = 0] = stay.split("-").map(Number);
      const name = ["Ada", "Ben"][n] ?? "";
      await receive(...there(name, from, to));
      await marks(name, "PRESENT");
    }
    await by(80);
    expect(await asked()).toBeNull();
  });

  test("is not asked about when it is unknown when somebody left, or when statuses count", async () => {
    await receive(...there("Ada", 0, 36), ...there("Ben", 0, 36));
    for (const name of ["Ada", "Ben"]) await marks(name, "PRESENT");
    await by(80);
    expect(await asked()).toBeNull();
    await byMinutes();
    expect(await asked()).toBe(at(36));
    await enter("Cem");
    await receive(joins("Cem", 10));
    await marks("Cem", "PRESENT");
    await by(6 * 60);
    expect(await asked()).toBeNull();
    await receive(leaves("Cem", 30));
    await by(7 * 60);
    expect(await asked()).toBe(at(36));
  });
});

describe("under a policy by minutes", () => {
  test("a learner's grade is their share, and follows signs that come late", async () => {
    await byMinutes();
    await receive(...there("Ada", 0, 42), ...there("Ben", 0, 50));
    for (const name of ["Ada", "Ben"]) await marks(name, "PRESENT");
    expect(await scoreOf("Ada")).toBe(100);
    await by(80);
    expect([await scoreOf("Ada"), await scoreOf("Ben")]).toEqual([84, 100]);
    await receive(...there("Ada", 45, 50));
    await by(160);
    expect(await scoreOf("Ada")).toBe(94);
  });

  test("the minutes of a joined account count", async () => {
    await byMinutes();
    const pair = { personId: "per-Ada", joinedTo: "per-Ben", joinedByOffice: false };
    await course.stores.members.join(course.key, pair);
    await receive(...there("Ada", 0, 25));
    await marks("Ada", "PRESENT");
    await by(80);
    expect(await scoreOf("Ben")).toBe(50);
  });

  test("a change of the policy uses the minutes that were stored", async () => {
    await receive(...there("Ada", 0, 42));
    await marks("Ada", "PRESENT");
    await by(80);
    expect(await scoreOf("Ada")).toBe(100);
    await byMinutes();
    await course.regrade();
    expect(await scoreOf("Ada")).toBe(84);
  });
});
