import type { App } from "../../app.ts";
import { currentRequest } from "../../kernel/request-scope.ts";
import { sha256 } from "../../kernel/digest.ts";
import type { AuditEntry } from "./rules/audit.ts";
import { linkAfter } from "./rules/audit-chain.ts";

export type AuditDeps = Pick<App, "audit" | "clock" | "ids"> & {
  who: AuditEntry["who"];
  personId?: string;
  /** E-mail address of a named operator. */
  operator?: string;
};

const saltBytes = 16;

/** Called after the deed has taken effect. */
export async function writeAudit(
  deps: AuditDeps,
  done: Pick<AuditEntry, "what" | "registrationId" | "on">,
): Promise<void> {
  const at = deps.clock.now();
  // Sixteen digits keep ids in the order of time.
  const id = deps.ids.id(`audit_${String(at).padStart(16, "0")}`);
  const request = currentRequest();
  const by = {
    ...(request === null ? {} : { request }),
    ...(deps.personId === undefined ? {} : { personId: deps.personId }),
    ...(deps.operator === undefined ? {} : { operator: deps.operator }),
  };
  const facts = { id, at, who: deps.who, ...by, ...done, salt: deps.ids.secret(saltBytes) };
  await deps.audit.append(facts, (before) => linkAfter(before, facts, sha256));
}
