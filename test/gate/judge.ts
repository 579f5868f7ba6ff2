import { type Need, needs } from "../support/browser/browsers.ts";

/** The outcome of one test file in one run. */
export type FileCounts = {
  /** Vitest's project and the file's path, such as `one test/rules/messages.test.ts`. */
  file: string;
  passed: number;
  failed: number;
  skipped: number;
  /** For each test that was skipped because this machine lacks something: what it needs. */
  notRun: readonly Need[];
  /** Errors outside of a test: the file could not be loaded, or a hook around its tests failed. */
  errors: number;
};

/** The outcome of one run of Vitest. */
export type RunCounts = {
  files: readonly FileCounts[];
  /** Errors that belong to no file: unhandled rejections, a worker that ended. */
  unhandled: readonly string[];
};

export type Outcome = {
  /** Format, types, lint and the like. */
  checks: readonly { name: string; holds: boolean }[];
  /** The run of all tests; null when Vitest ended without a report. */
  tests: RunCounts | null;
  /** The outcome of failed files that ran again, each alone; null when Vitest ended without a report. */
  again: ReadonlyMap<string, RunCounts | null>;
  /** Files that were not even loaded, because none of their tests could run. */
  filesNotRun: readonly { need: Need; files: readonly string[] }[];
  /** Whether nothing may be left out: then a test that did not run fails the gate. */
  isCi: boolean;
};

export type Verdict = {
  passed: number;
  /** Failed tests, plus one for each check, file, or rule of the gate that failed. */
  failed: number;
  /** What a reader must know besides the counts, one line each. */
  remarks: readonly string[];
};

/** Whether anything in a file went wrong. */
export function hasFailed(file: FileCounts): boolean {
  return file.failed + file.errors > 0;
}

/**
 * Judges a whole run. It fails when a check or a test failed, when no test ran, when an error belongs to no test, and when a browser test
 * was left out for another reason than the machine's browsers, or in CI for any reason. A file that passed when it ran again alone counts
 * as passed, with a remark.
 */
export function judge({ checks, tests, again, filesNotRun, isCi }: Outcome): Verdict {
  const remarks: string[] = [];
  let failed = 0;
  const problem = (remark: string, count = 1) => {
    remarks.push(remark);
    failed += count;
  };

  for (const { name } of checks.filter(({ holds }) => !holds)) problem(`failed: ${name}`);
  if (tests === null) problem("failed: the tests ended without a report");
  for (const error of tests?.unhandled ?? []) problem(`failed outside of any test: ${error}`);

  const files = (tests?.files ?? []).map((first) => {
    if (!hasFailed(first)) return first;
    const second = again.get(first.file)?.files.find(({ file }) => file === first.file);
    const clean = second !== undefined && !hasFailed(second) && second.passed > 0;
    if (!clean || again.get(first.file)?.unhandled.length !== 0) {
      problem(`failed: ${first.file}`, Math.max(first.failed, 1));
      return first;
    }
    remarks.push(`passed only when it ran again, alone: ${first.file}. Mend it next.`);
    return second;
  });

  const passed = files.reduce((sum, file) => sum + file.passed, 0);
  if (passed === 0) problem("failed: no test ran");
  const inBrowser = files.filter(({ file }) => file.includes("test/browser/"));
  if (inBrowser.length === 0 && filesNotRun.length === 0) problem("failed: no test ran in the browser");
  for (const { file } of inBrowser.filter(
    (one) => one.skipped > 0 || one.passed + one.failed + one.notRun.length === 0,
  ))
    problem(`failed: tests in the browser were left out: ${file}`);
  const notRun = linesOfNotRun(files, filesNotRun);
  for (const line of notRun) {
    if (isCi) problem(`failed: in CI every test runs; ${line}`);
    else remarks.push(line);
  }
  return { passed, failed, remarks };
}

/** What did not run, one line for each need. */
function linesOfNotRun(files: readonly FileCounts[], filesNotRun: Outcome["filesNotRun"]): string[] {
  const lines = Object.entries(needs).flatMap(([need, sentence]) => {
    const counts = files.map(({ notRun }) => notRun.filter((one) => one === need).length).filter(Boolean);
    const tests = counts.reduce((sum, count) => sum + count, 0);
    return tests === 0
      ? []
      : [`not run: ${counted(tests, "test")} in ${counted(counts.length, "file")}: ${sentence}`];
  });
  return [
    ...filesNotRun.map(({ need, files: left }) => `not run: ${counted(left.length, "file")}: ${needs[need]}`),
    ...lines,
  ];
}

const counted = (number: number, noun: string): string =>
  `${String(number)} ${noun}${number === 1 ? "" : "s"}`;
