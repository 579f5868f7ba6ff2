import { describe, expect, test } from "vitest";
import { defaultDialect } from "../../src/classroom/default-dialect.ts";
import { parseDialect } from "../../src/classroom/parse-dialect.ts";
import {
  attributionFrom,
  type JudgedEvent,
  maxCommentCharacters,
  occasionKey,
  occasionOf,
  problemOf,
  tallyOf,
  tidyComment,
} from "../../src/modules/feedback/rules/feedback.ts";
import { parse } from "node:querystring";

const nothing = { spaceId: null, userId: null, eventId: null, sessionId: null };
const names = defaultDialect.feedbackRedirect;
const read = (query: string) => attributionFrom(parse(query), names);

describe("Who left which Space, as an address tells it", () => {
  test.each([
    ["camel case", "spaceId=s1&userId=u1&eventId=e1&sessionId=x1"],
    ["underscores", "space_id=s1&user_id=u1&event_id=e1&session_id=x1"],
    ["bare words", "space=s1&user=u1&event=e1&session=x1"],
    ["a value that comes twice", "spaceId=s1&spaceId=s1&userId=u1&eventId=e1&sessionId=x1"],
    ["other parameters beside it", "utm=1&spaceId=s1&userId=u1&eventId=e1&sessionId=x1&__proto__=2"],
    ["an unusable name before a usable one", "spaceId=&space_id=s1&userId=u1&eventId=e1&sessionId=x1"],
  ])("is read from %s", (_what, query) => {
    expect(read(query)).toEqual({ spaceId: "s1", userId: "u1", eventId: "e1", sessionId: "x1" });
  });

  test.each([
    ["nothing", ""],
    ["another name", "whiteboard=s1"],
    ["two different values", "spaceId=s1&spaceId=s2"],
    ["a list in brackets", "spaceId[]=s1&spaceId[0]=s1"],
    ["an object", "spaceId[$ne]=s1"],
    ["an empty value", "spaceId=&space_id=%20%20"],
    ["a value that is too long", `spaceId=${"s".repeat(201)}`],
    ["a control character", "spaceId=s%00"],
    ["a space inside", "spaceId=s%201"],
    ["markup", "spaceId=%3Cscript%3E"],
    ["a lone surrogate", "spaceId=%ED%A0%80 x"],
  ])("is nothing with %s", (_what, query) => expect(read(query)).toEqual(nothing));

  test("an array, an object or a number in place of a text is ignored", () => {
    expect(
      attributionFrom({ spaceId: { $ne: 1 }, userId: 7, eventId: [["x"]], sessionId: [] }, names),
    ).toEqual(nothing);
  });

  test("the dialect sets the names", () => {
    const { feedbackRedirect } = parseDialect({ feedbackRedirect: { spaceId: ["whiteboard"], eventId: [] } });
    expect(
      attributionFrom({ whiteboard: "s1", spaceId: "s2", user: "u1", event: "e1" }, feedbackRedirect),
    ).toEqual({ ...nothing, spaceId: "s1", userId: "u1" });
    expect(() => parseDialect({ feedbackRedirect: { spaceId: [7] } })).toThrow(/feedbackRedirect/);
    expect(() => parseDialect({ feedbackRedirect: { roomId: ["room"] } })).toThrow(/feedbackRedirect/);
  });
});

