import { describe, expect, test } from "vitest";
import {
  attendanceColumn,
  columnOfChoice,
  eventOfColumn,
  resourceIdOfColumn,
  sessionColumn,
} from "../../src/modules/grading/rules/column.ts";
import { columnPointsFrom, linkOfferOf } from "../../src/modules/links/rules/link-offer.ts";
import { spaceIdFrom } from "../../src/modules/spaces/rules/space-right.ts";
import { createSealer } from "../../src/kernel/sealer.ts";
import { createDialogs, type Dialog } from "../../src/modules/links/pages/hand-over.ts";

describe("A Space is named by its address in the course's environment, or by its id", () => {
  test.each([
    ["https://app.test/spaces/abc", "abc"],
    ["https://app.test/spaces/abc/", "abc"],
    ["  https://app.test/spaces/a%20b?standalone=true#x ", null], // ids have no blanks
    ["https://app.test/spaces/%C3%BCber?x=1", "über"],
    ["https://app.test/spaces/abc/room/2", "abc"],
    ["https://app.test:443/spaces/abc", "abc"],
    ["abc-DEF_12.3~4", "abc-DEF_12.3~4"],
    ["65f0c1d2e3", "65f0c1d2e3"],
    ["https://app.test/spaces/", null],
    ["https://app.test/spaces/..", null],
    ["https://app.test/spaces/%2e%2e", null],
    ["https://app.test/spaces/a%2Fb", null],
    ["https://app.test/spaces/%zz", null],
    ["https://app.test/rooms/abc", null],
    ["http://app.test/spaces/abc", null],
    ["https://app.test.evil.test/spaces/abc", null],
    ["https://app.test@evil.test/spaces/abc", null],
    ["javascript:alert(1)", null],
    ["..", null],
    ["", null],
    ["a b", null],
    ["x".repeat(201), null],
  ])("%j is %j", (typed, id) => {
    expect(spaceIdFrom(typed, "https://app.test/")).toBe(id);
  });

  test("the address of an application below a path counts from there", () => {
    expect(spaceIdFrom("https://app.test/web/spaces/abc", "https://app.test/web")).toBe("abc");
    expect(spaceIdFrom("https://app.test/spaces/abc", "https://app.test/web")).toBeNull();
  });
});

test.each([
  ["1", 1],
  ["100", 100],
  [" 20 ", 20],
  ["007", 7],
  ["0", null],
  ["101", null],
  ["12.5", null],
  ["1e2", null],
  ["-1", null],
  ["", null],
  ["１０", 10],
])("%j points are %j", (typed, points) => expect(columnPointsFrom(typed)).toBe(points));

describe("What a dialog offers depends on what the LMS accepts", () => {
  const moodle = { acceptTypes: ["ltiResourceLink"], acceptMultiple: true, acceptLineItem: null };
  test("Moodle sends nothing about columns, and gets them", () => {
    expect(linkOfferOf(moodle)).toEqual({ links: true, several: true, columns: true });
  });
  test("offers no columns to an LMS that declines them", () => {
    expect(linkOfferOf({ ...moodle, acceptLineItem: false }).columns).toBe(false);
  });
  test("offers no links to an LMS that accepts only files and pages", () => {
    expect(linkOfferOf({ ...moodle, acceptTypes: ["link", "file", "html"] }).links).toBe(false);
  });
});

describe("Columns", () => {
  test("choosing a session uses its column, any other choice the course's", () => {
    expect(columnOfChoice({ kind: "session", eventId: "e 1" })).toBe(sessionColumn("e 1"));
    expect(columnOfChoice({ kind: "course-space" })).toBe(attendanceColumn);
    expect(columnOfChoice({ kind: "space", spaceId: "s" })).toBe(attendanceColumn);
    expect(eventOfColumn(sessionColumn("e 1"))).toBe("e 1");
    expect(eventOfColumn(attendanceColumn)).toBeNull();
  });
  test("each has its own resource id", () => {
    expect(resourceIdOfColumn(attendanceColumn)).toBe("spaces-lti-attendance");
    expect(resourceIdOfColumn(sessionColumn("e1"))).toBe("spaces-lti-session-e1");
  });
});

describe("A dialog", () => {
  const dialog: Dialog = {
    registrationId: "reg_1",
    deploymentId: "1",
    courseId: "crs_1",
    personId: "per_1",
    locale: null,
    timeZone: null,
    returnUrl: "https://lms.test/return",
    acceptTypes: ["ltiResourceLink"],
    acceptTargets: [],
    acceptMultiple: false,
    acceptLineItem: null,
    title: null,
    text: null,
    data: "secret words",
    session: "a session",
  };
  const sealer = createSealer("a secret key of at least thirty-two bytes");
  const at = (now: number) =>
    createDialogs({ sealer, clock: { now: () => now, sleep: () => Promise.resolve() } });
  const hour = 3_600_000;

  test("can be answered for an hour", () => {
    const token = at(0).issue(dialog);
    expect(token).not.toContain("secret");
    expect(at(hour - 1).read(token)).toEqual(dialog);
    expect(() => at(hour).read(token)).toThrow(/open too long/);
  });

  test("can be read with the previous key, and with no other", () => {
    const token = at(0).issue(dialog);
    const clock = { now: () => 1, sleep: () => Promise.resolve() };
    const rotated = createSealer(
      "another secret key of enough bytes",
      "a secret key of at least thirty-two bytes",
    );
    expect(createDialogs({ sealer: rotated, clock }).read(token)).toEqual(dialog);
    const foreign = createSealer("another secret key of enough bytes");
    expect(() => createDialogs({ sealer: foreign, clock }).read(token)).toThrow(/open too long/);
  });

  test("is refused when something else was sealed", () => {
    const other = sealer.seal("another purpose", JSON.stringify({ until: hour, dialog }));
    expect(() => at(0).read(other)).toThrow(/open too long/);
    for (const token of [undefined, null, 7, "", ["a"], "v1.aaaa"]) {
      expect(() => at(0).read(token)).toThrow(/open too long/);
    }
  });
});
