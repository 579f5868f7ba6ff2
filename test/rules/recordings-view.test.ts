import { expect, test } from "vitest";
import { createTranslator } from "../../src/web/translate.ts";
import type { CourseRecording } from "../../src/modules/recordings/list-recordings.ts";
import { courseTimes } from "../../src/web/course-times.ts";
import { recordingGroups, type RecordingWords } from "../../src/modules/recordings/pages/recordings-view.ts";

const hour = 3_600_000;
const monday = Date.parse("2026-11-16T10:00:00Z");
const t = createTranslator()("en");
const words: RecordingWords = {
  t,
  times: courseTimes({ timeZone: "UTC" }, t.locale),
  sectionKind: "groups",
  sections: [],
  teaches: true,
};
const lesson = (eventId: string, startsAt: number) => ({
  eventId,
  startsAt,
  endsAt: startsAt + hour,
  title: `Lesson ${eventId}`,
  sectionIds: [],
});
const recording = (recordingId: string, facts: Partial<CourseRecording> = {}): CourseRecording => ({
  recordingId,
  spaceId: "space",
  state: "ready",
  at: monday,
  firstSeenAt: monday,
  title: recordingId,
  ownTitle: null,
  durationSeconds: null,
  session: { kind: "none" },
  placed: false,
  mayBeForSome: false,
  shown: null,
  revision: 0,
  addresses: { recording: "https://app.test/r", transcript: null, summary: null },
  texts: [],
  transcript: false,
  ...facts,
});
const groupsOf = (recordings: CourseRecording[], change: Partial<RecordingWords> = {}) =>
  recordingGroups({ ...words, ...change }, recordings, { sessions: [], awaited: [] });
const told = (recordings: CourseRecording[]) =>
  groupsOf(recordings).map(({ heading, recordings: rows }) => [heading, rows.map(({ title }) => title)]);

test("lists recordings under their session, newest first, and those without a session together", () => {
  const one = { kind: "one", session: lesson("1", monday) } as const;
  const list = [
    recording("loose-1", { at: monday + 48 * hour }),
    recording("loose-2", { at: monday + 47 * hour }),
    recording("first", { session: one }),
    recording("second", { session: one, at: monday + 0.5 * hour }),
    recording("old", { at: monday - 48 * hour }),
  ];
  const expected = [
    ["Outside scheduled sessions", ["loose-1", "loose-2"]],
    ["Lesson 1", ["first", "second"]],
    ["Outside scheduled sessions", ["old"]],
  ];
  expect(told(list)).toEqual(expected);
  expect(told(list), "on the next page that is shown").toEqual(expected);
});

test("names an unknown session as unknown, and offers only what is possible", () => {
  const addresses = { recording: null, transcript: null, summary: null };
  const several = { kind: "several", sessions: [lesson("1", monday), lesson("2", monday + hour)] } as const;
  const [group] = groupsOf([
    recording("r", { addresses, session: { ...several, sessions: [...several.sessions] } }),
  ]);
  expect(group?.recordings).toMatchObject([
    {
      opens: [],
      missing: "There’s no link to it. Open the classroom to watch it.",
      notes: [
        "Recorded Mon 16 Nov 2026, 10:00",
        "Could be one of several sessions: Lesson 1, Mon 16 Nov 2026, 10:00–11:00 or Lesson 2, Mon 16 Nov 2026, 11:00–12:00. Choose it under Edit.",
      ],
    },
  ]);
  const transcript = { transcript: true, state: "transcript-ready" } as const;
  const link = { ...addresses, recording: "https://app.test/r", transcript: "https://app.test/r/t" };
  const [spoken] = groupsOf([
    recording("r", transcript),
    recording("linked", { ...transcript, addresses: link }),
    recording("kept", { ...transcript, texts: ["summary"] }),
  ]);
  expect(spoken?.recordings.map(({ missing }) => missing)).toEqual([
    "Open the classroom to read its transcript and summary.",
    null,
    null,
  ]);
  const [gone] = groupsOf([recording("r", { state: "unavailable" })]);
  expect(gone?.recordings).toMatchObject([{ opens: [], missing: null, decision: { act: null } }]);
  const [theirs] = groupsOf([recording("r", { shown: "published" })], { teaches: false });
  expect(theirs?.recordings).toMatchObject([{ decision: null, opens: [{ part: "recording" }] }]);
});
