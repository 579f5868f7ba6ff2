import { describe, expect, test } from "vitest";
import { type Counts, loweredCeilings, overCeilings } from "../gate/ceilings.ts";
import { type FileCounts, judge, type Outcome } from "../gate/judge.ts";

const file = (name: string, counts: Partial<FileCounts> = {}): FileCounts => ({
  file: `one ${name}`,
  passed: 3,
  failed: 0,
  skipped: 0,
  notRun: [],
  errors: 0,
  ...counts,
});
const rules = file("test/rules/label.test.ts");
const browser = file("test/browser/home.test.ts");

/** A run without failures, except for what is given. */
const outcome = (given: Partial<Outcome> = {}, ...files: FileCounts[]): Outcome => ({
  checks: [{ name: "types", holds: true }],
  tests: { files: files.length > 0 ? files : [rules, browser], unhandled: [] },
  again: new Map(),
  filesNotRun: [],
  isCi: false,
  ...given,
});
const aloneAgain = (...files: FileCounts[]) =>
  new Map(files.map((one) => [one.file, { files: [one], unhandled: [] }]));

describe("the gate", () => {
  test("passes a run without failures", () => {
    expect(judge(outcome())).toEqual({ passed: 6, failed: 0, remarks: [] });
  });

  test("passes when tests that need another server are left out, except browser tests", () => {
    expect(judge(outcome({}, file("test/walls/storage.test.ts", { skipped: 70 }), browser)).failed).toBe(0);
  });

  test("counts and names what this machine's browsers cannot run, and passes", () => {
    const cookies = file("test/browser/cookies.test.ts", { notRun: ["blockedCookies", "blockedCookies"] });
    const addresses = file("test/browser/addresses.test.ts", { notRun: ["blockedCookies"] });
    const firefox = file("test/browser/firefox.test.ts", { passed: 0, notRun: ["firefox"] });
    expect(judge(outcome({}, rules, browser, cookies, addresses, firefox))).toEqual({
      passed: 12,
      failed: 0,
      remarks: [
        expect.stringMatching(/^not run: 3 tests in 2 files: they need a whole Chromium, which can block/),
        expect.stringMatching(/^not run: 1 test in 1 file: they need Firefox; .*FIREFOX_PATH/),
      ],
    });
  });

  test("names the files that no Chromium can run, and passes", () => {
    expect(
      judge(outcome({ filesNotRun: [{ need: "chromium", files: ["home.test.ts", "grid.test.ts"] }] }, rules)),
    ).toEqual({
      passed: 3,
      failed: 0,
      remarks: [expect.stringMatching(/^not run: 2 files: they need Chromium; .*CHROMIUM_PATH/)],
    });
  });

  test.each<[what: string, Outcome, failed: number, remark: RegExp]>([
    [
      "CI could not run a test",
      outcome({ isCi: true }, browser, file("test/browser/firefox.test.ts", { notRun: ["firefox"] })),
      1,
      /^failed: in CI every test runs; not run: 1 test in 1 file: they need Firefox/,
    ],
    ["a check failed", outcome({ checks: [{ name: "types", holds: false }] }), 1, /^failed: types$/],
    ["a test failed", outcome({}, file("a.test.ts", { failed: 2 }), browser), 2, /^failed: one a\.test\.ts$/],
    [
      "a file cannot be loaded",
      outcome({}, file("a.test.ts", { passed: 0, errors: 1 }), browser),
      1,
      /a\.test/,
    ],
    ["Vitest ended without a report", outcome({ tests: null }), 3, /without a report/],
    ["no test ran", outcome({ tests: { files: [], unhandled: [] } }), 2, /no test ran$/],
    [
      "nothing handled a rejection",
      outcome({ tests: { files: [rules, browser], unhandled: ["socket hang up"] } }),
      1,
      /outside of any test: socket hang up/,
    ],
    ["no browser test ran", outcome({}, rules), 1, /no test ran in the browser/],
    [
      "a browser test was left out",
      outcome({}, rules, file("test/browser/home.test.ts", { skipped: 1 })),
      1,
      /left out: one test\/browser\/home/,
    ],
    [
      "a file failed twice",
      outcome({ again: aloneAgain({ ...rules, failed: 1 }) }, { ...rules, failed: 2 }, browser),
      2,
      /^failed: one test\/rules\/label/,
    ],
    [
      "the second run of a file has no result for it",
      outcome({ again: new Map([[rules.file, null]]) }, { ...rules, failed: 1 }, browser),
      1,
      /^failed: one test\/rules\/label/,
    ],
    [
      "the second run of a file skipped its tests",
      outcome({ again: aloneAgain({ ...rules, passed: 0, skipped: 3 }) }, { ...rules, failed: 1 }, browser),
      1,
      /^failed: one test\/rules\/label/,
    ],
    [
      "the second run of a file failed outside of its tests",
      outcome(
        { again: new Map([[rules.file, { files: [rules], unhandled: ["oh"] }]]) },
        { ...rules, failed: 1 },
        browser,
      ),
      1,
      /^failed: one test\/rules\/label/,
    ],
  ])("fails when %s", (_what, given, failed, remark) => {
    const verdict = judge(given);
    expect(verdict.failed).toBe(failed);
    expect(verdict.remarks).toEqual(expect.arrayContaining([expect.stringMatching(remark)]));
  });

  test("names a file that passed only when run again alone, and counts its second result", () => {
    const failedFirst = { ...rules, passed: 1, failed: 2 };
    expect(judge(outcome({ again: aloneAgain(rules) }, failedFirst, browser))).toEqual({
      passed: 6,
      failed: 0,
      remarks: ["passed only when it ran again, alone: one test/rules/label.test.ts. Mend it next."],
    });
  });
});

describe("ceilings for the size of the project", () => {
  const ceilings: Counts = {
    sourceFiles: 1330,
    sourceLines: 105_500,
    sandboxLines: 14_200,
    testLines: 95_500,
    languageFiles: 60,
    languageLines: 5400,
    docsWords: 59_700,
  };

  test("accept counts of exactly their size", () => expect(overCeilings(ceilings, ceilings)).toEqual([]));

  test("refuse larger counts, with a sentence that says which and by how much", () => {
    expect(overCeilings({ ...ceilings, sourceLines: 105_512, docsWords: 59_701 }, ceilings)).toEqual([
      expect.stringMatching(/^105512 lines of src: 12 over the ceiling of 105500 /),
      expect.stringMatching(/^59701 words of docs: 1 over the ceiling of 59700 /),
    ]);
  });

  test("are lowered to the next 10 files or 100 lines, and never raised", () => {
    const counts = { ...ceilings, sourceFiles: 1311, sourceLines: 99_901, testLines: 95_501 };
    expect(loweredCeilings(counts, ceilings)).toEqual({
      ...ceilings,
      sourceFiles: 1320,
      sourceLines: 100_000,
    });
  });
});
