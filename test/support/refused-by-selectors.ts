import { join } from "node:path";
import { Linter } from "eslint";
import tseslint from "typescript-eslint";
import own from "../../lint-selectors.ts";

/** How often our own selectors refuse a text, were it in a file. */
export function refusedBySelectors(text: string, file: string): number {
  const config: Linter.Config = {
    files: ["**/*.ts"],
    plugins: { own },
    languageOptions: { parser: tseslint.parser },
    rules: { "own/selectors": "error" },
  };
  return new Linter().verify(text, config, join(import.meta.dirname, "../..", file)).length;
}
