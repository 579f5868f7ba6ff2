import { beforeEach, describe, expect, test } from "vitest";
import { listPublished, listReady, listRecordings } from "../../../src/modules/recordings/list-recordings.ts";
import { readAgain, recordingReadings } from "../../../src/modules/recordings/recording-readings.ts";
import { readNextRecordings } from "../../../src/modules/recordings/read-recordings.ts";
import {
  decideRecording,
  decideRule,
  openRecording,
  readRecordingText,
} from "../../../src/modules/recordings/one-recording.ts";
import { NamedError } from "../../../src/kernel/errors.ts";
import { entry, openRecordedCourse, read } from "../../support/builders/recorded-course.ts";
import { giveApiUser } from "../../support/builders/give-api-user.ts";
import { forAllTests } from "../../support/for-all-tests.ts";

const minute = 60_000;
const hour = 60 * minute;

const course = await forAllTests(openRecordedCourse());
beforeEach(() => course.restart());

const ann = { role: "learner", sectionIds: [], sectionsTold: true, personId: "per-Ann" } as const;
const ina = { ...ann, role: "instructor", personId: "per-Ina" } as const;

const all = async () => listRecordings(course.deps, await course.course());
const states = async () =>
  Object.fromEntries((await all()).recordings.map(({ recordingId, state }) => [recordingId, state]));
const reading = () =>
  course.stores.tasks.find(recordingReadings, { environment: "production", spaceId: "space" });
const seen = async () =>
  (await listPublished(course.deps, await course.course(), ann)).map(({ recordingId }) => recordingId);
const decide = async (
  recordingId: string,
  act: Parameters<typeof decideRecording>[3],
  revision = 0,
): Promise<boolean> =>
  decideRecording(course.deps, await course.course(), { recordingId, revision, by: "per-Ina" }, act);

describe("the classroom's reports", () => {
  test("have the same result in any order and any number of times", async () => {
    const now = course.clock.now();
    const webhooks = [
      ["RECORDING_AVAILABLE", now - 3 * minute],
      ["TRANSCRIPT_AVAILABLE", now - 2 * minute],
      ["RECORDING_AVAILABLE", now - 3 * minute],
    ] as const;
    for (const [eventType, at] of webhooks) await course.told("forwards", eventType, at);
    for (const [eventType, at] of webhooks.toReversed()) await course.told("backwards", eventType, at);
    const [one, other] = (await all()).recordings;
    expect(one).toEqual({ ...other, recordingId: one?.recordingId, firstSeenAt: one?.firstSeenAt });
    expect(await states()).toEqual({ forwards: "transcript-ready", backwards: "transcript-ready" });
  });

  test("with an unknown eventType are stored, and the list is read instead", async () => {
    expect(await course.told("rec", "RECORDING_SINGS")).toBe("kept");
    expect(await states()).toEqual({});
    await course.read();
    expect(course.list.asked).toEqual(["space"]);
  });

  test("about a Space without a course are stored for a later course, without a call", async () => {
    expect(await course.told("rec", "RECORDING_AVAILABLE", course.clock.now(), "far-away")).toBe("kept");
    await course.read();
    expect(course.list.asked).toEqual([]);
    const later = await course.otherCourse("crs_2", "far-away");
    expect((await listRecordings(course.deps, later)).recordings).toMatchObject([{ recordingId: "rec" }]);
  });

  test("in its list add title, times and addresses; recordings that it no longer lists become unavailable", async () => {
    await course.lesson("one");
    await course.told("rec");
    const startedAt = course.clock.now() - 50 * minute;
    const facts = { title: "Cells", startedAt, durationSeconds: 2_700, url: "https://app.test/r/1" };
    course.list.reply = { ...read, recordings: [entry("rec", facts), entry("other")] };
    await course.read();
    expect((await all()).recordings.find(({ recordingId }) => recordingId === "rec")).toMatchObject({
      title: "Cells",
      durationSeconds: 2_700,
      addresses: { recording: "https://app.test/r/1", transcript: null },
      session: { kind: "one", session: { eventId: "one", title: "Lesson one" } },
    });
    course.pass(minute);
    course.list.reply = { ...read, recordings: [entry("rec", facts)], whole: false };
    await readAgain(course.deps, await course.course());
    await course.read();
    expect(await states(), "it may be on another page of the list").toEqual({ rec: "ready", other: "ready" });
    course.pass(minute);
    course.list.reply = { ...read, recordings: [entry("rec", facts)] };
    await readAgain(course.deps, await course.course());
    await course.read();
    expect(await states()).toEqual({ rec: "ready", other: "unavailable" });
  });

  test("without a Space belong to no course until a webhook names it", async () => {
    course.list.reply = { ...read, recordings: [entry("rec", { spaceId: null })] };
    await readAgain(course.deps, await course.course());
    await course.read();
    expect(await states()).toEqual({});
    expect((await reading())?.facts).toMatchObject({ unplaced: 1 });
    await course.told("rec");
    await course.read();
    expect(await states()).toEqual({ rec: "ready" });
    expect((await reading())?.facts).toMatchObject({ unplaced: 0 });
  });

  test("of other Spaces in the same list stay theirs", async () => {
    course.list.reply = { ...read, recordings: [entry("theirs", { spaceId: "far-away" })] };
    await readAgain(course.deps, await course.course());
    await course.read();
    expect(await states()).toEqual({});
    expect(await course.stores.recordings.find("production", "theirs")).toBeNull();
  });
});

