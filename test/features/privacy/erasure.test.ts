import { systemClock } from "../../../src/kernel/clock.ts";
import { defaultGradePolicy } from "../../../src/domain/grade-policy.ts";
import { defaultJoinSettings } from "../../../src/settings/options.ts";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { beforeEach, describe, expect, test } from "vitest";
import { z } from "zod";
import { recheckMs } from "../../../src/modules/privacy/rules/erasure.ts";
import { runErasure } from "../../../src/modules/privacy/run-erasure.ts";
import {
  eraseCourse,
  erasePerson,
  personSubject,
  uninstallRegistration,
} from "../../../src/modules/privacy/erase.ts";
import { exportPerson } from "../../../src/modules/privacy/export.ts";
import { isErased } from "../../../src/modules/attendance/record-attendance.ts";
import { randomIds } from "../../../src/kernel/ids.ts";
import { createLogger } from "../../../src/kernel/logger.ts";
import { openDatabase } from "../../../src/storage/open-database.ts";
import { collectionsByModel } from "../../../src/storage/records.ts";
import { openStores } from "../../../src/open-stores.ts";
import { textsInFiles } from "../../support/tool/search-files.ts";
import { eventOf } from "../../support/builders/event.ts";
import { mortalStores } from "../../support/builders/mortal-stores.ts";
import { required } from "../../support/required.ts";
import { seenQueries } from "../../support/builders/seen-queries.ts";
import { folderForAll } from "../../support/folders.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const logger = createLogger("silent");
const folder = await folderForAll();
const database = await forAllTests(openDatabase({ url: `file:${folder}`, logger }));
const stores = await openStores(database.connection);
const time = { now: 1_800_000_000_000 };
const clock = { now: () => time.now, sleep: systemClock.sleep };

/** The collection of a kind of record. */
const model = (name: string) => collectionsByModel(database.connection)(name);

type Row = Record<string, unknown>;
const put = async (name: string, row: Row) => {
  await model(name).insertOne({ _id: randomIds.id("row"), ...row });
};

/** An LMS with a course, a teacher and two learners, with a row of nearly every kind that names them. */
async function seed(lms: string): Promise<void> {
  const [registrationId, courseId] = [`reg-${lms}`, `crs-${lms}`];
  const [environment, spaceId, eventId] = ["production", `space-${lms}`, `event-${lms}`];
  const key = { registrationId, courseId };
  const inSpace = { environment, spaceId };
  const recording = { ...inSpace, recordingId: `rec-${lms}` };
  const nameOf = (name: string) => `Name ${name} of ${lms}`;
  const teacher = { personId: `${lms}-tea`, name: nameOf("tea") };
  const platform = { name: `LMS ${lms}`, issuer: lms, clientId: "1", active: true, environment };
  await put("Registration", { _id: registrationId, ...platform });
  const course = { registrationId, deploymentId: "1", contextId: "2", title: "Maths", createdAt: 1 };
  const settings = { policy: defaultGradePolicy, settings: defaultJoinSettings };
  await put("Course", { _id: courseId, ...course, ...inSpace, ...settings });
  await put("ClassroomEvent", { ...inSpace, eventId, courseId });
  await put("SpaceRecording", recording);
  const text = `${nameOf("ben")}: Hello, ${nameOf("ann")}!`;
  const transcript = { part: "transcript", text, cut: false, digest: "d", redacted: false };
  await put("RecordingText", { _id: `production:rec-${lms}:transcript`, ...recording, ...transcript });
  for (const name of ["ann", "ben", "tea"]) {
    const [personId, userId] = [`${lms}-${name}`, `user-${lms}-${name}`];
    const own = { ...key, personId };
    const isTeacher = name === "tea";
    const names = { name: nameOf(name), givenName: null, familyName: null, email: `${name}@${lms}.test` };
    const person = { registrationId, deploymentId: "1", sub: name, ...names, idNumber: `number-${name}` };
    await put("Person", { _id: personId, ...person, environment, apiUserId: userId });
    const member = { role: isTeacher ? "instructor" : "learner", testUser: false };
    await put("Member", { ...own, ...member, listName: `name ${name} of ${lms}` });
    const score = { columnKey: "attendance", sub: name, state: "idle", nextTryAt: 0, revision: 1 };
    await put("Delivery", { ...own, ...score });
    await put("Standing", { ...own, sub: name, revision: 1, sessions: [] });
    await put("Place", { ...own, ticket: randomIds.id("t"), environment, turn: 1, login: "secret" });
    const answer = { occasion: "x", comment: `I am ${name}`, rating: 3 };
    await put("Feedback", { _id: `${courseId} x ${personId}`, ...own, ...answer });
    const calendar = { scope: "person", ownerId: personId, digest: randomIds.id("d") };
    await put("CalendarAddress", { registrationId, ...calendar });
    const corrected = { what: "attendance-corrected", on: { personId, name: nameOf(name) }, reason: "ill" };
    await put("CourseAuditEntry", { ...own, at: 1, by: teacher, ...corrected });
    const signs = { sessionId: "s", userId, signs: [], firstAt: 1, lastAt: 1, open: false };
    await put("Presence", { ...inSpace, ...signs });
    const known = { toldAt: 7, failedAt: null, problem: null };
    const user = {
      _id: `production space-${lms} ${userId}`,
      userId,
      role: isTeacher ? "host" : "participant",
    };
    await put("SpaceUser", { ...user, ...key, ...inSpace, ...known });
    const about = { eventId, userId, timestamp: "2026-01-01T00:00:00Z", updatedBy: `user-${lms}-tea` };
    const body = JSON.stringify({ ...about, currentStatus: { status: "PRESENT" } });
    await put("Receipt", { environment, digest: randomIds.id("dig"), state: "done", receivedAt: 1, body });
    const history = [{ status: "PRESENT", notes: null, at: 1, updatedBy: `user-${lms}-tea` }];
    const corrections = [{ status: "EXCUSED", notes: null, reason: "ill", by: `${lms}-tea`, at: 2 }];
    const seen = { startsAt: 0, endsAt: 60_000, ms: 60_000, stays: [{ from: 0, to: 60_000 }] };
    await put("Attendance", { ...own, eventId, revision: 1, history, corrections, seen });
    const unmatched = { userId, courseId, history: [], toldAt: 1, revision: 1 };
    await put("UnmatchedAttendance", { environment, eventId, ...unmatched });
  }
  const attendees = ["ann", "ben"].map((name) => ({ userId: `user-${lms}-${name}`, name: nameOf(name) }));
  await put("Cohort", { environment, programId: "p", cohortId: `c-${lms}`, attendees });
  const rows = ["ann", "ben"].map((name) => ({ personId: `${lms}-${name}`, status: "LATE" }));
  await put("AttendanceMark", { ...key, eventId, by: teacher, rows, dueAt: 1, state: "done" });
  await put("SectionLink", { ...key, lmsSectionId: "1", by: `${lms}-tea`, endedBy: null });
  await put("ToolKey", { registrationId, generation: 1 });
}

