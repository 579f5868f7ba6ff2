import { z } from "zod";
import { refusal } from "../../kernel/refusal.ts";
import type { ChainedEntry } from "./rules/audit-chain.ts";

/** Of this release or a later one: further fields are left unread. */
const lineShape = z.object({
  id: z.string(),
  at: z.number(),
  who: z.string(),
  what: z.string(),
  registrationId: z.string().nullable(),
  on: z.string(),
  personId: z.string().optional(),
  operator: z.string().optional(),
  salt: z.string(),
  link: z.object({
    seq: z.number(),
    previous: z.string(),
    previousAt: z.number(),
    named: z.string(),
    digest: z.string(),
  }),
});

/** @throws NamedError "audit-export-unreadable" */
export async function* readAuditExport(lines: AsyncIterable<string>): AsyncGenerator<ChainedEntry> {
  let line = 0;
  for await (const text of lines) {
    line += 1;
    if (text.trim() !== "") yield entryOf(text, line);
  }
}

function entryOf(text: string, line: number): ChainedEntry {
  try {
    return lineShape.parse(JSON.parse(text));
  } catch (cause) {
    throw refusal("audit-export-unreadable", { values: { line }, cause });
  }
}