describe("a transcript that comes as text", () => {
  const facts = {
    url: "https://app.test/r/1",
    transcriptText: "Ina: Good morning.",
    summaryText: "It began.",
  };
  const listed = async (change: { transcriptText?: string; summaryText?: null } = {}) => {
    course.pass(minute);
    course.list.reply = { ...read, recordings: [entry("rec", { ...facts, ...change })] };
    await readAgain(course.deps, await course.course());
    await course.read();
  };
  const textOf = async (part: "transcript" | "summary") =>
    readRecordingText(course.deps, await course.course(), ina, { recordingId: "rec", part });

  test("is stored with its recording, follows the classroom's changes, and is deleted when it no longer comes", async () => {
    await listed();
    expect((await all()).recordings).toMatchObject([{ texts: ["transcript", "summary"], transcript: true }]);
    await expect(textOf("transcript")).resolves.toMatchObject({ text: "Ina: Good morning.", cut: false });
    await listed({ transcriptText: "Ina: Good morning, all.", summaryText: null });
    expect((await all()).recordings).toMatchObject([{ texts: ["transcript"] }]);
    await expect(textOf("transcript")).resolves.toMatchObject({ text: "Ina: Good morning, all." });
    await expect(textOf("summary")).rejects.toMatchObject({ code: "recording-unavailable" });
    expect(await course.stores.personalRecords.count("RecordingText", {})).toBe(1);
  });

  test("is removed with a recording that the classroom no longer has", async () => {
    await listed();
    course.pass(minute);
    course.list.reply = { ...read, recordings: [] };
    await readAgain(course.deps, await course.course());
    await course.read();
    expect(await states()).toEqual({ rec: "unavailable" });
    expect(await course.stores.personalRecords.count("RecordingText", {})).toBe(0);
  });

  test("does not come back with a name that was taken out of it", async () => {
    await listed();
    const [text] = await course.stores.recordingTexts.listOfSpace("production", "space", "", 1);
    const summary = await course.stores.recordingTexts.listOfSpace("production", "space", text?.id ?? "", 1);
    const told = summary[0] ?? { id: "", text: "" };
    expect(await course.stores.recordingTexts.redact(told.id, { from: "another", to: "" })).toBe(false);
    expect(
      await course.stores.recordingTexts.redact(told.id, { from: told.text, to: "…: Good morning." }),
    ).toBe(true);
    await listed({ transcriptText: "Ina: Good morning, all." });
    await expect(textOf("transcript")).resolves.toMatchObject({ text: "…: Good morning." });
    course.pass(minute);
    course.list.reply = { ...read, recordings: [] };
    await readAgain(course.deps, await course.course());
    await course.read();
    await listed();
    await expect(textOf("transcript")).rejects.toMatchObject({ code: "recording-unavailable" });
  });
});