/** Everything stored, as text, by model. */
async function everything(): Promise<Map<string, string[]>> {
  const all = new Map<string, string[]>();
  for (const name of stores.personalRecords.models()) {
    const rows = await model(name).find({}).toArray();
    all.set(
      name,
      rows.map((row) => JSON.stringify(row)),
    );
  }
  return all;
}
const naming = async (words: readonly string[]) =>
  [...(await everything())].flatMap(([name, rows]) =>
    rows.filter((row) => words.some((word) => row.includes(`"${word}"`))).map((row) => `${name}: ${row}`),
  );

const deps = (some = stores) => ({
  ...some,
  clock,
  ids: randomIds,
  logger,
  who: "console" as const,
  wake: () => undefined,
});

/** The records of the other LMS. */
const ofTwo = (all: Awaited<ReturnType<typeof everything>>) =>
  [...all].map(([name, rows]) => [name, rows.filter((row) => /reg-two|crs-two|-two/.test(row))]);

/** Runs every round of erasure. */
async function toTheEnd(): Promise<void> {
  for (let round = 0; round < 6; round += 1) {
    while (await runErasure(deps()));
    time.now += recheckMs;
  }
}

beforeEach(async () => {
  for (const name of stores.personalRecords.models()) await model(name).deleteMany({});
  await seed("one");
  await seed("two");
});

const ofAnn = ["one-ann", "user-one-ann", "Name ann of one", "ann@one.test", "I am ann"];

/** Hers alone, even where other texts begin the same. */
const bytesOfAnn = ["one-ann", "Name ann of one", "ann@one.test"];

