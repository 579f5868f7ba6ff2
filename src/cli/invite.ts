import { inviteLms } from "../modules/operations/invite-lms.ts";
import { type Command, operatorParts, timeText, UsageError } from "./command.ts";
import { environmentOf } from "./environment-of.ts";

export const invite: Command = async (tools) => {
  const { values } = tools;
  const hours = Number(values.hours);
  if (!(hours > 0 && hours <= 24 * 30)) throw new UsageError("--hours must be a number between 1 and 720.");
  const environment = environmentOf(values.environment, tools.config());
  const parts = await operatorParts(tools);
  const { publicUrl } = parts.config;
  const { invitation, url } = await inviteLms({ ...parts, publicUrl }, environment, hours);
  const expires = timeText(invitation.expiresAt);
  return {
    text: `${url}\n\nGive this address to the LMS administrator; opened in a browser it says what to do. It works once, until ${expires}.\nMoodle: Site administration > Plugins > Activity modules > External tool > Manage tools > Tool URL.\nCanvas: Admin > Developer Keys > + Developer Key > LTI Registration; newer Canvas: Admin > Apps > Manage > Install a New App > LTI 1.3, Dynamic Registration.`,
    json: { url, environment, expiresAt: expires },
  };
};
