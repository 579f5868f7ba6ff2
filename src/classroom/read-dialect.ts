import { readFile } from "node:fs/promises";
import { messageOf } from "../kernel/errors.ts";
import { parseJson } from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";
import { defaultDialect } from "./default-dialect.ts";
import type { Dialect } from "./dialect.ts";
import { parseDialect } from "./parse-dialect.ts";

/** Of the named file, or the default one. @throws NamedError "dialect-unreadable"; "classroom-dialect-invalid" */
export async function readDialect(file: string | undefined): Promise<Dialect> {
  if (file === undefined) return defaultDialect;
  let json: unknown;
  try {
    json = parseJson(await readFile(file, "utf8"));
  } catch (thrown) {
    throw refusal("dialect-unreadable", { values: { file, reason: messageOf(thrown) } });
  }
  return parseDialect(json);
}
