import { ConfigError, readConfig } from "../../src/config.ts";

/** The problems of an environment; none when it is accepted. */
export function problemsOf(variables: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(variables);
    return [];
  } catch (thrown) {
    if (thrown instanceof ConfigError) return thrown.problems;
    throw thrown;
  }
}
