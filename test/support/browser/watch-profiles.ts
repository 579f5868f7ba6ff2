import type { BrowserContext } from "playwright-core";
import { afterEach, expect } from "vitest";
import { collectProblems } from "./browser.ts";

export type WatchedProfiles = Pick<ReturnType<typeof watchProfiles>, "watch">;

/**
 * The profiles that one file's tests open: after each test they are closed, and a test fails when a page of ours has written an error to
 * its console. Called once; other hooks after a test run before or after this one depending on whether they stand below or above it.
 */
export function watchProfiles() {
  let contexts: BrowserContext[] = [];
  let problems: string[] = [];
  let expected: RegExp[] = [];
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    const found = problems.filter((problem) => !expected.some((pattern) => pattern.test(problem)));
    contexts = [];
    problems = [];
    expected = [];
    expect(found, "errors on the console of our pages").toEqual([]);
  });
  return {
    /** @param site Where our pages are. */
    watch: (context: BrowserContext, site: string): void => {
      problems = collectProblems(context, site, problems);
      contexts.push(context);
    },
    /** What the running test causes on purpose. */
    expects: (pattern: RegExp): void => {
      expected.push(pattern);
    },
  };
}
