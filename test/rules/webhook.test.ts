import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readTimestamp } from "../../src/kernel/clock.ts";
import * as webhooks from "../../src/inbox/rules/webhook.ts";

const noon = Date.UTC(2026, 8, 14, 12, 0, 0);
/** Received a second after noon by default. */
const readWebhook = (json: unknown, receivedAt = noon + 1_000) => webhooks.readWebhook(json, receivedAt);

/** What the classroom sends when Ada's attendance changes, as interface 6.6 lists it: without a type. */
const attendance = {
  eventId: "e1",
  userId: "u1",
  timestamp: "2026-09-14T12:00:00.000Z",
  updatedBy: "host1",
  prevStatus: { status: "ABSENT" },
  currentStatus: { status: "LATE", notes: "bus" },
};

const read = {
  family: "ATTENDANCE",
  eventId: "e1",
  userId: "u1",
  observation: {
    status: "LATE",
    notes: "bus",
    at: noon,
    updatedBy: "host1",
    previous: { status: "ABSENT", notes: null },
  },
};

describe("an attendance webhook", () => {
  test("is recognized by its fields", () => expect(readWebhook(attendance)).toEqual(read));

  test.each([
    ["a type of its own", { _type: "ATTENDANCE" }],
    ["another family's type", { _type: "SCHEDULE", eventType: "UPDATED" }],
    ["a type that is not a text", { _type: 7 }],
    ["unknown fields", { extra: { deep: [1] } }],
  ])("is read the same with %s", (_what, more) => {
    expect(readWebhook({ ...attendance, ...more })).toEqual(read);
  });

  test.each([
    ["missing", undefined],
    ["null", null],
    ["of another shape", "ABSENT"],
  ])("may have its former status %s", (_how, prevStatus) => {
    const { previous: _before, ...observation } = read.observation;
    expect(readWebhook({ ...attendance, prevStatus })).toEqual({ ...read, observation });
  });

  test.each([
    ["missing", undefined],
    ["null", null],
    ["of another shape", { bus: 1 }],
  ])("may have its notes and author %s", (_how, nothing) => {
    expect(
      readWebhook({ ...attendance, updatedBy: nothing, currentStatus: { status: "LATE", notes: nothing } }),
    ).toEqual({ ...read, observation: { ...read.observation, notes: null, updatedBy: null } });
  });

  test("with a long note keeps its beginning", () => {
    expect(
      readWebhook({ ...attendance, currentStatus: { status: "LATE", notes: "x".repeat(250_000) } }),
    ).toMatchObject({ observation: { notes: "x".repeat(1_000) } });
  });

  test("keeps an undocumented status as it came", () => {
    for (const status of ["Present", "present", "PRESENT "])
      expect(readWebhook({ ...attendance, currentStatus: { status } })).toMatchObject({
        observation: { status: "PRESENT" },
      });
    expect(readWebhook({ ...attendance, currentStatus: { status: "Left early" } })).toMatchObject({
      family: "ATTENDANCE",
      observation: { status: "Left early" },
    });
  });

  test.each([
    ["eventId", { eventId: undefined }],
    ["eventId", { eventId: "" }],
    ["eventId", { eventId: 7 }],
    ["eventId", { eventId: "x".repeat(256) }],
    ["eventId", { eventId: "e\ud83d" }],
    ["userId", { userId: null }],
    ["userId", { userId: { $ne: null } }],
    ["userId", { userId: 9_007_199_254_740_993 }],
    ["timestamp", { timestamp: undefined }],
    ["timestamp", { timestamp: "yesterday" }],
    ["timestamp", { timestamp: null }],
    ["currentStatus", { currentStatus: null }],
    ["currentStatus", { currentStatus: "LATE" }],
    ["currentStatus.status", { currentStatus: {} }],
    ["currentStatus.status", { currentStatus: { status: "" } }],
    ["currentStatus.status", { currentStatus: { status: "x".repeat(65) } }],
  ])("with a bad %s is unreadable and says so: %j", (field, change) => {
    const webhook = readWebhook({ ...attendance, ...change });
    expect(webhook).toMatchObject({ family: "unreadable" });
    expect(webhook.family === "unreadable" && webhook.problem).toContain(field);
  });

  test("names every bad field, without repeating what was in it", () => {
    const webhook = readWebhook({ ...attendance, eventId: "", userId: { name: "Ada Lovelace" } });
    expect(webhook).toEqual({
      family: "unreadable",
      problem: "The attendance webhook lacks or misspells: eventId, userId.",
    });
  });
});

