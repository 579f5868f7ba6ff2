import { join } from "node:path";
import { RuleTester } from "oxlint/plugins-dev";
import { selectors } from "../../lint-selectors.ts";
import { messageOf } from "../../src/kernel/errors.ts";

const runNow = (_name: string, run: () => void) => run();
RuleTester.describe = runNow;
RuleTester.it = runNow;
const tester = new RuleTester();

/** How often oxlint's rules with our own selectors would refuse a text in a file. */
export function refusedBySelectors(text: string, file: string): number {
  const planted = { code: text, filename: join(import.meta.dirname, "../..", file) };
  try {
    tester.run("selectors", selectors, { valid: [planted], invalid: [] });
    return 0;
  } catch (thrown) {
    const [, times] = /no errors but had (\d+)/.exec(messageOf(thrown)) ?? [];
    if (times === undefined) throw thrown;
    return Number(times);
  }
}
