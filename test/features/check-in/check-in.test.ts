import { beforeEach, describe, expect, test } from "vitest";
import { currentAttendanceOf } from "../../../src/domain/attendance.ts";
import {
  myCheckIns,
  showCheckIn,
  startCheckIn,
  stopCheckIn,
  createCodes,
  takeCode,
} from "../../../src/modules/check-in/check-in.ts";
import { saveOption } from "../../../src/modules/courses/change-settings.ts";
import { nothingSet } from "../../../src/settings/in-effect.ts";
import { openRegisterCourse } from "../../support/builders/register-course.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { eventOf } from "../../support/builders/event.ts";

const minute = 60_000;
const secretKey = "k".repeat(48);

const course = await forAllTests(openRegisterCourse());
beforeEach(async () => {
  await course.empty();
  await course.known("per-Ina", "Ina Instructor");
  for (const name of ["Ada", "Ben"]) await course.enrol(name);
  await course.session("algebra", course.clock.now());
  await turn(true);
});

const deps = (codes = createCodes({ secretKey, secretKeyPrevious: undefined })) => ({
  ...course.deps,
  codes,
});
const on = (is: boolean) => (is ? "On" : "Off");
const turn = async (is: boolean) => saveOption(deps(), await course.course(), "per-Ina", ["checkIn", is], on);
const start = async (eventId = "algebra", minutes = 10) =>
  startCheckIn(
    deps(),
    await course.course(),
    { eventId, minutes, by: "per-Ina" },
    (number) => `${number} min`,
  );
const shown = async (eventId = "algebra") => showCheckIn(deps(), await course.course(), eventId);
const codeNow = async (eventId = "algebra") => (await shown(eventId)).open?.code ?? "none";
const memberOf = async (name: string) => {
  const { registrationId, courseId } = course.key;
  const member = await course.stores.members.find(registrationId, courseId, `per-${name}`);
  return member ?? expect.fail(`${name} is no member`);
};
const types = async (name: string, code: string) =>
  takeCode(deps(), await course.course(), await memberOf(name), code);
/** "taken", or the reason why not. */
const answers = async (name: string, code: string) => {
  const taken = await types(name, code);
  return taken.kind === "taken" ? "taken" : taken.why;
};
const currentOf = async (name: string, eventId = "algebra") => {
  const record = await course.record(name, eventId);
  const current = record === null ? null : currentAttendanceOf(record);
  return current === null ? null : `${current.status} ${current.source}`;
};
const wrong = (code: string) => (code === "222222" ? "333333" : "222222");

describe("a learner who checks in with the code on the screen", () => {
  test("is present, has a grade, and is counted on the screen", async () => {
    await start();
    expect(await shown()).toMatchObject({ state: "open", checkedIn: 0, expected: 2 });
    expect(await types("Ada", await codeNow())).toMatchObject({ kind: "taken", isLate: false, again: false });
    expect(await currentOf("Ada")).toBe("PRESENT code");
    expect(await course.scores()).toEqual({ "per-Ada attendance": 100 });
    expect(await shown()).toMatchObject({ checkedIn: 1, expected: 2 });
  });

  test("is late after the minutes of the course's rule", async () => {
    course.pass(11 * minute);
    await start();
    expect(await types("Ada", await codeNow())).toMatchObject({ kind: "taken", isLate: true });
    expect(await course.scores()).toEqual({ "per-Ada attendance": 80 });
    await course.stores.courses.setOption(course.key.courseId, "unplanned", {
      answer: "ask",
      presentFrom: 50,
      lateAfter: 20,
    });
    expect(await types("Ben", await codeNow())).toMatchObject({ kind: "taken", isLate: false });
  });

  test("from two tabs at the same moment is checked in once", async () => {
    await start();
    const code = await codeNow();
    const both = await Promise.all([types("Ada", code), types("Ada", code)]);
    expect(both.map(({ kind }) => kind)).toEqual(["taken", "taken"]);
    expect((await course.record("Ada", "algebra"))?.history).toHaveLength(1);
  });

  test("stays present if the classroom reports an absence, but not if an instructor does", async () => {
    await start();
    await types("Ada", await codeNow());
    await course.classroomSays("Ada", "algebra", "ABSENT", course.clock.now());
    expect(await currentOf("Ada")).toBe("PRESENT code");
    await course.grade("per-Ada");
    expect(await course.scores()).toEqual({ "per-Ada attendance": 100 });
    await course.correct("per-Ada", "algebra", "ABSENT");
    await course.grade("per-Ada");
    expect(await currentOf("Ada")).toBe("ABSENT instructor");
    expect(await course.scores()).toEqual({ "per-Ada attendance": 0 });
  });
});