describe("the classroom's list", () => {
  test("is not requested again with each webhook if it does not exist, but when somebody wants it", async () => {
    course.list.reply = null;
    await course.told("one");
    await course.read();
    await course.told("two");
    await course.read();
    expect(course.list.asked).toHaveLength(1);
    expect(await states()).toEqual({ one: "ready", two: "ready" });
    course.pass(minute);
    await readAgain(course.deps, await course.course());
    await course.read();
    expect(course.list.asked).toHaveLength(2);
    course.pass(25 * hour);
    await course.told("three");
    await course.read();
    expect(course.list.asked).toHaveLength(3);
  });

  test("is retried less and less often if it cannot be read, and known recordings stay", async () => {
    course.list.reply = new NamedError("classroom-unreachable", "It did not answer.", { temporary: true });
    await course.told("rec");
    for (let turn = 0; turn < 12; turn += 1) {
      await course.read();
      course.pass(2 * hour);
    }
    expect(course.list.asked).toHaveLength(6);
    expect(await reading()).toMatchObject({
      problem: { code: "classroom-unreachable", text: "It did not answer." },
      dueAt: null,
    });
    expect(await states()).toEqual({ rec: "ready" });
  });

  test("is requested once for many who want it at the same time", async () => {
    const here = await course.course();
    await Promise.all(Array.from({ length: 10 }, () => readAgain(course.deps, here)));
    await Promise.all([course.read(), course.read(), course.read()]);
    expect(course.list.asked).toEqual(["space"]);
  });

  test("is read again when something is reported while it is being read", async () => {
    await readAgain(course.deps, await course.course());
    const { reply } = course.list;
    const client = {
      ...course.deps.classroomOf(),
      readRecordings: async (spaceId: string) => {
        course.list.asked.push(spaceId);
        if (course.list.asked.length === 1) await course.told("meanwhile");
        return reply instanceof Error ? null : reply;
      },
    };
    const deps = { ...course.deps, classroomOf: () => client };
    while (await readNextRecordings(deps));
    expect(course.list.asked).toHaveLength(2);
  });

  test("is read by another process if the one that read it died", async () => {
    await readAgain(course.deps, await course.course());
    const now = course.clock.now();
    expect(await course.stores.tasks.claim(recordingReadings, "dead", now, now + 10_000)).not.toBeNull();
    await course.read();
    expect(course.list.asked).toEqual([]);
    course.pass(11_000);
    await course.read();
    expect(course.list.asked).toEqual(["space"]);
  });

  test("is read about an hour after a session without a webhook, and again before giving up", async () => {
    await course.ended("s1");
    await course.read();
    expect(course.list.asked).toHaveLength(0);
    expect((await all()).awaited).toMatchObject([{ state: "awaited", end: { sessionId: "s1" } }]);
    course.pass(61 * minute);
    await course.read();
    expect(course.list.asked).toHaveLength(1);
    course.pass(6 * hour);
    await course.read();
    await course.read();
    expect(course.list.asked).toHaveLength(2);
    expect((await all()).awaited).toMatchObject([{ state: "given-up" }]);
    await course.told("late");
    expect((await all()).awaited).toEqual([]);
  });
});

describe("the course of a recording", () => {
  test("in a Space that a link opens and another course owns is ours only for recordings of our sessions", async () => {
    const owner = await course.otherCourse("crs_2", "shared");
    await course.links(await course.course(), "shared");
    await course.lesson("ours", 0, { spaceId: "shared" });
    await course.lesson("theirs", 5 * hour, { spaceId: "shared", courseId: owner.id });
    const now = course.clock.now();
    course.list.reply = {
      ...read,
      recordings: [
        entry("ours", { spaceId: "shared", startedAt: now - 50 * minute }),
        entry("theirs", { spaceId: "shared", startedAt: now - 5.5 * hour }),
        entry("unplanned", { spaceId: "shared", startedAt: now - 50 * hour }),
      ],
    };
    await readAgain(course.deps, await course.course());
    await course.read();
    expect((await all()).recordings.map(({ recordingId }) => recordingId)).toEqual(["ours"]);
    const { recordings } = await listRecordings(course.deps, owner);
    expect(recordings.map(({ recordingId }) => recordingId)).toEqual(["theirs", "unplanned"]);
  });

  test("in a Space that only our link opens is ours, even if another account has a Space of that id", async () => {
    const theirs = await course.otherCourse("crs_2", null, "staging");
    for (const one of [await course.course(), theirs]) await course.links(one, "12");
    course.list.reply = { ...read, recordings: [entry("rec", { spaceId: "12" })] };
    await readAgain(course.deps, await course.course());
    await course.read();
    expect((await all()).recordings).toMatchObject([{ recordingId: "rec" }]);
  });

  test("stays the same when the course gets another Space", async () => {
    await course.told("rec");
    await course.stores.courses.replaceSpace(await course.course(), "space", "new-space");
    expect(await states()).toEqual({ rec: "ready" });
  });

  test("stays the same when the link to its Space is pointed elsewhere, and later ones there are ours by their session only", async () => {
    await course.links(await course.course(), "lab");
    await course.lesson("now", 0, { spaceId: "lab" });
    const [here, at] = [await course.course(), course.clock.now()];
    const change = { id: "cau_1", personId: "per-Ina", at, before: "lab", after: null, ofLink: true };
    await course.stores.courses.noteSpaceChange(here, change);
    await course.stores.courseLinks.choose(`link-${here.id}`, { kind: "course-space" });
    expect(await course.told("rec", "RECORDING_AVAILABLE", at, "lab")).toBe("done");
    await course.told("someone-else's", "RECORDING_AVAILABLE", at + 5 * hour, "lab");
    expect(await states()).toEqual({ rec: "ready" });
  });
});

