import { createHash } from "node:crypto";
import type { AccountId } from "../../domain/account.ts";
import type { Invitation } from "../../domain/registration.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { Ids } from "../../kernel/ids.ts";
import { refusal } from "../../kernel/refusal.ts";
import type { InvitationStore } from "./store/set-up-store.ts";

/** What an invitation is for. */
export type WantedInvitation = Pick<Invitation, "institution" | "letsAdministratorsIn"> & {
  account: AccountId;
  hours: number;
};

/** One-time, valid for `hours`. @returns the invitation and its address, for an LMS administrator. */
export async function createInvitation(
  deps: { invitations: InvitationStore; publicUrl: string; clock: Clock; ids: Ids },
  { account, hours, ...institution }: WantedInvitation,
): Promise<{ invitation: Invitation; url: string }> {
  const secret = deps.ids.secret(24);
  const invitation: Invitation = {
    id: invitationDigest(secret),
    environment: account,
    ...institution,
    expiresAt: deps.clock.now() + hours * 3_600_000,
    usedAt: null,
  };
  await deps.invitations.insert(invitation);
  return { invitation, url: invitationUrl(deps.publicUrl, secret) };
}

/** Anyone with the address may use it. */
function invitationUrl(publicUrl: string, secret: string): string {
  return `${publicUrl}/lti/register?invite=${encodeURIComponent(secret)}`;
}

/** Stored instead of the secret: a reader of the database or a backup cannot use it. */
export function invitationDigest(secret: string): string {
  return createHash("sha256").update(secret).digest("base64url");
}

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
