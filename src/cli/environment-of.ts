import type { Config } from "../config.ts";
import type { EnvironmentName } from "../domain/registration.ts";
import { UsageError } from "./command.ts";

/** The named environment, or the first configured one. @throws UsageError for an unknown one */
export function environmentOf(given: string | undefined, config: Config): EnvironmentName {
  const [first = "production"] = Object.values(config.environments).map((one) => one.name);
  const name = given ?? first;
  if (name !== "production" && name !== "staging")
    throw new UsageError("--environment is production or staging.");
  if (config.environments[name] === undefined)
    throw new UsageError(`The ${name} environment is not configured.`);
  return name;
}
