import type { Invitation } from "../../domain/registration.ts";
import type { Clock } from "../../kernel/clock.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { InvitationStore } from "./store/invitation-store.ts";
import { invitationDigest, invitationUrl } from "./create-invitation.ts";

/**
 * A usable invitation, for the person it was given to. Showing does not use it up.
 * @throws NamedError "invitation-invalid", "invitation-used" or "invitation-expired"
 */
export async function showInvitation(
  deps: { invitations: Pick<InvitationStore, "find">; publicUrl: string; clock: Clock },
  secret: string,
): Promise<{ invitation: Invitation; url: string }> {
  const invitation = await deps.invitations.find(invitationDigest(secret));
  if (invitation === null) {
    throw refusal("invitation-invalid", { status: 403 });
  }
  if (invitation.usedAt !== null) {
    throw refusal("invitation-used", { status: 410 });
  }
  if (invitation.expiresAt <= deps.clock.now()) {
    throw refusal("invitation-expired", { status: 410 });
  }
  return { invitation, url: invitationUrl(deps.publicUrl, secret) };
}
