import type { App } from "../../app.ts";
import type { Invitation } from "../../domain/registration.ts";
import { type ChangeAccountsDeps, prepareAccount } from "../accounts/change-accounts.ts";
import { createInvitation, type WantedInvitation } from "../registration/invitations.ts";
import { writeAudit } from "../audit/write-audit.ts";

export type InviteLmsDeps = ChangeAccountsDeps & Pick<App, "invitations" | "publicUrl">;

/** `newAccountName`: the account does not exist yet; the institution gives its addresses and key. */
export type InvitedLms = WantedInvitation & { newAccountName?: string };

/**
 * Makes an invitation for an LMS administrator. The audit log does not hold it: a reader could use it.
 * @throws NamedError "account-exists" when a new account's id is taken
 */
export async function inviteLms(
  deps: InviteLmsDeps,
  { newAccountName, ...wanted }: InvitedLms,
): Promise<{ invitation: Invitation; url: string }> {
  const { account, hours, institution } = wanted;
  if (newAccountName !== undefined) await prepareAccount(deps, { id: account, name: newAccountName });
  const made = await createInvitation(deps, wanted);
  const whose = institution === undefined ? account : `${institution}, ${account}`;
  await writeAudit(deps, { what: "invitation-made", registrationId: null, on: `${whose}, ${hours} h` });
  return made;
}
