import type { BrowserContext } from "playwright-core";
import { afterEach, expect } from "vitest";
import { collectProblems } from "./browser.ts";

/**
 * The profiles that one file's tests open: after each test they are closed, and a test fails when a page of ours has written an error to
 * its console. Called once, where the file's other hooks are.
 */
export function watchProfiles() {
  let contexts: BrowserContext[] = [];
  let problems: string[] = [];
  afterEach(async () => {
    await Promise.all(contexts.map((context) => context.close()));
    contexts = [];
    const found = problems;
    problems = [];
    expect(found, "errors on the console of our pages").toEqual([]);
  });
  return {
    /** @param site Where our pages are. */
    watch: (context: BrowserContext, site: string): void => {
      problems = collectProblems(context, site, problems);
      contexts.push(context);
    },
  };
}
