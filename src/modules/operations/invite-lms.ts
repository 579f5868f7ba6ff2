import type { EnvironmentName, Invitation } from "../../domain/registration.ts";
import type { InvitationStore } from "../registration/store/invitation-store.ts";
import { createInvitation } from "../registration/create-invitation.ts";
import { type AuditDeps, writeAudit } from "../audit/write-audit.ts";

export type InviteLmsDeps = AuditDeps & { invitations: InvitationStore; publicUrl: string };

/**
 * Makes an invitation for an LMS administrator. The audit log does not hold the invitation itself: whoever reads
 * it there could use it.
 */
export async function inviteLms(
  deps: InviteLmsDeps,
  environment: EnvironmentName,
  hours: number,
): Promise<{ invitation: Invitation; url: string }> {
  const made = await createInvitation(deps, environment, hours);
  await writeAudit(deps, { what: "invitation-made", registrationId: null, on: `${environment}, ${hours} h` });
  return made;
}
