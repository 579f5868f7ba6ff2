import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Invitation } from "../../domain/registration.ts";
import { createInvitation } from "../registration/create-invitation.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type InviteLmsDeps = AuditDeps & Pick<App, "invitations" | "publicUrl">;

/** Makes an invitation for an LMS administrator. The audit log does not hold it: a reader could use it. */
export async function inviteLms(
  deps: InviteLmsDeps,
  environment: AccountId,
  hours: number,
): Promise<{ invitation: Invitation; url: string }> {
  const made = await createInvitation(deps, environment, hours);
  await writeAudit(deps, { what: "invitation-made", registrationId: null, on: `${environment}, ${hours} h` });
  return made;
}
