import { readFile } from "node:fs/promises";
import { messageOf } from "../kernel/errors.ts";
import { parseJson } from "../kernel/outside-reply.ts";
import { refusal } from "../kernel/refusal.ts";
import { defaultDialect } from "./default-dialect.ts";
import type { Dialect } from "./dialect.ts";
import { parseDialect } from "./parse-dialect.ts";
import { isDialectName } from "./shipped-dialects.ts";

/**
 * Of the named file, the shipped one of that name, or the default one. @throws NamedError "dialect-unreadable",
 * "classroom-dialect-unknown", or "classroom-dialect-invalid" with every problem
 */
export async function readDialect(file: string | undefined): Promise<Dialect> {
  if (file === undefined) return defaultDialect;
  if (isDialectName(file)) return parseDialect({ extends: file });
  let json: unknown;
  try {
    json = parseJson(await readFile(file, "utf8"));
  } catch (thrown) {
    throw refusal("dialect-unreadable", { values: { file, reason: messageOf(thrown) } });
  }
  return parseDialect(json);
}