describe("erasing a learner", () => {
  test("leaves nothing that names them, and everybody else unchanged", async () => {
    const others = (await naming(["one-ben", "user-one-ben", "two-ann"])).length;
    await erasePerson(deps(), "one-ann");
    await toTheEnd();
    const left = await naming(ofAnn);
    // LMS two has the same comment by somebody else.
    expect(left.filter((row) => !row.includes("two-ann"))).toEqual([]);
    expect((await naming(["one-ben", "user-one-ben", "two-ann"])).length).toBe(others);
    const [erasure] = await stores.erasures.latest("reg-one", 1);
    expect(erasure).toMatchObject({ state: "done", subject: null, label: null });
    expect(erasure?.doneAt).toBeGreaterThan(erasure?.askedAt ?? Infinity);
    // Not one byte in any file, the write-ahead log included, while the database is open.
    expect(await textsInFiles(folder, bytesOfAnn)).toEqual([]);
    const entries = await stores.audit.list(null, 10, "reg-one");
    expect(entries).toMatchObject([{ what: "person-erased", who: "console", on: erasure?.id }]);
    expect(erasure?.erased).toMatchObject({
      person: 1,
      memberships: 1,
      attendance: 1,
      scores: 1,
      webhooks: 1,
    });
  });

  test("uses indexes, however many records of others there are", async () => {
    await erasePerson(deps(), "one-ann");
    const seen = await seenQueries(database, () => runErasure(deps()));
    expect(seen.filter(({ indexes }) => indexes.length === 0)).toEqual([]);
  });

  test("takes their name out of texts in their courses, and leaves the rest", async () => {
    await erasePerson(deps(), "one-ann");
    await toTheEnd();
    const text = { environment: "production", part: "transcript" } as const;
    expect(await stores.recordingTexts.find({ ...text, recordingId: "rec-one" })).toMatchObject({
      text: "Name ben of one: Hello, …!",
    });
    expect(await stores.recordingTexts.find({ ...text, recordingId: "rec-two" })).toMatchObject({
      text: "Name ben of two: Hello, Name ann of two!",
    });
    expect((await stores.erasures.latest("reg-one", 1))[0]?.erased).toMatchObject({ recordingTexts: 1 });
  });

  test.each([9, 33])("continues where a process was killed after %i calls", async (calls) => {
    await erasePerson(deps(), "one-ann");
    const { stores: mortal, isDead } = mortalStores(
      stores,
      ["personalRecords", "tombstones", "privacyReceipts", "erasures"],
      calls,
    );
    await runErasure(deps(mortal)).catch(() => undefined);
    expect(isDead()).toBe(true);
    time.now += 60_000;
    await toTheEnd();
    expect((await naming(ofAnn)).filter((row) => !row.includes("two-ann"))).toEqual([]);
  });

  test("is not finished while another process keeps the database from removing her from its files", async () => {
    await erasePerson(deps(), "one-ann");
    const reader = new DatabaseSync(join(folder, "spaces.sqlite"));
    reader.exec("BEGIN");
    reader.prepare("SELECT count(*) FROM engine_collections").get();
    await toTheEnd();
    const state = async () => (await stores.erasures.latest("reg-one", 1))[0]?.state;
    expect(await state()).toBe("cleaning");
    expect(await textsInFiles(folder, bytesOfAnn)).not.toEqual([]);
    reader.exec("COMMIT");
    reader.close();
    await toTheEnd();
    expect(await state()).toBe("done");
    expect(await textsInFiles(folder, bytesOfAnn)).toEqual([]);
  });

  test("is repeated when something else writes some of it in between", async () => {
    await erasePerson(deps(), "one-ann");
    await runErasure(deps());
    await put("Member", {
      registrationId: "reg-one",
      courseId: "crs-one",
      personId: "one-ann",
      role: "learner",
      listName: "x",
    });
    await toTheEnd();
    expect(await naming(["one-ann"])).toEqual([]);
  });

  test("keeps rosters and late webhooks from bringing them back until they come themselves", async () => {
    await erasePerson(deps(), "one-ann");
    await toTheEnd();
    const place = { registrationId: "reg-one", deploymentId: "1" };
    const event = eventOf({ eventId: "event-one", startsAt: time.now, courseId: "crs-one" });
    const told = {
      course: { registrationId: "reg-one" },
      event: { id: "evt-1", ...event },
      userId: "user-one-ann",
      known: false,
      observation: { status: "PRESENT", notes: null, at: time.now + 5, updatedBy: null },
    };
    expect([...(await stores.tombstones.erasedSubs(place, ["ann", "ben"], time.now))]).toEqual(["ann"]);
    expect(await isErased(deps(), told)).toBe(true);
    expect(await isErased(deps(), { ...told, course: { registrationId: "reg-two" } })).toBe(false);
    await stores.tombstones.reactivate("reg-one", [{ deploymentId: "1", sub: "ann" }], time.now);
    expect([...(await stores.tombstones.erasedSubs(place, ["ann"], time.now))]).toEqual([]);
    expect(await isErased(deps(), { ...told, known: true })).toBe(false);
    expect(
      await isErased(deps(), { ...told, known: true, observation: { ...told.observation, at: 5 } }),
    ).toBe(true);
    await expect(erasePerson(deps(), "one-ann")).rejects.toMatchObject({ code: "no-such-person" });
  });
});

