import { secretDigest } from "../../kernel/ids.ts";
import type { App } from "../../app.ts";
import type { AccountId } from "../../domain/account.ts";
import type { Invitation } from "../../domain/registration.ts";
import { refusal } from "../../kernel/refusal.ts";

export type InvitationRequest = Pick<Invitation, "institution" | "letsAdministratorsIn"> & {
  account: AccountId;
  hours: number;
};

/** One-time, valid for `hours`. @returns the invitation and its address, for an LMS administrator. */
export async function createInvitation(
  app: Pick<App, "invitations" | "publicUrl" | "clock" | "ids">,
  { account, hours, ...institution }: InvitationRequest,
): Promise<{ invitation: Invitation; url: string }> {
  const secret = app.ids.secret(24);
  const invitation: Invitation = {
    id: secretDigest(secret),
    environment: account,
    ...institution,
    expiresAt: app.clock.now() + hours * 3_600_000,
    usedAt: null,
  };
  await app.invitations.insert(invitation);
  return { invitation, url: invitationUrl(app.publicUrl, secret) };
}

/** Anyone with the address may use it. */
function invitationUrl(publicUrl: string, secret: string): string {
  return `${publicUrl}/lti/register?invite=${encodeURIComponent(secret)}`;
}

/**
 * A usable invitation, for the person it was given to. Showing does not use it up.
 * @throws NamedError "invitation-invalid", "invitation-used" or "invitation-expired"
 */
export async function showInvitation(
  app: Pick<App, "publicUrl" | "clock"> & { invitations: Pick<App["invitations"], "find"> },
  secret: string,
): Promise<{ invitation: Invitation; url: string }> {
  const invitation = await app.invitations.find(secretDigest(secret));
  if (invitation === null) throw refusal("invitation-invalid", { status: 403 });
  if (invitation.usedAt !== null) throw refusal("invitation-used", { status: 410 });
  if (invitation.expiresAt <= app.clock.now()) throw refusal("invitation-expired", { status: 410 });
  return { invitation, url: invitationUrl(app.publicUrl, secret) };
}
