import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { z } from "zod";

type Asked = { subject: string; message_id: string; key?: string; value?: unknown };
/** What an LMS's page posts as its answer; undefined if it never answers. */
type Says = (asked: Asked) => unknown;
type Storage = {
  put: (key: string, value: string) => Promise<boolean>;
  get: (key: string) => Promise<string | null>;
};

/** The browser's module, as it is served. */
const { findStorage } = z
  .object({
    findStorage: z.custom<(where: { origin: string; target: string }) => Promise<Storage | null>>(
      (value) => typeof value === "function",
    ),
  })
  .parse(await import(new URL("../../views/assets/platform-storage.js", import.meta.url).href));

const lms = "https://lms.example";
/** Longer than the module waits for an answer (ms). */
const patience = 2_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

/**
 * What an LMS whose page says this keeps for us. @param target Empty when the login named no frame; the page has none.
 * @param from Whose answer it is.
 */
async function storageOf(says: Says, target = "_parent", from = lms): Promise<Storage | null> {
  const heard = new Set<(event: object) => void>();
  vi.stubGlobal("addEventListener", (_type: string, hear: (event: object) => void) => heard.add(hear));
  vi.stubGlobal("removeEventListener", (_type: string, hear: (event: object) => void) => heard.delete(hear));
  const page = {
    postMessage: (asked: Asked) => {
      const data = says(asked);
      if (data !== undefined) for (const hear of heard) hear({ data, origin: from, source: page });
    },
  };
  vi.stubGlobal("window", { opener: null, parent: page });
  return soon(findStorage({ origin: lms, target }));
}

async function soon<T>(wanted: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(patience);
  return wanted;
}

/** Repeats what was asked for, except for the given fields. */
const repeats =
  (changed: object): Says =>
  ({ subject, ...asked }) => ({ ...asked, subject: `${subject}.response`, ...changed });

test.each<[string, boolean, Says]>([
  ["repeats the value", true, repeats({})],
  ["does not repeat the value", true, repeats({ key: undefined, value: undefined })],
  ["does not accept our origin", false, repeats({ error: { code: "wrong_origin" } })],
  ["answers with a text as the error", false, repeats({ error: "no" })],
  ["answers with a number as the error", false, repeats({ error: 7 })],
  ["stores null instead of the value", false, repeats({ value: null })],
  ["stores half of the value", false, repeats({ value: "va" })],
  ["answers another question", false, repeats({ message_id: "1" })],
  ["answers with another subject", false, repeats({ subject: "lti.get_data.response" })],
  ["answers with text", false, ({ message_id }) => `lti.put_data.response ${message_id}`],
  ["answers with null", false, () => null],
  ["never answers", false, () => undefined],
])("an LMS that %s keeps a value: %s", async (_what, isKept, says) => {
  const storage = await storageOf(says);
  expect(await soon(storage?.put("name", "value") ?? Promise.resolve(null))).toBe(isKept);
});

test("ignores an answer from another origin", async () => {
  const storage = await storageOf(repeats({}), "_parent", "https://elsewhere.example");
  expect(await soon(storage?.put("name", "value") ?? Promise.resolve(null))).toBe(false);
});

test("the page answers if the named frame is missing, and may hear only a repeated question", async () => {
  let questions = 0;
  const storage = await storageOf((asked) => ((questions += 1) > 2 ? repeats({})(asked) : undefined), "kept");
  expect(await soon(storage?.put("name", "value") ?? Promise.resolve(null))).toBe(true);
  expect(questions).toBe(3);
});

test.each<[string, string | null, Says]>([
  ["has the value", "value", repeats({ value: "value" })],
  ["has no value (null)", null, repeats({ value: null })],
  ["has no value (an error that is a text)", null, repeats({ error: "not found" })],
  ["has no value (an error with a code)", null, repeats({ error: { code: "bad_request" } })],
  ["never answers without a value", null, () => undefined],
  ["returns the value of another key", null, repeats({ key: "other", value: "value" })],
  ["returns something other than a text", null, repeats({ value: { toString: 1 } })],
])("an LMS that %s returns %s", async (_what, given, says) => {
  const storage = await storageOf(says);
  expect(await soon(storage?.get("name") ?? Promise.resolve("no storage"))).toBe(given);
});

describe("An LMS whose login named no frame is asked for its capabilities", () => {
  const [put, get] = ["lti.put_data", "lti.get_data"].map((subject) => ({ subject, frame: "_parent" }));
  test.each<[string, boolean, unknown]>([
    ["both", true, [null, "x", put, get]],
    ["both, without a frame", true, [{ subject: "lti.put_data" }, { subject: "lti.get_data" }]],
    ["only storing", false, [put]],
    ["only reading", false, [get]],
    ["not a list", false, "lti.put_data"],
  ])("%s: it stores values: %s", async (_what, isStorage, supported) => {
    const asked: string[] = [];
    const storage = await storageOf((question) => {
      asked.push(question.subject);
      return repeats({ supported_messages: supported })(question);
    }, "");
    expect(storage !== null).toBe(isStorage);
    expect(asked).toEqual(["lti.capabilities"]);
  });
});