test("erasing a teacher keeps the learners' records, without saying who made them", async () => {
  await erasePerson(deps(), "one-tea");
  await toTheEnd();
  expect(await naming(["one-tea", "user-one-tea", "Name tea of one"])).toEqual([]);
  const kept = await model("Attendance").find({ personId: "one-ann" }).toArray();
  expect(JSON.stringify(kept)).toContain('"by":"erased"');
  expect(await model("Receipt").countDocuments({ body: /user-one-ann/ })).toBe(1);
});

test("a user of the classroom whose match was undone belongs to nobody, and stays when the person is erased", async () => {
  await put("UserMatch", {
    registrationId: "reg-one",
    deploymentId: "1",
    environment: "production",
    courseId: "crs-one",
    userId: "user-one-ben",
    personId: "one-ann",
    by: "one-tea",
    at: 1,
    state: "undone",
  });
  const [ann, ben] = await stores.people.findMany(["one-ann", "one-ben"]);
  if (ann === undefined || ben === undefined) throw new Error("no people");
  expect(await personSubject(deps(), ann)).toMatchObject({ userIds: ["user-one-ann"] });
  expect(await personSubject(deps(), ben)).toMatchObject({ soleUserIds: ["user-one-ben"] });
  await erasePerson(deps(), "one-ann");
  await toTheEnd();
  expect(await model("Presence").countDocuments({ userId: "user-one-ben" })).toBe(1);
});

test("an erased administrator of the LMS is gone from change logs of other courses, and gets their actions in an export", async () => {
  await put("Person", {
    _id: "one-adm",
    registrationId: "reg-one",
    deploymentId: "1",
    sub: "adm",
    name: "Name adm",
    environment: "production",
    apiUserId: null,
  });
  await put("CourseAuditEntry", {
    registrationId: "reg-one",
    courseId: "crs-one",
    at: 1,
    what: "space-changed",
    personId: null,
    by: { personId: "one-adm", name: "Name adm" },
  });
  const person = required(await stores.people.find("one-adm"));
  let text = "";
  for await (const piece of exportPerson(deps(), person)) text += piece;
  expect(text).toContain("space-changed");
  await erasePerson(deps(), "one-adm");
  await toTheEnd();
  expect(await naming(["one-adm", "Name adm"])).toEqual([]);
  expect(await model("CourseAuditEntry").countDocuments({ what: "space-changed" })).toBe(1);
});

const givenShape = z.object({
  format: z.string(),
  records: z.record(z.string(), z.array(z.record(z.string(), z.unknown()))),
});

test("an export to a person has all of their data and nobody else's", async () => {
  const person = required(await stores.people.find("one-ann"));
  let text = "";
  for await (const piece of exportPerson(deps(), person)) text += piece;
  const given = givenShape.parse(JSON.parse(text));
  expect(given.format).toBe("spaces-lti/person");
  expect(given.records["person"]).toMatchObject([{ idNumber: "number-ann" }]);
  expect(given.records["attendance"]).toMatchObject([{ seen: { ms: 60_000 } }]);
  expect(given.records["spaceUsers"]).toEqual([
    { spaceId: "space-one", role: "participant", toldAt: 7, failedAt: null },
  ]);
  expect(given.records["feedback"]?.[0]).toMatchObject({ comment: "I am ann" });
  expect(text).toContain("somebody else");
  expect(text).not.toMatch(/one-tea|one-ben|Name tea|Name ben|secret/);
  // An export is logged, and forgotten with the person.
  expect(await stores.audit.list(null, 10, "reg-one")).toMatchObject([
    { what: "person-exported", on: "one-ann" },
  ]);
  await erasePerson(deps(), "one-ann");
  await toTheEnd();
  const entries = await stores.audit.list(null, 10, "reg-one");
  expect(entries.map(({ what, on }) => [what, on])).toContainEqual(["person-exported", "erased"]);
});

