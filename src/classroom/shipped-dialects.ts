import { refusal } from "../kernel/refusal.ts";
import { publicClients } from "./dialect-public-clients.ts";

/** Each over the default one. */
const shipped: ReadonlyMap<string, object> = new Map([["public-clients", publicClients]]);

/** A plain word names a shipped dialect; anything else is a file's path. */
export function isDialectName(text: string): boolean {
  return /^[a-z][a-z0-9-]*$/i.test(text);
}

/** @throws NamedError "classroom-dialect-unknown" with the names there are */
export function shippedDialect(name: string): object {
  const found = shipped.get(name);
  if (found !== undefined) return found;
  throw refusal("classroom-dialect-unknown", { values: { name, known: [...shipped.keys()].join(", ") } });
}
