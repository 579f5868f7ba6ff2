import { inviteLms } from "../modules/operations/invite-lms.ts";
import { type Command, operatorParts, timeText, UsageError } from "./command.ts";
import { accountNamed } from "./account-named.ts";

export const invite: Command = async (tools) => {
  const { values } = tools;
  const hours = Number(values.hours);
  if (!(hours > 0 && hours <= 24 * 30)) throw new UsageError("--hours must be a number between 1 and 720.");
  const parts = await operatorParts(tools);
  const { id: account } = accountNamed(values, parts.accounts);
  const { publicUrl } = parts.config;
  const { invitation, url } = await inviteLms({ ...parts, publicUrl }, account, hours);
  const expires = timeText(invitation.expiresAt);
  return {
    text: `${url}\n\nGive this address to the LMS administrator; opened in a browser it says what to do. It works once, until ${expires}.\nMoodle: Site administration > Plugins > Activity modules > External tool > Manage tools > Tool URL.\nCanvas: Admin > Developer Keys > + Developer Key > LTI Registration; newer Canvas: Admin > Apps > Manage > Install a New App > LTI 1.3, Dynamic Registration.`,
    json: { url, account, expiresAt: expires },
  };
};