describe("a code is accepted only while the screen shows it", () => {
  test("not after the check-in's minutes are over, even if the code would still be shown", async () => {
    await start("algebra", 2);
    course.pass(2 * minute - 1_000);
    const code = await codeNow();
    course.pass(2_000);
    expect(await answers("Ada", code)).toBe("none-open");
    expect((await shown()).state).toBe("ready");
  });

  test("not once the check-in is stopped, nor by a new one", async () => {
    await start();
    const code = await codeNow();
    await stopCheckIn(deps(), await course.course(), "algebra");
    expect(await answers("Ada", code)).toBe("none-open");
    await start();
    expect(await codeNow()).not.toBe(code);
    expect(await answers("Ada", code)).toBe("wrong");
  });

  test("not once the session has been cancelled", async () => {
    await start();
    const code = await codeNow();
    await course.stores.events.save(
      eventOf({
        eventId: "algebra",
        title: "Algebra",
        startsAt: course.clock.now() - minute,
        endsAt: course.clock.now() + 60 * minute,
        cancelled: true,
        courseId: course.key.courseId,
        readAt: course.clock.now(),
      }),
    );
    expect(await answers("Ada", code)).toBe("none-open");
    expect((await shown()).state).toBe("cancelled");
  });

  test("every instance shows the same code, and accepts one under the previous key", async () => {
    await start();
    const code = await codeNow();
    const others = deps(createCodes({ secretKey: "n".repeat(48), secretKeyPrevious: secretKey }));
    const taken = await takeCode(others, await course.course(), await memberOf("Ada"), code);
    expect(taken.kind).toBe("taken");
    const strangers = deps(createCodes({ secretKey: "n".repeat(48), secretKeyPrevious: undefined }));
    expect(await takeCode(strangers, await course.course(), await memberOf("Ben"), code)).toMatchObject({
      why: "wrong",
    });
  });
});

describe("a check-in is for the learners the session expects", () => {
  test("only sessions of their own section take their codes", async () => {
    await course.enrol("Cem", ["north"]);
    await course.enrol("Dan", ["south"]);
    const others = Array.from({ length: 20 }, (_, at) => `other-${at}`);
    for (const section of ["north", "south", ...others]) {
      await course.stores.events.save(
        eventOf({
          eventId: section,
          title: section,
          startsAt: course.clock.now(),
          endsAt: course.clock.now() + 60 * minute,
          sectionIds: [section],
          courseId: course.key.courseId,
        }),
      );
      await start(section, others.includes(section) ? 5 : 10);
    }
    expect(await answers("Cem", await codeNow("south"))).toBe("not-yours");
    expect(await answers("Cem", await codeNow("north"))).toBe("taken");
    expect(await currentOf("Cem", "north")).toBe("PRESENT code");
    expect(await currentOf("Cem", "south")).toBe(null);
    const asked = await myCheckIns(deps(), await course.course(), await memberOf("Dan"));
    expect(asked.open.map(({ eventId }) => eventId)).toEqual(["south"]);
  });

  test("instructors, and learners who left, cannot check in", async () => {
    await start();
    const member = await memberOf("Ada");
    const code = await codeNow();
    const typedBy = async (change: object) =>
      takeCode(deps(), await course.course(), { ...member, ...change }, code);
    expect(await typedBy({ role: "instructor", student: false })).toMatchObject({ why: "no-learner" });
    expect(await typedBy({ active: false })).toMatchObject({ why: "no-learner" });
    expect(await typedBy({ testUser: true })).toMatchObject({ why: "not-yours" });
    expect(await shown()).toMatchObject({ checkedIn: 0 });
  });

  test("nobody can check in while the course has it off", async () => {
    await start();
    const code = await codeNow();
    await turn(false);
    expect(await answers("Ada", code)).toBe("none-open");
    await expect(start()).rejects.toMatchObject({ code: "check-in-off" });
    expect(await shown()).toMatchObject({ state: "off", open: null });
  });
});