describe("a time in the future is replaced by that of arrival, or one webhook would win for years", () => {
  const ids = { eventId: "e1", spaceId: "s", sessionId: "x", userId: "u", recordingId: "r", alertId: "a" };
  const told = { ...ids, programId: "p", cohortId: "c", alertType: "EVENT_NO_SHOW", eventType: "ANY" };
  test.each(["SPACE_USER", "SPACE_SESSION", "SPACE_RECORDING", "PROGRAM_AND_COHORT", "CONTROL_CENTER_ALERT"])(
    "%s",
    (_type) => {
      for (const timestamp of ["2028-09-14T12:00:00Z", noon + 1, noon / 1_000 + 60])
        expect(readWebhook({ ...told, _type, timestamp }, noon)).toMatchObject({ family: _type, at: noon });
      expect(readWebhook({ ...told, _type, timestamp: noon - 1 }, noon)).toMatchObject({ at: noon - 1 });
    },
  );

  // The classroom's clock may be a little ahead: two changes that arrive the wrong way round keep their order.
  test.each([
    ["2028-09-14T12:00:00Z", noon],
    [noon + 60_001, noon],
    [noon + 60_000, noon + 60_000],
    [noon + 2_000, noon + 2_000],
    [noon - 1, noon - 1],
  ])("of attendance and of a schedule, except for a minute: %s counts as %i", (timestamp, at) => {
    expect(readWebhook({ ...attendance, timestamp }, noon)).toMatchObject({ observation: { at } });
    expect(readWebhook({ ...told, _type: "SCHEDULE", timestamp }, noon)).toMatchObject({ at });
  });
});

describe("other webhooks", () => {
  test("a schedule change names the event and its change", () => {
    const change = { eventId: "e1", eventType: "DELETED" };
    expect(readWebhook({ ...change, _type: "SCHEDULE", timestamp: "2026-09-14T12:00:00Z" })).toEqual({
      ...change,
      family: "SCHEDULE",
      at: noon,
      recurring: null,
      updatedBy: null,
    });
  });

  test.each([
    ["ALL", "ALL"],
    ["SOMETHING_NEW", "SOMETHING_NEW"],
    [undefined, null],
    [7, null],
  ])("a schedule change with recurringUpdateType %j tells %j", (recurringUpdateType, recurring) => {
    const told = { _type: "SCHEDULE", eventId: "e1", eventType: "EVENT_UPDATED", recurringUpdateType };
    expect(readWebhook(told)).toMatchObject({ family: "SCHEDULE", recurring });
  });

  test.each([undefined, null, "soon", {}, -1, "0001-01-01T00:00:00Z"])(
    "a schedule change at %j can still be read",
    (timestamp) => {
      const told = { _type: "SCHEDULE", eventId: "e1", eventType: "EVENT_CREATED", timestamp };
      expect(readWebhook(told)).toMatchObject({ family: "SCHEDULE", eventId: "e1", at: noon + 1_000 });
    },
  );

  test.each([
    "SPACE_USER",
    "SPACE_SESSION",
    "SPACE_RECORDING",
    "PROGRAM_AND_COHORT",
    "CONTROL_CENTER_ALERT",
    "NEW",
  ])("a %s webhook is kept under its name", (name) => {
    expect(readWebhook({ _type: name, anything: [1, 2] })).toEqual({ family: "other", name });
  });

  test.each([
    ["whose eventType is not a text is kept without it", "NEW", 7, {}],
    ["that names no event is kept, but not acted on", "SCHEDULE", "DELETED", { eventType: "DELETED" }],
  ])("one %s", (_which, name, eventType, kept) => {
    expect(readWebhook({ _type: name, eventType })).toEqual({ family: "other", name, ...kept });
  });

  test.each([[{}], [{ _type: 7 }], [{ _type: null }], [{ eventId: "e1", userId: "u1" }]])(
    "%j is unreadable",
    (json) => {
      expect(readWebhook(json)).toEqual({
        family: "unreadable",
        problem: "The body has neither _type nor the fields of an attendance webhook.",
      });
    },
  );

  test.each([[null], ["text"], [7], [true], [undefined], [[]], [[attendance]]])(
    "%j is unreadable, as it is not an object",
    (json) => expect(readWebhook(json)).toMatchObject({ family: "unreadable" }),
  );

  test("no JSON makes the reader throw", () => {
    const anyWebhook = fc.oneof(
      fc.jsonValue(),
      fc.record(
        {
          _type: fc.jsonValue(),
          eventId: fc.jsonValue(),
          userId: fc.jsonValue(),
          timestamp: fc.oneof(fc.string(), fc.double(), fc.date({ noInvalidDate: true }).map(String)),
          currentStatus: fc.oneof(fc.jsonValue(), fc.record({ status: fc.string(), notes: fc.jsonValue() })),
        },
        { requiredKeys: [] },
      ),
    );
    fc.assert(
      fc.property(anyWebhook, (json) => {
        const webhook = readWebhook(json);
        if (webhook.family === "ATTENDANCE") expect(webhook.observation.at).toSatisfy(Number.isSafeInteger);
      }),
      { numRuns: 1000 },
    );
  });
});

