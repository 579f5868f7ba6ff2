import { writeFileSync } from "node:fs";
import type { Reporter, TestModule } from "vitest/node";
import type { FileCounts, RunCounts } from "./judge.ts";

/** A Vitest reporter that writes what became of each file, as RunCounts, to the file that GATE_COUNTS names. */
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

function countsOf(module: TestModule): FileCounts {
  const states = [...module.children.allTests()].map((test) => test.result().state);
  const suites = [...module.children.allSuites()];
  return {
    file: `${module.project.name} ${module.relativeModuleId}`,
    passed: states.filter((state) => state === "passed").length,
    failed: states.filter((state) => state === "failed").length,
    // A test that never came to its end, because a hook failed, was left out as well.
    skipped: states.filter((state) => state === "skipped" || state === "pending").length,
    errors: module.errors().length + suites.reduce((sum, suite) => sum + suite.errors().length, 0),
  };
}
