import { becomeSameLms, type SameLms, type SameLmsDeps } from "../registration/same-lms.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type SaySameLmsDeps = SameLmsDeps & AuditDeps;

/** Has a registration continue an earlier one of the same LMS. @throws as `planSameLms` */
export async function saySameLms(deps: SaySameLmsDeps, newId: string, oldId: string): Promise<SameLms> {
  const done = await becomeSameLms(deps, newId, oldId);
  const on = `${done.to.name} · ${done.to.clientId} > ${done.from.clientId}`;
  await writeAudit(deps, { what: "same-lms", registrationId: done.to.id, on });
  return done;
}
