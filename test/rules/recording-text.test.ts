import { describe, expect, test } from "vitest";
import { defaultDialect } from "../../src/classroom/default-dialect.ts";
import { spokenTextAt } from "../../src/classroom/read-reply.ts";
import { storedText, maxTextLength, withoutNames } from "../../src/modules/recordings/rules/recording.ts";

const { reply } = defaultDialect.operations.readRecordings;
const at = (field: string) => reply[field] ?? [];
const segment = { text: at("segmentText"), speaker: at("segmentSpeaker") };
const transcriptIn = (entry: object) => spokenTextAt(entry, at("transcriptText"), segment);
const summaryIn = (entry: object) => spokenTextAt(entry, at("summaryText"), segment);

describe("a transcript is found in a recording", () => {
  const said = [
    { speaker: "Ina", text: "Good morning." },
    { speaker: "Ina", text: "Shall we begin?" },
    { speaker: "Ann", text: "Yes, please." },
  ];
  const lines = "Ina: Good morning.\nShall we begin?\nAnn: Yes, please.";

  test.each<[string, object, string]>([
    ["that has it as a text", { transcript: "Ina: Good morning." }, "Ina: Good morning."],
    ["in a record with a text", { transcript: { text: "Good morning." } }, "Good morning."],
    ["under another name", { transcription: "Buenos días a todos" }, "Buenos días a todos"],
    [
      "in a script without spaces",
      { transcript: "今日は細胞について話します。" },
      "今日は細胞について話します。",
    ],
    ["as a list of sentences", { transcript: said }, lines],
    ["as segments", { transcript: { language: "en", segments: said } }, lines],
    [
      "with speakers as objects",
      { transcript: [{ speaker: { name: "Ina" }, text: "Hi there" }] },
      "Ina: Hi there",
    ],
    ["without speakers", { transcript: [{ text: "Hi there" }, { text: "all" }] }, "Hi there\nall"],
  ])("%s", (_how, entry, text) => expect(transcriptIn(entry)).toBe(text));

  test.each<[string, object]>([
    ["a web address", { transcript: "https://classroom.test/t 1" }],
    ["an address without a host", { transcript: "/transcripts/1.vtt" }],
    ["an id", { transcript: "tr_0815" }],
    ["a status", { transcript: { status: "READY", text: "PENDING" } }],
    ["true", { transcript: true }],
    ["nothing", { transcript: "  " }],
    ["an empty list", { transcript: [] }],
    ["a list of other things", { transcript: [{ url: 1 }, 2, null] }],
  ])("but not if it is %s", (_what, entry) => expect(transcriptIn(entry)).toBeNull());

  test("a summary may be a list of points", () => {
    expect(summaryIn({ summary: { points: ["Cells were drawn.", "Homework: page 4"] } })).toBe(
      "Cells were drawn.\nHomework: page 4",
    );
  });
});

describe("a text is stored", () => {
  test("with plain line ends and without control characters", () => {
    expect(storedText(" one\r\ntwo\u0000\u001b[31m\tthree \u200fa ")).toEqual({
      text: "one\ntwo[31m\tthree \u200fa",
      cut: false,
    });
  });

  test("up to its maximum length, without half a character", () => {
    const told = `${"a".repeat(maxTextLength - 1)}😀 and more`;
    expect(storedText(told)).toEqual({ text: "a".repeat(maxTextLength - 1), cut: true });
    expect(storedText("a".repeat(maxTextLength)).cut).toBe(false);
  });
});

test.each<[string, string[], string, string]>([
  ["a whole name in any case", ["Ann Abel"], "ANN  ABEL: I am Ann Abel-Smith.", "…: I am …-Smith."],
  ["a name that is also a word", ["Will"], "Will you, Will? Willow will.", "… you, …? Willow will."],
  ["the longest name first", ["Ann", "Ann Abel"], "Ann Abel and Ann", "… and …"],
  ["a name with punctuation", ["O'Neil (Jr.)"], "O'neil (jr.) came", "… came"],
  ["names in other alphabets", ["Šárka"], "Šárka a Šárkan", "… a Šárkan"],
  ["names written without spaces", ["小明", "민수"], "小明。민수는", "…。…는"],
  ["a name with decomposed accents", ["Zoe\u0308"], "Zoë came", "… came"],
  ["nothing for an empty or very short name", ["", " ", "A"], "A plan", "A plan"],
])("taking names out of a text removes %s", (_what, names, text, left) => {
  expect(withoutNames(text, names)).toBe(left);
});