describe("Which class an answer is about", () => {
  const hour = 3_600_000;
  const now = Date.UTC(2026, 10, 21, 10, 30);
  const today = Date.UTC(2026, 10, 21);
  const event = (eventId: string, change: Partial<JudgedEvent> = {}): JudgedEvent => ({
    eventId,
    spaceId: "s1",
    startsAt: now - hour,
    endsAt: now,
    cancelled: false,
    ...change,
  });
  test.each([
    ["the event that is named", "e1", [event("e1")], "e1"],
    ["the named one of two", "e2", [event("e1"), event("e2")], "e2"],
    [
      "the named one, although it was last week",
      "e1",
      [event("e1", { startsAt: now - 168 * hour, endsAt: now - 167 * hour })],
      "e1",
    ],
    ["the only one that goes on, when none is named", null, [event("e1")], "e1"],
    ["the one that ended just now", null, [event("e1", { endsAt: now - hour / 2 })], "e1"],
    ["the day, when two go on", null, [event("e1"), event("e2")], null],
    [
      "the day, when it ended long ago",
      null,
      [event("e1", { startsAt: now - 3 * hour, endsAt: now - 2 * hour })],
      null,
    ],
    ["the day, when nothing is known of the named one", "e9", [], null],
    ["the day, when the named one is another Space's", "e1", [event("e1", { spaceId: "s2" })], null],
    ["the day, when the named one is cancelled", "e1", [event("e1", { cancelled: true })], null],
    [
      "the day, when the named one has not begun",
      "e1",
      [event("e1", { startsAt: now + hour, endsAt: now + 2 * hour })],
      null,
    ],
    ["the named one without times", "e1", [event("e1", { startsAt: null, endsAt: null })], "e1"],
  ] as const)("is %s", (_what, named, known, eventId) => {
    const occasion = occasionOf("s1", named, known, now, null);
    expect(occasion.eventId).toBe(eventId);
    const found = known.find((one) => one.eventId === eventId);
    expect(occasion.heldAt).toBe(found?.startsAt ?? today);
  });

  test.each([
    ["Australia/Sydney", "2026-11-23T22:05:00Z", "2026-11-24"],
    ["America/New_York", "2026-11-25T00:30:00Z", "2026-11-24"],
    ["no zone", "2026-11-25T00:30:00Z", "2026-11-25"],
  ])("is the current day in the course's time zone: %s, %s", (zone, now, day) => {
    const { heldAt } = occasionOf("s1", null, [], Date.parse(now), zone);
    expect(new Date(heldAt).toISOString()).toBe(`${day}T00:00:00.000Z`);
  });

  test("answers of one day belong together, those of different days, Spaces or events do not", () => {
    const key = (spaceId: string, eventId: string | null, at: number) =>
      occasionKey({ ...occasionOf(spaceId, null, [], at, null), eventId });
    expect(key("s1", null, now)).toBe(key("s1", null, now + hour));
    expect(
      new Set([
        key("s1", null, now),
        key("s1", null, now + 24 * hour),
        key("s2", null, now),
        key("s1", "e1", now),
      ]).size,
    ).toBe(4);
  });
});

describe("A comment", () => {
  test.each([
    ["line ends of every kind", "a\r\nb\rc\nd", "a\nb\nc\nd"],
    ["white space around it", "  \n hello \n", "hello"],
    ["control characters", "a\u0000b\u0007c\tde", "abc\tde"],
    ["many empty lines", "a\n\n\n\n\nb", "a\n\nb"],
    ["half a character", "a\ud800b", "a\ufffdb"],
    ["markup, which is text", "<script>alert(1)</script>", "<script>alert(1)</script>"],
    ["nothing", " \r\n ", null],
  ])("is cleaned up: %s", (_what, typed, kept) => expect(tidyComment(typed)).toBe(kept));

  const answer = { rating: null, soundAndPicture: null, comment: null };
  test.each([
    ["nothing at all", answer, "empty"],
    ["only a rating", { ...answer, rating: 3 }, null],
    ["only sound and picture", { ...answer, soundAndPicture: "no" as const }, null],
    ["only a comment", { ...answer, comment: "x" }, null],
    ["a comment of the greatest length", { ...answer, comment: "x".repeat(maxCommentCharacters) }, null],
    ["that many emoji", { ...answer, comment: "🙂".repeat(maxCommentCharacters) }, null],
    ["one character too many", { ...answer, comment: "x".repeat(maxCommentCharacters + 1) }, "too-long"],
  ])("is accepted or refused: %s", (_what, given, problem) => expect(problemOf(given)).toBe(problem));
});

describe("The answers about a class together", () => {
  const rated = (...given: (number | null)[]) => given.map((rating) => ({ rating, soundAndPicture: null }));
  test.each([
    [[], null],
    [rated(null, null), null],
    [rated(5), 5],
    [rated(5, 4, 2), 3.7],
    [rated(1, 2), 1.5],
    [rated(...Array.from({ length: 20 }, (_, index) => (index === 0 ? 4 : 5))), 5], // 4.95 is written 5
    [rated(5, null, null), 5],
  ])("average %#", (answers, average) => {
    expect(tallyOf(answers)).toMatchObject({ answers: answers.length, average });
  });

  test("count each answer about sound and picture", () => {
    const answers = (["yes", "yes", "no", null] as const).map((soundAndPicture) => ({
      rating: null,
      soundAndPicture,
    }));
    expect(tallyOf(answers)).toEqual({
      answers: 4,
      average: null,
      soundAndPicture: { yes: 2, partly: 0, no: 1 },
    });
  });
});