describe("erasing a course", () => {
  test("removes everything of it, and nothing of another one", async () => {
    const before = await everything();
    await eraseCourse(deps(), "crs-one");
    await toTheEnd();
    expect(await naming(["crs-one", "space-one", "event-one"])).toEqual([]);
    expect(ofTwo(await everything())).toEqual(ofTwo(before));
  });

  test("removes what is known of a Space that only its link opened", async () => {
    await put("CourseLink", {
      registrationId: "reg-one",
      courseId: "crs-one",
      linkId: "1",
      choice: { kind: "space", spaceId: "space-linked" },
    });
    await put("SpaceRecording", { environment: "production", recordingId: "r", spaceId: "space-linked" });
    await eraseCourse(deps(), "crs-one");
    await toTheEnd();
    expect(await naming(["space-linked"])).toEqual([]);
  });

  test("keeps what is known of a Space that another course uses", async () => {
    await put("CourseLink", {
      registrationId: "reg-two",
      courseId: "crs-two",
      linkId: "1",
      choice: { kind: "linked", spaceId: "space-one" },
    });
    await eraseCourse(deps(), "crs-one");
    await toTheEnd();
    expect(await model("SpaceRecording").countDocuments({ spaceId: "space-one" })).toBe(1);
  });
});

test("uninstalling an LMS removes all its records and leaves every other LMS's alone", async () => {
  await erasePerson(deps(), "one-ben");
  await toTheEnd();
  const before = await everything();
  await expect(uninstallRegistration(deps(), "reg-one", "another name")).rejects.toMatchObject({
    code: "name-differs",
  });
  await uninstallRegistration(deps(), "reg-one", "LMS one");
  await toTheEnd();
  const after = await everything();
  const kept = ["AuditEntry", "Erasure"];
  for (const [name, rows] of after) {
    if (kept.includes(name)) continue;
    expect(
      rows.filter((row) => /reg-one|crs-one|one-tea|one-ann|space-one/.test(row) && name !== "Cohort"),
      name,
    ).toEqual([]);
  }
  expect(ofTwo(after)).toEqual(ofTwo(before));
  expect(await model("Registration").countDocuments({})).toBe(1);
});

test("uninstalling an LMS takes what the accounts of its deployments brought", async () => {
  const [key, environment] = [{ registrationId: "reg-one", deploymentId: "2" }, "north"];
  const inSpace = { environment, spaceId: "space-north" };
  await put("Course", { ...key, _id: "crs-north", contextId: "3", title: "Art", ...inSpace });
  await put("Person", { ...key, _id: "one-north", sub: "n", environment, apiUserId: "user-north" });
  await put("SpaceRecording", { ...inSpace, recordingId: "rec-north" });
  const about = { eventId: "e", userId: "user-north", timestamp: "2026-01-01T00:00:00Z" };
  const body = JSON.stringify({ ...about, currentStatus: { status: "PRESENT" } });
  await put("Receipt", { environment, digest: "d-north", state: "done", receivedAt: 1, body });
  await uninstallRegistration(deps(), "reg-one", "LMS one");
  await toTheEnd();
  expect(await naming(["space-north"])).toEqual([]);
  expect(await model("Receipt").countDocuments({ body: /user-north/ })).toBe(0);
});

test("uninstalling an LMS is in the list of erasures, even if its administrator asked for it", async () => {
  for (const who of ["console", "lms-administrator"] as const)
    await uninstallRegistration({ ...deps(), who }, "reg-one", "LMS one");
  const listed = await stores.erasures.listAsked(10);
  expect(listed.map(({ who }) => who).toSorted()).toEqual(["console", "lms-administrator"]);
  expect(await stores.erasures.countAsked(10)).toBe(2);
});

test("uninstalling an LMS also finds what unfinished work writes after its courses are gone", async () => {
  await put("FormerSpace", { environment: "production", spaceId: "space-before", courseId: "crs-one" });
  await put("SessionEnd", { environment: "production", spaceId: "space-before", sessionId: "s", endedAt: 1 });
  await put("SpaceRecording", { environment: "production", recordingId: "both", spaceId: "space-both" });
  for (const lms of ["one", "two"])
    await put("CourseLink", {
      registrationId: `reg-${lms}`,
      courseId: `crs-${lms}`,
      linkId: "1",
      choice: { kind: "space", spaceId: "space-both" },
    });
  await uninstallRegistration(deps(), "reg-one", "LMS one");
  await runErasure(deps());
  const left = await naming(["crs-one", "space-one", "space-before"]);
  expect(left.filter((row) => !row.startsWith("Erasure: "))).toEqual([]);
  await put("ClassroomEvent", { environment: "production", eventId: "late", courseId: "crs-one" });
  await put("DoorTurn", { _id: "crs-one" });
  await put("FormerSpace", { environment: "production", spaceId: "space-late", courseId: "crs-one" });
  await put("Presence", { environment: "production", spaceId: "space-one", userId: "user-one-ann" });
  await toTheEnd();
  expect(await naming(["crs-one", "space-one", "space-before", "space-late"])).toEqual([]);
  expect(await model("SpaceRecording").countDocuments({ spaceId: "space-both" })).toBe(1);
});
