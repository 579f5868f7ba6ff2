import { describe, expect, test } from "vitest";
import {
  awaitedRecordings,
  type DatedSession,
  sessionOfRecording,
} from "../../src/modules/recordings/rules/recording-session.ts";
import {
  nextReadAt,
  nothingReported,
  recordingState,
  type SessionEnd,
  type SpaceRecording,
} from "../../src/modules/recordings/rules/recording.ts";
import { readWebhook } from "../../src/inbox/rules/webhook.ts";
import { isPublishedFor } from "../../src/modules/recordings/list-recordings.ts";
import { meaningOf } from "../../src/modules/recordings/handle-webhooks.ts";
import { defaultDialect } from "../../src/classroom/default-dialect.ts";

const minute = 60_000;
const hour = 60 * minute;
const ten = Date.parse("2026-11-16T10:00:00Z");
const at = (clock: string) => Date.parse(`2026-11-16T${clock}:00Z`);

const recording = (facts: Partial<SpaceRecording>): SpaceRecording => ({
  ...nothingReported,
  environment: "production",
  recordingId: "rec",
  spaceId: "space",
  firstSeenAt: ten,
  ...facts,
});
const lesson = (eventId: string, from: string, to: string): DatedSession => ({
  eventId,
  startsAt: at(from),
  endsAt: at(to),
});
const end = (sessionId: string, clock: string): SessionEnd => ({
  environment: "production",
  spaceId: "space",
  sessionId,
  endedAt: at(clock),
});

describe("the state of a recording", () => {
  test.each([
    ["nothing told", {}, "processing"],
    ["available", { availableAt: 1 }, "ready"],
    ["then its transcript", { availableAt: 1, transcriptAt: 2 }, "transcript-ready"],
    ["the transcript before the recording", { transcriptAt: 2 }, "transcript-only"],
    ["the transcript first, and listed", { transcriptAt: 2, listedAt: 3 }, "transcript-ready"],
    ["listed without a word about its state", { listedAt: 3 }, "ready"],
    ["listed as being processed", { listedAt: 3, listedAs: "processing" }, "processing"],
    ["listed as unavailable", { availableAt: 1, listedAt: 3, listedAs: "unavailable" }, "unavailable"],
    ["available again since then", { availableAt: 5, listedAt: 3, listedAs: "unavailable" }, "ready"],
    [
      "its transcript since then",
      { transcriptAt: 5, listedAt: 3, listedAs: "unavailable" },
      "transcript-ready",
    ],
    ["said to be gone", { availableAt: 1, goneAt: 2 }, "unavailable"],
    ["gone, and available once more", { availableAt: 3, goneAt: 2 }, "ready"],
    ["gone without ever having been there", { goneAt: 2 }, "unavailable"],
  ] as const)("follows from reports: %s", (_what, told, state) => {
    expect(recordingState({ ...nothingReported, ...told })).toBe(state);
  });
});

describe("the session of a recording", () => {
  const morning = [lesson("one", "10:00", "11:00"), lesson("two", "11:00", "12:00")];
  const lag = 3 * hour;
  const found = (facts: Partial<SpaceRecording>, sessions = morning, ends: SessionEnd[] = []) => {
    const session = sessionOfRecording(recording(facts), sessions, ends, lag);
    if (session.kind === "none") return [];
    return session.kind === "one" ? session.session.eventId : session.sessions.map(({ eventId }) => eventId);
  };

  test.each([
    ["recorded within it", { startedAt: at("10:05"), durationSeconds: 3_000 }, "one"],
    ["recorded a little into the next one", { startedAt: at("10:05"), durationSeconds: 3_900 }, "one"],
    ["over both alike, nobody can tell", { startedAt: at("10:20"), durationSeconds: 4_800 }, ["one", "two"]],
    ["only its start is told", { startedAt: at("11:10") }, "two"],
    ["only its end is told", { endedAt: at("11:40") }, "two"],
    ["begun before the session", { startedAt: at("09:50") }, "one"],
    ["in the night, it is of none", { startedAt: at("03:00"), durationSeconds: 600 }, []],
    ["known by when it came alone, both are possible", { availableAt: at("12:40") }, ["two", "one"]],
  ] as const)("%s", (_what, facts, session) => {
    const got = found(facts);
    expect(typeof got === "string" ? got : [...got].sort()).toEqual(
      typeof session === "string" ? session : [...session].sort(),
    );
  });

  test("is the one that was reported to end before the recording came", () => {
    expect(found({ availableAt: at("11:55") }, morning, [end("s1", "11:02")])).toBe("one");
  });

  test("is that of the recording's own session, whatever ended later", () => {
    const ends = [end("s1", "11:02"), end("s2", "12:03")];
    expect(found({ availableAt: at("12:30"), sessionId: "s1" }, morning, ends)).toBe("one");
  });

  test("is unknown if no session took place", () => {
    expect(found({ availableAt: at("12:40") }, [])).toEqual([]);
    expect(found({ availableAt: at("20:40") })).toEqual([]);
  });
});