describe("publishing", () => {
  test("shows a recording to learners, hiding removes it, and both are in the change log", async () => {
    await course.told("rec");
    expect(await seen()).toEqual([]);
    expect(await listReady(course.deps, await course.course())).toMatchObject([{ recordingId: "rec" }]);
    expect(await decide("rec", { what: "publish" })).toBe(true);
    expect(await seen()).toEqual(["rec"]);
    expect(await listReady(course.deps, await course.course())).toEqual([]);
    expect(await decide("rec", { what: "hide" }, 1)).toBe(true);
    expect(await seen()).toEqual([]);
    expect((await course.audit()).map(({ what, by }) => [what, by.name].join(" "))).toEqual([
      "recording-hidden Ina Instructor",
      "recording-published Ina Instructor",
    ]);
  });

  test("does not undo what somebody else has decided since", async () => {
    await course.told("rec");
    expect(await decide("rec", { what: "publish" })).toBe(true);
    expect(await decide("rec", { what: "hide" })).toBe(false);
    expect(await seen()).toEqual(["rec"]);
    const both = await Promise.all([
      decide("rec", { what: "hide" }, 1),
      decide("rec", { what: "describe", title: "Cells", eventId: "by-time" }, 1),
    ]);
    expect(both.filter(Boolean)).toHaveLength(1);
    expect(await course.audit()).toHaveLength(2);
  });

  test("twice, by a second click or another instructor, has the same result and is logged once", async () => {
    await course.told("rec");
    expect(
      await Promise.all([decide("rec", { what: "publish" }), decide("rec", { what: "publish" })]),
    ).toEqual([true, true]);
    expect(await decide("rec", { what: "publish" })).toBe(true);
    expect(await course.audit()).toHaveLength(1);
    expect(await decide("rec", { what: "hide" }, 1), "nothing was counted twice").toBe(true);
    expect(await decide("rec", { what: "publish" }), "hidden meanwhile").toBe(false);
  });

  test("is refused once the classroom has removed it", async () => {
    await course.told("rec");
    course.pass(minute);
    await course.told("rec", "RECORDING_DELETED");
    await expect(decide("rec", { what: "publish" })).rejects.toMatchObject({ code: "recording-unavailable" });
    expect(await course.audit()).toEqual([]);
  });

  test("sets a title and another session, which decide what learners see", async () => {
    await course.lesson("one");
    await course.lesson("two", 24 * hour);
    await course.told("rec");
    await decide("rec", { what: "describe", title: "  Cells  ", eventId: "two" });
    expect((await all()).recordings).toMatchObject([
      { title: "Cells", placed: true, session: { kind: "one", session: { eventId: "two" } } },
    ]);
    await decide("rec", { what: "describe", title: "", eventId: null }, 1);
    expect((await all()).recordings).toMatchObject([{ title: null, session: { kind: "none" } }]);
    await expect(decide("rec", { what: "describe", title: "", eventId: "gone" }, 2)).rejects.toMatchObject({
      code: "session-unknown",
    });
  });

  test("is refused for recordings of another course", async () => {
    const other = await course.otherCourse("crs_2", "far-away");
    await course.told("theirs", "RECORDING_AVAILABLE", course.clock.now(), "far-away");
    await expect(decide("theirs", { what: "publish" })).rejects.toMatchObject({ code: "recording-unknown" });
    expect(await listPublished(course.deps, other, ann)).toEqual([]);
  });

  test("happens immediately and once if the course says so, for recordings from then on", async () => {
    await course.told("before");
    course.pass(1_000);
    const here = await course.course();
    const said = { revision: 0, by: "per-Ina" };
    expect(await decideRule(course.deps, here, said, "published")).toBe(true);
    expect(await decideRule(course.deps, here, said, "hidden")).toBe(false);
    expect(await seen()).toEqual([]);
    course.pass(1_000);
    await course.told("after");
    expect(await seen()).toEqual(["after"]);
    await decide("after", { what: "hide" }, 1);
    await course.told("after", "TRANSCRIPT_AVAILABLE");
    await course.told("after");
    expect(await seen()).toEqual([]);
  });

  test("waits for an instructor if it may be of another course that a link leads into the same Space", async () => {
    await course.links(await course.otherCourse("crs_2", "theirs"), "space");
    await decideRule(course.deps, await course.course(), { revision: 0, by: "per-Ina" }, "published");
    await course.told("rec");
    expect(await seen()).toEqual([]);
    expect(await listReady(course.deps, await course.course())).toMatchObject([{ recordingId: "rec" }]);
  });

  test("waits for an instructor if a section's class may have been at another time", async () => {
    const now = course.clock.now();
    await decideRule(course.deps, await course.course(), { revision: 0, by: "per-Ina" }, "published");
    await course.lesson("of-a", 3 * hour);
    await course.stores.events.setSections("production", "of-a", ["a"]);
    const times = { startedAt: now - 60 * 60_000, endedAt: now - 5 * 60_000 };
    course.list.reply = { ...read, recordings: [entry("rec", times)] };
    await course.told("rec");
    await course.read();
    expect((await all()).recordings).toMatchObject([{ session: { kind: "none" }, mayBeForSome: true }]);
    expect(await seen()).toEqual([]);
    await decide("rec", { what: "publish" }, (await all()).recordings[0]?.revision ?? 0);
    expect(await seen(), "an instructor says that it is for all").toEqual(["rec"]);
  });

  test("stays a section's when its class is cancelled later, placed there by time or by an instructor", async () => {
    await course.lesson("of-a");
    await course.stores.events.setSections("production", "of-a", ["a"]);
    for (const id of ["by-time", "by-say"]) await course.told(id);
    for (const id of ["by-time", "by-say"]) await decide(id, { what: "publish" });
    await decide("by-say", { what: "describe", title: "", eventId: "of-a" }, 1);
    expect(await seen()).toEqual([]);
    await course.stores.events.cancelHere("production", "of-a", course.clock.now());
    expect(await seen()).toEqual([]);
  });
});

