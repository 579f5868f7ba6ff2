import { NamedError } from "../kernel/errors.ts";
import { publicClients } from "./dialect-public-clients.ts";

/** What each dialect that comes with this tool lays over the default one. */
const shipped: ReadonlyMap<string, object> = new Map([["public-clients", publicClients]]);

/** Whether a setting is the name of a shipped dialect rather than the path of a file: nothing but a word. */
export function isDialectName(text: string): boolean {
  return /^[a-z][a-z0-9-]*$/i.test(text);
}

/**
 * A dialect that comes with this tool.
 * @throws NamedError "classroom-dialect-unknown" with the names there are
 */
export function shippedDialect(name: string): object {
  const found = shipped.get(name);
  if (found !== undefined) return found;
  throw new NamedError(
    "classroom-dialect-unknown",
    `CLASSROOM_DIALECT: there is no dialect "${name}" (there are ${[...shipped.keys()].join(", ")}). A file is named by its path, such as ./${name}.json.`,
  );
}