describe("a session that has ended", () => {
  const times = { givenUpMs: 6 * hour, missingForMs: 7 * 24 * hour };
  const states = (
    recordings: SpaceRecording[],
    now: number,
    ends = [end("s1", "11:00"), end("s2", "12:00")],
  ) =>
    awaitedRecordings(ends, recordings, times, now).map(({ end: { sessionId }, state }) => [
      sessionId,
      state,
    ]);

  test("awaits its recording for a while, then expects none, and finally says nothing", () => {
    expect(states([], at("12:30"))).toEqual([
      ["s1", "awaited"],
      ["s2", "awaited"],
    ]);
    expect(states([], at("17:30"))).toEqual([
      ["s1", "given-up"],
      ["s2", "awaited"],
    ]);
    expect(states([], at("12:00") + 8 * 24 * hour)).toEqual([]);
  });

  test("is satisfied by a recording that names it, was made during it, or came after it", () => {
    const now = at("13:00");
    expect(states([recording({ sessionId: "s1" })], now)).toEqual([["s2", "awaited"]]);
    expect(states([recording({ startedAt: at("11:10") })], now)).toEqual([["s1", "awaited"]]);
    expect(states([recording({ availableAt: at("12:50") })], now)).toEqual([["s1", "awaited"]]);
    expect(states([recording({ startedAt: at("11:10") - 24 * hour })], now), "of yesterday").toHaveLength(2);
  });
});

test("the list is read again when a recording can be expected, and once more before giving up", () => {
  const waits = { expectedMs: hour, givenUpMs: 6 * hour };
  expect(nextReadAt([ten], waits, ten)).toBe(ten + hour);
  expect(nextReadAt([ten], waits, ten + hour)).toBe(ten + 6 * hour);
  expect(nextReadAt([ten], waits, ten + 6 * hour)).toBeNull();
  expect(nextReadAt([], waits, ten)).toBeNull();
});

describe("what learners see", () => {
  const of = (...sectionIds: string[]) => ({ ...lesson("e", "10:00", "11:00"), title: null, sectionIds });
  const ann = { role: "learner", sectionIds: ["a"], sectionsTold: true } as const;
  const one = (session: ReturnType<typeof of>) => ({ kind: "one", session }) as const;

  test.each([
    ["what is published for the whole course", "published", one(of()), true],
    ["what is published of a session for their section", "published", one(of("a", "b")), true],
    ["not what is of another section", "published", one(of("b")), false],
    ["what is of no session", "published", { kind: "none" }, true],
    [
      "not what may be of another section",
      "published",
      { kind: "several", sessions: [of("a"), of("b")] },
      false,
    ],
    ["not what is hidden", "hidden", one(of()), false],
    ["not what nobody decided about", null, one(of()), false],
  ] as const)("%s", (_what, shown, session, seen) => {
    const mutable =
      session.kind === "several" ? { kind: session.kind, sessions: [...session.sessions] } : session;
    expect(isPublishedFor({ shown, session: mutable, mayBeForSome: false }, ann)).toBe(seen);
    if (session.kind !== "none") return;
    const other = { shown, session: mutable, mayBeForSome: true } as const;
    expect(isPublishedFor(other, ann), "nor what may be for another section").toBe(false);
  });
});

describe("webhooks about recordings, sessions and alerts", () => {
  const now = ten + 60_000;
  test("are read with any timestamp, and keep an unknown eventType", () => {
    const told = { _type: "SPACE_RECORDING", spaceId: "s", recordingId: 7, eventType: "RECORDING_SINGS" };
    const read = { family: "SPACE_RECORDING", spaceId: "s", recordingId: "7", eventType: "RECORDING_SINGS" };
    expect(readWebhook({ ...told, timestamp: "2026-11-16T10:00:00Z" }, now)).toEqual({ ...read, at: ten });
    expect(readWebhook({ ...told, timestamp: ten / 1_000 }, now)).toEqual({ ...read, at: ten });
    expect(readWebhook({ ...told, timestamp: "last Tuesday" }, now)).toEqual({ ...read, at: now });
    expect(readWebhook({ ...told, timestamp: { seconds: 1 } }, now)).toEqual({ ...read, at: now });
    expect(readWebhook(told, now)).toEqual({ ...read, at: now });
  });

  test("about ended sessions and alerts are read, too", () => {
    const ended = { spaceId: "s", sessionId: "x", eventType: "SESSION_ENDED" };
    expect(readWebhook({ _type: "SPACE_SESSION", ...ended }, now)).toEqual({
      family: "SPACE_SESSION",
      ...ended,
      at: now,
    });
    const alert = { alertId: "a", alertType: "EVENT_NO_SHOW", eventType: "CREATE_ALERT" };
    expect(readWebhook({ _type: "CONTROL_CENTER_ALERT", ...alert, updatedBy: null }, now)).toEqual({
      family: "CONTROL_CENTER_ALERT",
      ...alert,
      at: now,
      updatedBy: null,
    });
  });

  test("without their subject are kept as they came", () => {
    expect(readWebhook({ _type: "SPACE_RECORDING", eventType: "RECORDING_AVAILABLE" }, now)).toEqual({
      family: "other",
      name: "SPACE_RECORDING",
      eventType: "RECORDING_AVAILABLE",
    });
  });

  test.each([
    ["RECORDING_AVAILABLE", "availableAt"],
    ["recording_available", "availableAt"],
    ["TRANSCRIPT_AVAILABLE", "transcriptAt"],
    ["RECORDING_TRANSCRIPT_READY", "transcriptAt"],
    ["SUMMARY_AVAILABLE", "transcriptAt"],
    ["RECORDING_DELETED", "goneAt"],
    ["RECORDING_SINGS", null],
  ])("%s means %s", (eventType, meaning) => {
    expect(meaningOf(defaultDialect.recordings.events, eventType)).toBe(meaning);
  });
});
