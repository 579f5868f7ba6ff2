import { beforeEach, describe, expect, test } from "vitest";
import { processReceipts } from "../../support/process-receipts.ts";
import { runErasure } from "../../../src/modules/privacy/run-erasure.ts";
import { everyDeployment } from "../../../src/domain/person-scope.ts";
import { erasePerson } from "../../../src/modules/privacy/erase.ts";
import { hideErasedUsers } from "../../../src/modules/privacy/erased-users.ts";
import type { ClassroomClient } from "../../../src/classroom/client.ts";
import { alertWebhooks } from "../../../src/modules/alerts/alerts.ts";
import { recordingWebhooks } from "../../../src/modules/recordings/handle-webhooks.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openRecordedCourse } from "../../support/builders/recorded-course.ts";
import { listedAs, openRosterCourse } from "../../support/builders/roster-course.ts";
import { giveApiUser } from "../../support/builders/give-api-user.ts";
import { forAllTests } from "../../support/for-all-tests.ts";
import { waitingReceipt } from "../../support/builders/waiting-receipt.ts";

const minute = 60_000;
const logger = createLogger("silent");

const course = await forAllTests(openRecordedCourse());
beforeEach(async () => {
  await course.restart();
  // What was remembered of another test's erasures has expired.
  course.pass(minute);
  for (const name of ["Ann", "Ben"]) await enters(name);
  await course.lesson("lesson");
});

const shared = () => ({
  ...course.deps,
  classroomOf: () => {
    throw new Error("the classroom is not asked");
  },
  whileSessionsChange: <T>(_of: unknown, change: () => Promise<T>) => change(),
});
const deps = () => ({ ...shared(), logger, who: "console" as const, wake: () => undefined });

/** Handlers of a Space's other webhooks. */
const spaceWebhooks = (given: ReturnType<typeof deps>) => [...recordingWebhooks(given), alertWebhooks(given)];

async function enters(name: string, userId = `user-${name}`): Promise<void> {
  await course.enrol(name);
  await giveApiUser(course.stores.people, `per-${name}`, { userId, name });
}
async function erase(name: string): Promise<void> {
  const { id } = await erasePerson(deps(), `per-${name}`);
  await runErasure(deps(), id);
}
/** The stored bodies of webhooks received in this order. */
async function receive(...bodies: readonly Record<string, unknown>[]): Promise<string[]> {
  const receipts = bodies.map((body) => {
    const bytes = Buffer.from(JSON.stringify(body)).toString("base64");
    return waitingReceipt(body, course.clock.now(), { bytes });
  });
  for (const receipt of receipts) await course.stores.receipts.insert(receipt);
  while (await processReceipts(deps(), spaceWebhooks(deps())));
  const rows = await course.stores.personalRecords.list("Receipt", {}, "", 100);
  return receipts.map(({ digest }) => JSON.stringify(rows.find((row) => row["digest"] === digest)));
}
const now = () => new Date(course.clock.now()).toISOString();
const attended = (user: string | number, updatedBy: string | null = null) => ({
  eventId: "lesson",
  userId: user,
  timestamp: now(),
  updatedBy,
  currentStatus: { status: "PRESENT", notes: null },
});
const came = (user: string | number, timestamp = now()) => ({
  _type: "SPACE_USER",
  spaceId: "space",
  sessionId: "session-1",
  timestamp,
  eventType: "joinSpace",
  userId: user,
  roomId: "room",
  userTabId: "tab",
});
const textOf = async (model: string) =>
  JSON.stringify(await course.stores.personalRecords.list(model, {}, "", 100));