describe("guessing is limited", () => {
  test("for one learner by ten minutes; correct codes cost nothing, and others can go on", async () => {
    await start("algebra", 60);
    for (let number = 0; number < 10; number += 1)
      expect(await answers("Ada", wrong(await codeNow()))).toBe("wrong");
    expect(await answers("Ada", await codeNow())).toBe("too-many");
    expect(await answers("Ben", await codeNow())).toBe("taken");
    course.pass(10 * minute);
    expect(await answers("Ada", await codeNow())).toBe("taken");
  });

  test("for one learner who sends many attempts together", async () => {
    await start("algebra", 60);
    const code = wrong(await codeNow());
    const all = await Promise.all(Array.from({ length: 30 }, () => answers("Ada", code)));
    expect(all.filter((one) => one === "wrong").length).toBeLessThanOrEqual(10);
  });

  test("even for texts that cannot be a code", async () => {
    await start("algebra", 60);
    for (let number = 0; number < 10; number += 1) await answers("Ada", "hello");
    expect(await answers("Ada", await codeNow())).toBe("too-many");
  });

  test("for all learners of a session together", async () => {
    await start("algebra", 60);
    const id = (await shown()).open?.id ?? "";
    const now = course.clock.now();
    const key = `check-in ${id} ${String(now - (now % (10 * minute)))}`;
    for (let number = 0; number < 1_000; number += 1)
      await course.stores.feedback.countTry(key, now + 10 * minute);
    expect(await answers("Ada", await codeNow())).toBe("too-many");
  });
});

describe("a check-in is started by a person, with an entry in the change log", () => {
  test("once, even if two press at the same moment", async () => {
    const both = await Promise.all([start(), start()]);
    expect(both.filter((isNew) => isNew)).toHaveLength(1);
    const lines = await course.audit();
    expect(lines.map(({ what, after }) => `${what} ${after ?? ""}`).sort()).toEqual([
      "check-in-started 10 min",
      "settings-changed On",
    ]);
  });

  test("not for a session that is over, too far ahead, or another course's", async () => {
    await course.session("later", course.clock.now() + 16 * minute);
    await course.session("before", course.clock.now() - 61 * minute);
    await expect(start("later")).rejects.toMatchObject({ code: "check-in-not-now" });
    await expect(start("before")).rejects.toMatchObject({ code: "check-in-not-now" });
    await expect(start("nothing")).rejects.toMatchObject({ code: "session-unknown" });
    expect([(await shown("later")).state, (await shown("before")).state]).toEqual(["early", "over"]);
  });

  test("an institution's lock overrides the course", async () => {
    const { registrationId } = course.key;
    const locked = {
      ...nothingSet(registrationId),
      values: { checkIn: false },
      locked: ["checkIn"] as const,
    };
    await course.stores.institutionDefaults.change(locked, { regrades: false });
    expect((await course.course()).checkIn).toBe(false);
    await expect(turn(true)).rejects.toMatchObject({ code: "set-by-institution" });
    await expect(start()).rejects.toMatchObject({ code: "check-in-off" });
    await course.stores.institutionDefaults.change(
      { ...locked, locked: [], revision: 1 },
      { regrades: false },
    );
    expect((await course.course()).checkIn, "the course's own returns").toBe(true);
  });

  test("turning it on again adds no entry", async () => {
    expect(await turn(true)).toBe(false);
    expect(await course.audit()).toHaveLength(1);
  });
});