describe("opening a recording", () => {
  const url = "https://app.test/spaces/space/recordings/rec";
  const listed = async (facts: Parameters<typeof entry>[1]) => {
    course.list.reply = { ...read, recordings: [entry("rec", facts)] };
    await course.told("rec");
    await course.read();
  };
  const open = async (member: typeof ann | typeof ina, manners = {}) =>
    openRecording(
      { ...course.deps, recordingSettingsOf: () => ({ ...course.deps.recordingSettingsOf(), ...manners }) },
      await course.course(),
      member,
      { recordingId: "rec", part: "recording" },
    );

  test("is for instructors, and for learners once it is published", async () => {
    await listed({ url });
    expect(await open(ina)).toEqual({ address: url, strange: false });
    await expect(open(ann)).rejects.toMatchObject({ code: "recording-unknown" });
    await decide("rec", { what: "publish" });
    expect(await open(ann)).toEqual({ address: url, strange: false });
    await decide("rec", { what: "hide" }, 1);
    await expect(open(ann)).rejects.toMatchObject({ code: "recording-unknown" });
  });

  test("warns if an address is not the classroom's, unless an operator has named it", async () => {
    await listed({ url: "https://store.test/rec.mp4" });
    expect(await open(ina)).toMatchObject({ strange: true });
    expect(await open(ina, { origins: ["https://store.test"] })).toMatchObject({ strange: false });
  });

  test("goes through a login of the classroom if the dialect says so and the person has a user", async () => {
    await listed({ url });
    expect(await open(ina, { open: "authorize" })).toMatchObject({ address: url });
    await giveApiUser(course.stores.people, "per-Ina", { userId: "user-ina", name: "Ina", role: "host" });
    expect(await open(ina, { open: "authorize" })).toMatchObject({ address: "https://app.test/login" });
  });

  test("fails with a reason when the classroom gives no address, or no longer has it", async () => {
    await listed({});
    await expect(open(ina)).rejects.toMatchObject({ code: "recording-unavailable" });
    await listed({ url });
    course.pass(minute);
    await course.told("rec", "RECORDING_DELETED");
    await expect(open(ina)).rejects.toMatchObject({ code: "recording-unavailable" });
  });
});
