import { writeFileSync } from "node:fs";
import type { Reporter, TestCase, TestModule } from "vitest/node";
import { allNeeds, type Need } from "../support/browser/browsers.ts";
import type { FileCounts, RunCounts } from "./judge.ts";

/** A Vitest reporter that writes the outcome of each file, as RunCounts, to the file that GATE_COUNTS names. */
export default class ReportCounts implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandled: readonly { message?: string | undefined }[]): void {
    const path = process.env["GATE_COUNTS"];
    if (path === undefined) throw new Error("GATE_COUNTS must name the file for the counts");
    const counts: RunCounts = {
      files: modules.map(countsOf),
      unhandled: unhandled.map(
        ({ message }) => (message ?? "an error without a message").split("\n")[0] ?? "",
      ),
    };
    writeFileSync(path, JSON.stringify(counts));
  }
}

/** Why a test was skipped, according to its tags: its own, or those of a describe around it. */
const needOf = ({ tags }: TestCase): Need | undefined => allNeeds.find((need) => tags.includes(need));

function countsOf(module: TestModule): FileCounts {
  const tests = [...module.children.allTests()];
  const states = tests.map((test) => test.result().state);
  const leftOut = tests.filter((test) => ["skipped", "pending"].includes(test.result().state));
  const notRun = leftOut.flatMap((test) => needOf(test) ?? []);
  const suites = [...module.children.allSuites()];
  return {
    file: `${module.project.name} ${module.relativeModuleId}`,
    passed: states.filter((state) => state === "passed").length,
    failed: states.filter((state) => state === "failed").length,
    // A test that never finished, because a hook failed, was left out as well.
    skipped: leftOut.length - notRun.length,
    notRun,
    errors: module.errors().length + suites.reduce((sum, suite) => sum + suite.errors().length, 0),
  };
}