describe("what the classroom reports after somebody was erased", () => {
  test.each([
    ["Ann", "user-Ann"],
    ["Cleo", 4711],
  ])("leaves nothing of %s, in any family, and everybody else's as it came: %s", async (name, user) => {
    if (name === "Cleo") await enters(name, String(user));
    await receive(came(user));
    await erase(name);
    const bodies = await receive(attended(user), came(user), attended("user-Ben"), came("user-Ben"));
    const says = ` ${bodies.join()} ${await textOf("Receipt")}`;
    expect(says).not.toMatch(/user-Ann|"userId\W+4711/);
    expect(bodies[0]).toContain("ERASED");
    expect(bodies[1]).toContain("ERASED");
    expect(bodies[0]).not.toContain("bytes");
    const left = ["Attendance", "UnmatchedAttendance", "Presence", "Member", "Person"];
    const all = (await Promise.all(left.map(textOf))).join();
    expect(all).not.toMatch(name === "Ann" ? /user-Ann|per-Ann/ : /4711|per-Cleo/);
    expect(await textOf("Presence")).toContain("user-Ben");
    expect(await textOf("Attendance")).toContain("per-Ben");
  });

  test("takes effect for other people named in it, without the erased name", async () => {
    await erase("Ann");
    const bodies = await receive(
      attended("user-Ben", "user-Ann"),
      {
        _type: "SPACE_SESSION",
        spaceId: "space",
        sessionId: "session-1",
        timestamp: now(),
        eventType: "SESSION_ENDED",
        endedBy: "user-Ann",
      },
      { _type: "SOMETHING_NEW", about: { people: ["user-Ann", "user-Ben"] } },
    );
    expect(bodies.join()).not.toContain("user-Ann");
    expect(bodies[1]).toContain("SESSION_ENDED");
    expect(await textOf("SessionEnd")).toContain("session-1");
    // A webhook without effect anyway need not be parsed.
    expect(bodies[2]).toContain("ERASED");
    const attendance = await textOf("Attendance");
    expect(attendance).toContain('"updatedBy":"erased"');
    expect(attendance).not.toContain("user-Ann");
  });

  test("counts again once they have come back, except for earlier times", async () => {
    const before = now();
    await erase("Ann");
    course.pass(minute);
    await course.stores.tombstones.reactivate(
      course.key.registrationId,
      [{ deploymentId: "1", sub: "sub-per-Ann" }],
      course.clock.now(),
    );
    const [old, fresh] = await receive(came("user-Ann", before), came("user-Ann"));
    expect(old).toContain("ERASED");
    expect(fresh).toContain("user-Ann");
  });
});

test("the classroom's cohorts and alerts do not bring back an erased person", async () => {
  await erase("Ann");
  const attendees = ["user-Ann", "user-Ben"].map((userId) => ({ userId, name: userId }));
  const told = { name: "C", organizers: null, attendees, programId: "p", cohortId: "c" };
  const readCohort: ClassroomClient["readCohort"] = () => Promise.resolve(told);
  const facts = { alertId: "a", alertType: null, status: null, priority: null, eventId: null, closed: false };
  const readAlert: ClassroomClient["readAlert"] = () => Promise.resolve({ ...facts, assigneeId: "user-Ann" });
  const client = hideErasedUsers(deps(), () => ({ readCohort, readAlert }))("production");
  const options = { priority: "background" } as const;
  const cohort = await client.readCohort({ programId: "p", cohortId: "c" }, options);
  expect(cohort?.attendees?.map(({ userId }) => userId)).toEqual(["user-Ben"]);
  expect((await client.readAlert("a", options))?.assigneeId).toBeNull();
});

test("a launch restores an erased person, even if a moment ago nobody had been erased", async () => {
  const lms = await openRosterCourse();
  // Two processes on the same records.
  const second = await openRosterCourse("canvas", lms.url);
  try {
    const who = { deploymentId: "1", sub: "a" };
    const place = { registrationId: "reg_1", deploymentId: "1" };
    const now = lms.clock.now();
    const [here, there] = [lms.stores.tombstones, second.stores.tombstones];
    await there.reactivate("reg_1", [who], now);
    await here.addTombstones("reg_1", [{ kind: "sub", ...who }], {
      erasureId: "ers_1",
      at: now,
      newSalt: "salt",
    });
    await there.reactivate("reg_1", [who], now);
    expect([...(await here.erasedSubs(place, ["a"], now))]).toEqual([]);
  } finally {
    await second.close();
    await lms.close();
  }
});

test("a list of people does not bring back an erased person, but their own launch does", async () => {
  const lms = await openRosterCourse();
  try {
    await lms.read([listedAs("a"), listedAs("b")]);
    const person = await lms.stores.people.findBySub({
      registrationId: "reg_1",
      deploymentId: "1",
      sub: "a",
    });
    const parts = { ...lms.deps, ...lms.stores, who: "console" as const, wake: () => undefined };
    const { id } = await erasePerson(parts, person?.id ?? "");
    const unasked = () => {
      throw new Error("nobody was erased: nothing need be looked for");
    };
    expect(await lms.stores.tombstones.erasedUsers("production", unasked, lms.clock.now())).toEqual([]);
    await runErasure(parts, id);
    await lms.read([listedAs("a"), listedAs("b")]);
    expect(await lms.everybody()).toEqual(["b learner"]);
    // Their launch in this Canvas, which knows its people in all deployments.
    const place = { deploymentId: everyDeployment, sub: "a" };
    await lms.stores.tombstones.reactivate("reg_1", [place], lms.clock.now());
    await lms.read([listedAs("a"), listedAs("b")]);
    expect(await lms.everybody()).toEqual(["a learner", "b learner"]);
  } finally {
    await lms.close();
  }
});