describe("a timestamp", () => {
  test.each<[string, string | number, number]>([
    ["in UTC", "2026-09-14T12:00:00Z", noon],
    ["with milliseconds", "2026-09-14T12:00:00.250Z", noon + 250],
    ["with microseconds", "2026-09-14T12:00:00.250999Z", noon + 250],
    ["in another zone", "2026-09-14T14:00:00+02:00", noon],
    ["in another zone, without a colon", "2026-09-14T14:00:00+0200", noon],
    ["west of Greenwich", "2026-09-14T07:00:00-05:00", noon],
    ["without a zone is UTC, whatever this machine's zone", "2026-09-14T12:00:00", noon],
    ["without a zone and with milliseconds", "2026-09-14T12:00:00.250", noon + 250],
    ["with a space and no zone", "2026-09-14 12:00:00", noon],
    ["without seconds", "2026-09-14T12:00", noon],
    ["that is only a day", "2026-09-14", noon - 12 * 3_600_000],
    ["in seconds", noon / 1000, noon],
    ["in seconds with a fraction", noon / 1000 + 0.25, noon + 250],
    ["in milliseconds", noon, noon],
    ["in seconds, as text", String(noon / 1000), noon],
    ["in milliseconds, as text", String(noon), noon],
  ])("%s is read: %s", (_what, value, expected) => expect(readTimestamp(value)).toBe(expected));

  test("without a zone is UTC even if the machine's clock is set to another zone", () => {
    const before = process.env.TZ;
    process.env.TZ = "America/New_York";
    try {
      expect(new Date(noon).getTimezoneOffset()).toBe(240);
      expect(readTimestamp("2026-09-14T12:00:00")).toBe(noon);
      expect(readTimestamp("2026-09-14")).toBe(noon - 12 * 3_600_000);
    } finally {
      if (before === undefined) delete process.env.TZ;
      else process.env.TZ = before;
    }
  });

  test.each<[string | number]>([
    [""],
    ["yesterday"],
    ["14/09/2026 12:00"],
    ["2026"],
    ["2026-13-40T99:00:00Z"],
    ["2026-09-14 noon"],
    ["2026-09-14junk"],
    ["2026-09-14T12:00:00ZZ"],
    ["T12:00:00Z"],
    ["1970-01-01T00:00:00Z"],
    [0],
    [-1],
    [Number.NaN],
    [Number.POSITIVE_INFINITY],
    [noon * 1000],
    [Number.MAX_SAFE_INTEGER],
  ])("%s cannot be read", (value) => expect(readTimestamp(value)).toBeNull());
});
