import type { Stores } from "../../../src/open-stores.ts";
import { sha256 } from "../../../src/kernel/digest.ts";
import { linkAfter } from "../../../src/modules/audit/rules/audit-chain.ts";
import type { AuditEntry } from "../../../src/modules/audit/rules/audit.ts";

/** Adds an entry with a time and an id of its own to the audit log. */
export async function addAuditEntry(
  { audit }: Pick<Stores, "audit">,
  entry: Omit<AuditEntry, "link" | "salt">,
): Promise<void> {
  const facts = { ...entry, salt: "salt" };
  await audit.append(facts, (before) => linkAfter(before, facts, sha256));
}
